"""Where the wanted product stands after each stage of a turn. Computed in the parent, which alone knows the target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

STAGES = ("retrieved", "filtered", "ranked")
"""Lists of an agent's diagnostics, in the order in which a turn makes them; `shown` follows from the answer."""

StageRanks = dict[str, int | None]
"""Stage to the target's rank there (1 is first), None where it is absent; stages not reported are left out."""


def stage_ranks(diagnostics: Mapping[str, Any] | None, shown: Sequence[str], target: str) -> StageRanks:
    """Return the target's rank after each stage."""
    lists = {stage: (diagnostics or {}).get(stage) for stage in STAGES}
    ranks = {stage: rank_in(items, target) for stage, items in lists.items() if isinstance(items, list)}
    return {**ranks, "shown": rank_in(shown, target)}


def dropped_by(diagnostics: Mapping[str, Any] | None, target: str) -> str | None:
    """Return what the agent's filter dropped the target for; None when it did not, or does not tell."""
    dropped = (diagnostics or {}).get("dropped")
    if not isinstance(dropped, Mapping):
        return None
    return next((str(reason) for reason, items in dropped.items() if isinstance(items, list) and target in items), None)


def rank_in(items: Sequence[Any], target: str) -> int | None:
    """Return the place of `target` in `items`, 1 for the first; None when it is not there."""
    return items.index(target) + 1 if target in items else None


def lost_at(ranks: StageRanks) -> str | None:
    """Name the first stage whose list no longer holds the target; None when it was shown."""
    return next((stage for stage in (*STAGES, "shown") if stage in ranks and ranks[stage] is None), None)
