"""Start a turn: take the message, clear what belonged to the turn before, label what the message is about."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from catalog.errors import InputError
from graph.state import State, TurnState, clean_text
from tools.routing import mode_of

CLEARED = TurnState().model_dump(mode="json", exclude={"message", "user_profile", "turn", "events"})
"""Channels that a turn starts with empty: nothing of an earlier or failed turn may leak into this one."""


def route(state: State) -> dict[str, Any]:
    """Return a clean turn; raises `InputError` when there is no message at all (a blank one is a message).

    A turn that broke off had no reply: its number is used again, and what it had written goes with it.
    """
    failed = state.turn > 0 and not state.reply
    last = state.messages[-1] if state.messages else None
    message, fresh = _message(state, failed)
    turn = state.turn if failed else state.turn + 1
    update = {**deepcopy(CLEARED), "message": message, "turn": turn, "mode": mode_of(message)}
    update["heard"] = (last.id if last is not None else None) or ""
    if failed:
        update["events"] = {"__overwrite__": _before(state.events, turn)}
    if len(message) < len(fresh):
        update["notices"] = [f"I read the first {len(message):,} characters of your message."]
    return update


def _before(events: list[dict[str, Any]], turn: int) -> list[dict[str, Any]]:
    """Return the events of earlier turns; those of the profile (turn 0) are written by the first."""
    return [] if turn == 1 else [row for row in events if row["turn"] < turn]


def _message(state: State, failed: bool) -> tuple[str, str]:
    """Return the cleaned message and the text it was made of.

    After a turn that broke off, its `message` still stands in the channel: a human message not heard yet is newer.
    """
    last = state.messages[-1] if state.messages else None
    spoken = last is not None and last.type == "human"
    unheard = failed and last is not None and last.id != state.heard
    if last is not None and spoken and (not state.message or unheard):
        text = last.text if isinstance(last.text, str) else str(last.text)
        return clean_text(text), text
    if not state.message and last is not None and not spoken and state.turn == 0:
        raise InputError("The last of `messages` is not a human message and `message` is blank: send one of them.")
    return clean_text(state.message), state.message
