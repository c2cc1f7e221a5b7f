"""Pointing at shown products by description or pronoun: "the grey one", "similar to that jacket", "I'll take it".

Nothing here depends on the catalog's vocabulary: what is pointed at is a phrase with a determiner, and the product is
the one on screen whose own words hold those of the phrase.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

from catalog.product import Product
from catalog.text import tokens
from tools.expressions import Expressions, expression
from tools.mentions import Claims
from tools.phrases import compile_phrases, is_spoken, load_table, pattern_of
from tools.similes import names_color
from tools.words import Text, Word

_MOST_WORDS = 6
"""Words between a determiner and its head at most."""

_REACH = 60
"""Characters before a place in the list that may take it."""

_HEADS = frozenset({"pair", "pairs", "one", "ones", "two", "three"})

_ENDS = (
    r"(?=\s*(?:$|[,.;!?\n]|(?<!\w)(?:but|except|only|just|please|though|instead|which|who|is|are|was|looks?|sounds?|"
    r"seems?|would|will|has|have|in|to|for|from|with|without|because|cheaper|then|now|and (?!\w+ (?:one|pair)))(?!\w)))"
)


@dataclass(frozen=True, slots=True)
class Reference:
    """A phrase `[start, end)` that points at shown products; `ordinals` those it fits, 1-based, in their order.

    `products` names one shown earlier that it fits, where nothing on screen does.
    """

    start: int
    end: int
    ordinals: tuple[int, ...] = ()
    described: bool = False
    products: tuple[str, ...] = ()
    asked: str | None = None
    """The number by which it stands out: `budget` of "the cheapest one", `rating` of "the best rated"."""


Earlier = Callable[[], Sequence[Product]]
"""Gives the products shown before those on screen, latest first; asked only when a description fits none of these."""


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

    @property
    def products(self) -> list[str]:
        """The products shown earlier that are pointed at (`parent_asin`)."""
        return list(dict.fromkeys(p for reference in self.found for p in reference.products))


@cache
def _patterns() -> tuple[Expressions, ...]:
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
    return expression(one), expression(like), expression(accept), compile_phrases(table["cart"])


def takes(words: str) -> bool:
    """Return whether words that come before a place in the list take it: "I'll take" the first one."""
    return _taking().search(words, max(0, len(words) - _REACH)) is not None


@cache
def _taking() -> Expressions:
    accept = pattern_of(load_table("references")["accept"])
    return expression(rf"(?<!\w){accept}\s+(?:just\s+|also\s+|both\s+)?(?:the\s+)?$")


@cache
def _extreme() -> Expressions:
    """Return the pattern of the end of the shown list by price or rating: "the cheapest of those", "the dearer one".

    A question for it needs no noun, nothing else being asked about: "which one is the cheapest?".
    """
    table = load_table("references")["extreme"]
    sides = "|".join(rf"(?P<{side}>{pattern_of(table[side])})" for side in ("lowest", "highest", "best"))
    heads = pattern_of([*load_table("references")["heads"], *table["among"]])
    named = rf"(?:the|which is|which)\s+(?:{sides})\s+{heads}(?!\w)(?!\s+(?:in|you|of all|here))"
    ends = re.sub("<", "<asked_", sides)
    asked = rf"{pattern_of(table['which'])}\s+(?:the\s+)?(?:{ends})(?:\s+{heads})?(?=\s*(?:$|[?.!]))"
    return expression(rf"(?<!\w)(?:{asked}|{named})")


def _at_extreme(text: Text, claims: Claims, shown: Sequence[Product], kinds: Sequence[str]) -> list[Reference]:
    """Return the references to an end of the list, those of the wanted kinds before others; no place where none says.

    What is pointed at without a noun ("which is cheapest?") is claimed, so that it is not read as a comparison.
    """
    found = []
    for match in _extreme().finditer(text.low) if shown else ():
        asked = "rating" if match["best"] or match["asked_best"] else "budget"
        numbers = {
            place: number
            for place, product in enumerate(shown, 1)
            if (number := product.average_rating if asked == "rating" else product.price) is not None
        }
        of_kind = [place for place in numbers if set(kinds) & set(shown[place - 1].facets.get("category", ()))]
        if claims.free(*match.span()):
            pick = min if match["lowest"] or match["asked_lowest"] else max
            claims.take(*match.span())
            places = (pick(of_kind or numbers, key=numbers.__getitem__),) if numbers else ()
            found.append(Reference(*match.span(), places, described=True, asked=asked))
    return found


@cache
def _praise() -> Expressions:
    table = load_table("references")
    subject = r"(?:(?:the|that|this|those|these|i think)\s+)?(?:[\w'/&-]+\s+){0,4}?"
    return expression(rf"(?P<np>{subject}[\w'/&-]+)\s+{pattern_of(table['praise'])}\s*$")


def find_references(
    text: Text,
    claims: Claims,
    shown: Sequence[Product],
    *,
    parts: list[tuple[int, int, str]],
    kinds: Sequence[str] = (),
    it: Sequence[int] = (),
) -> References:
    """Return what a message points at by description; claims nothing (the words may turn out to be wishes).

    `shown` are the products on screen. A description that fits none of them points at nothing when there are any: "the
    black one" is then a wish for black. `parts` are the clauses (start, end, words).
    """
    result = References(found=_at_extreme(text, claims, shown, kinds))
    one, like, accept, cart = _patterns()
    result.cart = cart.search(text.low) is not None
    if re.search(r"(?<!\w)(?:the|th[ai][st]|these|those|it|them|both|either)(?!\w)", text.low):
        for regex, group, taking in ((accept, "np", True), (like, "np", False), (one, 0, False)):
            for match in regex.finditer(text.low):
                start, end = match.span(group)
                if _returning().search(text.low, max(0, start - 16), start):
                    continue
                if regex is like and names_color(text.low[start:end]):
                    continue
                if claims.free(start, end) and not any(r.start < end and start < r.end for r in result.found):
                    reference = resolve(text, start, end, shown)
                    if it and reference is not None and not reference.described and _is_singular(text.low[start:end]):
                        reference = Reference(start, end, tuple(it))
                    if reference is not None:
                        result.found.append(reference)
                        result.accepted |= taking
    _praised(text, claims, shown, parts, result)
    return result


@cache
def _returning() -> Expressions:
    """Return what before a phrase makes it a wish or an exclusion: "back to the black ones", "not the black ones"."""
    denied = r"not(?: really)?|n'?t (?:want|like|need|show me)|except(?: for)?|but|no|hate|dislike|avoid|without"
    return expression(rf"(?:(?:back|return|switch|change) (?:it )?to|(?<!\w)(?:{denied}))\s+$")


def _praised(
    text: Text, claims: Claims, shown: Sequence[Product], parts: list[tuple[int, int, str]], result: References
) -> None:
    for start, _, words in parts:
        match = _praise().match(words)
        if match is None:
            continue
        begin, end = start + match.start("np"), start + match.end("np")
        if text.low[begin:end].endswith((" would", " might", " could", "'d")):
            continue
        if any(r.start < end and begin < r.end for r in result.found):
            result.accepted = True
            continue
        content = [w for w in text.words_between(begin, end) if not is_spoken(w.low)]
        if not content or not claims.free(begin, end):
            continue
        reference = resolve(text, begin, end, shown)
        pointing = _determiner().match(text.low, begin) is not None or len(reference.ordinals if reference else ()) == 1
        if reference is not None and (pointing or (not reference.ordinals and _named(text, content))):
            result.found.append(reference)
            result.accepted = True


def _named(text: Text, content: Sequence[Word]) -> bool:
    return len(content) == len(text.words_between(0, len(text.low))) or len(content) <= 2


def _is_singular(words: str) -> bool:
    return re.fullmatch(r"it|this|that|(?:this|that) (?:one|pair)", words.strip()) is not None


def named_references(
    text: Text,
    claims: Claims,
    spans: Sequence[tuple[int, int]],
    shown: Sequence[Product],
    earlier: Earlier,
    known: Sequence[Reference],
) -> list[Reference]:
    """Return the products named in a question or a comparison: "is the Sonara noise cancelling".

    Of the words after "the" as many as some shown product holds; else a product of an earlier list that holds them all.
    """
    found: list[Reference] = []
    for match in _determiner().finditer(text.low):
        inside = any(start <= match.start() < end for start, end in spans)
        if not inside or any(r.start <= match.start() < r.end for r in known) or not claims.free(*match.span()):
            continue
        words = text.words_between(match.end(), len(text.low))[: _MOST_WORDS - 1]
        reference = _longest(text, match.start(), words, shown) or _before(match.start(), words, earlier)
        if reference is not None:
            found.append(reference)
    return found


@cache
def _determiner() -> Expressions:
    return expression(rf"(?<!\w){pattern_of(load_table('references')['determiners'])}\s+(?=\w)")


def _longest(text: Text, start: int, words: list[Word], shown: Sequence[Product]) -> Reference | None:
    for count in range(len(words), 0, -1):
        content = _content(words[:count])
        last = words[count - 1]
        if not content or is_spoken(last.low) or re.search(r"[,.;!?]", text.low[start : last.end]):
            continue
        fitting = tuple(place for place, product in enumerate(shown, 1) if _fits(product, content))
        if fitting and len(fitting) < max(len(shown), 2):
            return Reference(start, last.end, fitting)
    return None


def _before(start: int, words: list[Word], earlier: Earlier) -> Reference | None:
    nouns = list(itertools.takewhile(lambda word: not is_spoken(word.low), words))
    content = _content(nouns)
    if len(content) < 1:
        return None
    fitting = next((product for product in earlier() if _fits(product, content)), None)
    return Reference(start, nouns[-1].end, products=(fitting.parent_asin,)) if fitting else None


def _content(words: Sequence[Word]) -> list[str]:
    named = (word.low for word in words if not is_spoken(word.low) and word.low not in _HEADS)
    return [token for word in named for token in tokens(word)]


def resolve(text: Text, start: int, end: int, shown: Sequence[Product]) -> Reference | None:
    """Return the reference of a phrase, None when it describes something that is not on screen."""
    content = _content(text.words_between(start, end))
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
