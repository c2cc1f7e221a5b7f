"""Says a stored conversation's messages again, to the code of today, on a saver of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, cast

from langchain_core.messages import AIMessage, HumanMessage

from catalog.errors import ShopgraphError
from graph.replay.history import read_latest, thread_config
from graph.replay.record import TurnRecord
from graph.savers import memory_saver
from graph.settings import Policy
from graph.shopping import ShoppingGraph, Shops, assemble
from graph.state import Context

Mode = Literal["forced", "free"]
"""`forced`: each turn begins from what is stored of the turn before it, so that one difference does not hide the next.
`free`: one conversation from first to last, as a shopper would meet it."""


class Replayed(NamedTuple):
    """A stored turn beside the same message answered now; `now` is None when that failed, for the reason given."""

    stored: TurnRecord
    now: TurnRecord | None
    failure: str = ""


def rerun(turns: Sequence[TurnRecord], shops: Shops, mode: Mode = "forced", policy: Policy = "full") -> list[Replayed]:
    """Answer the messages of a stored conversation again; what is stored is never written to.

    Args:
        turns: A conversation, from `read_conversation` or `read_export`.
        shops: The catalog to answer from.
        mode: Whether each turn is seeded with what is stored before it, or only the first.
        policy: What a turn is served with that does not say so itself.

    Raises:
        CatalogError: The catalog cannot be opened.
    """
    return list(_rerun(turns, assemble(shops, memory_saver()), mode, policy))


def _rerun(turns: Sequence[TurnRecord], graph: ShoppingGraph, mode: Mode, policy: Policy) -> Iterator[Replayed]:
    for place, turn in enumerate(turns):
        thread = f"turn {turn.turn}" if mode == "forced" else "free"
        seed = _seed(turns, place) if mode == "forced" or place == 0 else {}
        if seed:
            graph.update_state(thread_config(thread), seed, as_node="respond")
        try:
            graph.invoke(
                cast(Any, {"message": turn.message}),
                thread_config(thread),
                context=Context(
                    policy=turn.served.policy or policy, model_mode=turn.served.model_mode or "off", catalog="default"
                ),
                durability="async" if turn.nodes else "exit",
            )
        except ShopgraphError:
            raise
        except Exception as failure:  # noqa: BLE001 - that a turn fails now, however it does, is what a replay finds out
            yield Replayed(turn, None, f"{type(failure).__name__}: {failure}")
        else:
            yield Replayed(turn, read_latest(graph, thread, turn))


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
