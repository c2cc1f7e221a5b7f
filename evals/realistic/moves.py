"""Which wishes about the products shown are true of the target: the same but otherwise coloured, or cheaper."""

from __future__ import annotations

from collections.abc import Sequence

from catalog.product import Product
from evals.official.cards import category_phrase, hidden_card
from evals.realistic.facts import Fact, read_fact
from evals.realistic.speech import mentions, plain, speech
from evals.realistic.untrue import keyed_values

CHEAPER = 0.95
"""Part of the lowest price shown under which the target is cheaper than these."""

NEAR = 0.25
"""Relative difference up to which a price is near one that was stated."""


def referred_place(fact: Fact, target: Product, shown: Sequence[Product], stated: Sequence[Fact]) -> int | None:
    """Return the first place in `shown` that is like the target but for `fact`; None when none is.

    Like it: of the same category and department, with another value of the fact's kind, and everything stated so far
    is true of it as well.
    """
    if fact.kind not in ("color", "material") or fact.value.lower() not in speech().same:
        return None
    for place, product in enumerate(shown[: len(speech().ordinals.names)]):
        if (
            category_phrase(product) == category_phrase(target)
            and product.details.get("Department") == target.details.get("Department")
            and _has_another(product, fact)
            and all(_holds(product, other) for other in stated if other.kind != fact.kind)
        ):
            return place
    return None


def cheaper_than(target: Product, shown: Sequence[Product]) -> bool:
    """Return whether the target surely costs less than everything shown."""
    prices = [product.price for product in shown if product.price is not None]
    if target.price is None or not prices or len(prices) < len(shown):
        return False
    return target.price < CHEAPER * min(prices)


def _has_another(product: Product, fact: Fact) -> bool:
    values = hidden_card(product).values
    keyed = keyed_values(product, values)
    own = [read.value for read in (read_fact(value, value in keyed) for value in values) if read.kind == fact.kind]
    return bool(own) and not mentions(product.text, speech().names(fact.value))


def _holds(product: Product, fact: Fact) -> bool:
    if fact.kind == "budget":
        price = float(fact.value.removeprefix("$"))
        return product.price is not None and abs(product.price / max(price, 0.01) - 1) <= NEAR
    return plain(fact.value) in plain(product.text)
