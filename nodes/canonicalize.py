"""Translate the message into facts by rules: structured forms, grammar, catalog lexicon, quoted catalog strings."""

from __future__ import annotations

from typing import Any

from graph.events import believe
from graph.state import Context, TurnState
from tools.nearness import with_meaning
from tools.quotation import with_quotations
from tools.reading import Question
from tools.shop import Shop

RULES_ALONE = Context(model_mode="off")


def canonicalize(state: TurnState, shop: Shop, context: Context = RULES_ALONE) -> dict[str, Any]:
    """Return the rules' reading of the message, and the wish for a translation where the run has a model."""
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
    reading = with_meaning(reading, state.message, question, shop.index, shop.ranking.sentence)
    update: dict[str, Any] = {"reading": reading.model_dump(mode="json", exclude_defaults=True)}
    if context.model_mode != "off":
        update["translation"] = {"status": "wanted"}
    return update


def _products(shop: Shop, parent_asins: list[str]) -> list[Any]:
    rows = [row for row in shop.index.ids(parent_asins) if row is not None]
    return shop.index.products(rows)
