"""Golden conversations: what was answered before, in the shape that `shopgraph replay --export` writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from catalog.search import ProductIndex
from graph.agent import ShoppingAgent
from graph.replay.history import read_conversation
from graph.replay.record import TurnRecord
from graph.savers import memory_saver

FOLDER = Path(__file__).parent


def scripts() -> dict[str, dict[str, Any]]:
    """Return what shoppers say, by the name of the conversation."""
    pages = yaml.safe_load((FOLDER / "conversations.yaml").read_text(encoding="utf-8"))
    return {page["name"]: page for page in pages}


def recorded(name: str) -> Path:
    """Return the file that a conversation is recorded in."""
    return FOLDER / f"{name}.jsonl"


def hold(script: dict[str, Any], index: ProductIndex) -> list[TurnRecord]:
    """Hold a conversation with the code of today and return its turns."""
    saver = memory_saver()
    agent = ShoppingAgent(index, policy=script.get("policy", "full"), checkpointer=saver)
    agent.reset(script["name"], script.get("profile"))
    for message in script["says"]:
        agent.respond(script["name"], message)
    return read_conversation(saver, script["name"])
