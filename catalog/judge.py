"""What a product says of a constraint: satisfied, violated, or nothing (unknown).

`judge_product` is the definition, one product at a time; `judge_all` is the same for a whole catalog by set operations
on id lists, and a property test holds them equal. The rules:

- Numbers (budget, rating, review_count, quantity): unknown without the number; `around` allows 20% either way; prices
  compare in cents.
- Text is satisfied when the facet holds any wanted value (for a brand also when the store is it or the title starts
  with it). Of an open facet (features, uses, styles) title and bullets that hold all words of a value satisfy too.
- Of a closed facet (colour, material, size...) a product that states only other values is in violation, unless its
  text holds the words of the value, or it states no more than the broader value (blue, when navy is wanted; shoes, when
  boots are) or a shade near it (dark blue), or only a range of sizes ("petite", when "m" is wanted, and the other way
  round): unknown.
- A constraint with a scope says nothing of products that do not state that category.
- A negation turns the verdict around; of an open facet a product that states the facet and nowhere holds the words
  satisfies it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from catalog.constraint import Constraint, Verdict
from catalog.engine import stem
from catalog.postings import EMPTY_IDS
from catalog.product import CLOSED_FACETS, NUMERIC_ATTRIBUTES, Product
from catalog.search import Ids
from catalog.shades import near_shades
from catalog.text import fold, tokens
from catalog.vocabulary import broader_values

AROUND_TOLERANCE = 0.2
"""`around 50` is 40 to 60: shoppers who name an approximate price take a fifth more or less."""

RANGE_SIZES = frozenset({"plus size", "petite", "tall", "big and tall", "one size"})
"""Sizes that a letter or a number may belong to: "petite" says nothing of "m"."""

_EQUAL_TOLERANCE = 0.005
"""Half a cent: numbers that print alike are equal."""

Numbers = NDArray[np.float64]
Verdicts = NDArray[np.int8]


class Judged(Protocol):
    """What judging needs of an index."""

    @property
    def size(self) -> int:
        """Number of products."""
        ...

    @property
    def numbers(self) -> dict[str, Numbers]:
        """Numeric columns by attribute, NaN where unknown."""
        ...

    def known_ids(self, key: str) -> Ids:
        """Products that state the facet."""
        ...

    def value_ids(self, key: str, value: str) -> Ids:
        """Products whose facet holds the value, compared folded."""
        ...

    def any_ids(self, key: str, values: Iterable[str]) -> Ids:
        """Products whose facet holds any of the folded values."""
        ...

    def folded_values(self, key: str) -> Iterable[str]:
        """The folded values of a facet."""
        ...

    def store_ids(self, brand: str) -> Ids:
        """Products whose store is the brand or whose title starts with it."""
        ...

    def text_ids(self, words: str) -> Ids:
        """Products whose whole text holds all the words, by stem."""
        ...

    def mention_ids(self, words: str) -> Ids:
        """Products whose title and features hold all the words, by stem."""
        ...


def judge_product(constraint: Constraint, product: Product) -> Verdict:
    """Return the verdict of one product: the definition that `judge_all` is tested against.

    Example: "navy" against a product whose colours are navy and blue is satisfied; against one that says
    only blue, unknown; against a red one, violated.
    """
    if constraint.scope is not None and fold(constraint.scope) not in {
        fold(v) for v in product.facets.get("category", ())
    }:
        return Verdict.UNKNOWN
    if constraint.attribute in NUMERIC_ATTRIBUTES:
        verdict = _judge_numbers(constraint, _numbers_of(product, constraint.attribute))
        return Verdict(-verdict) if constraint.polarity == "negative" else verdict
    return _judge_text(constraint, product)


def _numbers_of(product: Product, attribute: str) -> list[float]:
    if attribute == "quantity":
        return [number for value in product.facets.get("quantity", ()) if (number := parse_number(value)) is not None]
    column = {"budget": product.price, "rating": product.average_rating, "review_count": product.rating_number}[
        attribute
    ]
    return [] if column is None else [float(column)]


def parse_number(value: str) -> float | None:
    """Return a facet value as a number, None when it is none."""
    try:
        return float(value)
    except ValueError:
        return None


def _judge_numbers(constraint: Constraint, numbers: list[float]) -> Verdict:
    bounds = number_bounds(constraint)
    if not numbers or bounds is None:
        return Verdict.UNKNOWN
    held = any(bool(within_bounds(np.array([number]), bounds)[0]) for number in numbers)
    return Verdict.SATISFIED if held else Verdict.VIOLATED


def number_bounds(constraint: Constraint) -> tuple[float, float] | None:
    """Return the lowest and highest number that satisfy a numeric constraint, both included; None without numbers."""
    numbers = constraint.numbers
    if not numbers or any(np.isnan(number) for number in numbers):
        return None
    first, last = min(numbers), max(numbers)
    below, above = first - 2 * _EQUAL_TOLERANCE, last + 2 * _EQUAL_TOLERANCE
    slack = AROUND_TOLERANCE * abs(first)
    return {
        "lt": (-np.inf, below),
        "le": (-np.inf, last),
        "gt": (above, np.inf),
        "ge": (first, np.inf),
        "between": (first, last),
        "around": (first - slack, last + slack),
    }.get(constraint.op, (first, last))


def within_bounds(numbers: Numbers, bounds: tuple[float, float]) -> NDArray[np.bool_]:
    """Return which numbers lie within bounds, to half a cent; False for NaN."""
    low, high = bounds
    return np.asarray((numbers >= low - _EQUAL_TOLERANCE) & (numbers <= high + _EQUAL_TOLERANCE))


def _wanted(constraint: Constraint) -> list[str]:
    values = constraint.values or tuple(f"{number:g}" for number in constraint.numbers)
    return [value for value in dict.fromkeys(fold(value).strip() for value in values) if value]


def _judge_text(constraint: Constraint, product: Product) -> Verdict:
    key, wanted = constraint.facet_key, _wanted(constraint)
    stated = {fold(value) for value in product.facets.get(key, ())} - {""}
    closed = key in CLOSED_FACETS
    known = bool(stated) or (key == "brand" and bool(product.store))
    text_stems = _stems(product.text)
    mentioned = any(_holds(text_stems, value) for value in wanted)
    held = bool(stated & set(wanted)) or (key == "brand" and any(_is_brand(product, value) for value in wanted))
    if not closed and not held:
        bullet_stems = _stems(" ".join((product.title, *product.features)))
        held = any(_holds(bullet_stems, value) for value in wanted)
    spared = mentioned or any(_leaves_open(key, stated, value) for value in wanted)
    return _combine(constraint, wanted=bool(wanted), held=held, known=known, spared=spared, closed=closed)


def _combine(constraint: Constraint, *, wanted: bool, held: bool, known: bool, spared: bool, closed: bool) -> Verdict:
    if not wanted:
        return Verdict.UNKNOWN
    negative = constraint.polarity == "negative"
    if held:
        return Verdict.VIOLATED if negative else Verdict.SATISFIED
    if known and not spared and (closed or negative):
        return Verdict.SATISFIED if negative else Verdict.VIOLATED
    return Verdict.UNKNOWN


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(token) for token in tokens(text))


def _holds(stems: frozenset[str], value: str) -> bool:
    words = [stem(token) for token in tokens(value)]
    return bool(words) and all(word in stems for word in words)


def _is_brand(product: Product, brand: str) -> bool:
    words = tokens(brand)
    same_store = bool(product.store) and fold(product.store or "").strip() == brand
    return same_store or (bool(words) and tokens(product.title)[: len(words)] == words)


_BROADER_TABLES = {"color": "colors", "category": "types", "material": "materials"}


@cache
def _broader_table(key: str) -> dict[str, frozenset[str]]:
    name = _BROADER_TABLES.get(key)
    return {value: frozenset(bases) for value, bases in broader_values(name).items()} if name else {}


def kin_values(key: str, value: str) -> frozenset[str]:
    """Return the values by which a record may say a wanted one: broader ones (blue for navy), shades near it."""
    return _bases_of(key, value) | (near_shades(value) if key == "color" else frozenset())


def _bases_of(key: str, value: str) -> frozenset[str]:
    """Return the broader values of a finer one (navy: blue); empty for a base or an unknown value."""
    return _broader_table(key).get(value, frozenset())


def _excludes(key: str, stated: str, wanted: str) -> bool:
    """Return whether stating one value rules another out, although the product leaves it open otherwise."""
    if key == "size":
        return (stated in RANGE_SIZES) == (wanted in RANGE_SIZES)
    bases = _bases_of(key, wanted)
    apart = stated != wanted and stated not in bases and not bases.isdisjoint(_bases_of(key, stated))
    return apart and not (key == "color" and stated in near_shades(wanted))


def _leaves_open(key: str, stated: set[str], wanted: str) -> bool:
    """Return whether the stated values neither are nor exclude the wanted one: broader values, ranges of sizes."""
    if key != "size" and _bases_of(key, wanted).isdisjoint(stated):
        return False
    return bool(stated) and not any(_excludes(key, value, wanted) for value in stated)


def judge_all(constraint: Constraint, index: Judged) -> Verdicts:
    """Return the verdict of every product of an index, shape (size,); the same as `judge_product` of each."""
    if constraint.attribute in NUMERIC_ATTRIBUTES:
        verdicts = _judge_all_numbers(constraint, index)
        verdicts = (-verdicts if constraint.polarity == "negative" else verdicts).astype(np.int8)
    else:
        verdicts = _judge_all_text(constraint, index)
    if constraint.scope is not None:
        outside = np.ones(index.size, dtype=np.bool_)
        outside[index.value_ids("category", fold(constraint.scope))] = False
        verdicts[outside] = Verdict.UNKNOWN
    return verdicts


def _judge_all_numbers(constraint: Constraint, index: Judged) -> Verdicts:
    bounds = number_bounds(constraint)
    verdicts = np.zeros(index.size, dtype=np.int8)
    if bounds is None:
        return verdicts
    if constraint.attribute != "quantity":
        column = index.numbers[constraint.attribute]
        held = within_bounds(column, bounds)
        verdicts[~np.isnan(column)] = Verdict.VIOLATED
        verdicts[held] = Verdict.SATISFIED
        return verdicts
    counted = {
        value: number for value in index.folded_values("quantity") if (number := parse_number(value)) is not None
    }
    satisfying = [value for value, number in counted.items() if within_bounds(np.array([number]), bounds)[0]]
    for value in counted:
        verdicts[index.value_ids("quantity", value)] = Verdict.VIOLATED
    for value in satisfying:
        verdicts[index.value_ids("quantity", value)] = Verdict.SATISFIED
    return verdicts


def _judge_all_text(constraint: Constraint, index: Judged) -> Verdicts:
    key, wanted = constraint.facet_key, _wanted(constraint)
    verdicts = np.zeros(index.size, dtype=np.int8)
    if not wanted:
        return verdicts
    closed, negative = key in CLOSED_FACETS, constraint.polarity == "negative"
    if closed or negative:
        verdicts[index.known_ids(key)] = Verdict.VIOLATED
        _mark(verdicts, wanted, index.text_ids, Verdict.UNKNOWN)
        _mark(verdicts, wanted, lambda value: _open_ids(index, key, value), Verdict.UNKNOWN)
    if not closed:
        _mark(verdicts, wanted, index.mention_ids, Verdict.SATISFIED)
    _mark(verdicts, wanted, lambda value: index.value_ids(key, value), Verdict.SATISFIED)
    if key == "brand":
        _mark(verdicts, wanted, index.store_ids, Verdict.SATISFIED)
    return (-verdicts if negative else verdicts).astype(np.int8)


def _mark(verdicts: Verdicts, wanted: list[str], ids_of: Callable[[str], Ids], verdict: Verdict) -> None:
    for value in wanted:
        verdicts[ids_of(value)] = verdict


def _open_ids(index: Judged, key: str, wanted: str) -> Ids:
    """Return the products of which `_leaves_open` holds."""
    bases = _bases_of(key, wanted)
    if key != "size" and not bases:
        return EMPTY_IDS
    left = np.zeros(index.size, dtype=np.bool_)
    left[index.known_ids(key) if key == "size" else index.any_ids(key, bases)] = True
    left[index.any_ids(key, [value for value in index.folded_values(key) if _excludes(key, value, wanted)])] = False
    return np.flatnonzero(left).astype(np.int32)
