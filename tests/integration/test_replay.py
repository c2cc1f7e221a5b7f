"""Replay: what is read back of a conversation, answering it again, what differs, and going on from a turn."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import orjson
import pytest
from langchain_core.messages import HumanMessage

from catalog.errors import CatalogError, ConversationError, InputError
from catalog.search import ProductIndex
from graph import events
from graph.agent import ShoppingAgent
from graph.replay.compare import compare
from graph.replay.history import copy_turns, read_conversation
from graph.replay.record import TurnRecord, read_export, write_export
from graph.replay.rerun import Mode, rerun
from graph.savers import DATABASE, Saver, memory_saver, sqlite_saver, stored_conversations
from graph.shopping import Shops, build_graph
from graph.state import Context
from tests.stores import TOWN, Stores

THREAD: Any = {"configurable": {"thread_id": "s"}}
SAID = ["leather boots for women", "under $120", "not in red", "actually navy", "undo", "the second one"]


@pytest.fixture(scope="module")
def index(stores: Stores) -> ProductIndex:
    return stores.index(TOWN)


@pytest.fixture(scope="module")
def shops(index: ProductIndex) -> Shops:
    return Shops(index, {})


def _held(index: ProductIndex, *said: str, policy: Any = "full", profile: dict[str, Any] | None = None) -> Saver:
    saver = memory_saver()
    agent = ShoppingAgent(index, policy=policy, checkpointer=saver)
    agent.reset("s", profile)
    for message in said:
        agent.respond("s", message)
    return saver


def _stepwise(index: ProductIndex, *said: str) -> Saver:
    """Hold a conversation as Studio does: chat messages, and a checkpoint after every node."""
    saver = memory_saver()
    graph = build_graph(index, saver)
    for message in said:
        spoken: Any = {"messages": [HumanMessage(message)]}
        graph.invoke(spoken, THREAD, context=Context(policy="full"), durability="async")
    return saver


def _ids(saver: Saver) -> list[str]:
    return [stored.checkpoint["id"] for stored in saver.list(None)]


# --- reading -------------------------------------------------------------------------------------------------------


def test_a_record_tells_what_the_turn_told(index: ProductIndex) -> None:
    saver = memory_saver()
    agent = ShoppingAgent(index, policy="confident", checkpointer=saver)
    answers = [agent.turn("s", message) for message in SAID]
    turns = read_conversation(saver, "s")
    assert [turn.message for turn in turns] == SAID
    for turn, answer in zip(turns, answers, strict=True):
        assert (turn.reply, turn.ask_attribute, turn.options) == (
            answer["reply"],
            answer["ask_attribute"],
            answer["options"],
        )
        assert [row.parent_asin for row in turn.products] == [row["parent_asin"] for row in answer["recommendations"]]
        assert (turn.served.policy, turn.served.catalog) == ("confident", "default")
        assert turn.served.catalog_sha256 == index.manifest.catalog_sha256
    assert turns[0].acts == ["add"]
    assert [row["words"] for row in turns[3].belief.constraints][-1] == "color navy"
    assert turns[4].acts == ["undo"]


@pytest.mark.parametrize("said", ["", "   ", "👗 \ud83d", "a\x00b", "boots\nin two\nlines", "boots " * 20_000])
def test_the_words_of_a_turn_are_found_again_and_read_the_same(said: str, index: ProductIndex, shops: Shops) -> None:
    turns = read_conversation(_held(index, "boots", said), "s")
    assert turns[1].message == said.replace("\ud83d", "\ufffd").replace("\x00", "\ufffd")[:100_000]
    (found,) = compare(rerun(turns, shops, only=2))
    assert {difference.field for difference in found.differences} <= ({"reply"} if len(said) > 100_000 else set())


def test_the_same_message_twice_is_two_turns(index: ProductIndex) -> None:
    for saver in (_held(index, "boots", "boots"), _stepwise(index, "boots", "boots")):
        assert [turn.message for turn in read_conversation(saver, "s")] == ["boots", "boots"]


def test_a_turn_that_broke_off_is_no_turn(index: ProductIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    saver = memory_saver()
    graph = build_graph(index, saver)
    graph.invoke({"messages": [HumanMessage("boots")]}, THREAD)
    with monkeypatch.context() as broken:
        broken.setattr("graph.events.QueryTextAdded", None)
        broken.setattr("tools.tracking.QueryTextAdded", None)
        with pytest.raises(TypeError):
            graph.invoke({"messages": [HumanMessage("red dresses")]}, THREAD)
    assert [turn.message for turn in read_conversation(saver, "s")] == ["boots"]
    graph.invoke({"message": "in navy"}, THREAD)
    assert [(turn.turn, turn.message) for turn in read_conversation(saver, "s")] == [(1, "boots"), (2, "in navy")]


def test_branches_that_a_fork_left_behind_are_passed_by(index: ProductIndex) -> None:
    """The newest checkpoint and its ancestors are the conversation; list order would mix the branches."""
    saver = memory_saver()
    graph = build_graph(index, saver)
    for message in ("boots", "in red", "under $90"):
        graph.invoke({"message": message}, THREAD)
    first_end = next(s for s in graph.get_state_history(THREAD) if s.values["turn"] == 1)
    graph.invoke({"message": "in navy"}, first_end.config)
    turns = read_conversation(saver, "s")
    assert [turn.message for turn in turns] == ["boots", "in navy"]
    assert [row["words"] for row in turns[1].belief.constraints] == ["category boots", "color navy"]


def test_an_edit_between_turns_is_kept_with_the_turn_that_began_from_it(index: ProductIndex, shops: Shops) -> None:
    saver = memory_saver()
    graph = build_graph(index, saver)
    graph.invoke({"message": "red boots"}, THREAD)
    kept = [row for row in graph.get_state(THREAD).values["events"] if row.get("fact", {}).get("value") != "red"]
    graph.update_state(THREAD, {"events": {"__overwrite__": kept}}, as_node="respond")
    graph.invoke({"message": "under $90"}, THREAD)
    turns = read_conversation(saver, "s")
    assert [turn.before for turn in turns] == [None, kept]
    assert "color red" not in [row["words"] for row in turns[1].belief.constraints]
    assert [one.same for one in compare(rerun(turns, shops))] == [True, True]


def test_a_conversation_that_is_not_stored_has_no_turns(index: ProductIndex) -> None:
    assert read_conversation(_held(index), "s") == []
    assert read_conversation(_held(index, profile={"preference_tags": ["linen"]}), "s") == []


def test_damage_is_said_with_the_conversation_and_the_remedy(index: ProductIndex, tmp_path: Path) -> None:
    ShoppingAgent(index, state=tmp_path).respond("s", "boots")
    with sqlite3.connect(tmp_path / DATABASE) as connection:
        connection.execute("UPDATE checkpoints SET checkpoint = substr(checkpoint, 1, 400)")
    connection.close()
    with stored_conversations(tmp_path) as saver, pytest.raises(ConversationError, match=r"'s' cannot be read.*backup"):
        read_conversation(saver, "s")


# --- answering again -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["forced", "free"])
@pytest.mark.parametrize("hold", [_held, _stepwise], ids=["a checkpoint a turn", "a checkpoint a node"])
def test_the_same_code_answers_the_same_and_moves_nothing(
    hold: Any, mode: Mode, index: ProductIndex, shops: Shops
) -> None:
    saver = hold(index, *SAID)
    before = _ids(saver)
    turns = read_conversation(saver, "s")
    found = compare(rerun(turns, shops, mode))
    assert [one.differences for one in found] == [[]] * len(SAID)
    assert [one.began_at for one in found] == [None] * len(SAID)
    assert _ids(saver) == before
    assert [one.now and one.now.events for one in found] == [turn.events for turn in turns]


def test_a_profile_and_a_policy_are_part_of_what_is_replayed(index: ProductIndex, shops: Shops) -> None:
    profile = {"preference_tags": ["linen"], "average_prior_rating": 4.5}
    turns = read_conversation(_held(index, "a dress", "sleeveless", policy="confident", profile=profile), "s")
    assert all(one.same for one in compare(rerun(turns, shops, "free")))
    without = [turn.model_copy(update={"user_profile": {}}) for turn in turns]
    assert rerun(without, shops, "free")[0].now != turns[0]
    otherwise = compare(rerun(turns, shops, policy="full"))
    assert len(otherwise[0].differences[0].now) == 10


def test_only_one_turn_is_answered_where_nothing_else_is_needed(index: ProductIndex, shops: Shops) -> None:
    turns = read_conversation(_held(index, *SAID), "s")
    for mode in ("forced", "free"):
        (one,) = compare(rerun(turns, shops, mode, only=4))  # type: ignore[arg-type]  # a literal of the loop
        assert (one.stored.turn, one.same) == (4, True)


def _change_of_mind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Change the code: replacing a preference now leaves the old one as it was."""
    monkeypatch.setattr(events, "DEMOTED_WEIGHT", 1.0)
    events._believe.cache_clear()


