from __future__ import annotations

from evals.stages import lost_at, stage_ranks


def test_ranks_count_from_one_and_absence_is_none() -> None:
    told = {"retrieved": ["a", "t"], "filtered": ["t"], "ranked": ["b"]}
    assert stage_ranks(told, ["b"], "t") == {"retrieved": 2, "filtered": 1, "ranked": None, "shown": None}


def test_stages_that_an_agent_does_not_report_are_left_out() -> None:
    assert stage_ranks(None, ["t"], "t") == {"shown": 1}
    assert stage_ranks({"retrieved": "t", "ranked": ["t"]}, [], "t") == {"ranked": 1, "shown": None}


def test_a_target_is_lost_at_the_first_stage_without_it() -> None:
    assert lost_at({"retrieved": 4, "filtered": None, "ranked": None, "shown": None}) == "filtered"
    assert lost_at({"retrieved": 4, "filtered": 4, "ranked": 20, "shown": None}) == "shown"
    assert lost_at({"shown": 3}) is None
