"""The runner against real worker processes: every way an agent can fail costs its turn, and only its turn."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from evals.errors import AgentUnavailableError, TargetLeakError
from evals.official.shopper import OfficialSession, OfficialShopper
from evals.process import AgentSpec, Worker, WorkerFault, worker_environment
from evals.runner import play_all
from evals.scoring import score
from evals.traces import SessionTrace, measure, worst
from tests.unit.evals.shelf import ShelfIndex, session, sessions, shelf

KNOWN = ShelfIndex(shelf())


def exist(asins: Sequence[str]) -> list[bool]:
    return [number is not None for number in KNOWN.ids(asins)]


def spec(name: str, **more: object) -> AgentSpec:
    return AgentSpec(agent=f"tests.unit.evals.agents:{name}", catalog=Path("shelf.duckdb"), **more)


def play(name: str, played: Sequence[OfficialSession], **more: object) -> list[SessionTrace]:
    return play_all(spec(name), played, OfficialShopper, exist, **more)


def kinds(trace: SessionTrace) -> list[tuple[int, str]]:
    return [(fault.turn, fault.kind) for turn in trace.turns for fault in turn.faults]


def test_a_listing_agent_finds_each_target_at_the_turn_and_rank_of_its_place() -> None:
    played = [s for s in sessions(20) if s.scenario != "intent_override"]
    traces = play("Lister", played)
    for wanted, trace in zip(played, traces, strict=True):
        place = int(wanted.target[4:])
        assert trace.outcome.turn == place // 10 + 1
        # At each turn a made-up id and a repeated one come first, and neither counts.
        assert trace.outcome.rank == place % 10 + 1
        assert len(trace.turns) == trace.outcome.turn
        last = trace.turns[-1]
        assert last.stage_ranks == {
            "retrieved": place % 10 + 2,
            "filtered": place % 10 + 1,
            "ranked": 10 - place % 10,
            "shown": place % 10 + 1,
        }
        assert last.query == "shelf.duckdb confident True"
        assert (last.prompt_tokens, last.completion_tokens) == (7, 2)
        assert last.node_ms == {"retrieve": 1.5, "rank": 0.5}
    metrics = measure(traces)
    assert metrics.overall == score([trace.outcome for trace in traces])
    assert metrics.tokens.total == 9 * sum(len(trace.turns) for trace in traces)
    assert metrics.latency.turns == sum(len(trace.turns) for trace in traces)
    assert metrics.faults == []


def test_a_hit_before_the_change_of_mind_does_not_count() -> None:
    early = session("intent_override", target="TEST000000")
    (trace,) = play("Lister", [early])
    assert trace.turns[0].shown[0] == "TEST000000"
    assert not trace.turns[0].counts
    assert trace.outcome.turn is None
    assert len(trace.turns) == 10


def test_many_workers_give_the_same_traces_as_one() -> None:
    def bare(traces: Sequence[SessionTrace]) -> list[object]:
        return [trace.model_dump(exclude={"turns": {"__all__": {"latency_ms"}}}) for trace in traces]

    done: list[int] = []
    many = play("Lister", sessions(12), jobs=3, advance=lambda: done.append(1))
    assert bare(many) == bare(play("Lister", sessions(12)))
    assert len(done) == 12


def test_an_exception_is_a_miss_for_its_turn_and_is_listed() -> None:
    (trace,) = play("Raises", [session("browsing")])
    assert kinds(trace) == [(2, "exception")]
    assert "no luck" in trace.turns[1].faults[0].text
    assert trace.turns[1].reply is None
    assert "Ask me about one specific attribute" in trace.turns[2].message
    assert len(trace.turns) == 10
    assert [fault.turn for fault in measure([trace]).faults] == [2]


def test_a_failed_reset_is_listed_and_the_session_goes_on() -> None:
    (trace,) = play("ResetRaises", [session("browsing")])
    assert trace.reset_fault is not None
    assert (trace.reset_fault.turn, trace.reset_fault.kind) == (0, "exception")
    assert len(trace.turns) == 10
    assert measure([trace]).faults[0].turn == 0


def test_every_wrong_shape_is_a_miss_for_its_turn() -> None:
    (trace,) = play("Garbage", [session("browsing")])
    assert kinds(trace) == [(turn, "shape") for turn in range(1, 11)]


def test_a_hanging_agent_is_killed_and_started_again_without_its_memory() -> None:
    traces = play("Hangs", [session("browsing", target="TEST000001"), session("buying", session_id="s2")], timeout=1.0)
    assert kinds(traces[0]) == [(1, "timeout")]
    # The agent counts its turns from the restart: its second answer, at turn 3, holds the target.
    assert traces[0].outcome.turn == 3
    assert kinds(traces[1])[0] == (1, "timeout")


def test_a_dying_agent_is_started_again_and_its_last_words_are_kept() -> None:
    (trace,) = play("Dies", [session("browsing")])
    assert kinds(trace) == [(3, "crash")]
    assert "out of memory, say" in trace.turns[2].faults[0].text
    assert len(trace.turns) == 10


def test_failing_diagnostics_are_listed_and_cost_nothing() -> None:
    (trace,) = play("BadDiagnosis", [session("browsing")])
    assert kinds(trace)[0] == (1, "diagnose exception")
    assert trace.turns[0].reply == "Here you are."


@pytest.mark.parametrize("name", ["Unloadable", "NoSuchAgent"])
def test_an_agent_that_does_not_load_ends_the_run_with_its_name(name: str) -> None:
    with pytest.raises(AgentUnavailableError, match=name):
        play(name, [session()], jobs=2)


def test_a_message_that_would_carry_the_target_id_is_an_error() -> None:
    leaking = session("buying", hard=("see TARGET0001", "b2"))
    with pytest.raises(TargetLeakError, match="s1"):
        play("Quiet", [leaking])
    profile = session().user_profile.model_copy(update={"summary": "bought target0001"})
    with pytest.raises(TargetLeakError):
        play("Quiet", [session(user_profile=profile)])


def test_the_worker_sees_no_session_file_no_variable_and_no_descriptor_of_the_parent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    secret = tmp_path / "sessions-of-the-parent.jsonl"
    secret.write_text("{}")
    monkeypatch.setenv("SECRET_OF_THE_PARENT", str(secret))
    monkeypatch.setenv("LET_THROUGH", "1")
    with secret.open() as held:
        os.set_inheritable(held.fileno(), True)
        traces = play_all(
            spec("Spy", environment=("LET_THROUGH",)), [session("browsing")], OfficialShopper, exist
        )  # fmt: skip
    seen = traces[0].turns[0].reply or ""
    assert "LET_THROUGH" in seen
    assert "sessions-of-the-parent" not in seen
    assert "SECRET_OF_THE_PARENT" not in seen
    assert "SHOPGRAPH" not in seen


def test_the_worker_has_a_home_of_its_own_and_a_fixed_hash_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOPGRAPH_POLICY", "full")
    environment = worker_environment(spec("Quiet"), "/nowhere")
    assert environment["HOME"] == environment["XDG_STATE_HOME"] == "/nowhere"
    assert environment["PYTHONHASHSEED"] == "0"
    assert "SHOPGRAPH_POLICY" not in environment


def test_a_closed_worker_answers_nothing_more() -> None:
    with Worker(spec("Quiet")) as worker:
        assert worker.alive
    assert not worker.alive
    with pytest.raises(WorkerFault, match="not running"):
        worker.ask({"op": "reset"}, 1)


def test_the_worst_sessions_are_misses_first_and_perfect_ones_are_left_out() -> None:
    traces = play("Lister", [session("buying", target="TEST000000"), session("buying", session_id="s2")])
    assert [trace.outcome.session_id for trace in worst(traces, 5)] == ["s2"]
