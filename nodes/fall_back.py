"""Discard a translation that failed: the turn is what the rules made of it."""

from __future__ import annotations

from typing import Any

from graph.state import TurnState


def fall_back(state: TurnState) -> dict[str, Any]:
    """Keep the reason of the failure and nothing else of the translation."""
    reason = str(state.translation.get("reason", "unknown"))
    return {"translation": {"status": "fell_back", "reason": reason}}
