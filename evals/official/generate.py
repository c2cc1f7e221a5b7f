"""Draw the sessions of protocol P1 from the products of a catalog."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from catalog.product import Product
from evals.draws import apportion, deal, pick, unit, weighted_key
from evals.errors import EvaluationError
from evals.official.cards import HiddenCard, category_phrase, hidden_card
from evals.official.shopper import OfficialSession
from evals.official.tables import tables
from evals.sessions import Draw, Profile, carries_id

FEWEST_VALUES = 2
"""Distinct card values that a target must have."""


def generate_sessions(
    products: Sequence[Product], n: int, draw: Draw, seed: int, clean: bool = False
) -> list[OfficialSession]:
    """Return `n` sessions with distinct targets; the same arguments always give the same sessions.

    Raises `EvaluationError` when fewer than `n` products can be targets.
    """
    if n < 1:
        raise EvaluationError(f"n is {n}; a session set needs at least 1 session")
    targets = list(islice(_targets(_in_drawn_order(products, draw, seed), clean), n))
    if len(targets) < n:
        raise EvaluationError(
            f"only {len(targets)} of {len(products)} products have {FEWEST_VALUES} card values to be targets; "
            f"ask for n <= {len(targets)}"
        )
    ids = [_session_id(draw, seed, number) for number in range(n)]
    scenarios = deal(ids, scenario_counts(n))
    return [
        _session(product, card, session_id, scenarios[session_id])
        for (product, card), session_id in zip(targets, ids, strict=True)
    ]


def scenario_counts(n: int) -> dict[str, int]:
    """Split `n` sessions over the scenarios exactly, by largest remainder (ties: the earlier scenario).

    Example: `scenario_counts(200)` is 80 buying, 80 browsing, 30 intent_override and 10 boundary.
    """
    return apportion(n, tables().scenarios)


def anonymous_profile(session_id: str) -> Profile:
    """Make up a profile from the session id alone, so that it says nothing about the target."""
    words = tables().profile
    frequency = pick(words.purchase_frequency, session_id, "frequency")
    style = pick(words.rating_style, session_id, "style")
    tags = sorted(words.preference_tags, key=lambda tag: unit(session_id, "tag", tag))[:2]
    return Profile(
        purchase_frequency=frequency,
        average_prior_rating=round(3 + 2 * unit(session_id, "rating"), 1),
        rating_style=style,
        preference_tags=tags,
        summary=f"A {frequency} buyer with a {style} rating style who values {tags[0]} and {tags[1]}.",
    )


def _in_drawn_order(products: Sequence[Product], draw: Draw, seed: int) -> list[Product]:
    """Order products by the draw; a missing or zero rating count weighs 1."""

    def key(product: Product) -> tuple[float, str]:
        weight = max(product.rating_number or 0, 1) if draw == "popularity" else 1
        return weighted_key(weight, "official", draw, seed, product.parent_asin), product.parent_asin

    return sorted(products, key=key)


def _targets(products: Iterable[Product], clean: bool) -> Iterator[tuple[Product, HiddenCard]]:
    """Yield the products whose card is large enough and would not give their id away, with the card."""
    for product in products:
        card = hidden_card(product, clean)
        texts = (category_phrase(product), *card.values)
        if len(card.values) >= FEWEST_VALUES and not any(carries_id(text, product.parent_asin) for text in texts):
            yield product, card


def _session(product: Product, card: HiddenCard, session_id: str, scenario: str) -> OfficialSession:
    return OfficialSession(
        session_id=session_id,
        scenario=scenario,
        target=product.parent_asin,
        user_profile=anonymous_profile(session_id),
        category=category_phrase(product),
        hard=card.hard,
        soft=card.soft,
    )


def _session_id(draw: Draw, seed: int, number: int) -> str:
    """Name a session by a digest, since an agent sees the name and must not read the draw from it."""
    return hashlib.sha256(f"official/{draw}/{seed}/{number}".encode()).hexdigest()[:16]
