"""Scores of a run, as PROTOCOLS defines them for every protocol.

`HR@10` = hits/N, `MRR` = mean 1/rank (a miss gives 0), `MTTC` = mean turn of the first hit (a miss gives 11),
`efficiency` = (11 - MTTC)/10 in [0, 1], `technical_score` = .5 HR@10 + .3 MRR + .2 efficiency.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from evals.recall import RecallReport
from evals.sessions import LAST_TURN

MISS_TURN = LAST_TURN + 1
"""The turn that a miss counts as."""

RESAMPLES = 2000
"""Bootstrap resamples: the ends of a 95% interval then repeat to about .002 between seeds at 200 sessions."""


class _Result(BaseModel):
    model_config = ConfigDict(frozen=True)


class Outcome(_Result):
    """How one session ended: the turn of the hit that counts and the target's rank there; both None for a miss."""

    session_id: str
    scenario: str
    groups: dict[str, str] = Field(default_factory=dict, description="Other groupings, such as the persona.")
    turn: int | None = None
    rank: int | None = None

    @property
    def contribution(self) -> float:
        """The session's own technical score; the score of a run is the mean of these."""
        if self.turn is None or self.rank is None:
            return 0.0
        return 0.5 + 0.3 / self.rank + 0.2 * (MISS_TURN - self.turn) / LAST_TURN


class Scores(_Result):
    """The scores of a group of sessions."""

    sessions: int
    hits: int
    hr_at_10: float
    mrr: float
    mttc: float
    efficiency: float
    technical_score: float
    exact_top1: float = Field(description="Share of sessions that ended with the target in first place.")


class Interval(_Result):
    """A bootstrap percentile interval of the technical score over resampled sessions."""

    low: float
    high: float
    level: float = 0.95
    resamples: int = RESAMPLES
    seed: int = 0


class Latency(_Result):
    """Milliseconds of `respond`, over the turns that gave an answer; None when none did."""

    p50_ms: float | None
    p95_ms: float | None
    turns: int


class Tokens(_Result):
    """Tokens that the agent reported."""

    prompt: int = 0
    completion: int = 0

    @property
    def total(self) -> int:
        """Prompt and completion together."""
        return self.prompt + self.completion


class TurnFault(_Result):
    """A turn that the agent failed: it counts as a miss."""

    session_id: str
    turn: int
    kind: str = Field(description="exception, shape, timeout or crash.")
    text: str


class Metrics(_Result):
    """Everything that a run is judged by."""

    overall: Scores
    interval: Interval
    per_scenario: dict[str, Scores]
    per_group: dict[str, dict[str, Scores]] = Field(
        default_factory=dict, description="By grouping other than the scenario, such as persona, and by group."
    )
    hit_curve: list[float] = Field(description="Share of sessions that hit by turn 1, 2, ... 10.")
    latency: Latency
    tokens: Tokens
    faults: list[TurnFault]
    recall: RecallReport | None = Field(default=None, description="None for an agent without diagnostics.")


def score(outcomes: Sequence[Outcome]) -> Scores:
    """Score a non-empty group of sessions."""
    n = len(outcomes)
    hits = [outcome for outcome in outcomes if outcome.turn is not None]
    mttc = sum(outcome.turn or MISS_TURN for outcome in outcomes) / n
    hr, mrr = len(hits) / n, sum(1 / outcome.rank for outcome in hits if outcome.rank) / n
    efficiency = min(1.0, max(0.0, (MISS_TURN - mttc) / LAST_TURN))
    return Scores(
        sessions=n,
        hits=len(hits),
        hr_at_10=hr,
        mrr=mrr,
        mttc=mttc,
        efficiency=efficiency,
        technical_score=0.5 * hr + 0.3 * mrr + 0.2 * efficiency,
        exact_top1=sum(outcome.rank == 1 for outcome in hits) / n,
    )


def score_scenarios(outcomes: Sequence[Outcome]) -> dict[str, Scores]:
    """Score each scenario on its own, the most frequent first (ties by name)."""
    counts = Counter(outcome.scenario for outcome in outcomes)
    names = sorted(counts, key=lambda name: (-counts[name], name))
    return {name: score([outcome for outcome in outcomes if outcome.scenario == name]) for name in names}


def score_groups(outcomes: Sequence[Outcome]) -> dict[str, dict[str, Scores]]:
    """Score each group of each grouping that the outcomes have, in the order of names."""
    found = sorted({pair for outcome in outcomes for pair in outcome.groups.items()})
    scores: dict[str, dict[str, Scores]] = {}
    for grouping, group in found:
        members = [outcome for outcome in outcomes if outcome.groups.get(grouping) == group]
        scores.setdefault(grouping, {})[group] = score(members)
    return scores


def bootstrap(outcomes: Sequence[Outcome], seed: int = 0, resamples: int = RESAMPLES) -> Interval:
    """Return the 95% interval of the technical score: whole sessions are drawn again, with replacement."""
    contributions = np.array([outcome.contribution for outcome in outcomes])
    drawn = np.random.default_rng(seed).integers(0, len(contributions), (resamples, len(contributions)))
    low, high = np.percentile(contributions[drawn].mean(axis=1), [2.5, 97.5])
    return Interval(low=float(low), high=float(high), resamples=resamples, seed=seed)


def hit_curve(outcomes: Sequence[Outcome]) -> list[float]:
    """Return the share of sessions that had hit by each turn, turn 1 first."""
    turns: NDArray[np.int64] = np.array([outcome.turn or MISS_TURN for outcome in outcomes])
    return [float((turns <= turn).mean()) for turn in range(1, LAST_TURN + 1)]


def latency(milliseconds: Iterable[float]) -> Latency:
    """Summarise turn times (median and 95th percentile, linear between neighbours)."""
    times = list(milliseconds)
    if not times:
        return Latency(p50_ms=None, p95_ms=None, turns=0)
    p50, p95 = np.percentile(times, [50, 95])
    return Latency(p50_ms=float(p50), p95_ms=float(p95), turns=len(times))
