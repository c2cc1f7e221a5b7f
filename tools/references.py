"""Pointing at shown products by description or pronoun: "the grey one", "similar to that jacket", "I'll take it".

Nothing here depends on the catalog's vocabulary: what is pointed at is a phrase with a determiner, and the product is
the one on screen whose own words hold those of the phrase.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from catalog.product import Product
from catalog.text import tokens
from tools.mentions import Claims
from tools.phrases import compile_phrases, is_spoken, load_table, pattern_of
from tools.words import Text, Word

_MOST_WORDS = 6
"""Words between a determiner and its head at most."""

_ENDS = (
    r"(?=\s*(?:$|[,.;!?\n]|(?<!\w)(?:but|except|only|just|please|though|instead|which|who|is|are|was|looks?|sounds?|"
    r"seems?|would|will|has|have|in|to|for|from|with|without|because|cheaper|then|now|and (?!\w+ (?:one|pair)))(?!\w)))"
)


@dataclass(frozen=True, slots=True)
class Reference:
    """A phrase `[start, end)` that points at shown products; `ordinals` those it fits, 1-based, in their order."""

    start: int
    end: int
    ordinals: tuple[int, ...] = ()
    described: bool = False


@dataclass(slots=True)
class References:
    """What a message points at, whether something was accepted, and whether it speaks of a cart."""

    found: list[Reference] = field(default_factory=list)
    accepted: bool = False
    cart: bool = False

    @property
    def ordinals(self) -> list[int]:
        """All places pointed at, each once."""
        return list(dict.fromkeys(o for reference in self.found for o in reference.ordinals))


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    table = load_table("references")
    the, heads = pattern_of(table["determiners"]), pattern_of(table["heads"])
    verbs = r"(?!(?:is|are|was|were|i|you|it|we|they|has|have|looks?|would|will|can)(?!\w))"
    words = rf"(?:{verbs}[\w'/&-]+\s+){{0,{_MOST_WORDS}}}?"
    noun = rf"{the}\s+{words}[\w'/&-]+"
    both = r"(?<!\w)both of (?:them|these|those)(?!\w)"
    tail = r"(?:\s+(?:with|in|on|from|by)\s+(?:the\s+)?\w+(?:\s+\w+)?(?=\s*(?:$|[,.;!?])))?"
    one = rf"{both}|(?<!\w){the}\s+{words}{heads}(?!\w){tail}"
    like = rf"(?<!\w){pattern_of(table['like'])}\s+(?P<np>{noun}){_ENDS}"
    what = rf"(?P<np>{noun}|{pattern_of(table['pronouns'])}(?!\w|\s+for\s))"
    accept = rf"(?<!\w){pattern_of(table['accept'])}\s+(?:just\s+|also\s+|both\s+)?{what}{_ENDS}"
    return re.compile(one), re.compile(like), re.compile(accept), compile_phrases(table["cart"])


@cache
def _praise() -> re.Pattern[str]:
    table = load_table("references")
    subject = r"(?:(?:the|that|this|those|these|i think)\s+)?(?:[\w'/&-]+\s+){0,4}?"
    return re.compile(rf"(?P<np>{subject}[\w'/&-]+)\s+{pattern_of(table['praise'])}\s*$")


def find_references(
    text: Text, claims: Claims, shown: Sequence[Product], *, parts: list[tuple[int, int, str]]
) -> References:
    """Return what a message points at by description; claims nothing (the words may turn out to be wishes).

    `shown` are the products on screen. A description that fits none of them points at nothing when there are any: "the
    black one" is then a wish for black. `parts` are the clauses (start, end, words).
    """
    result = References()
    one, like, accept, cart = _patterns()
    result.cart = cart.search(text.low) is not None
    if re.search(r"(?<!\w)(?:the|th[ai][st]|these|those|it|them|both|either)(?!\w)", text.low):
        for regex, group, taking in ((accept, "np", True), (like, "np", False), (one, 0, False)):
            for match in regex.finditer(text.low):
                start, end = match.span(group)
                if _returning().search(text.low, max(0, start - 12), start):
                    continue
                if claims.free(start, end) and not any(r.start < end and start < r.end for r in result.found):
                    reference = _resolve(text, start, end, shown)
                    if reference is not None:
                        result.found.append(reference)
                        result.accepted |= taking
    _praised(text, claims, shown, parts, result)
    return result


@cache
def _returning() -> re.Pattern[str]:
    """Return what before a phrase makes it an earlier wish, not a thing on screen: "back to the black ones"."""
    return re.compile(r"(?:back|return|switch|change) (?:it )?to\s+$")


def _praised(
    text: Text, claims: Claims, shown: Sequence[Product], parts: list[tuple[int, int, str]], result: References
) -> None:
    for start, _, words in parts:
        match = _praise().match(words)
        if match is None:
            continue
        begin, end = start + match.start("np"), start + match.end("np")
        if any(r.start < end and begin < r.end for r in result.found):
            result.accepted = True
            continue
        content = [w for w in text.words_between(begin, end) if not is_spoken(w.low)]
        if not content or not claims.free(begin, end):
            continue
        reference = _resolve(text, begin, end, shown)
        if reference is not None and (reference.ordinals or _named(text, content)):
            result.found.append(reference)
            result.accepted = True


def _named(text: Text, content: Sequence[Word]) -> bool:
    return len(content) == len(text.words_between(0, len(text.low))) or len(content) <= 2


def _resolve(text: Text, start: int, end: int, shown: Sequence[Product]) -> Reference | None:
    """Return the reference of a phrase, None when it describes something that is not on screen."""
    content = [t for w in text.words_between(start, end) if not is_spoken(w.low) for t in tokens(w.low)]
    if not content or content == ["middle"]:
        low = text.low[start:end]
        if "middle" in low:
            return Reference(start, end, ((len(shown) + 1) // 2,) if shown else ())
        plural = re.search(r"\b(?:both|them|these|those|two)\b", low)
        places = range(1, len(shown) + 1) if plural else range(1, min(1, len(shown)) + 1)
        return Reference(start, end, tuple(places)[:2] if "both" in low or "two" in low else tuple(places))
    fitting = tuple(place for place, product in enumerate(shown, 1) if _fits(product, content))
    if shown and not fitting:
        return None
    return Reference(start, end, fitting, described=True)


def _fits(product: Product, content: list[str]) -> bool:
    held = set(tokens(product.title)) | set(tokens(product.store or ""))
    held |= {token for values in product.facets.values() for value in values for token in tokens(value)}
    return all(word in held or word.rstrip("s") in held or word + "s" in held for word in content)
