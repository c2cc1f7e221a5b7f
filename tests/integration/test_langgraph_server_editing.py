"""A person in the loop: states are read, edited between nodes, forked and interrupted, and come back typed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from catalog.open import open_catalog
from graph.events import believe
from graph.state import State
from tests.integration.server import say, shown, thread_of
from tests.stores import TOWN, Stores

NO_LEATHER = {
    "act": "negate",
    "fact": {"attribute": "material", "value": "leather", "polarity": "negative", "text": "no cow"},
}

IN_TOWN = {"catalog": "town"}


@pytest.fixture(scope="module")
def row_of(stores: Stores) -> Callable[..., list[int]]:
    """The rows of products in the town's catalog."""
    index = open_catalog(Path(stores.path(TOWN)))

    def rows(*asins: str) -> list[int]:
        return [row for row in index.ids(list(asins)) if row is not None]

    return rows


def _values(state: Any) -> set[tuple[str, str, str]]:
    return {(fact.attribute, str(fact.value), fact.polarity) for fact in believe(state["values"]["events"]).constraints}


def _before(client: Any, thread: str, node: str, turn: int) -> Any:
    """Return the stored state of a turn that was about to run a node."""
    history = client.threads.get_history(thread, limit=100)
    return next(state for state in history if state["next"] == [node] and state["values"]["turn"] == turn)


def test_a_state_is_what_the_graph_says_it_is(client: Any) -> None:
    thread = thread_of(client)
    say(client, thread, "red boots under $90", context=IN_TOWN)
    state = client.threads.get_state(thread)
    values = State.model_validate(state["values"])
    assert (state["next"], values.turn, values.message) == ([], 1, "")
    assert _values(state) == {
        ("color", "red", "positive"),
        ("category", "boots", "positive"),
        ("budget", "90.0", "positive"),
    }
    assert values.served["catalog"] == "town"


def test_the_history_holds_the_state_before_each_node(client: Any) -> None:
    thread = thread_of(client)
    for message in ("boots", "in red"):
        say(client, thread, message, context=IN_TOWN)
    history = client.threads.get_history(thread, limit=100)
    waiting = [state["next"] for state in reversed(history)]
    turn = ["__start__", "route", "canonicalize", "track", "retrieve", "filter", "rank", "clarify", "respond"]
    assert waiting == [*([node] for node in turn), [], *([node] for node in turn), []]
    reading = _before(client, thread, "track", 2)["values"]["reading"]
    assert [move["fact"]["value"] for move in reading["moves"]] == ["red"]


def test_an_edit_between_nodes_forks_the_turn(client: Any) -> None:
    """A misread message is corrected where it was read; what follows runs anew from there."""
    thread = thread_of(client)
    say(client, thread, "boots and backpacks", context=IN_TOWN)
    bad = say(client, thread, "I won't wear a cow", context=IN_TOWN)
    assert any(asin.startswith("BOOT") for asin in shown(bad))
    end = client.threads.get_state(thread)
    point = _before(client, thread, "track", 2)
    fork = client.threads.update_state(
        thread, {"reading": {"moves": [NO_LEATHER]}}, as_node="canonicalize", checkpoint=point["checkpoint"]
    )
    assert client.threads.get_state(thread, checkpoint=fork["checkpoint"])["next"] == ["track"]
    good = client.runs.wait(thread, "shopgraph", input=None, checkpoint=fork["checkpoint"], context=IN_TOWN)
    assert good["turn"] == 2
    assert not any(asin.startswith("BOOT") for asin in shown(good))
    assert [message["content"] for message in good["messages"]][2] == "I won't wear a cow"
    assert ("material", "leather", "negative") in _values(client.threads.get_state(thread))
    assert ("material", "leather", "negative") not in _values(
        client.threads.get_state(thread, checkpoint=end["checkpoint"])
    )
    assert say(client, thread, "in red", context=IN_TOWN)["turn"] == 3


def test_a_conversation_goes_on_from_an_earlier_turn(client: Any) -> None:
    thread = thread_of(client)
    for message in ("boots", "in red", "under $60"):
        say(client, thread, message, context=IN_TOWN)
    history = client.threads.get_history(thread, limit=100)
    first = next(state for state in history if not state["next"] and state["values"]["turn"] == 1)
    answer = say(client, thread, "in navy", context=IN_TOWN, checkpoint=first["checkpoint"])
    assert answer["turn"] == 2
    assert _values(client.threads.get_state(thread)) == {
        ("category", "boots", "positive"),
        ("color", "navy", "positive"),
    }
    assert [message["content"] for message in answer["messages"][::2]] == ["boots", "in navy"]


def test_an_edit_comes_back_typed(client: Any) -> None:
    """A form may send a number as text: it is stored as the number that it is."""
    thread = thread_of(client)
    say(client, thread, "boots", context=IN_TOWN)
    client.threads.update_state(thread, {"commit": "3", "candidates": ["4", 5.0, 6]}, as_node="clarify")
    state = client.threads.get_state(thread)
    assert (state["values"]["commit"], state["values"]["candidates"]) == (3, [4, 5, 6])
    assert state["next"] == ["respond"]
    assert len(client.runs.wait(thread, "shopgraph", input=None, context=IN_TOWN)["recommendations"]) == 3


