"""Words of a message that name values of this catalog: longest surface first, ambiguity settled by context."""

from __future__ import annotations

import itertools
import re
from functools import cache

from catalog.lexicon import Lexicon, LexiconEntry
from catalog.text import Token
from tools.brand_context import brands_beside, is_time
from tools.expressions import Expressions, expression
from tools.mentions import Claims, Mention
from tools.phrases import attribute_names, conversation_words, load_table, pattern_of, word_set
from tools.values import detail_of
from tools.words import Text

LEAST_SHARE = 0.15
"""A single word that means a value in fewer of its products than this is an ordinary word ("light" as a colour)."""

LEAST_CUED_SHARE = 0.03
"""Below this not even a cue makes a word a value ("from and to")."""

LEAST_BRAND_SHARE = 0.4
"""A single word is a brand without a cue only when most of the products that hold it are of that brand."""

DOUBTFUL_CATEGORY_SHARE = 0.3
"""A category word below this is a guess: kept soft, since a wrong guess punished as hard cost .083 to .5."""

_POSSESSIVES = frozenset({"my", "your", "our", "his", "her", "their", "the", "a", "an", "this", "that"})
"""A brand that begins with one ("My Wardrobe") is one only where it is written as a name."""


def match_lexicon(
    text: Text, claims: Claims, lexicon: Lexicon, *, asked: str | None, weak: list[Mention]
) -> list[Mention]:
    """Return the catalog values that a message names and claim their words.

    `asked` is the attribute of the open question: its readings win. `weak` mentions of the grammar stand unless a
    longer surface covers them; the covered ones are removed from the list.
    """
    mentions: list[Mention] = []
    words, longest, at = tuple(token.text for token in text.tokens), lexicon.longest, 0
    while at < len(words):
        step = 1
        for size in range(min(longest, len(words) - at), 0, -1):
            if not lexicon.readings(words[at : at + size]):
                continue
            if size > 1 and _is_loose_compound(lexicon, words[at : at + size]):
                continue
            mention = _at(text, claims, lexicon, at, size, asked)
            if mention is None or not _beats(mention, weak):
                continue
            weak[:] = [m for m in weak if not m.overlaps(mention.start, mention.end)]
            claims.take(mention.start, mention.end)
            mentions += [mention, *_named_within(text, lexicon, mention, at, size)]
            step = size
            break
        at += step
    mentions += brands_beside(text, claims, lexicon, mentions)
    mentions.sort(key=lambda mention: mention.start)
    return _unisex(text, _shapes(text, lexicon, mentions))


_PLAIN_KIND = 5
"""A kind that so many times more products state without its department is meant without it."""


def _is_loose_compound(lexicon: Lexicon, words: tuple[str, ...]) -> bool:
    """Return whether a surface is a department and a kind that few products are filed under together.

    "Women's t shirt" may be a corner of the shop's tree, where most t-shirts for women are filed elsewhere.
    """
    readings = lexicon.readings(words)
    if not readings or any(r.key != "category" for r in readings):
        return False
    if not any(r.key == "department" for r in lexicon.readings(words[:1])):
        return False
    plain = [r.products for r in lexicon.readings(words[1:]) if r.key == "category"]
    return bool(plain) and max(plain) >= _PLAIN_KIND * max(r.products for r in readings)


def _shapes(text: Text, lexicon: Lexicon, mentions: list[Mention]) -> list[Mention]:
    """Read the first of two kinds side by side as a cut of the second, where it names one: "turtleneck sweater"."""
    for first, second in itertools.pairwise(mentions):
        beside = text.low[first.end : second.start].strip() == ""
        if not (beside and first.key == second.key == "category" and first.end < second.end):
            continue
        words = tuple(t.text for t in text.tokens if first.start <= t.start < first.end)
        entry = next((r for r in lexicon.readings(words) if r.attribute == "style" and r.share >= LEAST_SHARE), None)
        if entry is not None:
            first.attribute, first.value, first.detail = entry.attribute, entry.value, detail_of(entry)
    return mentions


def _beats(mention: Mention, weak: list[Mention]) -> bool:
    covered = [m for m in weak if m.overlaps(mention.start, mention.end)]
    return all(mention.end - mention.start > m.end - m.start for m in covered)


def _at(text: Text, claims: Claims, lexicon: Lexicon, at: int, size: int, asked: str | None) -> Mention | None:
    span = text.tokens[at : at + size]
    start, end = span[0].start, span[-1].end
    if not claims.free(start, end) or _broken(text.low, span):
        return None
    readings = lexicon.readings(tuple(token.text for token in span))
    entry = _choose(text, readings, start, end, size, asked)
    if entry is None:
        return None
    mention = Mention(entry.attribute, entry.value, start, end, detail=detail_of(entry))
    mention.confidence = _confidence(entry, size)
    # "No laces" is said of a closure; "no-show socks" is the name of a kind of thing, and its words find it.
    absent = entry.attribute != "category" and _ABSENT.match(text.low, start) is not None
    mention.opposite = absent and _ABSENT.match(entry.value) is None
    return mention


def _named_within(text: Text, lexicon: Lexicon, category: Mention, at: int, size: int) -> list[Mention]:
    """Return the department and material that a category surface names ("mens polo", "denim pants")."""
    if category.attribute != "category" or size == 1:
        return []
    found = []
    for token in text.tokens[at : at + size]:
        readings = [r for r in lexicon.readings((token.text,)) if r.key in ("department", "material")]
        if readings and readings[0].share >= LEAST_BRAND_SHARE:
            entry = readings[0]
            found.append(Mention(entry.attribute, entry.value, token.start, token.end, confidence=entry.share))
    return found


