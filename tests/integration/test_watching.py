"""Decision records through the whole graph: streamed, kept for the turn, the same in every run."""

from __future__ import annotations

from typing import Any

import pytest

from catalog.errors import InputError
from catalog.search import ProductIndex
from graph.agent import ShoppingAgent
from graph.savers import memory_saver
from graph.shopping import build_graph
from graph.state import TurnState
from tests.integration.test_checkpoints import FORTY
from tests.stores import TOWN, Stores

PATH = ["route", "canonicalize", "track", "retrieve", "filter", "rank", "clarify", "respond"]
S: Any = {"configurable": {"thread_id": "s"}}


@pytest.fixture(scope="module")
def index(stores: Stores) -> ProductIndex:
    return stores.index(TOWN)


def named(steps: list[dict[str, Any]]) -> list[str]:
    return [step["node"] for step in steps]


def untimed(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in step.items() if key != "took_ms"} for step in steps]


def test_records_are_streamed_put_out_and_kept_alike(index: ProductIndex) -> None:
    graph = build_graph(catalog=index, checkpointer=memory_saver())
    parts = list(graph.stream({"message": "red boots"}, S, stream_mode=["custom", "updates"]))
    streamed = [part for kind, part in parts if kind == "custom"]
    updates = [update["steps"] for kind, part in parts if kind == "updates" for update in part.values()]
    values = graph.get_state(S).values
    assert named(streamed) == PATH
    assert all(list(step) == ["node", "took_ms", "in", "decided", "why"] for step in streamed)
    assert untimed(streamed) == [step for (step,) in updates] == values["steps"]
    assert list(values["took_ms"]) == PATH
    assert values["took_ms"] == {step["node"]: step["took_ms"] for step in streamed}


def test_the_output_holds_the_records_of_its_turn_only(index: ProductIndex) -> None:
    graph = build_graph(catalog=index, checkpointer=memory_saver())
    for message in ("red boots", "size 9"):
        steps = graph.invoke({"message": message}, S)["steps"]
        assert named(steps) == PATH
        assert message in steps[0]["in"]


def test_with_a_model_that_is_not_configured_ten_nodes_are_told(index: ProductIndex) -> None:
    output = build_graph(catalog=index).invoke({"message": "red boots"}, context={"model_mode": "rules_first"})
    assert named(output["steps"]) == [*PATH[:2], "translate", "fall_back", *PATH[2:]]


def test_a_long_conversation_has_small_records_that_every_run_repeats(index: ProductIndex) -> None:
    one, other = (ShoppingAgent(catalog=index, policy="full") for _ in range(2))
    for message in FORTY:
        steps = one.turn("s", message)["steps"]
        assert steps == other.turn("s", message)["steps"]
        assert named(steps) == PATH
        assert all(len(str(step).encode()) <= 330 for step in steps)
        assert sum(len(str(step).encode()) for step in steps) <= 8 * 260


def test_a_turn_that_broke_off_leaves_no_record_in_the_next(index: ProductIndex) -> None:
    graph = build_graph(catalog=index, checkpointer=memory_saver())
    with pytest.raises(InputError):
        graph.invoke({"message": "red boots"}, S, context={"catalog": "nowhere"})
    assert named(graph.invoke({"message": "in navy"}, S)["steps"]) == PATH


def test_a_turn_that_was_stopped_and_resumed_has_all_its_records(index: ProductIndex) -> None:
    graph = build_graph(catalog=index, checkpointer=memory_saver())
    graph.invoke({"message": "boots"}, S)
    graph.invoke({"message": "in red"}, S, interrupt_before=["respond"])
    assert named(graph.get_state(S).values["steps"]) == PATH[:-1]
    assert named(graph.invoke(None, S)["steps"]) == PATH


def test_an_agent_tells_each_step_as_it_happens(index: ProductIndex) -> None:
    agent, told = ShoppingAgent(catalog=index), []
    output = agent.turn("s", "red boots", on_step=told.append)
    assert untimed(told) == output["steps"]
    assert output == ShoppingAgent(catalog=index).turn("s", "red boots")


def show_two(state: TurnState) -> dict[str, Any]:
    return {"commit": min(state.commit, 2)}


def test_a_node_of_ones_own_runs_where_it_was_put_and_is_told(index: ProductIndex) -> None:
    output = build_graph(catalog=index, after={"clarify": show_two}).invoke({"message": "boots"})
    assert len(output["recommendations"]) == 2
    assert named(output["steps"]) == [*PATH[:-1], "show_two", "respond"]
    last = build_graph(catalog=index, after={"respond": show_two}).invoke({"message": "boots"})
    assert named(last["steps"]) == [*PATH, "show_two"]


def test_a_node_cannot_be_put_after_one_that_is_not_on_the_path(index: ProductIndex) -> None:
    with pytest.raises(InputError, match="name some of track, retrieve"):
        build_graph(catalog=index, after={"translate": show_two})
