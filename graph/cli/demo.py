"""`shopgraph demo`: a scripted conversation."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import TypedDict

from graph.cli.conversation import open_conversation
from graph.cli.options import CatalogOption, PolicyOption, StateOption
from graph.cli.output import write
from graph.cli.render import print_turn


class ScriptedTurn(TypedDict):
    """One line of the script: what it shows, and what the shopper says."""

    shows: str
    says: str


def load_script() -> list[ScriptedTurn]:
    """Read the script that ships with the package."""
    text = resources.files("graph.cli").joinpath("data", "demo.toml").read_text(encoding="utf-8")
    turns: list[ScriptedTurn] = tomllib.loads(text)["turn"]
    return turns


def demo(catalog: CatalogOption = None, policy: PolicyOption = None, state: StateOption = None) -> None:
    """Play a conversation of five turns: a need, a constraint, a negation, a change of mind, "you decide".

    Nothing is kept afterwards, unless --state names a folder.

    \b
    Example:
      shopgraph demo --catalog .shopgraph/sample.duckdb
    """
    with open_conversation(catalog, policy, state, keep=state is not None) as talk:
        write(f"A store of {talk.size:,} products ({talk.catalog}).")
        write()
        for number, line in enumerate(load_script(), 1):
            write(f"--- {number}. {line['shows']}")
            write(f"Shopper: {line['says']}")
            print_turn(talk.say(line["says"]))
