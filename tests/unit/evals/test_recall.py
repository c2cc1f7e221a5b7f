"""Recall by turn and stage, and the losses, on hand-counted turns."""

from __future__ import annotations

import pytest

from evals.recall import StageRow, loss_of, loss_words, recall, recall_table
from evals.stages import StageRanks, dropped_by


def row(session: str, turn: int, ranks: StageRanks, dropped: str | None = None) -> StageRow:
    return StageRow(
        session_id=session, scenario="buying", turn=turn, message="said", stage_ranks=ranks, dropped_by=dropped
    )  # fmt: skip


def ranks(retrieved: int | None, filtered: int | None, ranked: int | None, shown: int | None) -> StageRanks:
    return {"retrieved": retrieved, "filtered": filtered, "ranked": ranked, "shown": shown}


ROWS = [
    row("a", 1, ranks(4, 4, 2, None)),
    row("b", 1, ranks(90, 80, 120, None)),
    row("c", 1, ranks(700, 600, 9, 9)),
    row("d", 1, ranks(None, None, None, None)),
    row("a", 2, ranks(3, 3, 1, 1)),
    row("b", 2, ranks(40, None, None, None), "at most $20"),
]


def test_recall_is_counted_by_turn_and_stage() -> None:
    report = recall(ROWS)
    assert report is not None
    first, second = report.turns
    assert (first.turn, first.sessions, second.turn, second.sessions) == (1, 4, 2, 2)
    found = first.stages["retrieved"]
    assert (found.at_10, found.at_100, found.at_500, found.anywhere) == (0.25, 0.5, 0.5, 0.75)
    assert (first.stages["ranked"].at_10, first.stages["ranked"].at_100) == (0.5, 0.5)
    assert first.stages["ranked"].at_500 == first.stages["filtered"].anywhere == 0.75
    assert (first.stages["shown"].at_10, second.stages["shown"].at_10) == (0.25, 0.5)
    assert report.overall.sessions == 6
    assert report.overall.stages["retrieved"].at_10 == pytest.approx(2 / 6)
    assert report.opening_at_500 == 0.5


def test_each_loss_is_named_with_its_last_stage_and_its_cause() -> None:
    report = recall(ROWS)
    assert report is not None
    told = [(loss.session_id, loss.turn, loss.kind, loss.last, loss.rank, loss.cause) for loss in report.losses]
    assert told == [
        ("b", 1, "ranked below 100", "ranked", 120, ""),
        ("d", 1, "not in the pool", None, None, ""),
        ("b", 2, "filtered", "retrieved", 40, "at most $20"),
    ]


def test_the_table_has_a_row_for_each_turn_and_one_for_all() -> None:
    report = recall(ROWS)
    assert report is not None
    rows = recall_table(report)
    assert [row[:2] for row in rows] == [("1", "4"), ("2", "2"), ("all", "6")]
    assert rows[0][2:] == ("0.250", "0.500", "0.500", "0.750", "0.750", "0.500", "0.500", "0.750", "0.250")
    assert [loss_words(loss) for loss in report.losses] == [
        "turn 1: ranked below 100 (ranked 120)",
        "turn 1: not in the pool",
        "turn 2: filtered by at most $20 (retrieved 40)",
    ]


def test_what_was_shown_before_is_withheld() -> None:
    loss = loss_of(row("a", 3, ranks(2, None, None, None), "withheld"))
    assert loss is not None
    assert (loss.kind, loss.last, loss.cause) == ("withheld", "retrieved", "")


def test_a_product_that_a_wider_search_brought_back_is_not_lost() -> None:
    assert loss_of(row("a", 1, ranks(None, 12, 40, None))) is None


def test_an_agent_without_stages_has_no_recall() -> None:
    assert recall([row("a", 1, {"shown": 1})]) is None


def test_the_reason_of_the_filter_is_that_of_the_target() -> None:
    told = {"dropped": {"withheld": ["x"], "color red": ["t", "y"]}}
    assert dropped_by(told, "t") == "color red"
    assert dropped_by(told, "z") is None
    assert dropped_by({"dropped": ["t"]}, "t") is None
    assert dropped_by(None, "t") is None
