"""Translate the message into facts by rules: structured forms, grammar, catalog lexicon, quoted catalog strings."""

from __future__ import annotations

from typing import Any

from graph.events import believe
from graph.state import TurnState
from tools.quotation import with_quotations
from tools.reading import Question
from tools.shop import Shop


def canonicalize(state: TurnState, shop: Shop) -> dict[str, Any]:
    """Return the rules' reading of the message."""
    belief = believe(state.events)
    shown = _products(shop, belief.last_shown)
    question = Question(
        attribute=belief.open_question,
        options=belief.options,
        underway=bool(belief.last_shown),
        looking=len(belief.last_shown) == 1,
    )
    reading = shop.reader.read(state.message, question, belief, shown, lambda: _products(shop, belief.seen))
    reading = with_quotations(reading, state.message, shop.index)
    return {"reading": reading.model_dump(mode="json", exclude_defaults=True)}


def _products(shop: Shop, parent_asins: list[str]) -> list[Any]:
    rows = [row for row in shop.index.ids(parent_asins) if row is not None]
    return shop.index.products(rows)
