"""Drop what violates a hard constraint; when nothing would be left, give up the least and say so."""

from __future__ import annotations

from typing import Any

import numpy as np

from graph.events import believe
from graph.state import BASIS, Context, TurnState
from tools.pool import known
from tools.relaxation import narrow
from tools.shop import Shop


def filter(state: TurnState, shop: Shop, context: Context) -> dict[str, Any]:  # noqa: A001 - the node's name in Studio
    """Return the surviving candidates and the constraints that were relaxed for them."""
    belief = believe(state.events)
    ids = known(shop.index, state.candidates)
    withheld = belief.rejected if context.policy == "full" else [*belief.rejected, *belief.shown, *belief.pending]
    kept = set(belief.chosen)
    rows = [row for row in shop.index.ids([p for p in withheld if p not in kept]) if row is not None]
    free = ids[~np.isin(ids, np.asarray(rows, dtype=np.int32))] if rows else ids
    if not len(free):
        free = ids
    narrowed = narrow(shop.index, belief, free)
    return {
        "candidates": narrowed.ids.tolist(),
        "relaxed": narrowed.relaxed,
        "notices": [*state.notices, *narrowed.notices],
        BASIS: {"withheld": len(ids) - len(free), "dropped": narrowed.dropped},
    }
