"""Drop what violates a hard constraint; when nothing would be left, give up the least."""

from __future__ import annotations

from typing import Any

from catalog.postings import membership
from graph.events import believe
from graph.state import BASIS, Context, TurnState
from tools.concession import price_words, seen_words
from tools.pool import known
from tools.relaxation import narrow, withheld_ids
from tools.shop import Shop


def filter(state: TurnState, shop: Shop, context: Context) -> dict[str, Any]:  # noqa: A001 - the node's name in Studio
    """Return the surviving candidates and the constraints that were relaxed for them; `respond` says what gave way."""
    belief = believe(state.events)
    ids = known(shop.index, state.candidates)
    withheld = withheld_ids(shop.index, belief, context.policy)
    narrowed = narrow(shop.index, belief, ids, withheld, state.query)
    told = [seen_words(narrowed.seen, context.policy)] if narrowed.seen else []
    told += [price_words(belief, *narrowed.price)] if narrowed.price else []
    return {
        "candidates": narrowed.ids.tolist(),
        "relaxed": narrowed.relaxed,
        "notices": [*state.notices, *told],
        BASIS: {"withheld": int(membership(ids, withheld, shop.index.size).sum()), "dropped": narrowed.dropped},
    }
