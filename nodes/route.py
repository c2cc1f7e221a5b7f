"""Start a turn: take the message, clear what belonged to the turn before, label what the message is about."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from langchain_core.messages import BaseMessage

from catalog.errors import InputError
from graph.state import State, TurnState, clean_text
from tools.routing import mode_of

CLEARED = TurnState().model_dump(mode="json", exclude={"message", "user_profile", "turn", "events"})
"""Channels that a turn starts with empty: nothing of an earlier or failed turn may leak into this one."""


def route(state: State) -> dict[str, Any]:
    """Return a clean turn; raises `InputError` when there is no message at all (a blank one is a message).

    A turn that broke off showed nothing: its number is used again, and what it had written goes with it.
    """
    failed = state.turn > 0 and not _answered(state)
    last = state.messages[-1] if state.messages else None
    spoken = _spoken(state, failed)
    fresh = state.message if spoken is None else str(spoken.text)
    message = clean_text(fresh)
    turn = state.turn if failed else state.turn + 1
    update = {**deepcopy(CLEARED), "message": message, "turn": turn, "mode": mode_of(message)}
    update["heard"] = (last.id if last is not None else None) or ""
    if failed:
        update["events"] = {"__overwrite__": _before(state.events, turn)}
    if spoken is not None and message != fresh:
        # The chat view keeps what was read: the same words cleaned and bounded, not a second copy of them.
        update["messages"] = [spoken.model_copy(update={"content": message})]
    if len(message) < len(fresh):
        update["notices"] = [f"I read the first {len(message):,} characters of your message."]
    return update


def _answered(state: State) -> bool:
    """Tell whether the latest turn reached its end; a reply alone may be one that a person wrote at an interrupt."""
    return any(row["type"] == "products_shown" and row["turn"] == state.turn for row in reversed(state.events))


def _before(events: list[dict[str, Any]], turn: int) -> list[dict[str, Any]]:
    """Return the events of earlier turns; those of the profile (turn 0) are written by the first."""
    return [] if turn == 1 else [row for row in events if row["turn"] < turn]


def _spoken(state: State, failed: bool) -> BaseMessage | None:
    """Return the human message of the chat view that is to be read, None when `message` is.

    After a turn that broke off, its `message` still stands in the channel: a human message not heard yet is newer.
    """
    last = state.messages[-1] if state.messages else None
    if last is None:
        return None
    if last.type == "human" and (not state.message or (failed and last.id != state.heard)):
        return last
    if last.type != "human" and not state.message and state.turn == 0:
        raise InputError("The last of `messages` is not a human message and `message` is blank: send one of them.")
    return None
