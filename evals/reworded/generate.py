"""Make sessions of hand-written sentences for a catalog."""

from __future__ import annotations

from collections.abc import Sequence

from catalog.product import Product
from evals.errors import EvaluationError
from evals.official.cards import category_phrase, hidden_card
from evals.official.generate import anonymous_profile
from evals.reworded.sentences import Sentences
from evals.reworded.shopper import RewordedSession
from evals.sessions import carries_id


def reword_sessions(
    products: Sequence[Product], rows: Sequence[Sentences], clean: bool = True, verbatim: bool = False
) -> list[RewordedSession]:
    """Return a session for each row, with the hidden card that its product has in this catalog.

    Raises `EvaluationError` when a product is missing, its card has another number of values than sentences were
    written for, or a sentence carries the id of the product.
    """
    by_id = {product.parent_asin: product for product in products}
    return [_session(by_id, row, clean, verbatim) for row in rows]


def _session(by_id: dict[str, Product], row: Sentences, clean: bool, verbatim: bool) -> RewordedSession:
    product = by_id.get(row.target)
    if product is None:
        raise EvaluationError(f"session {row.session_id}: the catalog has no product {row.target}; use its own catalog")
    card = hidden_card(product, clean)
    if len(card.values) != len(row.values):
        raise EvaluationError(
            f"session {row.session_id}: {len(row.values)} sentences for the {len(card.values)} values of "
            f"{row.target}; write one for each"
        )
    texts = (row.opening, *row.values, row.override or "")
    if any(carries_id(text, row.target) for text in texts):
        raise EvaluationError(f"session {row.session_id}: a sentence carries the id of the target; leave it out")
    return RewordedSession(
        session_id=row.session_id,
        scenario=row.scenario,
        target=row.target,
        user_profile=anonymous_profile(row.session_id),
        category=category_phrase(product),
        hard=card.hard,
        soft=card.soft,
        sentences=row,
        verbatim=verbatim,
    )
