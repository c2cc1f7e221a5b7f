"""Turn what was understood into events: the only writer of conversation state."""

from __future__ import annotations

from typing import Any

from graph.events import believe, dump
from graph.state import TurnState
from tools.reading import Reading
from tools.shop import Shop
from tools.tracking import Tracker


def track(state: TurnState, shop: Shop) -> dict[str, Any]:
    """Append the events of the message; the first turn also states what the profile prefers."""
    reading = Reading.model_validate(state.reading)
    tracker = Tracker(believe(state.events), state.events, state.turn, shop.index)
    if state.turn == 1 and state.user_profile:
        tracker.profile(state.user_profile, shop.reader)
    tracker.message(reading)
    return {"events": dump(tracker.events), "notices": [*state.notices, *tracker.notices]}
