"""Brands made of ordinary words, told by what stands beside them: "Coach crossbody bag", "vans slip on"."""

from __future__ import annotations

from functools import cache

from catalog.lexicon import Lexicon, LexiconEntry
from catalog.text import Token
from tools.expressions import Expressions, expression
from tools.mentions import Claims, Mention
from tools.phrases import conversation_words, load_table, pattern_of
from tools.values import detail_of
from tools.words import Text

LEAST_SHARE = 0.4
"""A brand name beside a kind of thing is one when most of the products that hold the word are of that brand."""


@cache
def _times() -> Expressions:
    return expression(rf"\s+{pattern_of(load_table('conversation')['times']['words'])}(?!\w)")


def is_time(text: Text, end: int) -> bool:
    """Return whether a word of time follows: "by next week" names no brand Next."""
    return _times().match(text.low, end) is not None


def is_time_word(words: str) -> bool:
    """Return whether a phrase begins with a word of time ("by Friday")."""
    return _times().match(" " + words.lower()) is not None


def brands_beside(text: Text, claims: Claims, lexicon: Lexicon, mentions: list[Mention]) -> list[Mention]:
    """Return the brands and models that only their neighbours show, and claim their words.

    A brand word stands directly before or after a chain of values that holds a kind of thing or a way of closing, in
    any case of letters; one that is an everyday word besides ("guess") must be written with a capital. A number of a
    model follows its brand.
    """
    taken = {m.start: m for m in mentions}
    ends = {m.end: m for m in mentions}
    found: list[Mention] = []
    for place, token in enumerate(text.tokens):
        if not claims.free(token.start, token.end):
            continue
        entry = _brand(text, lexicon, token)
        if entry is not None and _beside_kind(text, place, taken, ends) and not is_time(text, token.end):
            found.append(_mention(entry, token, claims))
            ends[token.end] = found[-1]
    for place, token in enumerate(text.tokens):
        before = ends.get(text.tokens[place - 1].end) if place else None
        if before is None or before.attribute != "brand" or not claims.free(token.start, token.end):
            continue
        model = next((r for r in lexicon.readings((token.text,)) if r.key == "model"), None)
        if model is not None and len(token.text) > 1:
            found.append(_mention(model, token, claims))
    return found


def _mention(entry: LexiconEntry, token: Token, claims: Claims) -> Mention:
    claims.take(token.start, token.end)
    mention = Mention(entry.attribute, entry.value, token.start, token.end, detail=detail_of(entry))
    mention.confidence = min(1.0, 0.5 + entry.share / 2)
    return mention


def _brand(text: Text, lexicon: Lexicon, token: Token) -> LexiconEntry | None:
    word = text.low[token.start : token.end].replace("'", "")
    capital = text.raw[token.start : token.start + 1].isupper() and not text.raw.islower()
    if word.isdigit() or len(word) < 3 or (word in conversation_words() and not capital):
        return None
    readings = lexicon.readings((token.text,))
    return next((r for r in readings if r.key == "brand" and r.share >= LEAST_SHARE), None)


def _beside_kind(text: Text, place: int, starts: dict[int, Mention], ends: dict[int, Mention]) -> bool:
    """Return whether a chain of values next to a token, without a word between, holds a kind of thing."""
    low, tokens = text.low, text.tokens
    at = tokens[place].end
    for _ in range(len(starts)):
        following = next((starts[t.start] for t in tokens[place + 1 :] if t.start >= at and t.start in starts), None)
        if following is None or low[at : following.start].strip(" ") != "":
            break
        if following.key in ("category", "closure"):
            return True
        at = following.end
    at = tokens[place].start
    before = next((ends[t.end] for t in reversed(tokens[:place]) if t.end in ends), None)
    return before is not None and before.key == "category" and low[before.end : at].strip(" ") == ""
