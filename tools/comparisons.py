"""Wishes against what is shown: "cheaper", "longer", "less flashy", "not as shiny", "better rated".

Each becomes an ordinary fact: a bound against the shown prices or ratings, the values further along a scale
(tools/data/comparatives.toml) than what is shown, or a quality that is wanted or unwanted, softly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from catalog.lexicon import Lexicon, LexiconEntry
from catalog.product import Product
from catalog.text import tokens
from graph.events import Fact
from tools.expressions import Expressions, expression
from tools.mentions import Claims, Mention
from tools.move_phrases import pattern
from tools.phrases import compile_phrases, is_spoken, load_table, pattern_of, spoken_attribute_pattern, word_set
from tools.values import detail_of
from tools.words import Text

_CONFIDENCE = 0.6
Direction = Literal["up", "down"]


@dataclass(slots=True)
class Compared:
    """The facts found, and the spans of wishes that no value of this catalog answers (they are wishes all the same)."""

    mentions: list[Mention] = field(default_factory=list)
    unmet: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Scale:
    key: str
    steps: tuple[tuple[str, ...], ...]
    up: Expressions
    down: Expressions


def read_comparisons(
    text: Text,
    claims: Claims,
    lexicon: Lexicon,
    shown: Sequence[Product],
    ordinals: Sequence[int],
    held: Sequence[Fact] = (),
) -> Compared:
    """Return wishes against what is shown and claim their words. `ordinals` are the products pointed at, 1-based.

    The reference is what is pointed at, else everything shown: "cheaper" must not bring back what was on screen. Where
    nothing of it states a price, that is the bound that an earlier "cheaper" set, found in `held`.
    """
    pointed = [shown[o if o < 0 else o - 1] for o in ordinals if o and -len(shown) <= o <= len(shown)]
    products = pointed or list(shown)
    found = Compared()
    _bounds(text, claims, products, held, found)
    if not _any_comparative().search(text.low):
        return found
    for scale in _scales():
        for direction, regex in (("up", scale.up), ("down", scale.down)):
            for start, end in _free(regex, text, claims):
                values = _beyond(scale, "up" if direction == "up" else "down", products)
                _found(found, start, end, _known(lexicon, scale.key, values))
    for start, end in _free(_quality_pattern(), text, claims):
        word = " ".join(text.low[start:end].split())
        targets = load_table("comparatives")["qualities"].get(_bare(word), [])
        _found(found, start, end, _first_known(lexicon, targets))
    return found


def _bounds(text: Text, claims: Claims, products: Sequence[Product], held: Sequence[Fact], found: Compared) -> None:
    prices = [p.price for p in products if p.price is not None]
    ratings = [p.average_rating for p in products if p.average_rating is not None]
    for key in ("cheaper", "dearer", "better_rated"):
        for match in pattern("relative", key).finditer(text.low):
            if not claims.free(*match.span()):
                continue
            claims.take(*match.span())
            op = "lt" if key == "cheaper" else "gt"
            limits = prices or [n for f in held if f.attribute == "budget" and f.op == op for n in f.numbers]
            found.mentions.append(_bound(key, match.span(), limits, ratings))


def _bound(key: str, span: tuple[int, int], prices: list[float], ratings: list[float]) -> Mention:
    """Return the bound that shown products set; a leaning where nothing shown states a number."""
    if key == "better_rated":
        mention = Mention("rating", max(ratings) if ratings else 4.0, *span, op="gt" if ratings else "ge")
        mention.strength = None if ratings else "soft"
    elif prices:
        value, op = (min(prices), "lt") if key == "cheaper" else (max(prices), "gt")
        mention = Mention("budget", value, *span, op="lt" if op == "lt" else "gt")
    else:
        mention = Mention("budget", "low" if key == "cheaper" else "high", *span, strength="soft", confidence=0.7)
    mention.source = "grammar"
    return mention


@cache
def _any_comparative() -> Expressions:
    """Return a cheap test: most messages hold no comparative at all."""
    return expression(
        r"(?:er|ier|more|less|fewer|too|enough|not|size (?:up|down))(?!\w)|n't as|paler|\w+er[- ]|more-|less-"
    )


_TONED = ("less", "not as", "not so", "not too", "not overly", "not that", "not very")


@cache
def _scales() -> tuple[_Scale, ...]:
    table = load_table("comparatives")
    more, less = pattern_of(table["more"]), pattern_of([*_TONED, *table["excess"]])
    scales = []
    for row in table["scale"]:
        high, low = pattern_of(row["high"] or ["\\b\\B"]), pattern_of(row["low"] or ["\\b\\B"])
        nothing_after = r"(?!\s+(?:sleeve|heel|on|of)s?)"
        up = [*row["up"], f"{more} {high}", f"{less} {low}{nothing_after}", f"not {high} enough"]
        down = [*row["down"], f"{more} {low}", f"{less} {high}{nothing_after}", f"not {low} enough"]
        scales.append(_Scale(row["key"], tuple(map(tuple, row["steps"])), _intensified(up), _intensified(down)))
    return tuple(scales)


def _intensified(phrases: list[str]) -> Expressions:
    lead = pattern_of(load_table("comparatives")["intensifiers"])
    return compile_phrases([rf"(?:{lead}\s+)?{pattern_of(phrases)}"])


@cache
def _quality_pattern() -> Expressions:
    return _intensified(list(load_table("comparatives")["qualities"]))


def _bare(words: str) -> str:
    """Return a comparative without the intensifier before it."""
    qualities = load_table("comparatives")["qualities"]
    return next((name for name in qualities if words.endswith(name)), words)


def _free(regex: Expressions, text: Text, claims: Claims) -> Iterator[tuple[int, int]]:
    for match in regex.finditer(text.low):
        if claims.free(*match.span()):
            claims.take(*match.span())
            yield match.span()


def _beyond(scale: _Scale, direction: Direction, products: Sequence[Product]) -> list[str]:
    """Return the values further along a scale than any product shown; the far end when none of them says."""
    held = {value for product in products for value in product.facets.get(scale.key, ())}
    places = [place for place, step in enumerate(scale.steps) if held & set(step)]
    if direction == "up":
        beyond = scale.steps[max(places) + 1 :] if places else scale.steps[-1:]
    else:
        beyond = scale.steps[: min(places)] if places else scale.steps[:1]
    return [value for step in beyond for value in step]


def _known(lexicon: Lexicon, key: str, values: Sequence[str]) -> list[LexiconEntry]:
    """Return the catalog's own entries for those values of a facet key that it has."""
    found = [next((r for r in lexicon.readings(tokens(v)) if r.key == key), None) for v in values]
    return [entry for entry in found if entry is not None]


