"""Ratings and review counts; `tools.quantities` reads how many are wanted."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from catalog.constraint import Op
from tools.expressions import Expressions, expression
from tools.mentions import Claims, Mention
from tools.numbers import NUMBER, parse_number
from tools.phrases import compile_phrases, load_table, pattern_of
from tools.quantities import read_quantities
from tools.words import Text

_Builder = Callable[[re.Match[str], float], Mention | None]

_BEST_RATING = 5


@cache
def _sources() -> tuple[str, str, str]:
    """Return pattern sources: a bound before a number, the number, a bound after it."""
    bounds = load_table("units")["count_bounds"]
    floor, ceiling, after = (pattern_of(bounds[key]) for key in ("floor", "ceiling", "floor_after"))
    lead = rf"(?:(?<!\w)(?:(?P<floor>{floor})|(?P<ceiling>{ceiling})))?\s*(?:an?\s+)?"
    return lead, rf"(?<![\w.])(?P<n>{NUMBER})", rf"(?:\s*(?P<tail>{after})(?!\w|\s*\d))?"


@cache
def _rating_patterns() -> tuple[Expressions, ...]:
    units = load_table("units")
    stars, named = pattern_of(units["stars"]), pattern_of(units["rating_lead"])
    fillers = pattern_of(units["rating_fillers"])
    lead, number, tail = _sources()
    plus = tail.replace("<tail>", "<plus>")
    named_before = rf"(?<!\w){named}\s*(?:{fillers}\s*)*"
    return (
        expression(rf"(?:{named_before})?{lead}{number}{plus}[\s-]*{stars}(?!\w)(?:\s+rat(?:ing|ed)s?)?{tail}"),
        expression(rf"{named_before}{number}(?!\w|\.\d){tail}"),
        expression(rf"{lead}{number}\+?\s+(?:average\s+|avg\s+|customer\s+)?rating(?!\w){tail}"),
    )


@cache
def _review_patterns() -> tuple[Expressions, ...]:
    units = load_table("units")
    nouns, reviewed = pattern_of(units["reviews"]), pattern_of(units["review_lead"])
    kinds = pattern_of(units["review_kinds"])
    lead, number, tail = _sources()
    return (
        expression(rf"{lead}{number}(?:\s+(?:plus|or more)(?!\w))?\s*\+?\s*(?:{kinds}\s+)*(?<!\w){nouns}(?!\w){tail}"),
        expression(rf"(?<!\w){reviewed}\s+{lead}{number}\+?(?:\s+people)?{tail}"),
    )


def read_counts(text: Text, claims: Claims) -> list[Mention]:
    """Return ratings, review counts and quantities, and claim their words.

    "at least 4 stars" is rating ge 4, "over 500 reviews" is review_count ge 500, "pack of 3" is quantity eq 3.
    """
    mentions: list[Mention] = []
    if not any(char.isdigit() for char in text.low) and not _spoken_number().search(text.low):
        return mentions
    for pattern in _review_patterns():
        mentions += _collect(pattern, text.low, claims, _review)
    for pattern in _rating_patterns():
        mentions += _collect(pattern, text.low, claims, _rating)
    return mentions + read_quantities(text, claims)


@cache
def _spoken_number() -> Expressions:
    table = load_table("numbers")
    return compile_phrases([*table["units"], *table["tens"], *table["scales"], "dozens?"])


def _collect(pattern: Expressions, low: str, claims: Claims, build: _Builder) -> list[Mention]:
    mentions = []
    for match in pattern.finditer(low):
        number = parse_number(match["n"])
        if number is None or not claims.free(match.start(), match.end()):
            continue
        mention = build(match, number)
        if mention:
            start = (
                mention.start + len(low[mention.start : mention.end]) - len(low[mention.start : mention.end].lstrip())
            )
            mention.start = start
            claims.take(mention.start, mention.end)
            mentions.append(mention)
    return mentions


def _op(match: re.Match[str]) -> Op:
    return "le" if match["ceiling"] and not match["tail"] else "ge"


def _rating(match: re.Match[str], number: float) -> Mention | None:
    if not 0 < number <= _BEST_RATING:
        return None
    return Mention("rating", number, match.start(), match.end(), op="ge", source="grammar")


def _review(match: re.Match[str], number: float) -> Mention | None:
    return Mention("review_count", number, match.start(), match.end(), op=_op(match), source="grammar")
