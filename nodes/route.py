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
    """Return a clean turn; raises `InputError` when there is no message at all (a blank one is a message)."""
    message, fresh = _message(state)
    update = {**deepcopy(CLEARED), "message": message, "turn": state.turn + 1, "mode": mode_of(message)}
    if len(message) < len(fresh):
        update["notices"] = [f"I read the first {len(message):,} characters of your message."]
    return update


def _message(state: State) -> tuple[str, str]:
    """Return the cleaned message and the text it was made of."""
    last = state.messages[-1] if state.messages else None
    spoken = last is not None and last.type == "human"
    if not state.message and spoken and last is not None:
        text = last.text if isinstance(last.text, str) else str(last.text)
        return clean_text(text), text
    if not state.message and last is not None and not spoken and state.turn == 0:
        raise InputError("The last of `messages` is not a human message and `message` is blank: send one of them.")
    return clean_text(state.message), state.message
