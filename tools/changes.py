"""Changes of mind: which facts replace what is held, which values are withdrawn, what "cheaper" means here."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from catalog.lexicon import Lexicon
from graph.events import BeliefState, Fact
from tools.expressions import Expressions
from tools.mentions import Claims, Mention
from tools.move_phrases import attribute_in, pattern
from tools.phrases import compile_phrases, is_spoken, load_table
from tools.reading import Move
from tools.values import value_of
from tools.words import Text, Word

SINGLE_VALUED = frozenset({"budget", "size", "rating", "review_count", "color", "brand", "department"})
"""Attributes of which a later natural statement overrides the earlier one without a cue word."""

SINGLE_CUTS = frozenset({"sleeve", "neck"})
"""Finer names of a style of which a thing has only one."""

REQUEST_REACH = 6
"""Words between "show me" and the kind of thing at most: "a pair of warm black ankle" boots."""

_SENTENCE = re.compile(r"[;!?\n]|\.(?!\d)")
_VALUE = re.compile(r"[^,.;!?\n]+?(?=\s*(?:[,;!?\n]|\.(?!\d)|$|\b(?:please|instead|and|but|now|then)\b))")


class _Patterns(NamedTuple):
    before: Expressions
    after: Expressions
    instead: Expressions
    additive: Expressions
    widening: Expressions


@cache
def _value_patterns() -> _Patterns:
    table = load_table("moves")
    withdrawn = [phrase for phrase in table["replace"]["withdrawn"] if phrase != "not"]
    return _Patterns(
        compile_phrases(table["remove"]["value_before"], after=r"\s*$"),
        compile_phrases(table["remove"]["value_after"]),
        compile_phrases(withdrawn, after=r"\s+(?:the |a |an |in )?$"),
        compile_phrases(table["replace"]["additive"]),
        compile_phrases(table["replace"]["widening"]),
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


def withdrawn_values(
    text: Text, claims: Claims, mentions: list[Mention], belief: BeliefState
) -> tuple[list[Move], list[Mention]]:
    """Return the moves for values that are taken back without being excluded, and their mentions.

    "doesn't have to be leather", "leather isn't a must", "instead of leather", "swap the leather for suede", "rather
    suede than leather". "B instead of A" withdraws a held A; it does not forbid A. "I don't need leather" takes back a
    leather that is held, else it excludes it. "Not exactly navy" keeps navy, softly.
    """
    patterns = _value_patterns()
    moves, dropped = [], []
    for mention in mentions:
        left = text.low[max(0, mention.start - 60) : mention.start]
        need = re.search(r"need (?:it to be |them to be |the )?$", left) is not None
        before = None if _KEPT.search(left) else patterns.before.search(left)
        after = patterns.after.match(text.low[mention.end :].lstrip())
        taken = before or after
        if after and _ALLOWED.match(after.group()) and not _excludes(belief, mention):
            after = None
            taken = before
        loosened = taken and _LOOSENING.search(taken.group())
        if taken and (need or (loosened and before)) and not _holds(belief, mention):
            continue
        if loosened and after and not _holds(belief, mention):
            continue
        if loosened:
            dropped.append(mention)
            moves.append(Move(act="relax", attribute=mention.attribute, detail=mention.detail))
        elif taken or patterns.instead.search(left) or _outdone(text.low, left, mention):
            dropped.append(mention)
            succeeded = any(m.key == mention.key and m is not mention for m in mentions)
            if taken or (_holds(belief, mention) and not succeeded):
                moves.append(_remove(mention))
            if before:
                claims.take(mention.start - len(before.group()), mention.start)
    return moves, dropped


_LOOSENING = re.compile(r"exactly|strictly|precisely|close to|near to|would be|is nice")

_ALLOWED = re.compile(r"(?:is|are|would be) (?:fine|ok|okay|alright|all right|good|acceptable|allowed)")
"""Said of a value that is excluded this lifts the ban; of any other it is a wish."""


def _excludes(belief: BeliefState, mention: Mention) -> bool:
    return any(f.polarity == "negative" and mention.value in f.values for f in belief.of(mention.attribute))


_KEPT = re.compile(
    r"(?:don'?t|do not|never|not) (?:forget|drop|remove|ignore|lose|skip)(?: about)?(?: the| my| that)?\s*$"
)
"""Taking back that is forbidden asks for the thing: "don't forget the pockets"."""

_BETTER = re.compile(r"(?<!\w)(?:rather|better|nicer|prettier|cooler|prefer|preferable|sooner|more)(?!\w)")


def _outdone(low: str, left: str, mention: Mention) -> bool:
    """Return whether something else is preferred to the value: "rather steel than glass", "swap glass for steel"."""
    if re.search(r"(?<!\w)than (?:the |a |an |in )?$", left):
        return _BETTER.search(left) is not None
    swapped = re.search(r"(?<!\w)(?:swap|exchange|replace|trade|switch|substitute)(?: out)? (?:the |my |that )?$", left)
    return swapped is not None and re.match(r"\s+(?:for|with|by|to)(?!\w)", low[mention.end :]) is not None


def _remove(mention: Mention) -> Move:
    value = mention.value if isinstance(mention.value, str) else None
    return Move(act="remove", attribute=mention.attribute, detail=mention.detail, value=value)


def _holds(belief: BeliefState, mention: Mention) -> bool:
    return any(fact.facet_key == mention.key and mention.value in fact.values for fact in belief.constraints)


def mark_replacements(
    text: Text, claims: Claims, mentions: list[Mention], belief: BeliefState, *, looking: bool = False
) -> Move | None:
    """Mark the facts that replace what is held; return the move that takes everything earlier back, if one does.

    A cue ("actually", "instead", "make it") replaces the held value of the same attribute; where nothing of it is
    held it adds. Without a cue, a new size, budget, colour, brand or department replaces the one held, unless it is
    said to do "as well" (`widens`). When a single product is looked at, its look is what a new colour or cut replaces.
    """
    positive = [m for m in mentions if m.polarity == "positive" and not m.relative]
    earlier = pattern("replace", "earlier").search(text.low)
    if earlier:
        claims.take(*earlier.span())
        first = positive[0] if positive else None
        if first is not None:
            first.replaces = True
        return Move(act="replace", value="all")
    cues = [m.span() for m in pattern("replace", "cues").finditer(text.low)]
    if refusal := _REFUSAL.match(text.low):
        cues.append(refusal.span())
    requested = _requested_category(text, positive, belief) or _other_kind(text.low, cues, positive, mentions, belief)
    patterns = _value_patterns()
    additive = patterns.additive.search(text.low) is not None
    if requested is not None:
        requested.replaces, requested.widens = not additive, additive
    for mention in positive:
        if mention is requested:
            continue
        known_key = [f for f in belief.constraints if f.facet_key == mention.key and f.polarity == "positive"]
        if known_key and _widens(text.low, mention, patterns.widening) and not _same(known_key, mention):
            mention.widens = True
        elif isinstance(mention.value, list) and any(set(f.values) & set(mention.value) for f in known_key if f.values):
            mention.replaces = True
        elif cues and _same_sentence(text.low, cues, mention) and (known_key or not belief.entries):
            mention.replaces = not _same(known_key, mention)
        elif (not additive or mention.attribute == "budget") and _is_single(mention) and mention.source != "structured":
            mention.replaces = bool(known_key) and not _compatible(known_key, mention)
        if looking and not known_key and mention.key in _LOOK:
            mention.replaces = True
    if positive and _restates(text, mentions, belief):
        positive[0].replaces = True
        return Move(act="replace", value="all")
    return None


def _restates(text: Text, mentions: list[Mention], belief: BeliefState) -> bool:
    """Return whether a change of mind says nothing but what is held: that counts now, and the rest less.

    "Thinking about it again, what I care about more is the wool" of a coat that is to be wool and green.
    """
    held = {(fact.facet_key, str(value)) for fact in belief.constraints for value in fact.values}
    said = {(mention.key, str(mention.value)) for mention in mentions}
    return bool(said) and said < held and pattern("replace", "restating").search(text.low) is not None


_REFUSAL = re.compile(r"\s*(?:no|nope|nah|noo+)(?:\s*[,.!]|\s+wait)+\s*(?=[^\s])")
"""A message that opens with a "no" set off from the rest corrects what was said."""


def _is_single(mention: Mention) -> bool:
    return mention.attribute in SINGLE_VALUED or mention.key in SINGLE_CUTS


def replaces_words(text: Text, belief: BeliefState) -> bool:
    """Return whether words that no tier explains take the place of those said before ("let's do Marlock instead")."""
    said = bool(belief.entries or belief.query_texts)
    return said and bool(pattern("replace", "strong").search(text.low) or _REFUSAL.match(text.low))


_LOOK = frozenset({"color", "pattern", "neck"})
"""What an item has exactly one of, and what is seen at a glance: a wish for another replaces what it has."""


def _widens(low: str, mention: Mention, widening: Expressions) -> bool:
    """Return whether a value is said to do besides the one held: "navy would be fine as well"."""
    if mention.attribute not in ("color", "brand", "size", "material", "style") or isinstance(mention.value, list):
        return False
    clause = _SENTENCE.split(low[mention.end :])[0]
    before = _SENTENCE.split(low[: mention.start])[-1]
    return widening.search(clause) is not None or widening.search(before) is not None


def _other_kind(
    low: str, cues: list[tuple[int, int]], positive: list[Mention], mentions: list[Mention], belief: BeliefState
) -> Mention | None:
    """Return a kind of thing that takes the place of another: "dresses instead", "speakers, not headphones"."""
    kinds = [m for m in positive if m.key == "category" and m.source != "structured"]
    held = [f for f in belief.constraints if f.attribute == "category" and f.polarity == "positive"]
    denied = [m for m in mentions if m.key == "category" and m.polarity == "negative"]
    swapped = any(m.value in f.values for m in denied for f in held)
    moved = [(start, end) for start, end in cues if _INSTEAD.fullmatch(low[start:end])]
    return next((mention for mention in kinds if swapped or _same_sentence(low, moved, mention)), None)


_INSTEAD = re.compile(r"instead|(?:let'?s |lets )?(?:go|get|switch|change|move)(?: back)? to|back to")


def _requested_category(text: Text, positive: list[Mention], belief: BeliefState) -> Mention | None:
    """Return the kind of thing that a message asks for when another kind is held: the first after "show me", "I want".

    Only words that could describe it may stand between: "something to wear with boots" asks for no boots. A kind that
    is the whole message is asked for as well ("dresses").
    """
    low = text.low
    held = [fact for fact in belief.constraints if fact.attribute == "category" and fact.polarity == "positive"]
    kinds = [m for m in positive if m.key == "category" and m.source == "lexicon"] if held else []
    for mention in kinds:
        for cue in pattern("replace", "requests").finditer(low, 0, mention.start):
            between = low[cue.end() : mention.start]
            plain = not _SENTENCE.search(between) and not pattern("replace", "beside").search(between)
            if plain and len(between.split()) <= REQUEST_REACH and not _same(held, mention):
                return mention
    if len(text.words) > REQUEST_REACH or _value_patterns().additive.search(low):
        return None
    alone = all(_covered(word, positive) or is_spoken(word.low) for word in text.words)
    return next((m for m in kinds if alone and not _same(held, m)), None)


def _covered(word: Word, mentions: list[Mention]) -> bool:
    return any(mention.overlaps(word.start, word.end) for mention in mentions)


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
