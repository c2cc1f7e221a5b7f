"""Changes of mind: which facts replace what is held, which values are withdrawn, what "cheaper" means here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from catalog.lexicon import Lexicon
from catalog.product import Product
from graph.events import BeliefState, Fact
from tools.mentions import Claims, Mention
from tools.moves import attribute_in, pattern
from tools.phrases import compile_phrases, load_table
from tools.reading import Move
from tools.values import value_of
from tools.words import Text

SINGLE_VALUED = frozenset({"budget", "size", "rating", "review_count", "color", "brand"})
"""Attributes of which a later natural statement overrides the earlier one without a cue word."""

REQUEST_REACH = 6
"""Words between "show me" and the kind of thing at most: "a pair of warm black ankle" boots."""

_SENTENCE = re.compile(r"[;!?\n]|\.(?!\d)")
_VALUE = re.compile(r"[^,.;!?\n]+?(?=\s*(?:[,;!?\n]|\.(?!\d)|$|\b(?:please|instead|and|but|now|then)\b))")


@cache
def _value_patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    table = load_table("moves")
    withdrawn = [phrase for phrase in table["replace"]["withdrawn"] if phrase != "not"]
    return (
        compile_phrases(table["remove"]["value_before"], after=r"\s*$"),
        compile_phrases(table["remove"]["value_after"]),
        compile_phrases(withdrawn, after=r"\s+(?:the |a |an |in )?$"),
        compile_phrases(table["replace"]["additive"]),
    )


def named_change(text: Text, claims: Claims, lexicon: Lexicon) -> list[Mention]:
    """Return the facts of "change the color to navy", whatever the value is, and claim the words.

    The value is read as one of the named attribute even where the catalog does not know it.
    """
    found = []
    for match in pattern("replace", "named").finditer(text.low):
        named = attribute_in(match.group())
        value = _VALUE.match(text.low, match.end())
        if named is None or value is None or named[0] == "other" or not claims.free(match.start(), value.end()):
            continue
        start = value.end() - len(value.group().lstrip())
        mention = value_of(text.raw, start, value.end(), named[0], named[1], lexicon)
        if mention is None:
            continue
        mention.replaces, mention.strength = True, "hard"
        claims.take(match.start(), value.end())
        found.append(mention)
    return found


def restored_values(text: Text, claims: Claims, belief: BeliefState) -> list[Mention]:
    """Return the facts of "go back to the first color": a value of that name that was given up, and claim the words.

    Nothing comes of it when none was: the words are then those of an undo.
    """
    found = []
    for key, place in (("first", 0), ("before", -1)):
        for match in pattern("replace", key).finditer(text.low):
            attribute, detail = attribute_in(match.group()) or ("other", None)
            given_up = [e.fact for e in belief.entries if not e.active and e.fact.facet_key == (detail or attribute)]
            if not given_up or not claims.free(*match.span()):
                continue
            fact = given_up[place]
            claims.take(*match.span())
            found.append(
                Mention(
                    fact.attribute,
                    fact.value,
                    *match.span(),
                    op=fact.op,
                    detail=fact.detail,
                    strength="hard",
                    free=True,
                    replaces=True,
                )
            )
    return found


def withdrawn_values(text: Text, mentions: list[Mention], belief: BeliefState) -> tuple[list[Move], list[Mention]]:
    """Return the moves for values that are taken back without being excluded, and their mentions.

    "doesn't have to be leather", "leather isn't a must", "instead of leather". "B instead of A" withdraws a held A;
    it does not forbid A. "I don't need leather" takes back a leather that is held, else it excludes it.
    """
    before, after, instead, _ = _value_patterns()
    moves, dropped = [], []
    for mention in mentions:
        left = text.low[max(0, mention.start - 60) : mention.start]
        need = re.search(r"need (?:it to be |them to be |the )?$", left) is not None
        taken = before.search(left) or after.match(text.low[mention.end :].lstrip())
        if taken and need and not _holds(belief, mention):
            continue
        if taken or instead.search(left):
            dropped.append(mention)
            if taken or _holds(belief, mention):
                moves.append(_remove(mention))
    return moves, dropped


def _remove(mention: Mention) -> Move:
    value = mention.value if isinstance(mention.value, str) else None
    return Move(act="remove", attribute=mention.attribute, detail=mention.detail, value=value)


def _holds(belief: BeliefState, mention: Mention) -> bool:
    return any(fact.facet_key == mention.key and mention.value in fact.values for fact in belief.constraints)


def mark_replacements(text: Text, claims: Claims, mentions: list[Mention], belief: BeliefState) -> Move | None:
    """Mark the facts that replace what is held; return the move that takes everything earlier back, if one does.

    A cue ("actually", "instead", "make it") replaces the held value of the same attribute; where nothing of it is
    held it adds. Without a cue, a new size, budget, colour or brand replaces the one held.
    """
    positive = [m for m in mentions if m.polarity == "positive"]
    earlier = pattern("replace", "earlier").search(text.low)
    if earlier:
        claims.take(*earlier.span())
        first = positive[0] if positive else None
        if first is not None:
            first.replaces = True
        return Move(act="replace", value="all")
    cues = [m.span() for m in pattern("replace", "cues").finditer(text.low)]
    requested = _requested_category(text.low, positive, belief)
    if requested is not None:
        requested.replaces = True
    additive = _value_patterns()[3].search(text.low) is not None
    for mention in positive:
        if mention is requested:
            continue
        known_key = [f for f in belief.constraints if f.facet_key == mention.key and f.polarity == "positive"]
        if cues and _same_sentence(text.low, cues, mention) and (known_key or not belief.entries):
            mention.replaces = not _same(known_key, mention)
        elif not additive and mention.attribute in SINGLE_VALUED and mention.source != "structured":
            mention.replaces = bool(known_key) and not _compatible(known_key, mention)
    return None


def _requested_category(low: str, positive: list[Mention], belief: BeliefState) -> Mention | None:
    """Return the kind of thing that a message asks for when another kind is held: the first after "show me", "I want".

    Only words that could describe it may stand between: "something to wear with boots" asks for no boots.
    """
    held = [fact for fact in belief.constraints if fact.attribute == "category" and fact.polarity == "positive"]
    kinds = [m for m in positive if m.key == "category" and m.source == "lexicon"] if held else []
    for mention in kinds:
        for cue in pattern("replace", "requests").finditer(low, 0, mention.start):
            between = low[cue.end() : mention.start]
            plain = not _SENTENCE.search(between) and not pattern("replace", "beside").search(between)
            if plain and len(between.split()) <= REQUEST_REACH and not _same(held, mention):
                return mention
    return None


def _same_sentence(low: str, cues: list[tuple[int, int]], mention: Mention) -> bool:
    for start, end in cues:
        gap = low[end : mention.start] if end <= mention.start else low[mention.end : start]
        if not _SENTENCE.search(gap):
            return True
    return False


def _same(held: list[Fact], mention: Mention) -> bool:
    return any(fact.value == mention.value and fact.op == mention.op for fact in held)


def _compatible(held: list[Fact], mention: Mention) -> bool:
    """Return whether a held value and a new one can both be meant: navy and navy blue, a floor and a ceiling."""
    for fact in held:
        if _same([fact], mention) or {fact.op, mention.op} == {"le", "ge"}:
            return True
        if isinstance(fact.value, str) and isinstance(mention.value, str):
            words, new = set(fact.value.split()), set(mention.value.split())
            if words <= new or new <= words:
                return True
    return False


def relative_wishes(text: Text, claims: Claims, shown: Sequence[Product], ordinals: list[int]) -> list[Mention]:
    """Return "cheaper", "more expensive" and "better rated" as bounds against what is shown, and claim the words.

    The reference is the product pointed at, else the cheapest (best rated) one shown: "even cheaper" must not bring
    back what was on screen. Nothing comes of it when no shown product has a price.
    """
    pointed = [shown[o if o < 0 else o - 1] for o in ordinals if -len(shown) <= o <= len(shown) and o != 0]
    products = pointed or list(shown)
    prices = [p.price for p in products if p.price is not None]
    ratings = [p.average_rating for p in products if p.average_rating is not None]
    found = []
    for key in ("cheaper", "dearer", "better_rated"):
        for match in pattern("relative", key).finditer(text.low):
            if not claims.free(match.start(), match.end()):
                continue
            claims.take(match.start(), match.end())
            mention = _bound(key, match, prices, ratings)
            if mention is not None:
                found.append(mention)
    return found[:1]


def _bound(key: str, match: re.Match[str], prices: list[float], ratings: list[float]) -> Mention | None:
    start, end = match.span()
    if key == "better_rated":
        return Mention("rating", max(ratings), start, end, "gt", source="grammar") if ratings else None
    if not prices:
        return None
    if key == "cheaper":
        return Mention("budget", min(prices), start, end, "lt", source="grammar")
    return Mention("budget", max(prices), start, end, "gt", source="grammar")