def _first_known(lexicon: Lexicon, values: Sequence[str]) -> list[LexiconEntry]:
    for value in values:
        readings = [r for r in lexicon.readings(tokens(value)) if r.attribute not in ("category", "brand", "size")]
        if readings:
            return readings[:1]
    return []


def _found(found: Compared, start: int, end: int, entries: list[LexiconEntry]) -> None:
    if not entries:
        found.unmet.append((start, end))
        return
    values = list(dict.fromkeys(entry.value for entry in entries))
    mention = Mention(entries[0].attribute, values if len(values) > 1 else values[0], start, end)
    mention.op, mention.detail = "one_of" if len(values) > 1 else "eq", detail_of(entries[0])
    mention.source, mention.strength, mention.confidence = "grammar", "soft", _CONFIDENCE
    mention.relative = True
    found.mentions.append(mention)


@cache
def _degree_pattern() -> Expressions:
    table = load_table("comparatives")
    more, less = pattern_of(table["more"]), pattern_of(table["less"])
    return expression(rf"(?<![\w'-])(?:(?P<more>{more})|(?P<less>{less}))\s+(?=\w)")


@cache
def _not_qualities() -> frozenset[str]:
    return word_set("comparatives", "not_qualities")


def settle_degrees(text: Text, claims: Claims, mentions: list[Mention]) -> Compared:
    """Read "more X" and "less X" for any X: a mention that follows is wanted softly or unwanted softly, as is a word.

    Changes the mentions that follow such a word; returns those made of words that no tier named.
    """
    found = Compared()
    if not re.search(r"more|less|fewer|not|n't|toned", text.low):
        return found
    for match in _degree_pattern().finditer(text.low):
        if not claims.free(*match.span()) or _is_denied_more(text.low, match):
            continue
        mention = next((m for m in mentions if m.start == match.end()), None)
        made = mention or _quality_word(text, claims, match.end())
        if made is None and _names().match(text.low, match.end()):
            claims.take(*match.span())
            found.unmet.append(match.span())
        if made is None or made.attribute == "category":
            continue
        claims.take(match.start(), made.end)
        made.strength, made.relative = "soft", True
        made.polarity = "negative" if match["less"] else "positive"
        if mention is None:
            found.mentions.append(made)
    return found


@cache
def _names() -> Expressions:
    return expression(rf"{spoken_attribute_pattern()}(?!\w)")


def _is_denied_more(low: str, match: re.Match[str]) -> bool:
    """Return whether the word bounds or counts rather than compares: "no more", "any more", "some more"."""
    return (
        re.search(
            r"(?:\bno|\bany|\bnot|\bone|\bfew|\bsome|\bcan|\d)\s+$", low[max(0, match.start() - 6) : match.start()]
        )
        is not None
    )


def _quality_word(text: Text, claims: Claims, start: int) -> Mention | None:
    index = text.first_word(start)
    word = text.words[index] if index < len(text.words) else None
    if word is None or word.start != start or not claims.free(word.start, word.end):
        return None
    if word.low in _not_qualities() or is_spoken(word.low) or word.low.isdigit() or len(word.low) < 3:
        return None
    return Mention("feature", word.low, word.start, word.end, "contains", source="grammar", confidence=0.5, free=True)
