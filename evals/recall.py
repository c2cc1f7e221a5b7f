"""Whether the wanted product was there: recall by turn and stage, and each loss with what caused it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from evals.stages import STAGES, StageRanks

DEPTHS = (10, 100, 500)
"""Ranks within which the target counts as found."""

DEEP = 100
"""Ranks that the later steps of a turn look at: a target below is lost by the ranking."""

WITHHELD = "withheld"
"""What an agent's diagnostics call the reason of a product that is not shown again."""

LossKind = Literal["not in the pool", "filtered", "withheld", "ranked below 100"]


_CELLS = (
    *(("retrieved", depth) for depth in ("at_10", "at_100", "at_500", "anywhere")),
    ("filtered", "anywhere"),
    *(("ranked", depth) for depth in ("at_10", "at_100", "at_500")),
    ("shown", "at_10"),
)

RECALL_COLUMNS = (
    *("turn", "sessions", "text@10", "@100", "@500", "pool", "filtered"),
    *("ranked@10", "@100", "@500", "shown"),
)
"""What stands in a row of `recall_table`: the ranks by text, the pool, what the filter left, the ranks by evidence."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class StageRecall(_Part):
    """Share of the turns in which a stage still had the target: among its first ranks, and at all."""

    at_10: float
    at_100: float
    at_500: float
    anywhere: float


class TurnRecall(_Part):
    """The sessions that came to a turn, and what the stages of that turn kept of their targets."""

    turn: int
    sessions: int
    stages: dict[str, StageRecall]


class Loss(_Part):
    """A turn without the target among the leaders: where it was last, and what took it away."""

    session_id: str
    scenario: str
    turn: int
    kind: LossKind
    last: str | None = Field(description="The last stage that had it; None when it was not in the pool.")
    rank: int | None = Field(description="Its rank there; by text before the ranking, by evidence after it.")
    cause: str = Field(default="", description="The constraint that dropped it, where one did.")
    message: str


class RecallReport(_Part):
    """Recall over a run, from the turns whose agent told of its stages."""

    opening_at_500: float = Field(description="Recall@500 of the first turn's retrieval, in the order of the text.")
    turns: list[TurnRecall]
    overall: TurnRecall = Field(description="All turns together; its `turn` is 0.")
    losses: list[Loss]


class StageRow(_Part):
    """What recall is computed from: one turn."""

    session_id: str
    scenario: str
    turn: int
    message: str
    stage_ranks: StageRanks
    dropped_by: str | None


def recall(rows: Iterable[StageRow]) -> RecallReport | None:
    """Summarise the stage ranks of a run's turns; None when no turn tells of a stage before the answer."""
    told = [row for row in rows if any(stage in row.stage_ranks for stage in STAGES)]
    opening = [row.stage_ranks.get("retrieved") for row in told if row.turn == 1]
    if not opening:
        return None
    by_turn: dict[int, list[StageRanks]] = defaultdict(list)
    for row in told:
        by_turn[row.turn].append(row.stage_ranks)
    return RecallReport(
        opening_at_500=_share(opening, DEPTHS[-1]),
        turns=[_turn(turn, by_turn[turn]) for turn in sorted(by_turn)],
        overall=_turn(0, [row.stage_ranks for row in told]),
        losses=[loss for row in told if (loss := loss_of(row)) is not None],
    )


def recall_table(report: RecallReport) -> list[tuple[str, ...]]:
    """Return a row for each turn and one for all: how much of the targets each stage kept, under `RECALL_COLUMNS`."""
    return [
        (str(row.turn or "all"), str(row.sessions), *(_cell(row, stage, depth) for stage, depth in _CELLS))
        for row in (*report.turns, report.overall)
    ]


def _cell(row: TurnRecall, stage: str, depth: str) -> str:
    found = row.stages.get(stage)
    return "" if found is None else f"{getattr(found, depth):.3f}"


def loss_words(loss: Loss) -> str:
    """Return a loss in words: `turn 2: filtered by at most $20 (retrieved 40)`."""
    what = f"{loss.kind} by {loss.cause}" if loss.cause else loss.kind
    where = f" ({loss.last} {loss.rank})" if loss.last else ""
    return f"turn {loss.turn}: {what}{where}"


def _turn(turn: int, ranks: Sequence[StageRanks]) -> TurnRecall:
    stages = {}
    for stage in (*STAGES, "shown"):
        places = [row[stage] for row in ranks if stage in row]
        if places:
            at_10, at_100, at_500 = (_share(places, depth) for depth in DEPTHS)
            present = sum(place is not None for place in places) / len(places)
            stages[stage] = StageRecall(at_10=at_10, at_100=at_100, at_500=at_500, anywhere=present)
    return TurnRecall(turn=turn, sessions=len(ranks), stages=stages)


def _share(places: Sequence[int | None], depth: int) -> float:
    return sum(place is not None and place <= depth for place in places) / len(places)


def loss_of(row: StageRow) -> Loss | None:
    """Return how a turn lost the target; None when the leaders hold it or it was shown."""
    ranks = row.stage_ranks
    if ranks.get("shown") is not None:
        return None
    kind, last = _lost(ranks, row.dropped_by)
    if kind is None:
        return None
    return Loss(
        session_id=row.session_id,
        scenario=row.scenario,
        turn=row.turn,
        kind=kind,
        last=last,
        rank=ranks[last] if last else None,
        cause=(row.dropped_by or "") if kind == "filtered" else "",
        message=row.message,
    )


def _lost(ranks: StageRanks, dropped_by: str | None) -> tuple[LossKind | None, str | None]:
    if ranks.get("filtered") is None and dropped_by == WITHHELD:
        return "withheld", "retrieved"
    if "retrieved" in ranks and ranks["retrieved"] is None and ranks.get("filtered") is None:
        return "not in the pool", None
    if "filtered" in ranks and ranks["filtered"] is None:
        return "filtered", "retrieved"
    place = ranks.get("ranked", 1)
    if place is None:
        return "ranked below 100", "filtered"
    return ("ranked below 100", "ranked") if place > DEEP else (None, None)
