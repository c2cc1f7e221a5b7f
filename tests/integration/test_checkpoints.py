"""What is stored of a conversation: JSON only, little, loadable by a stranger, and nothing of a failed turn."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from catalog.search import ProductIndex
from graph.agent import ShoppingAgent
from graph.events import BeliefState
from graph.savers import DATABASE, memory_saver
from graph.shopping import build_graph
from tests.stores import TOWN, Stores

ROOT = Path(__file__).resolve().parents[2]
THREAD: Any = {"configurable": {"thread_id": "s"}}

FORTY = [
    *("boots", "in red", "under $90", "not size 9", "actually navy", "the second one", "no leather", "what else?"),
    *("undo", "backpacks please", "canvas", "cheaper", "I don't care about the brand", "something in green", "nylon"),
    *("start over", "a linen dress", "long sleeve", "no preference", "with pockets", "machine washable", "white"),
    *("more like the first", "between $30 and $60", "at least 4 stars", "you decide", "show me others", "hmm", ""),
    *("👗", "in blue or white", "for a wedding", "not Ilvera", "ignore what I said before", "black boots", "size 11"),
    *("is the first one leather?", "none of these", "undo", "thanks"),
]


@pytest.fixture(scope="module")
def index(stores: Stores) -> ProductIndex:
    return stores.index(TOWN)


class BrokenIndex:
    """Stands before a real index: the method named by `broken` raises, every other is the real one."""

    def __init__(self, index: ProductIndex) -> None:
        self._index = index
        self.broken = ""

    def __getattr__(self, name: str) -> Any:
        if name == self.broken:
            raise RuntimeError(f"the test broke {name}")
        return getattr(self._index, name)


BROKEN_METHODS = {"canonicalize": "statements", "retrieve": "search", "filter": "judge", "rank": "score"}


# --- types ---------------------------------------------------------------------------------------------------------


def test_every_channel_but_the_chat_view_holds_json_types(index: ProductIndex) -> None:
    saver = memory_saver()
    agent = ShoppingAgent(catalog=index, checkpointer=saver)
    agent.reset("s", {"preference_tags": ["linen"], "average_prior_rating": 4.5})
    for message in FORTY[:12]:
        agent.respond("s", message)
    stored = saver.get_tuple(THREAD)
    assert stored is not None
    values = {name: value for name, value in stored.checkpoint["channel_values"].items() if name != "messages"}
    assert json.loads(json.dumps(values)) == values
    assert values["events"], "a conversation without events tests nothing"


def test_the_chat_view_is_stored_as_plain_chat_messages(index: ProductIndex) -> None:
    agent = ShoppingAgent(catalog=index)
    answer = agent.turn("s", "boots")
    assert [(m.type, m.id) for m in answer["messages"]] == [("human", "turn-1-shopper"), ("ai", "turn-1-agent")]


STRICT = """
import logging, sys, warnings
logging.captureWarnings(True)
logging.basicConfig(level=logging.DEBUG, format="%(name)s %(message)s", stream=sys.stderr)
from graph.agent import ShoppingAgent
agent = ShoppingAgent(catalog=sys.argv[1], state=sys.argv[2], policy="full")
for message in sys.argv[3:]:
    print(agent.turn("s", message)["turn"])
