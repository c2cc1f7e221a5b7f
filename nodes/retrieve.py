"""Find the products worth scoring, by the shopper's raw words, the values that hold, and structured matches."""

from __future__ import annotations

from typing import Any

from graph.events import believe
from graph.state import BASIS, TurnState
from tools.pool import gather, query_words
from tools.shop import Shop


def retrieve(state: TurnState, shop: Shop) -> dict[str, Any]:
    """Return the query and the candidate ids."""
    belief = believe(state.events)
    query = query_words(shop.index, belief)
    pool = gather(shop.index, belief, query, shop.ranking)
    return {"query": query, "candidates": pool.ids.tolist(), BASIS: pool.found}