WRONG_EDITS: list[tuple[dict[str, Any], str | None, str]] = [
    ({"candidates": "x"}, "rank", "`candidates` cannot take this value: Input should be a valid list"),
    ({"turn": "soon"}, "respond", "`turn` cannot take this value"),
    ({"commit": 11}, "clarify", "`commit` cannot take this value: Input should be less than or equal to 10"),
    ({"mode": "selling"}, "route", "Input should be 'buying', 'browsing' or 'control'"),
    ({"events": [{"type": "constraint_dropped", "turn": 1}]}, "track", "`events` cannot take this value"),
    ({"events": {"__overwrite__": [{"turn": 1}]}}, "track", "Unable to extract tag"),
    ({"events": "none"}, "track", "`events` cannot take this value"),
    ({"messages": [{"role": "alien", "content": "x"}]}, "respond", "Unexpected message type: 'alien'"),
    ({"candidate": [1]}, "rank", "The state has no 'candidate'"),
    ({"reply": "Hello."}, "reply", "No node is called 'reply': name one of route, "),
]


def test_a_wrong_edit_is_refused_in_words_and_loses_nothing(client: Any) -> None:
    from langgraph_sdk.errors import APIStatusError

    thread = thread_of(client)
    say(client, thread, "boots", context=IN_TOWN)
    before = client.threads.get_state(thread)
    for values, node, problem in WRONG_EDITS:
        with pytest.raises(APIStatusError) as refused:
            client.threads.update_state(thread, values, as_node=node)
        assert problem in str(refused.value), values
        after = client.threads.get_state(thread)
        assert after["checkpoint"] == before["checkpoint"], values
        assert after["values"] == before["values"], values
    answer = say(client, thread, "in red", context=IN_TOWN)
    assert (answer["turn"], shown(answer)[0]) == (2, "BOOT08")


def test_a_product_that_the_catalog_does_not_hold_is_named_and_can_be_corrected(
    client: Any, row_of: Callable[..., list[int]]
) -> None:
    thread = thread_of(client)
    client.runs.wait(thread, "shopgraph", input={"message": "boots"}, context=IN_TOWN, interrupt_before=["respond"])
    client.threads.update_state(thread, {"candidates": [0, 70_000]}, as_node="clarify")
    with pytest.raises(Exception, match="`candidates` names 70000: this catalog has products 0 to 31"):
        client.runs.wait(thread, "shopgraph", input=None, context=IN_TOWN)
    client.threads.update_state(thread, {"candidates": row_of("PACK03", "BOOT01")}, as_node="clarify")
    answer = client.runs.wait(thread, "shopgraph", input=None, context=IN_TOWN)
    assert (answer["turn"], shown(answer)) == (1, ["PACK03", "BOOT01"])
    assert all(isinstance(row["score"], float) for row in answer["recommendations"])


def test_a_person_looks_at_the_products_before_they_are_shown(client: Any, row_of: Callable[..., list[int]]) -> None:
    thread = thread_of(client)
    parts = list(
        client.runs.stream(
            *(thread, "shopgraph"),
            input={"message": "red boots"},
            context=IN_TOWN,
            stream_mode="updates",
            interrupt_before=["respond"],
        )
    )
    assert parts[-1].data == {"__interrupt__": []}
    waiting = client.threads.get_state(thread)
    assert (waiting["next"], waiting["values"]["reply"]) == (["respond"], "")
    assert client.threads.get(thread)["status"] == "interrupted"
    chosen = row_of("BOOT10", "BOOT06")
    client.threads.update_state(thread, {"candidates": chosen}, as_node="clarify")
    answer = client.runs.wait(thread, "shopgraph", input=None, context=IN_TOWN)
    assert shown(answer) == ["BOOT10", "BOOT06"]
    assert set(answer["evidence"]) == {"BOOT10", "BOOT06"}
    assert believe(client.threads.get_state(thread)["values"]["events"]).last_shown == ["BOOT10", "BOOT06"]
    told = say(client, thread, "tell me about the second one", context=IN_TOWN)
    assert told["reply"].startswith("Number 2 is Corvane Red Leather Ankle Boots Size 7"), "no interrupt was asked for"


def test_a_person_writes_the_reply(client: Any) -> None:
    thread = thread_of(client)
    client.runs.wait(thread, "shopgraph", input={"message": "boots"}, context=IN_TOWN, interrupt_before=["respond"])
    words = "Our Corvane boots are hand sewn."
    client.threads.update_state(thread, {"reply": words}, as_node="clarify")
    answer = client.runs.wait(thread, "shopgraph", input=None, context=IN_TOWN)
    assert (answer["reply"], answer["messages"][-1]["content"]) == (words, words)
    assert answer["ask_attribute"] is None, "a reply without a question asks for nothing"
    assert len(answer["recommendations"]) == 10
    following = say(client, thread, "in red", context=IN_TOWN)
    assert following["turn"] == 2
    assert following["reply"] != words


def test_an_interrupted_turn_that_is_left_alone_leaves_no_trace(client: Any) -> None:
    """Even when a person had begun to write its reply: the next message takes its place."""
    thread, calm = thread_of(client), thread_of(client)
    for conversation in (thread, calm):
        say(client, conversation, "boots", context=IN_TOWN)
    client.runs.wait(thread, "shopgraph", input={"message": "navy"}, context=IN_TOWN, interrupt_before=["respond"])
    client.threads.update_state(thread, {"reply": "Navy it is."}, as_node="clarify")
    answers = [say(client, conversation, "in red", context=IN_TOWN) for conversation in (thread, calm)]
    assert answers[0]["turn"] == 2
    assert shown(answers[0]) == shown(answers[1])
    assert answers[0]["reply"] == answers[1]["reply"]
    assert _values(client.threads.get_state(thread)) == _values(client.threads.get_state(calm))
