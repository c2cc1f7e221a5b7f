"""What is not true of a target: values of other products that a person may deny, or say by mistake."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from catalog.product import Product
from evals.draws import unit
from evals.official.cards import hidden_card, price_text
from evals.realistic.bank import Kind
from evals.realistic.facts import read_fact
from evals.realistic.speech import mentions, plain, speech
from evals.sessions import carries_id

KEPT = 3
"""Untrue values kept for each kind."""

CLEARLY_OTHER = 0.4
"""Least relative difference of a price that is another price."""


def keyed_values(product: Product, values: Iterable[str]) -> tuple[str, ...]:
    """Return the card values that are details of the record: a key and its value."""
    keys = {key.strip() for key in product.details}
    return tuple(value for value in values if value.partition(": ")[0].strip() in keys and ": " in value)


def literal_values(product: Product, values: Iterable[str]) -> tuple[str, ...]:
    """Return the card values that the product's text turns round: `leather` where it says faux leather."""
    before, after = "|".join(speech().denied.before), "|".join(speech().denied.after)
    text = plain(product.text)

    def is_turned(value: str) -> bool:
        name = re.escape(plain(value))
        return re.search(rf"\b(?:{before})(?: \w+)? {name}\b|\b{name} (?:{after})\b", text) is not None

    return tuple(value for value in values if len(value.split()) == 1 and is_turned(value))


def untrue_values(
    product: Product, values: Sequence[str], others: Sequence[Product], seed: str
) -> dict[Kind, tuple[str, ...]]:
    """Return values by kind, each one that some of `others` has and `product` surely has not, in a drawn order.

    A colour, material, size or price is only called untrue of a product whose card states another one; a feature
    only where the product states what rules it out.
    """
    keyed = keyed_values(product, values)
    stated = {read_fact(value, value in keyed).kind for value in values}
    found: dict[Kind, dict[str, None]] = defaultdict(dict)
    for kind, value in (*_seen(others), *_contrary(product)):
        said = kind in stated or kind in ("brand", "feature")
        if said and not carries_id(value, product.parent_asin) and _is_untrue(product, kind, value):
            found[kind][value] = None
    return {kind: tuple(sorted(kept, key=lambda value: unit(seed, "untrue", value))[:KEPT])
            for kind, kept in found.items()}  # fmt: skip


def _seen(others: Iterable[Product]) -> Iterator[tuple[Kind, str]]:
    """Yield what other products are, as far as a person would name it."""
    for other in others:
        values = hidden_card(other).values
        keyed = keyed_values(other, values)
        for value in values:
            fact = read_fact(value, value in keyed)
            known = fact.value.lower() in speech().same
            if fact.kind == "size":
                yield fact.kind, fact.value
            elif fact.kind in ("color", "material") and known:
                yield fact.kind, fact.value.lower()
        if other.store:
            yield "brand", other.store
        if other.price is not None:
            yield "budget", f"${price_text(other.price)}"


def _contrary(product: Product) -> Iterator[tuple[Kind, str]]:
    for feature, excluded in speech().contrary.items():
        if mentions(product.text, [feature]):
            yield from (("feature", value) for value in excluded)


def _is_untrue(product: Product, kind: Kind, value: str) -> bool:
    if kind == "budget":
        return product.price is not None and abs(float(value[1:]) / max(product.price, 0.01) - 1) >= CLEARLY_OTHER
    if kind == "brand" and product.store is None:
        return False
    facets = (facet for values in product.facets.values() for facet in values)
    return not mentions(product.text, speech().names(value)) and plain(value) not in map(plain, facets)
