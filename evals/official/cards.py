"""The hidden card of a product: the few true values that the shopper of protocol P1 may reveal.

The rules are those of the public protocol, in its order; nothing of the agent may import this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from catalog.product import Product
from evals.official.tables import tables

LONGEST_VALUE = 180
"""Characters after which a card value is cut, in the middle of a word if need be."""

_EDGES = " -;,.\t\n"
_PRICE_BOUND = re.compile(r"(?:\$|<=|\bunder)\s*\d", re.IGNORECASE)


class HiddenCard(NamedTuple):
    """Up to four values that are true of one product; `soft` repeats the first when there are fewer than three.

    Example: `HiddenCard(hard=("cotton", "color: navy blue"), soft=("Machine wash",))`.
    """

    hard: tuple[str, ...]
    soft: tuple[str, ...]

    @property
    def values(self) -> tuple[str, ...]:
        """The distinct values in the order of the card."""
        return tuple(dict.fromkeys(self.hard + self.soft))


def hidden_card(product: Product, clean: bool = False) -> HiddenCard:
    """Build the hidden card of a product; `clean` leaves a source's bookkeeping details off it."""
    if clean:
        kept = {key: value for key, value in product.details.items() if not is_bookkeeping(key)}
        product = product.model_copy(update={"details": kept})
    values = _tidied(_candidates(product)) or [product.title]
    return HiddenCard(hard=tuple(values[:2]), soft=tuple(values[2:4] or values[:1]))


def category_phrase(product: Product) -> str:
    """Name a product's kind: the last two parts of its category path other than the clothing root."""
    root = tables().card.root
    parts = [part.strip() for part in ", ".join(product.categories).split(",")]
    named = [part for part in parts if part and part.lower() not in root]
    return " ".join(named[-2:]) or tables().card.no_category


def value_class(value: str) -> str:
    """Return the askable attribute that a card value answers.

    Example: `value_class("color: navy")` is `"color"`, `value_class("Imported")` is `"feature"`.
    """
    if _PRICE_BOUND.search(value):
        return "budget"
    return next((name for name, pattern in _class_patterns() if pattern.search(value)), "feature")


def is_bookkeeping(key: str) -> bool:
    """Return whether a details key is a source's own record (currency, raw price text, source)."""
    return key.strip().lower() in tables().card.bookkeeping


def price_text(price: float) -> str:
    """Write a price as shoppers do: cents only when there are any."""
    return f"{price:.0f}" if price == round(price) else f"{price:.2f}"


def _candidates(product: Product) -> list[str]:
    """List the card values of a product before they are tidied, in the protocol's order."""
    found = [*product.features, *(f"{key}: {value}" for key, value in product.details.items() if value.strip())]
    text = product.text
    material, color = _words(tables().card.materials).search(text), _words(tables().card.colors).search(text)
    if material:
        found.insert(0, material.group().lower())
    if color:
        found.insert(1, f"color: {color.group().lower()}")
    if product.price is not None:
        found.append(f"budget around ${price_text(product.price)}")
    return found


def _tidied(values: Iterable[str]) -> list[str]:
    """Squeeze, strip and cut values; drop the empty and the repeated ones."""
    squeezed = (" ".join(value.split()).strip(_EDGES)[:LONGEST_VALUE] for value in values)
    return list(dict.fromkeys(value for value in squeezed if value))


@cache
def _words(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b", re.IGNORECASE)


@cache
def _class_patterns() -> list[tuple[str, re.Pattern[str]]]:
    extra = {"material": tables().card.materials}
    return [(group.name, _words(group.words + extra.get(group.name, ()))) for group in tables().classes]