def _broken(low: str, span: list[Token]) -> bool:
    """Return whether punctuation that ends a phrase stands inside the span ("black, leather" is no surface)."""
    return any(re.search(r"[,;:.!?\n|]", low[a.end : b.start]) for a, b in itertools.pairwise(span))


def _confidence(entry: LexiconEntry, size: int) -> float:
    return min(1.0, 0.5 + entry.share / 2 + 0.1 * (size - 1))


def _choose(
    text: Text, readings: list[LexiconEntry], start: int, end: int, size: int, asked: str | None
) -> LexiconEntry | None:
    cued = _cued_attribute(text.low, start, end)
    scored = []
    for order, entry in enumerate(readings):
        support = (
            "cued" if cued in (entry.key, entry.attribute) else "asked" if asked in (entry.key, entry.attribute) else ""
        )
        if _acceptable(text, entry, start, end, size, support):
            scored.append((_weight(entry, size, support), -order, entry))
    return max(scored)[2] if scored else None


def _weight(entry: LexiconEntry, size: int, support: str) -> float:
    weight = entry.share + 0.1 * min(1.0, entry.products / 1000)
    if support == "cued":
        weight += 4
    if support == "asked":
        weight += 2
    if size == 1 and entry.key == "color":
        weight += 1
    return weight


def _acceptable(text: Text, entry: LexiconEntry, start: int, end: int, size: int, support: str) -> bool:
    word = text.low[start:end].replace("'", "")
    if _addressed(text.low, start):
        return False
    if entry.key == "brand" and is_time(text, end):
        return False
    if support:
        capital = text.raw[start : start + 1].isupper()
        return entry.share >= LEAST_CUED_SHARE or (capital and word not in conversation_words())
    if size > 1 and entry.key == "brand" and word.split()[0] in _POSSESSIVES:
        return text.raw[start : start + 1].isupper() and start > 0
    if size > 1:
        return "-" in word or not all(part in conversation_words() for part in re.split(r"[\s-]+", word))
    if word in conversation_words() or word.isdigit():
        return False
    if entry.key == "brand":
        return _is_brand(text, entry, word, start)
    if entry.key in ("size", "quantity", "model") and len(word) < 3:
        return False
    return entry.share >= LEAST_SHARE


def _is_brand(text: Text, entry: LexiconEntry, word: str, start: int) -> bool:
    capital = text.raw[start : start + 1].isupper() and start > 0 and not text.raw.isupper()
    if word in word_set("conversation", "brand_cue_needed"):
        return capital and entry.share >= LEAST_BRAND_SHARE and not text.raw.istitle()
    return entry.share >= (LEAST_SHARE if capital else LEAST_BRAND_SHARE)


@cache
def _cue_patterns() -> tuple[Expressions, Expressions, Expressions, Expressions]:
    forms = frozenset(load_table("attributes")["form_only"]["names"])
    spoken = pattern_of(name for name in attribute_names() if name not in forms)
    return (
        expression(
            rf"(?<!\w)(?P<name>{spoken})\s*(?:(?:is|are|of|in|be|should be|must be|would be|as|to be|:|=)\s*)*$"
        ),
        expression(rf"[\s-]+(?:in\s+)?(?P<name>{spoken})(?!\w)"),
        expression(r"(?<!\w)(?:by|from|brand|branded)\s+(?:the\s+)?(?:brand\s+)?$"),
        expression(r"(?<!\w)(?:made (?:of|from|out of)|material is)\s+(?:\w+\s+)?$"),
    )


def _cued_attribute(low: str, start: int, end: int) -> str | None:
    """Return the facet key that the words beside a span name: "in colour orange", "orange color", "by Orange"."""
    before, after, brand, material = _cue_patterns()
    left = low[max(0, start - 40) : start]
    if brand.search(left):
        return "brand"
    if material.search(left):
        return "material"
    match = after.match(low, end) or before.search(left)
    if match is None:
        return None
    attribute, detail = attribute_names()[" ".join(match["name"].split())]
    return detail or attribute


_ABSENT = re.compile(r"(?:no|not|without)[\s-]")

_ADDRESS = re.compile(r"(?<!\w)(?:you'?re|you are|u r|ur|that'?s so)\s+(?:such\s+)?(?:an?\s+|pure\s+)?$")


def _addressed(low: str, start: int) -> bool:
    """Return whether the word is said of the assistant ("you're gold")."""
    return _ADDRESS.search(low, max(0, start - 24), start) is not None


def _unisex(text: Text, mentions: list[Mention]) -> list[Mention]:
    """Join "men and women", "mens womens" into one department that is both."""
    joined: list[Mention] = []
    for mention in mentions:
        last = joined[-1] if joined else None
        if last and last.attribute == mention.attribute == "department" and _adult(last, mention):
            gap = text.low[last.end : mention.start]
            if re.fullmatch(r"\s*(?:and|&|/|,|or|\s)\s*", gap):
                last.value = last.value if last.value == mention.value else "unisex"
                last.end = mention.end
                continue
        joined.append(mention)
    return joined


def _adult(first: Mention, second: Mention) -> bool:
    return first.value in ("men", "women", "unisex") and second.value in ("men", "women", "unisex")
