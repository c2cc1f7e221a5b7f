"""Ask a chat model to translate the message into facts; without a configured model, say so."""

from __future__ import annotations

from typing import Any

from graph.state import TurnState


def translate(state: TurnState) -> dict[str, Any]:
    """Report that no model is configured: the rules' reading stands."""
    return {"translation": {"status": "unavailable", "reason": "no model configured", "turn": state.turn}}
