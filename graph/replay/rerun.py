"""Says a stored conversation's messages again, to the code of today, on a saver of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, cast

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.types import Durability

from catalog.errors import ShopgraphError
from graph.replay.history import read_latest, thread_config
from graph.replay.record import TurnRecord
from graph.savers import memory_saver
from graph.settings import Policy
from graph.shopping import Shops, assemble
from graph.state import Context
from graph.turns import ShoppingGraph

Mode = Literal["forced", "free"]
"""`forced`: each turn begins from what is stored of the turn before it, so that one difference does not hide the next.
`free`: one conversation from first to last, as a shopper would meet it."""


class Replayed(NamedTuple):
    """A stored turn beside the same message answered now; `now` is None when that failed, for the reason given."""

    stored: TurnRecord
    now: TurnRecord | None
    failure: str = ""


def rerun(
    turns: Sequence[TurnRecord],
    shops: Shops,
    mode: Mode = "forced",
    policy: Policy | None = None,
    only: int | None = None,
) -> list[Replayed]:
    """Answer the messages of a stored conversation again; what is stored is never written to.

    Args:
        turns: A conversation, from `read_conversation` or `read_export`.
        shops: The catalog to answer from.
        mode: Whether each turn is seeded with what is stored before it, or only the first.
        policy: What to serve all turns with; None serves each with its own (`full` where that was not stored).
        only: The one turn to return; the others are answered only where it depends on them.

    Raises:
        CatalogError: The catalog cannot be opened.
    """
    graph = assemble(shops, memory_saver())
    needed = [turn.turn for turn in turns if only is None or turn.turn == only or (mode == "free" and turn.turn < only)]
    replayed = [_again(turns, place, graph, mode, policy) for place, turn in enumerate(turns) if turn.turn in needed]
    return [one for one in replayed if only in (None, one.stored.turn)]


def _again(
    turns: Sequence[TurnRecord], place: int, graph: ShoppingGraph, mode: Mode, policy: Policy | None
) -> Replayed:
    turn = turns[place]
    thread = thread_config(f"turn {turn.turn}" if mode == "forced" else "free")
    seed = _seed(turns, place) if mode == "forced" or place == 0 else {}
    if seed:
        graph.update_state(thread, seed, as_node="respond")
    context = Context(policy=policy or turn.served.policy or "full", model_mode=turn.served.model_mode or "off")
    durability: Durability = "async" if turn.nodes else "exit"
    try:
        graph.invoke(cast(Any, {"message": turn.message}), thread, context=context, durability=durability)
    except ShopgraphError:
        raise
    except Exception as failure:  # noqa: BLE001 - that a turn fails now, however it does, is what a replay finds out
        return Replayed(turn, None, f"{type(failure).__name__}: {failure}")
    return Replayed(turn, read_latest(graph, thread, turn, events_at(turns, place)))


def _seed(turns: Sequence[TurnRecord], place: int) -> dict[str, Any]:
    """Return the state that a turn began from, as it is stored of the turn before it."""
    turn = turns[place]
    profile = {"user_profile": turn.user_profile} if turn.user_profile else {}
    if turn.turn == 1:
        return profile
    return {
        **profile,
        "turn": turn.turn - 1,
        "events": events_at(turns, place),
        "reply": turns[place - 1].reply if place else "(not stored)",
        "messages": [message for earlier in turns[:place] for message in _said(earlier)],
    }


def events_at(turns: Sequence[TurnRecord], place: int) -> list[dict[str, Any]]:
    """Return all that had happened when the turn at a place of the conversation began."""
    running: list[dict[str, Any]] = []
    for turn in turns[:place]:
        running = [*(running if turn.before is None else turn.before), *turn.events]
    before = turns[place].before
    return running if before is None else before


def _said(turn: TurnRecord) -> list[HumanMessage | AIMessage]:
    return [
        HumanMessage(turn.message, id=f"turn-{turn.turn}-shopper"),
        AIMessage(turn.reply, id=f"turn-{turn.turn}-agent"),
    ]
