"""Writes a folder of stored conversations for later versions to load: `python -m tests.checkpoint_fixture FOLDER`.

Run once a version, by the code of that version; `tests/fixtures/checkpoints/README.md` says when.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import Any

from langchain_core.messages import HumanMessage

from graph.agent import ShoppingAgent
from graph.events import believe
from graph.savers import DATABASE, sqlite_saver
from graph.shopping import build_graph
from graph.state import Context
from tests.stores import TOWN, Stores
from tools.explanation import describe

BY_AGENT = "kept-turn-by-turn"
"""A conversation of `ShoppingAgent`: a profile, and one checkpoint a turn."""

BY_GRAPH = "kept-step-by-step"
"""A conversation of the compiled graph, as Studio holds it: chat messages, and a checkpoint after every node."""

SAID = {
    BY_AGENT: ["leather boots", "under $120, not red", "undo", "the second one", "actually navy"],
    BY_GRAPH: ["a backpack in canvas", "cheaper than $100"],
}
PROFILE = {"preference_tags": ["linen"], "average_prior_rating": 4.5}


def hold(folder: Path, catalog: Path) -> dict[str, list[dict[str, Any]]]:
    """Hold both conversations, store them in the folder, and return what each turn came to."""
    saver = sqlite_saver(folder)
    agent = ShoppingAgent(catalog, policy="full", checkpointer=saver)
    agent.reset(BY_AGENT, PROFILE)
    graph = build_graph(catalog, saver)
    thread: Any = {"configurable": {"thread_id": BY_GRAPH}}
    turns: dict[str, list[dict[str, Any]]] = {BY_AGENT: [], BY_GRAPH: []}
    for text in SAID[BY_AGENT]:
        output = agent.turn(BY_AGENT, text)
        turns[BY_AGENT].append(_turn(text, output, [describe(fact) for fact in agent.belief(BY_AGENT).constraints]))
    for number, text in enumerate(SAID[BY_GRAPH], 1):
        spoken: Any = {"messages": [HumanMessage(text, id=f"spoken-{number}")]}
        output = graph.invoke(spoken, thread, context=Context(policy="full"), durability="async")
        held = believe(graph.get_state(thread).values["events"]).constraints
        turns[BY_GRAPH].append(_turn(text, output, [describe(fact) for fact in held]))
    saver.conn.close()
    return turns


def _turn(text: str, output: dict[str, Any], held: list[str]) -> dict[str, Any]:
    return {
        "message": text,
        "held": held,
        "ask_attribute": output["ask_attribute"],
        "products": [row["parent_asin"] for row in output["recommendations"]],
        "reply": output["reply"],
    }


def main(folder: Path) -> None:
    """Write the conversations and `expected.json`; the database becomes one plain file without a log beside it."""
    with tempfile.TemporaryDirectory() as scratch:
        turns = hold(folder, Stores(Path(scratch)).path(TOWN))
    with sqlite3.connect(folder / DATABASE) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute("VACUUM")
    connection.close()
    (folder / "expected.json").write_text(json.dumps(turns, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