@pytest.mark.parametrize("mode", ["forced", "free"])
def test_a_change_of_the_code_is_shown_where_it_begins(
    mode: Mode, index: ProductIndex, shops: Shops, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = read_conversation(_held(index, "red boots", "actually navy", "a backpack"), "s")
    _change_of_mind(monkeypatch)
    found = compare(rerun(turns, shops, mode))
    assert [one.same for one in found][:2] == [True, False]
    assert "color red [hard, turn 1]" in {d.field: d.now for d in found[1].differences}["belief"]
    events._believe.cache_clear()


def test_a_turn_after_a_difference_tells_that_it_began_from_another_state(
    index: ProductIndex, shops: Shops, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = read_conversation(_held(index, "red boots", "actually navy", "the first one"), "s")
    monkeypatch.setattr("nodes.rank.KEPT", 1)
    assert [one.inherited for one in compare(rerun(turns, shops, "free"))] == [False, True, True]
    assert [one.inherited for one in compare(rerun(turns, shops, "forced"))] == [False, False, False]


def test_the_first_node_that_differs_is_named_where_steps_were_stored(
    index: ProductIndex, shops: Shops, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = read_conversation(_stepwise(index, "red boots", "actually navy"), "s")
    monkeypatch.setattr("nodes.rank.KEPT", 1)
    found = compare(rerun(turns, shops))
    assert [str(one.began_at) for one in found] == ["rank (candidates, scores)"] * 2
    assert {d.field for d in found[0].differences} >= {"products", "reply"}


def test_the_first_record_that_differs_is_named_where_decisions_were_stored(
    index: ProductIndex, shops: Shops, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = read_conversation(_held(index, "red boots"), "s")
    assert [step["node"] for step in turns[0].steps][:2] == ["route", "canonicalize"]
    monkeypatch.setattr("nodes.rank.KEPT", 1)
    (found,) = compare(rerun(turns, shops))
    assert found.began_at is not None
    assert found.began_at.node == "rank"
    assert found.began_at.parts


def test_without_steps_the_first_field_that_differs_is_named(
    index: ProductIndex, shops: Shops, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = [turn.model_copy(update={"steps": []}) for turn in read_conversation(_held(index, "red boots"), "s")]
    monkeypatch.setattr("nodes.rank.KEPT", 1)
    (found,) = compare(rerun(turns, shops))
    assert found.began_at == (None, ["products"])


def test_a_turn_that_fails_now_differs_and_the_others_are_still_compared(
    index: ProductIndex, shops: Shops, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = read_conversation(_held(index, "red boots", "the second one", "under $90"), "s")

    def broken(*_: Any) -> Any:
        raise RuntimeError("the test broke products")

    monkeypatch.setattr("nodes.canonicalize._products", broken)
    found = compare(rerun(turns, shops))
    assert [one.same for one in found] == [False] * 3
    assert [d.now for d in found[1].differences] == [["RuntimeError: the test broke products"]]
    assert (found[1].began_at, found[1].now) == ((None, ["failure"]), None)


def test_another_catalog_answers_from_its_own_products(index: ProductIndex, stores: Stores) -> None:
    turns = read_conversation(_held(index, "red boots", "under $90"), "s")
    fewer = [row for row in TOWN if row["parent_asin"] not in ("BOOT06", "BOOT07")]
    found = compare(rerun(turns, Shops(stores.index(fewer), {})))
    shown = {difference.field: difference for difference in found[0].differences}["products"]
    assert set(shown.stored) - set(shown.now) >= {"BOOT06", "BOOT07"}


def test_a_missing_catalog_is_no_difference_but_an_error(index: ProductIndex, tmp_path: Path) -> None:
    turns = read_conversation(_held(index, "red boots"), "s")
    with pytest.raises(CatalogError, match=r"none\.duckdb"):
        rerun(turns, Shops(tmp_path / "none.duckdb", {}))


# --- exports -------------------------------------------------------------------------------------------------------


def test_an_export_is_read_back_whole_and_answered_the_same(index: ProductIndex, shops: Shops, tmp_path: Path) -> None:
    turns = read_conversation(_held(index, *SAID, profile={"preference_tags": ["linen"]}), "s")
    write_export(turns, tmp_path / "s.jsonl")
    again = read_export(tmp_path / "s.jsonl")
    assert again == [_untimed(turn) for turn in turns]
    assert [file.name for file in tmp_path.iterdir()] == ["s.jsonl"]
    for mode in ("forced", "free"):
        assert all(one.same for one in compare(rerun(again, shops, mode)))  # type: ignore[arg-type]  # a literal


def _untimed(turn: TurnRecord) -> TurnRecord:
    return turn.model_copy(update={"took_ms": {}})


def test_keys_that_a_later_version_adds_are_passed_over(index: ProductIndex, tmp_path: Path) -> None:
    (turn,) = read_conversation(_held(index, "boots"), "s")
    row = {**turn.model_dump(mode="json"), "mood": "sunny"}
    (tmp_path / "s.jsonl").write_bytes(orjson.dumps(row) + b"\n\n")
    assert read_export(tmp_path / "s.jsonl") == [_untimed(turn)]


def test_keys_that_an_older_export_lacks_are_no_difference(index: ProductIndex, shops: Shops) -> None:
    turns = read_conversation(_held(index, "red boots", "actually navy", "not leather"), "s")
    older = []
    for turn in turns:
        facts = [{key: value for key, value in row.items() if key != "firm"} for row in turn.facts]
        held = [{key: value for key, value in row.items() if key != "firm"} for row in turn.belief.constraints]
        belief = turn.belief.model_copy(update={"constraints": held, "replaced": []})
        older.append(turn.model_copy(update={"facts": facts, "belief": belief}))
    found = compare(rerun(older, shops))
    assert [one.same for one in found] == [True, False, False], "what was replaced is missing in the last two alone"
    assert {difference.field for one in found for difference in one.differences} == {"belief"}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"format": 2}, r"line 2: it has format 2, and this version reads format 1\."),
        ({"turn": 5}, r"line 2 does not hold turn 2 of 's', which comes next"),
        ({"conversation": "t"}, r"line 2 does not hold turn 2 of 's'"),
        ({"reply": None}, r"line 2: reply: "),
    ],
)
def test_a_bad_line_of_an_export_is_named(
    change: dict[str, Any], problem: str, index: ProductIndex, tmp_path: Path
) -> None:
    rows = [turn.model_dump(mode="json") for turn in read_conversation(_held(index, "boots", "in red"), "s")]
    rows[1] |= change
    (tmp_path / "s.jsonl").write_bytes(b"\n".join(map(orjson.dumps, rows)))
    with pytest.raises(InputError, match=problem) as error:
        read_export(tmp_path / "s.jsonl")
    assert "--export" in str(error.value)


@pytest.mark.parametrize(("text", "problem"), [("", "holds no turn"), ("{", "line 1 is not JSON"), ("[]", "line 1: ")])
def test_a_file_that_is_no_export_is_refused(text: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=problem):
        read_export(tmp_path / "s.jsonl")


# --- going on from a turn ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hold", [_held, _stepwise], ids=["a checkpoint a turn", "a checkpoint a node"])
@pytest.mark.parametrize("kept", [1, 3])
def test_a_fork_begins_where_the_turn_ended_and_leaves_the_original(hold: Any, kept: int, index: ProductIndex) -> None:
    saver = hold(index, *SAID[:4])
    original = read_conversation(saver, "s")
    copy_turns(saver, "s", kept, "fork")
    assert [_but_name(turn) for turn in read_conversation(saver, "fork")] == [_but_name(t) for t in original[:kept]]
    answer = ShoppingAgent(index, policy="full", checkpointer=saver).turn("fork", "in brown")
    assert answer["turn"] == kept + 1
    assert read_conversation(saver, "s") == original


def _but_name(turn: TurnRecord) -> TurnRecord:
    return turn.model_copy(update={"conversation": ""})


def test_a_fork_before_the_first_message_keeps_the_profile(index: ProductIndex, tmp_path: Path) -> None:
    profile = {"preference_tags": ["linen"]}
    agent = ShoppingAgent(index, state=tmp_path)
    agent.reset("s", profile)
    agent.respond("s", "boots")
    saver = sqlite_saver(tmp_path)
    copy_turns(saver, "s", 0, "fork")
    agent.respond("fork", "a dress")
    (turn,) = read_conversation(saver, "fork")
    saver.conn.close()
    assert (turn.message, turn.user_profile) == ("a dress", profile)


@pytest.mark.parametrize("turns", [-1, 3])
def test_a_fork_from_a_turn_that_is_not_there_is_refused(turns: int, index: ProductIndex) -> None:
    saver = _held(index, "boots", "in red")
    with pytest.raises(InputError, match=r"cannot be continued from turn .* it has 2 turns\. Name one from 0"):
        copy_turns(saver, "s", turns, "fork")
    assert read_conversation(saver, "fork") == []
