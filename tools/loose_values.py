"""Values that only the word beside them makes one: "feather color", "the brand is Jambu"."""

from __future__ import annotations

import re
from functools import cache

from catalog.lexicon import Lexicon
from catalog.text import tokens, tokens_of
from catalog.vocabulary import spelled_surfaces
from tools.brand_context import is_time_word
from tools.mentions import Claims, Mention
from tools.phrases import attribute_named, conversation_words, is_spoken
from tools.values import checked
from tools.words import Text

_AFTER = re.compile(r"(?<!\w)(?P<v>[\w'-]+(?:\s[\w'-]+)?)[\s-]+(?P<name>colou?r(?:ed)?)(?!\w)")
_BEFORE = re.compile(
    r"(?<!\w)(?P<name>brand|brand name|colou?r)\s+(?:name\s+)?(?:is|should be|must be|called|named|of|:)\s+"
    r"(?P<v>[\w'&-]+(?:\s[\w'&-]+)?)"
)


_RELATIVE = frozenset({"lighter", "darker", "brighter", "softer", "deeper", "richer", "different", "similar", "same"})
"""Before "color" these compare with what is shown; no colour is called so."""


@cache
def _ordinary() -> frozenset[str]:
    return (
        conversation_words()
        | {
            "hair",
            "skin",
            "eye",
            "lip",
            "nail",
            "face",
            "body",
            "light",
            "dark",
            "bright",
            "solid",
            "multi",
            "two",
            "plain",
            "other",
            "natural",
        }
        | _RELATIVE
    )


def named_values(text: Text, claims: Claims) -> list[Mention]:
    """Return words that the attribute name beside them makes a value, and claim them.

    They are `contains` facts of low confidence: the catalog did not confirm them.
    """
    if "color" not in text.low and "colour" not in text.low and "brand" not in text.low:
        return []
    found = []
    for regex in (_AFTER, _BEFORE):
        for match in regex.finditer(text.low):
            span = _value_span(text, claims, match.start("v"), match.end("v"), last=regex is _AFTER)
            named = attribute_named(match["name"])
            if span is None or named is None:
                continue
            claims.take(*span)
            mention = Mention(checked(named[0]), text.low[span[0] : span[1]], *span, op="contains", free=True)
            mention.confidence, mention.strength = 0.5, "soft"
            found.append(mention)
    return found


def absent_kinds(text: Text, claims: Claims, lexicon: Lexicon, mentions: list[Mention]) -> list[Mention]:
    """Return kinds of thing that no product here is filed under although the catalog's words hold them, and claim them.

    "Kimono" where a cover-up calls itself one is a guess: a soft `contains` fact of low confidence. Before a kind that
    is known ("tutu dress") it only describes that one.
    """
    found, at = [], 0
    words = tuple(token.text for token in text.tokens)
    while at < len(words):
        step = 1
        for size in range(min(_LONGEST_KIND, len(words) - at), 0, -1):
            value = _kinds().get(words[at : at + size])
            start, end = text.tokens[at].start, text.tokens[at + size - 1].end
            known = value is not None and not is_spoken(" ".join(words[at : at + size]))
            known = known and all(map(lexicon.knows, words[at : at + size]))
            if not known or not claims.free(start, end) or _before_kind(text, end, mentions):
                continue
            claims.take(start, end)
            mention = Mention("category", " ".join(words[at : at + size]), start, end, op="contains", free=True)
            mention.confidence, mention.strength = 0.5, "soft"
            found.append(mention)
            step = size
            break
        at += step
    return found


def _before_kind(text: Text, end: int, mentions: list[Mention]) -> bool:
    return any(m.key == "category" and text.low[end : m.start].strip() == "" for m in mentions if m.start >= end)


_LONGEST_KIND = 3


@cache
def _kinds() -> dict[tuple[str, ...], str]:
    """Return the names of kinds of thing, as tokens."""
    found = {}
    for surface, spelling in spelled_surfaces("types").items():
        cut = tokens_of(surface)
        if not spelling.weak and cut and len(cut) <= _LONGEST_KIND:
            found[cut] = spelling.value
    return found


_NAMED_BRAND = re.compile(
    r"(?<!\w)(?:from|by)\s+(?:the\s+brand\s+)?"
    r"(?P<v>[A-Z0-9][\w'&.-]*(?:\s+(?:(?:of|and|&|the|are|for|my)\s+)?[A-Z0-9][\w'&-]*){0,3})"
)


def written_brands(text: Text, claims: Claims, lexicon: Lexicon) -> list[Mention]:
    """Return names after "by" or "from" that are written as names and that the catalog does not know, and claim them.

    "Anything by Modern Arts" is about a brand, though not one that is sold here. A message in capitals tells nothing.
    """
    if text.raw.isupper():
        return []
    found = []
    for match in _NAMED_BRAND.finditer(text.raw):
        named = re.sub(r"(?:\s+I(?:'\w+)?|[.\s]+)+$", "", match["v"])
        start, end = match.start("v"), match.start("v") + len(named)
        words = tokens(named)
        known = any(r.key == "brand" for size in range(len(words), 0, -1) for r in lexicon.readings(words[:size]))
        if not words or known or not claims.free(start, end) or is_time_word(match["v"]) or match["v"].isdigit():
            continue
        claims.take(start, end)
        mention = Mention("brand", text.low[start:end], start, end, op="contains", free=True)
        mention.confidence, mention.strength = 0.5, "soft"
        found.append(mention)
    return found


def freed_values(text: Text, claims: Claims, lexicon: Lexicon) -> list[Mention]:
    """Return what a thing is said to be free of ("latex-free"), as a feature, and claim the words."""
    found = []
    for match in _FREE.finditer(text.low) if "free" in text.low else ():
        word = match["v"]
        known = all(map(lexicon.knows, tokens(word))) and not is_spoken(word)
        named = bool(lexicon.readings((*tokens(word), "free")))
        if known and not named and claims.free(*match.span()) and word not in _FREELY:
            claims.take(*match.span())
            mention = Mention("feature", f"{word} free", *match.span(), op="contains", free=True)
            mention.confidence = 0.7
            found.append(mention)
    return found


_FREE = re.compile(r"(?<!\w)(?P<v>[a-z]{3,20})[- ]free(?![\w-])(?! (?:shipping|delivery|returns?|gift|of))")
_FREELY = frozenset({"feel", "totally", "completely", "absolutely", "get", "got", "one", "set", "break", "run", "buy"})


def _value_span(text: Text, claims: Claims, start: int, end: int, *, last: bool) -> tuple[int, int] | None:
    words = text.words_between(start, end)
    words = words[-1:] if last else words
    taken = []
    for word in words:
        if word.low.replace("'", "") in _ordinary() or not claims.free(word.start, word.end) or word.low.isdigit():
            break
        taken.append(word)
    return (taken[0].start, taken[-1].end) if taken else None