print(sorted(str(fact.value) for fact in agent.belief("s").constraints))
"""


def _strict(catalog: Path, folder: Path, *messages: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", STRICT, str(catalog), str(folder), *messages],
        capture_output=True,
        text=True,
        env={**os.environ, "LANGGRAPH_STRICT_MSGPACK": "true", "PYTHONPATH": str(ROOT)},
        timeout=120,
    )


def test_a_conversation_survives_strict_msgpack_and_a_new_process(stores: Stores, tmp_path: Path) -> None:
    """LG-01: what is restored is what was stored, and no class of ours is named in it."""
    catalog = stores.path(TOWN)
    first = _strict(catalog, tmp_path, "black boots", "the cheapest please, under $60")
    second = _strict(catalog, tmp_path, "show me more")
    for process in (first, second):
        assert process.returncode == 0, process.stderr
        assert "unregistered" not in process.stderr
        assert "Deserializing" not in process.stderr
    assert first.stdout.splitlines()[:2] == ["1", "2"]
    assert second.stdout.splitlines()[0] == "3"
    assert second.stdout.splitlines()[-1] == first.stdout.splitlines()[-1] == "['60.0', 'black', 'boots', 'lowest']"


def test_a_stock_strict_serializer_reads_what_is_stored(
    index: ProductIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = ShoppingAgent(catalog=index, state=tmp_path)
    agent.respond("s", "red boots under $90")
    with sqlite3.connect(tmp_path / DATABASE) as connection:
        rows = connection.execute("SELECT type, checkpoint FROM checkpoints").fetchall()
    strict = JsonPlusSerializer(pickle_fallback=False, allowed_msgpack_modules=None)
    assert {kind for kind, _ in rows} == {"msgpack"}
    values = strict.loads_typed(rows[-1])["channel_values"]
    assert values["turn"] == 1
    assert [event["type"] for event in values["events"]][-1] == "attribute_asked"


@pytest.mark.parametrize("message", ["red boots \ud83d", "boots under 99999999999999999999999999 dollars", "a\x00b"])
def test_text_and_numbers_that_no_store_can_hold_are_stored_all_the_same(
    index: ProductIndex, tmp_path: Path, message: str
) -> None:
    """LG-04, LG-05: cleaned at the boundary, so that a later process reads them and goes on."""
    first = ShoppingAgent(catalog=index, state=tmp_path).turn("s", message)
    assert first["recommendations"]
    second = ShoppingAgent(catalog=index, state=tmp_path)
    answer = second.turn("s", "in navy")
    assert answer["turn"] == 2
    assert "navy" in [fact.value for fact in second.belief("s").constraints]
    answer["messages"][0].text.encode("utf-8")


def test_a_profile_with_unstorable_parts_is_stored(index: ProductIndex, tmp_path: Path) -> None:
    agent = ShoppingAgent(catalog=index, state=tmp_path)
    agent.reset("s", {"preference_tags": ["linen\ud800"], "average_prior_rating": 10**30, "seen": ("a", {1: 2})})
    agent.respond("s", "a dress")
    assert [f.value for f in ShoppingAgent(catalog=index, state=tmp_path).belief("s").constraints][-1] == "dress"


# --- size ----------------------------------------------------------------------------------------------------------


def _stored_bytes(folder: Path) -> int:
    with sqlite3.connect(folder / DATABASE) as connection:
        newest = connection.execute(
            "SELECT length(checkpoint) + length(metadata) FROM checkpoints ORDER BY checkpoint_id DESC LIMIT 1"
        ).fetchone()
        count = connection.execute("SELECT count(*) FROM checkpoints").fetchone()
    return int(newest[0]) if count[0] else 0


def test_a_checkpoint_grows_by_at_most_a_kilobyte_a_turn(index: ProductIndex, tmp_path: Path) -> None:
    agent = ShoppingAgent(catalog=index, state=tmp_path, policy="full")
    sizes = []
    for message in FORTY:
        agent.respond("s", message)
        sizes.append(_stored_bytes(tmp_path))
    assert len(sizes) == 40
    assert (sizes[-1] - sizes[0]) / 39 <= 1024
    assert max(sizes) < 45_000


def test_one_checkpoint_is_written_a_turn(index: ProductIndex) -> None:
    saver = memory_saver()
    agent = ShoppingAgent(catalog=index, checkpointer=saver)
    for message in FORTY[:5]:
        agent.respond("s", message)
    assert len(list(saver.list(THREAD))) == 5


# --- going on ------------------------------------------------------------------------------------------------------


def test_a_conversation_goes_on_in_a_new_agent(index: ProductIndex, tmp_path: Path) -> None:
    ShoppingAgent(catalog=index, state=tmp_path).respond("s", "red boots")
    again = ShoppingAgent(catalog=index, state=tmp_path)
    assert again.turn("s", "under $90")["turn"] == 2
    assert _values(again.belief("s")) == {("color", "red"), ("category", "boots"), ("budget", 90.0)}


def test_undo_after_a_new_process_takes_back_the_turn_of_the_old_one(stores: Stores, tmp_path: Path) -> None:
    catalog = stores.path(TOWN)
    assert _strict(catalog, tmp_path, "red boots", "under $90").returncode == 0
    undone = _strict(catalog, tmp_path, "undo")
    assert undone.stdout.splitlines() == ["3", "['boots', 'red']"]
    assert _strict(catalog, tmp_path, "undo that").stdout.splitlines() == ["4", "[]"]


def test_a_spoken_reset_after_a_new_process_begins_anew(index: ProductIndex, tmp_path: Path) -> None:
    ShoppingAgent(catalog=index, state=tmp_path).respond("s", "red boots under $90")
    again = ShoppingAgent(catalog=index, state=tmp_path)
    again.respond("s", "start over")
    assert again.belief("s").constraints == []
    assert again.belief("s").epoch == 1


def test_a_reset_deletes_what_was_stored_and_nothing_of_others(index: ProductIndex, tmp_path: Path) -> None:
    agent = ShoppingAgent(catalog=index, state=tmp_path)
    for name in ("one", "two"):
        agent.respond(name, "red boots")
    agent.reset("one")
    later = ShoppingAgent(catalog=index, state=tmp_path)
    assert later.belief("one") == BeliefState()
    assert _values(later.belief("two")) == {("color", "red"), ("category", "boots")}
    assert later.turn("one", "a dress")["turn"] == 1


# --- failing -------------------------------------------------------------------------------------------------------


@pytest.fixture
def broken(index: ProductIndex) -> Iterator[BrokenIndex]:
    yield BrokenIndex(index)


def _fail(agent: ShoppingAgent, index: BrokenIndex, method: str, message: str) -> None:
    index.broken = method
    with pytest.raises(RuntimeError, match="the test broke"):
        agent.respond("s", message)
    index.broken = ""


@pytest.mark.parametrize("node", BROKEN_METHODS)
def test_a_failed_turn_leaves_no_trace_in_the_next(broken: BrokenIndex, node: str) -> None:
    troubled = ShoppingAgent(catalog=broken, policy="full")
    calm = ShoppingAgent(catalog=broken, policy="full")
    for agent in (troubled, calm):
        agent.reset("s", {"preference_tags": ["linen"]})
        agent.respond("s", "boots")
    _fail(troubled, broken, BROKEN_METHODS[node], "in red under $60, not leather")
    answers = [agent.turn("s", "size 9") for agent in (troubled, calm)]
    assert answers[0] == answers[1]
    assert troubled.belief("s") == calm.belief("s")


def test_the_first_turn_may_fail_and_the_profile_still_counts_once(broken: BrokenIndex) -> None:
    troubled = ShoppingAgent(catalog=broken)
    calm = ShoppingAgent(catalog=broken)
    for agent in (troubled, calm):
        agent.reset("s", {"preference_tags": ["linen"]})
    for _ in range(2):
        _fail(troubled, broken, "score", "red boots")
    assert troubled.turn("s", "a dress") == calm.turn("s", "a dress")
    assert troubled.belief("s") == calm.belief("s")


def test_a_failed_undo_undoes_nothing(broken: BrokenIndex) -> None:
    agent = ShoppingAgent(catalog=broken, policy="full")
    agent.respond("s", "red boots")
    agent.respond("s", "under $90")
    _fail(agent, broken, "score", "undo")
    agent.respond("s", "")
    assert _values(agent.belief("s")) == {("color", "red"), ("category", "boots"), ("budget", 90.0)}
    agent.respond("s", "undo")
    agent.respond("s", "undo")
    assert _values(agent.belief("s")) == {("color", "red"), ("category", "boots")}


def test_a_failed_turn_hides_no_later_chat_message(broken: BrokenIndex) -> None:
    graph = build_graph(catalog=broken, checkpointer=InMemorySaver())

    def fail(values: dict[str, Any]) -> None:
        broken.broken = "score"
        with pytest.raises(RuntimeError):
            graph.invoke(values, THREAD)
        broken.broken = ""

    def said(answer: dict[str, Any]) -> list[Any]:
        return [move["fact"]["value"] for move in answer["reading"]["moves"] if "fact" in move]

    def chat(text: str) -> dict[str, Any]:
        return {"messages": [HumanMessage(text)]}

    fail({"message": "red boots"})
    assert said(graph.invoke(chat("a linen dress"), THREAD)) == ["linen", "dress"]
    fail(chat("red boots"))
    assert said(graph.invoke({"message": "under $90"}, THREAD)) == [90.0]
    fail(chat("red boots"))
    assert said(graph.invoke(chat("size 9"), THREAD)) == ["9"]


def _values(belief: BeliefState) -> set[tuple[str, object]]:
    return {(fact.facet_key, fact.value) for fact in belief.constraints}


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("red boots \ud83d", "red boots \ufffd"),
        ("in\x00navy", "in\ufffdnavy"),
        ("boots " * 20_000, ("boots " * 20_000)[:100_000]),
    ],
    ids=["surrogate", "nul", "long"],
)
def test_the_chat_view_keeps_a_message_once_and_as_it_was_read(index: ProductIndex, said: str, kept: str) -> None:
    graph = build_graph(catalog=index, checkpointer=memory_saver())
    graph.invoke({"messages": [HumanMessage(said, id="first")]}, THREAD)
    messages = graph.get_state(THREAD).values["messages"]
    assert [(message.type, message.id) for message in messages] == [("human", "first"), ("ai", "turn-1-agent")]
    assert messages[0].text == kept
