"""Runs that meet: on one conversation no turn is lost or doubled, on two none waits for or sees the other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from graph.events import believe
from tests.integration.server import say, shown, thread_of

IN_TOWN = {"catalog": "town"}
WISHES = ["boots", "in red", "under $90"]


def _start(client: Any, thread: str, message: str, strategy: str) -> str:
    run = client.runs.create(
        thread, "shopgraph", input={"message": message}, context=IN_TOWN, multitask_strategy=strategy
    )
    return str(run["run_id"])


def _told(client: Any, thread: str) -> list[str]:
    """Return what the chat view holds of the shopper."""
    messages = client.threads.get_state(thread)["values"]["messages"]
    return [message["content"] for message in messages if message["type"] == "human"]


def test_runs_in_a_queue_are_served_one_after_the_other(client: Any) -> None:
    thread = thread_of(client)
    runs = [_start(client, thread, message, "enqueue") for message in WISHES]
    for run in runs:
        client.runs.join(thread, run)
    state = client.threads.get_state(thread)["values"]
    assert state["turn"] == 3
    assert _told(client, thread) == WISHES
    assert [fact.value for fact in believe(state["events"]).constraints] == ["boots", "red", 90.0]
    shows = [event["turn"] for event in state["events"] if event["type"] == "products_shown"]
    assert shows == [1, 2, 3]


def test_a_run_on_a_busy_conversation_may_be_rejected(client: Any) -> None:
    from langgraph_sdk.errors import ConflictError

    thread = thread_of(client)
    first = _start(client, thread, "boots", "enqueue")
    with pytest.raises(ConflictError):
        _start(client, thread, "in red", "reject")
    client.runs.join(thread, first)
    assert (_told(client, thread), client.threads.get_state(thread)["values"]["turn"]) == (["boots"], 1)
    assert say(client, thread, "in red", context=IN_TOWN, multitask_strategy="reject")["turn"] == 2


@pytest.mark.parametrize("strategy", ["interrupt", "rollback"])
def test_a_run_may_take_the_place_of_the_one_before(client: Any, strategy: str) -> None:
    """Whatever point the first was stopped at, or had it just ended: the second is a whole turn, once."""
    thread = thread_of(client)
    _start(client, thread, "boots", strategy)
    second = _start(client, thread, "a linen dress", strategy)
    client.runs.join(thread, second)
    state = client.threads.get_state(thread)
    assert state["next"] == []
    assert _told(client, thread) in (["a linen dress"], ["boots", "a linen dress"])
    assert state["values"]["turn"] == len(_told(client, thread))
    assert say(client, thread, "in white", context=IN_TOWN)["turn"] == state["values"]["turn"] + 1


def test_two_conversations_at_once_do_not_see_each_other(client: Any) -> None:
    def converse(messages: list[str]) -> list[list[str]]:
        thread = thread_of(client)
        return [shown(say(client, thread, message, context=IN_TOWN)) for message in messages]

    talks = [WISHES, ["a dress", "in blue"]]
    with ThreadPoolExecutor(max_workers=2) as pool:
        together = list(pool.map(converse, talks))
    assert together == [converse(messages) for messages in talks]


WRONG_RUNS: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (
        {"message": "in navy"},
        {"catalog": "/etc/passwd"},
        "No catalog is configured as '/etc/passwd': use one of default, ",
    ),
    ({"message": "in navy"}, {"policy": "bold"}, "Input should be 'full' or 'confident'"),
    ({"message": 7}, IN_TOWN, "`message` cannot take this value: Input should be a valid string"),
    ({"message": "in navy", "user_profile": "x"}, IN_TOWN, "`user_profile` cannot take this value"),
    ({"messages": [{"role": "alien", "content": "in navy"}]}, IN_TOWN, "Unexpected message type: 'alien'"),
]


def test_a_failed_run_says_why_and_leaves_no_trace(client: Any) -> None:
    troubled, calm = thread_of(client), thread_of(client)
    for thread in (troubled, calm):
        say(client, thread, "boots", context=IN_TOWN)
    for values, context, problem in WRONG_RUNS:
        with pytest.raises(Exception, match="Error") as failed:
            client.runs.wait(troubled, "shopgraph", input=values, context=context)
        assert problem in str(failed.value), values
    answers = [say(client, thread, "in red", context=IN_TOWN) for thread in (troubled, calm)]
    assert answers[0]["turn"] == answers[1]["turn"] == 2
    assert shown(answers[0]) == shown(answers[1])
    assert answers[0]["messages"][-1]["content"] == answers[1]["messages"][-1]["content"]
    assert _told(client, troubled) == _told(client, calm) == ["boots", "in red"]
    events = [client.threads.get_state(thread)["values"]["events"] for thread in (troubled, calm)]
    assert events[0] == events[1]
