"""A piece of text that is one value: of a named attribute, of an attribute that the catalog tells, or free text."""

from __future__ import annotations

import re
from typing import get_args

from catalog.constraint import Strength
from catalog.lexicon import Lexicon, LexiconEntry
from catalog.product import NUMERIC_ATTRIBUTES, Attribute
from catalog.text import tokens
from tools.counts import read_counts
from tools.mentions import Claims, Mention
from tools.numbers import DIGITS, parse_number
from tools.phrases import conversation_words
from tools.prices import read_prices
from tools.sizes import read_sizes, size_value
from tools.words import read_text

_LONGEST_NUMBER_PHRASE = 8
"""Words of the longest part that is a number with its bounds and nothing else."""

LONGEST_VALUE = 6
"""Tokens of the longest value of a named attribute; anything longer is free text that happens to follow a key."""


def checked(attribute: str) -> Attribute:
    """Return a name as an attribute of the vocabulary; raises `ValueError` for any other name."""
    for known in get_args(Attribute):
        if known == attribute:
            return known  # type: ignore[no-any-return]  # get_args is typed as Any
    raise ValueError(f"{attribute!r} is no attribute: use one of {get_args(Attribute)}")


def free_text(raw: str, start: int, end: int) -> Mention:
    """Return the fact that a product says exactly this text."""
    value = " ".join(raw[start:end].split()).lower()
    return Mention("feature", value, start, end, op="contains", source="structured", free=True)


def value_of(raw: str, start: int, end: int, attribute: str, detail: str | None, lexicon: Lexicon) -> Mention | None:
    """Return the text `[start, end)` as a value of a named attribute, None when it cannot be one.

    The catalog's own value where the lexicon knows the words for that attribute, else the words themselves.
    """
    name = checked(attribute)
    if name in NUMERIC_ATTRIBUTES:
        return _numeric(raw, start, end, name)
    words = tokens(raw[start:end])
    if not words or len(words) > LONGEST_VALUE:
        return None
    if name == "feature":
        return free_text(raw, start, end)
    if name == "size":
        value = size_value(raw[start:end])
        return Mention(name, value, start, end, source="structured")
    entry = reading_for(lexicon.readings(words), attribute, detail)
    if entry is not None:
        return Mention(name, entry.value, start, end, detail=detail_of(entry) or detail, source="structured")
    value = " ".join(raw[start:end].split()).lower()
    # Not `eq`: a value that the catalog does not hold would count as violated by every product.
    return Mention(name, value, start, end, "contains", detail, source="structured", confidence=0.8, free=True)


def whole_value(raw: str, start: int, end: int, lexicon: Lexicon) -> Mention | None:
    """Return the text `[start, end)` as the single value that it is as a whole, None when it is more or other.

    "cotton" is a material, "budget around $30" a budget, "size 9" a size; "100% soft cotton" is free text.
    """
    numeric = _whole_number_phrase(raw, start, end)
    if numeric is not None:
        return numeric
    words = tokens(raw[start:end])
    readings = [r for r in lexicon.readings(words) if r.attribute != "feature" or r.key != "feature"] if words else []
    if not readings or len(words) > LONGEST_VALUE:
        return None
    best = max(readings, key=lambda r: (r.key == "color" and len(words) == 1, r.products * r.share))
    # A value that stands without its key is a kind of product only by guess ("fabric" is a shelf and a fibre).
    strength: Strength | None = "soft" if best.attribute == "category" else None
    return Mention(
        best.attribute, best.value, start, end, detail=detail_of(best), source="structured", strength=strength
    )


def reading_for(readings: list[LexiconEntry], attribute: str, detail: str | None) -> LexiconEntry | None:
    """Return the most frequent reading of an attribute (of its finer name where one is given)."""
    fitting = [r for r in readings if r.attribute == attribute and (detail is None or r.key == detail)]
    return fitting[0] if fitting else None


def detail_of(entry: LexiconEntry) -> str | None:
    """Return the finer name of a reading, None when its key is the attribute itself."""
    return entry.key if entry.key != entry.attribute else None


def _numeric(raw: str, start: int, end: int, name: Attribute) -> Mention | None:
    text = read_text(raw[start:end])
    claims = Claims(len(text.low))
    found = read_prices(text, claims, budget_asked=True) if name == "budget" else read_counts(text, claims)
    for mention in found:
        if mention.attribute == name:
            return _moved(mention, start)
    digits = re.search(DIGITS, text.low)
    number = parse_number(digits.group()) if digits else None
    if number is None:
        return None
    return Mention(name, number, start, end, op="eq" if name == "quantity" else "ge", source="structured")


def _whole_number_phrase(raw: str, start: int, end: int) -> Mention | None:
    text = read_text(raw[start:end])
    claims = Claims(len(text.low))
    found = [*read_sizes(text, claims, size_asked=False), *read_counts(text, claims)]
    found += read_prices(text, claims, budget_asked=False)
    if len(found) != 1 or len(text.words) > _LONGEST_NUMBER_PHRASE:
        return None
    rest = [w.low for w in text.words if not found[0].overlaps(w.start, w.end)]
    ignorable = conversation_words() | {"budget", "price", "size", "sizes", "rating"}
    return _moved(found[0], start) if all(word in ignorable for word in rest) else None


def _moved(mention: Mention, by: int) -> Mention:
    mention.start += by
    mention.end += by
    return mention
