"""`shopgraph ask`: one message, one answer."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from graph.cli.conversation import open_conversation
from graph.cli.options import (
    CatalogOption,
    ContinueOption,
    ConversationOption,
    JsonOption,
    PolicyOption,
    StateOption,
    TraceOption,
)
from graph.cli.output import write, write_json
from graph.cli.render import print_step, print_turn, turn_json


def ask(
    message: Annotated[str, typer.Argument(metavar="TEXT", help="What you would say to a shop assistant.")],
    catalog: CatalogOption = None,
    policy: PolicyOption = None,
    state: StateOption = None,
    conversation: ConversationOption = None,
    latest: ContinueOption = False,
    trace: TraceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Say one thing and get products; the conversation can go on later.

    \b
    Examples:
      shopgraph ask "waterproof hiking boots for men, size 11, under $120"
      shopgraph ask --continue "in brown, please"
      shopgraph ask --json "a navy wool coat" | jq '.recommendations[].title'
    """
    steps: list[dict[str, Any]] = []
    watch = steps.append if trace else None
    with open_conversation(catalog, policy, state, name=conversation, latest=latest, watch=watch) as talk:
        turn = talk.say(message)
    if as_json:
        write_json({**turn_json(turn), "steps": steps} if trace else turn_json(turn))
        return
    for step in steps:
        print_step(step)
    print_turn(turn)
    write(f"Go on with: shopgraph ask --conversation {turn.conversation} TEXT")
