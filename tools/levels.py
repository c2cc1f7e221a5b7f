"""Levels of price and rating that are named in words: "cheap", "the most expensive", "highly rated"."""

from __future__ import annotations

import re
from functools import cache

from tools.expressions import Expressions
from tools.mentions import Claims, Mention
from tools.phrases import compile_phrases, load_table
from tools.words import Text

PRICE_LEVELS = ("lowest", "highest", "low", "high")
"""Values of a budget that is no number: the first two order by price, the others lean that way."""

_CONFIDENCE = 0.7
_DENIED = re.compile(r"(?:\bnot|n't|\bnothing|\bnever)\s+(?:the |too |so |that |very |a )?$")
_LOOKING = re.compile(r"[- ]looking(?!\w)")
"""Of "cheap looking" nothing is said of a price."""


@cache
def _patterns() -> tuple[tuple[str, Expressions], ...]:
    table = load_table("levels")
    prices = [(level, compile_phrases(table["price"][level])) for level in PRICE_LEVELS]
    ratings = [(level, compile_phrases(table["rating"][level])) for level in ("best", "good")]
    return (*prices, *ratings)


def read_levels(text: Text, claims: Claims) -> list[Mention]:
    """Return what is said of price and rating without a number, as soft facts, and claim the words.

    "cheap" is budget eq "low", "the cheapest" budget eq "lowest", "good reviews" rating ge 4 (tools/data/levels.toml).
    """
    found: list[Mention] = []
    for level, pattern in _patterns():
        for match in pattern.finditer(text.low):
            if not claims.free(*match.span()) or _LOOKING.match(text.low, match.end()):
                continue
            claims.take(*match.span())
            if not (level in PRICE_LEVELS and _DENIED.search(text.low, max(0, match.start() - 16), match.start())):
                found.append(_mention(level, *match.span()))
    return found


def _mention(level: str, start: int, end: int) -> Mention:
    if level in PRICE_LEVELS:
        mention = Mention("budget", level, start, end, source="grammar")
    else:
        mention = Mention("rating", load_table("levels")["rating"]["least"][level], start, end, "ge", source="grammar")
    mention.strength, mention.confidence = "soft", _CONFIDENCE
    return mention
