"""Which values a question names: real ones that tell the leading candidates apart, written for reading."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from catalog.brands import brand_text
from catalog.constraint import Op
from catalog.product import Product
from catalog.vocabulary import TABLES, broader_values, spelled_surfaces, words
from graph.events import BeliefState
from tools.clarification import NAMED_BY
from tools.phrases import attribute_names, load_table

MOST_OPTIONS = 3
LONGEST_OPTION = 24
"""Characters of a value that a question names: a longer one is a sentence of the catalog, not a choice."""

_TABLE_OF = {key: table for table, key in TABLES.items()}
_CODE = re.compile(r"[a-z]+[0-9]|[0-9]+[a-z]", re.IGNORECASE)
_AMOUNT = re.compile(r"\d[\d,]*(?:\.\d+)?")
_LETTER_SIZE = re.compile(r"\d*x*[sml]|\d+[a-z]")


def options(attribute: str, leaders: Sequence[Product], chances: NDArray[np.float64], belief: BeliefState) -> list[str]:
    """Return two or three values for the question to name, the likeliest first; empty when there are no two.

    Each is held by some leaders and not by others, and is none that the shopper excluded or already has, nor a kind of
    one. Of a family of facets (style: neck, sleeve, fit ...) the one that tells most leaders apart is named. Prices
    come as bands that real leaders are in. `chances` has shape (len(leaders),).

    Example: `["navy", "red", "green"]` for `color`; `["under $25", "$25 to $60", "over $60"]` for `budget`.
    """
    if attribute == "budget":
        return price_bands([product.price for product in leaders if product.price])
    named: list[str] = []
    told = 0.0
    for key in NAMED_BY.get(attribute, (attribute,)):
        if key in _list("unnamed_facets"):
            continue
        masses = _masses(key, leaders, chances)
        values = _apart(key, _unsaid(key, masses, belief), attribute)
        if len(values) > 1 and (apart := sum(masses[value] for value in values)) > told:
            named, told = values, apart
    if attribute == "size":
        named.sort(key=_measure)
    return [written(attribute, value, leaders) for value in named]


def price_bands(prices: Sequence[float]) -> list[str]:
    """Return two or three bands of price that real products are in, cut at round amounts; empty for one price level.

    Example: `price_bands([12.5, 30, 80])` is `["under $20", "$20 to $50", "over $50"]`.
    """
    ordered = sorted(prices)
    if not ordered:
        return []
    low, high = (_round_amount(ordered[len(ordered) * part // 3]) for part in (1, 2))
    held = {_band(price, low, high) for price in ordered}
    if low < high and len(held) == MOST_OPTIONS:
        return [f"under ${low:,}", f"${low:,} to ${high:,}", f"over ${high:,}"]
    middle = _round_amount(ordered[len(ordered) // 2])
    if ordered[0] < middle < ordered[-1]:
        return [f"under ${middle:,}", f"over ${middle:,}"]
    return []


def bounds_of(band: str) -> tuple[Op, float | list[float]]:
    """Return the operator and amounts of a band that `price_bands` wrote, or of any bound in words.

    Example: `bounds_of("$20 to $50")` is `("between", [20.0, 50.0])`, `bounds_of("at least 4.5")` `("ge", 4.5)`.
    """
    amounts = [float(amount.replace(",", "")) for amount in _AMOUNT.findall(band)]
    if len(amounts) > 1:
        return "between", amounts
    return ("ge" if band.startswith(("over", "at least")) else "le"), amounts[0]


def _band(price: float, low: int, high: int) -> str:
    return "low" if price < low else "high" if price > high else "middle"


def _round_amount(amount: float) -> int:
    """Return the round amount nearest to a price: those that people name as a limit."""
    steps = load_table("options")["round_amounts"]
    return int(min(steps, key=lambda step: (abs(step - amount), step)))


def _masses(key: str, leaders: Sequence[Product], chances: NDArray[np.float64]) -> dict[str, float]:
    """Return the probability of each value that some of the leaders which state the facet have and some have not."""
    mass: dict[str, float] = defaultdict(float)
    count: dict[str, int] = defaultdict(int)
    stating = 0
    for product, chance in zip(leaders, chances.tolist(), strict=True):
        values = product.facets.get(key, ())
        stating += bool(values)
        for value in values:
            mass[value] += chance
            count[value] += 1
    return {value: part for value, part in mass.items() if count[value] < stating}


def _unsaid(key: str, masses: dict[str, float], belief: BeliefState) -> list[str]:
    """Return the values, likeliest first, without those that the shopper excluded or named, and kinds of them."""
    said = {value for fact in belief.constraints if fact.facet_key == key for value in fact.values}
    ordered = sorted(masses, key=lambda value: (-masses[value], value))
    return [value for value in ordered if value not in said and said.isdisjoint(_broader(key, value))]


def _apart(key: str, values: Iterable[str], attribute: str) -> list[str]:
    """Return the first readable values of which none is a kind of another."""
    kept: list[str] = []
    for value in values:
        related = any(value in _broader(key, other) or other in _broader(key, value) for other in kept)
        if not related and _is_readable(value, attribute):
            kept.append(value)
        if len(kept) == MOST_OPTIONS:
            break
    return kept


@cache
def _broader_table(key: str) -> dict[str, frozenset[str]]:
    name = _TABLE_OF.get(key)
    return {value: frozenset(bases) for value, bases in broader_values(name).items()} if name else {}


def _broader(key: str, value: str) -> frozenset[str]:
    return _broader_table(key).get(value, frozenset())


def _is_readable(value: str, attribute: str) -> bool:
    """Return whether a value reads as a choice: short, no code, and no word that names another attribute."""
    cut = words(value)
    if len(value) > LONGEST_OPTION or value in _list("unnamed") or not people().isdisjoint(cut):
        return False
    if attribute != "size" and (_CODE.search(value) or not any(map(str.isalpha, value))):
        return False
    return all(attribute_names().get(word, (attribute,))[0] == attribute for word in cut)


@cache
def _list(name: str) -> frozenset[str]:
    return frozenset(load_table("options")[name])


@cache
def people() -> frozenset[str]:
    """Return the words that name people ("women", "toddler"): a value that holds one is of a department besides."""
    return frozenset(word for surface in spelled_surfaces("departments") for word in surface)


def _measure(size: str) -> tuple[float, int]:
    """Return the key that orders sizes by number, and letters from small to large."""
    number = re.match(r"\d+(?:\.\d+)?", size)
    letters = _list_order("letter_sizes").get(size)
    return (float(number[0]) if number and letters is None else 0.0), letters or 0


@cache
def _list_order(name: str) -> dict[str, int]:
    return {value: place for place, value in enumerate(load_table("options")[name], 1)}


def written(attribute: str, value: str, leaders: Sequence[Product]) -> str:
    """Return a value as it is written: a brand as its products write it, sizes by letter and feasts in capitals."""
    if attribute == "brand":
        stores = (product.store for product in leaders if product.store)
        return next((store for store in stores if brand_text(store) == value), value.title())
    if attribute == "size" and _LETTER_SIZE.fullmatch(value):
        return value.upper()
    return value.title() if value in _list("proper") else value
