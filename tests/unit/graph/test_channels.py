"""What a conversation takes and what it refuses, whoever writes it."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Overwrite

from catalog.errors import InputError, ShopgraphError
from catalog.search import ProductIndex
from graph.channels import EventLog, value_channel
from graph.shopping import build_graph
from graph.state import State
from tests.stores import TOWN, Stores

THREAD: Any = {"configurable": {"thread_id": "s"}}
SHOWN = {"type": "products_shown", "turn": 1, "products": ["A"]}


@pytest.fixture(scope="module")
def index(stores: Stores) -> ProductIndex:
    return stores.index(TOWN)


def taken(name: str, value: Any) -> Any:
    channel = value_channel(State, name)
    assert channel.update([value])
    return channel.get()


@pytest.mark.parametrize(
    ("name", "value", "stored"),
    [
        ("turn", "3", 3),
        ("candidates", ["1", 2.0, 3], [1, 2, 3]),
        ("scores", [1], [1.0]),
        ("mode", "browsing", "browsing"),
        ("ask_attribute", None, None),
        ("message", "red \ud83d", "red \ufffd"),
        ("user_profile", {"n": 10**30}, {"n": 1e30}),
    ],
)
def test_a_value_is_stored_as_its_field_says(name: str, value: Any, stored: Any) -> None:
    assert taken(name, value) == stored
    assert type(taken(name, value)) is type(stored)


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("turn", "soon", "`turn` cannot take this value: Input should be a valid integer"),
        ("turn", -1, "greater than or equal to 0"),
        ("commit", 11, "less than or equal to 10"),
        ("mode", "selling", "'buying', 'browsing' or 'control'"),
        ("candidates", [1, "x"], "1: Input should be a valid integer"),
        ("candidates", ["x"] * 9, "and 6 more"),
        ("reply", None, "Input should be a valid string"),
        ("user_profile", "linen", "Input should be a valid dictionary"),
    ],
)
def test_a_wrong_value_is_refused_and_the_old_one_stays(name: str, value: Any, problem: str) -> None:
    channel = value_channel(State, name)
    channel.update([State.model_fields[name].get_default(call_default_factory=True)])
    old = channel.get()
    with pytest.raises(InputError) as refused:
        channel.update([value])
    assert problem in str(refused.value)
    assert channel.get() == old


def test_an_error_never_holds_the_value() -> None:
    with pytest.raises(InputError) as refused:
        taken("candidates", ["my secret"])
    assert "secret" not in str(refused.value)


def test_an_input_error_is_one_of_pythons_own() -> None:
    """The LangGraph server shows the message of those, answers a `ValueError` with 400, and hides the rest."""
    assert issubclass(InputError, ValueError)
    assert issubclass(ShopgraphError, RuntimeError)


def test_a_channel_survives_a_checkpoint_and_still_checks() -> None:
    channel = value_channel(State, "turn")
    channel.update([2])
    for again in (channel.copy(), channel.from_checkpoint(channel.checkpoint())):
        assert (again.get(), again.key) == (2, "turn")
        with pytest.raises(InputError, match="`turn`"):
            again.update(["soon"])


def log(*rows: dict[str, Any]) -> EventLog:
    channel = EventLog(list[dict[str, Any]])
    channel.key = "events"
    channel.update([list(rows)])
    return channel


def test_events_are_appended_or_put_in_the_place_of_others() -> None:
    events = log(SHOWN)
    events.update([[{"type": "attribute_asked", "turn": 1, "attribute": "color"}]])
    assert [row["type"] for row in events.get()] == ["products_shown", "attribute_asked"]
    for place in ({"__overwrite__": [SHOWN]}, Overwrite([])):
        events.update([place])
    assert events.copy().get() == []


@pytest.mark.parametrize(
    "wrong",
    [
        "none",
        7,
        [{"turn": 1}],
        [{"type": "products_hidden", "turn": 1}],
        [{"type": "products_shown", "turn": -1, "products": []}],
        [{"type": "products_shown", "turn": 1, "products": [], "why": "x"}],
        {"__overwrite__": [{"turn": 1}]},
        {"__overwrite__": "none"},
    ],
)
def test_what_is_no_event_is_refused(wrong: Any) -> None:
    with pytest.raises(InputError, match="`events` cannot take this value"):
        log(SHOWN).copy().update([wrong])


@pytest.mark.parametrize(
    "values", [{"message": 7}, {"message": "navy", "user_profile": "x"}, {"message": "navy", "user_profile": [1]}]
)
def test_a_wrong_input_does_not_break_the_conversation(index: ProductIndex, values: dict[str, Any]) -> None:
    graph = build_graph(catalog=index, checkpointer=InMemorySaver())
    graph.invoke({"message": "boots"}, THREAD)
    with pytest.raises(InputError, match="cannot take this value"):
        graph.invoke(values, THREAD)
    answer = graph.invoke({"message": "in red"}, THREAD)
    assert (answer["turn"], answer["recommendations"][0]["parent_asin"]) == (2, "BOOT08")


@pytest.mark.parametrize(
    ("values", "node", "problem"),
    [
        ({"candidates": "x"}, "rank", "`candidates` cannot take this value"),
        ({"candidate": [1]}, "rank", "The state has no 'candidate': it has message, "),
        ({"reply": "x"}, "answer", "No node is called 'answer': name one of route, "),
        ({"events": [{"turn": 1}]}, "track", "`events`"),
    ],
)
def test_a_wrong_edit_is_refused_before_it_is_stored(
    index: ProductIndex, values: dict[str, Any], node: str, problem: str
) -> None:
    graph = build_graph(catalog=index, checkpointer=InMemorySaver())
    graph.invoke({"message": "boots"}, THREAD)
    before = graph.get_state(THREAD)
    with pytest.raises(InputError) as refused:
        graph.update_state(THREAD, values, as_node=node)
    assert problem in str(refused.value)
    assert graph.get_state(THREAD) == before


async def _edit(graph: Any) -> None:
    await graph.aupdate_state(THREAD, {"candidate": [1]}, as_node="rank")


def test_an_event_loop_is_told_the_same(index: ProductIndex) -> None:
    import asyncio

    graph = build_graph(catalog=index, checkpointer=InMemorySaver())
    graph.invoke({"message": "boots"}, THREAD)
    with pytest.raises(InputError, match="The state has no 'candidate'"):
        asyncio.run(_edit(graph))


def test_every_node_may_be_edited_after(index: ProductIndex) -> None:
    """Also the one whose edge depends on the run's context, which an edit does not have."""
    graph = build_graph(catalog=index, checkpointer=InMemorySaver())
    graph.invoke({"message": "boots"}, THREAD)
    following = {}
    for node in ("route", "canonicalize", "track", "retrieve", "filter", "rank", "clarify", "respond"):
        graph.update_state(THREAD, {}, as_node=node)
        following[node] = graph.get_state(THREAD).next
    assert list(following.values()) == [
        *(("canonicalize",), ("track",), ("retrieve",), ("filter",), ("rank",), ("clarify",), ("respond",), ())
    ]
