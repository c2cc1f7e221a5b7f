"""`langgraph dev` starts offline and without a key; its threads, streams, schemas and assistants serve the graph."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from graph.shopping import NODES
from tests.integration.server import Server, say, shown, thread_of

SAID = ["route", "canonicalize", "track", "retrieve", "filter", "rank", "clarify", "respond"]
"""The nodes of a turn without a model."""

TEN_TURNS = [
    *("boots for women", "leather", "under $90", "not black", "something cheaper", "what else?", "size 9"),
    *("for the winter", "the second one please", "thanks"),
]


def test_a_conversation_through_the_api(client: Any) -> None:
    thread = thread_of(client)
    first = say(client, thread, "a dress for women")
    second = say(client, thread, "under $60", context={"policy": "confident"})
    assert len(first["recommendations"]) == 10
    assert (first["turn"], second["turn"]) == (1, 2)
    assert 1 <= len(second["recommendations"]) < 10
    assert second["evidence"][shown(second)[0]]
    assert [message["type"] for message in second["messages"]] == ["human", "ai", "human", "ai"]


def test_a_chat_front_end_may_send_messages_alone(client: Any) -> None:
    thread = thread_of(client)
    for text, turn in (("leather boots for men", 1), ("in brown", 2)):
        said = {"messages": [{"role": "human", "content": text}]}
        answer = client.runs.wait(thread, "shopgraph", input=said)
        assert answer["recommendations"]
        assert answer["turn"] == turn
    chat = [(message["type"], message["content"]) for message in answer["messages"]]
    assert [kind for kind, _ in chat] == ["human", "ai", "human", "ai"]
    assert (chat[0][1], chat[2][1], chat[3][1]) == ("leather boots for men", "in brown", answer["reply"])


def test_one_run_streams_messages_updates_decisions_and_values(client: Any) -> None:
    parts = defaultdict(list)
    modes = ["messages", "updates", "custom", "values"]
    thread = thread_of(client)
    for part in client.runs.stream(thread, "shopgraph", input={"message": "red boots"}, stream_mode=modes):
        parts[part.event].append(part.data)
    assert "error" not in parts
    assert [node for update in parts["updates"] for node in update] == SAID
    assert [step["node"] for step in parts["custom"]] == SAID
    assert all(step["took_ms"] >= 0 and step["decided"] for step in parts["custom"])
    final = parts["values"][-1]
    spoken = [message for messages in parts["messages/complete"] for message in messages]
    assert [(message["type"], message["content"]) for message in spoken] == [
        ("human", "red boots"),
        ("ai", final["reply"]),
    ]
    assert final["recommendations"] == parts["updates"][-1]["respond"]["recommendations"]


def test_each_node_shows_a_small_update_over_ten_turns(client: Any) -> None:
    """What Studio lists under a node: a decision in words, ids and numbers; the answer's evidence is the longest."""
    thread = thread_of(client)
    largest: dict[str, int] = defaultdict(int)
    for message in TEN_TURNS:
        for part in client.runs.stream(thread, "shopgraph", input={"message": message}, stream_mode="updates"):
            for node, update in (part.data if part.event == "updates" else {}).items():
                (step,) = update["steps"]
                assert step["node"] == node
                assert step["decided"]
                evidence = update.pop("evidence", {})
                assert all(len(json.dumps(row)) < 400 for rows in evidence.values() for row in rows)
                largest[node] = max(largest[node], len(json.dumps(update)))
    assert set(largest) == set(SAID)
    assert {node: size for node, size in largest.items() if size > (2_500 if node == "respond" else 800)} == {}


def test_the_input_form_shows_typed_fields_with_descriptions_and_defaults(client: Any) -> None:
    (assistant,) = client.assistants.search(metadata={"created_by": "system"})
    schemas = client.assistants.get_schemas(assistant["assistant_id"])
    fields = schemas["input_schema"]["properties"]
    assert set(fields) == {"message", "user_profile", "messages"}
    assert all(field["description"] and "default" in field and "type" in field for field in fields.values())
    assert fields["user_profile"]["properties"]["preference_tags"]["type"] == "array"
    assert "required" not in schemas["input_schema"]


def test_the_context_form_offers_policies_and_catalogs_by_name(client: Any) -> None:
    (assistant,) = client.assistants.search(metadata={"created_by": "system"})
    fields = client.assistants.get_schemas(assistant["assistant_id"])["context_schema"]["properties"]
    assert {name: field["default"] for name, field in fields.items()} == {
        "policy": "full",
        "model_mode": "off",
        "catalog": "default",
    }
    assert fields["policy"]["enum"] == ["full", "confident"]
    assert fields["catalog"]["enum"] == ["default", "town"]
    assert all(field["description"] for field in fields.values())


def test_what_comes_out_and_what_may_be_edited_is_typed_and_described(client: Any) -> None:
    (assistant,) = client.assistants.search(metadata={"created_by": "system"})
    schemas = client.assistants.get_schemas(assistant["assistant_id"])
    output, state = schemas["output_schema"]["properties"], schemas["state_schema"]["properties"]
    assert all(field["description"] for name, field in output.items() if name != "messages")
    assert state["candidates"]["items"] == {"type": "integer"}
    assert (state["commit"]["type"], state["commit"]["maximum"]) == ("integer", 10)
    assert state["mode"]["enum"] == ["buying", "browsing", "control"]
    assert all(state[name]["description"] for name in ("reading", "query", "candidates", "commit", "reply"))


def test_the_drawing_has_every_node(client: Any) -> None:
    (assistant,) = client.assistants.search(metadata={"created_by": "system"})
    drawing = client.assistants.get_graph(assistant["assistant_id"])
    assert {node["id"] for node in drawing["nodes"]} == {*NODES, "__start__", "__end__"}


def test_assistants_with_different_contexts_answer_differently(client: Any) -> None:
    sure = client.assistants.create("shopgraph", name="sure", context={"policy": "confident"})
    town = client.assistants.create("shopgraph", name="town", context={"catalog": "town"})
    answers = {
        name: say(client, thread_of(client), "red leather boots", assistant)
        for name, assistant in (("sure", sure["assistant_id"]), ("town", town["assistant_id"]), ("own", "shopgraph"))
    }
    assert len(answers["sure"]["recommendations"]) < len(answers["own"]["recommendations"]) == 10
    assert shown(answers["town"])[0].startswith("BOOT")
    assert not set(shown(answers["town"])) & set(shown(answers["own"]))


def test_a_run_may_change_the_context_of_its_assistant(client: Any) -> None:
    town = client.assistants.create("shopgraph", context={"catalog": "town", "policy": "confident"})["assistant_id"]
    thread = thread_of(client)
    few = say(client, thread, "boots", town)
    many = say(client, thread, "show me more", town, context={"catalog": "town", "policy": "full"})
    assert len(few["recommendations"]) < len(many["recommendations"]) == 10
    assert client.threads.get_state(thread)["values"]["served"]["policy"] == "full"


def test_it_reaches_no_other_machine(server: Server, client: Any) -> None:
    say(client, thread_of(client), "boots")
    assert not server.attempts.exists(), server.attempts.read_text(encoding="utf-8")


def test_its_documents_are_served(server: Server) -> None:
    from langgraph_sdk import get_sync_client

    with get_sync_client(url=server.url) as client:
        assert "/threads/{thread_id}/runs/wait" in client.http.get("/openapi.json")["paths"]
