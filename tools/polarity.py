"""Which mentions a negation excludes. Scoped to its words, and careful first.

Of six negations that looser rules found in 1,400 real messages five were product words, so a cue inside a catalog
surface ("No Closure", "no-show socks") or an idiom ("no problem", "not sure") excludes nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import Any, Literal

from catalog.lexicon import Lexicon
from catalog.product import NUMERIC_ATTRIBUTES
from catalog.text import tokens
from catalog.vocabulary import load_table as load_vocabulary
from tools.expressions import Expressions, expression
from tools.mentions import Claims, Mention
from tools.phrases import attribute_named, is_spoken, load_table, pattern_of
from tools.values import checked, detail_of
from tools.words import Text

_LONGEST_PHRASE = 4
"""Words of the longest excluded phrase that the catalog does not name."""

_FARTHEST = 24
"""Words looked at after a cue."""

_LIST_TAIL = 60
"""Characters in which a list must come to its "or"."""

_PUNCTUATION = re.compile(r"[.;:!?()\n]|,")
_PART_CUES = frozenset({"without", "w/o", "minus", "free"})
_JOINED = re.compile(r"(?:and|or|nor|but|no|not|neither)(?!\w)")
"""A cue that begins so excludes something more ("not suede and not red"); of two nested ones the second demands."""

_CONTRASTED = frozenset({"category", "feature", "use_case", "theme", "model"})
"""Open-ended attributes: a bare "not" before one is more often a slogan or product text than an exclusion."""


@dataclass(frozen=True, slots=True)
class _Cue:
    start: int
    end: int
    kind: Literal["open", "closed", "prefix"]
    words: str


@dataclass(frozen=True, slots=True)
class _Unit:
    start: int
    end: int
    mention: Mention | None
    word: str = ""


@dataclass(slots=True)
class _Group:
    """What one cue excludes, up to an "or": the mentions, and the words that no tier named."""

    mentions: list[Mention] = field(default_factory=list)
    unknown: list[tuple[int, int]] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        return not self.mentions and not self.unknown


@dataclass(slots=True)
class _Scope:
    groups: list[_Group] = field(default_factory=lambda: [_Group()])
    nested: int | None = None

    @property
    def last(self) -> _Group:
        return self.groups[-1]


@dataclass(slots=True)
class Polarity:
    """What was settled: new mentions, those that became part of another, and spans that must stay out of the query."""

    added: list[Mention] = field(default_factory=list)
    absorbed: list[Mention] = field(default_factory=list)
    excluded: list[tuple[int, int]] = field(default_factory=list)


@cache
def _patterns() -> tuple[Expressions, Expressions, Expressions, Expressions]:
    table = load_table("polarity")
    cue = r"(?<![\w'-]){0}(?![\w'-])"
    return (
        expression(cue.format(pattern_of([*table["open"], *table["closed"]]))),
        expression(cue.format(pattern_of(table["open"]))),
        expression(rf"(?<!\w){pattern_of(table['idioms'])}(?!\w)"),
        expression(r"(?<!\S)(?:-|non[- ])(?=[a-z]{3})"),
    )


@cache
def _words(key: str) -> frozenset[str]:
    return frozenset(load_table("polarity")[key])


@cache
def _equivalents() -> dict[str, dict[str, Any]]:
    return {word: row for row in load_table("polarity")["equivalent"] for word in row["words"]}


def settle_polarity(text: Text, claims: Claims, mentions: list[Mention], lexicon: Lexicon) -> Polarity:
    """Turn the mentions that a negation excludes negative, and add excluded words that no tier named.

    Two negatives are a demand ("I don't want a dress without pockets"), and excluding something that has a positive
    opposite asks for the opposite ("without sleeves" is sleeveless). A cue whose words are
    explained already (a frame, a move, a surface) excludes nothing.
    """
    result = Polarity()
    _exclude_before(text, mentions, result)
    cues = _cues(text.low, claims)
    starts = {cue.start: index for index, cue in enumerate(cues)}
    flipped: set[int] = set()
    for index, cue in enumerate(cues):
        scope = _scope(text, claims, cue, mentions, starts)
        if scope.nested is not None:
            flipped.add(scope.nested)
            continue
        for group in scope.groups:
            if index in flipped:
                _demand(text, group, result)
            elif not _opposite(text, cue, group, lexicon, result):
                _exclude(text, cue, group, lexicon, result, mentions)
    return result


@cache
def _after() -> Expressions:
    return expression(rf"\s*{pattern_of(load_table('polarity')['after'])}(?!\w)")


def _exclude_before(text: Text, mentions: list[Mention], result: Polarity) -> None:
    """Exclude the values that are turned down after they are named: "red isn't my color"."""
    for mention in mentions:
        turned = _after().match(text.low, mention.end)
        if turned is not None and mention.attribute not in NUMERIC_ATTRIBUTES:
            mention.polarity = "negative"
            result.excluded.append((mention.start, turned.end()))


def ends_in_negation(before: str) -> bool:
    """Return whether a text ends in a cue of negation and nothing but filler words after it ("I want no ", "non-")."""
    low = before.lower()
    if f" {low}".endswith((" non-", " non ")):
        return True
    cues = list(_patterns()[0].finditer(low))
    return bool(cues) and all(word in _words("fillers") for word in low[cues[-1].end() :].split())


def _cues(low: str, claims: Claims) -> list[_Cue]:
    any_cue, open_cue, idiom, prefix = _patterns()
    hinted = "-" in low or "non" in low
    prefixed = (m for m in prefix.finditer(low) if claims.free(*m.span())) if hinted else ()
    cues = [_Cue(m.start(), m.end(), "prefix", m.group()[0]) for m in prefixed]
    found = list(any_cue.finditer(low))
    idioms = [m.span() for m in idiom.finditer(low)] if found else []
    for match in found:
        start, end = match.span()
        if claims.free(start, end) and not any(a <= start < b for a, b in idioms):
            opened = open_cue.match(low, start)
            kind: Literal["open", "closed"] = "open" if opened and opened.end() == end else "closed"
            cues.append(_Cue(start, end, kind, match.group()))
    return sorted(cues, key=lambda cue: cue.start)


def _units(text: Text, claims: Claims, mentions: list[Mention], start: int) -> list[_Unit]:
    """Return the mentions and the words outside them after `start`, in order."""
    units = [_Unit(m.start, m.end, m) for m in mentions if m.start >= start]
    for word in islice(text.words, text.first_word(start), None):
        if claims.free(word.start, word.end):
            units.append(_Unit(word.start, word.end, None, word.low))
            if len(units) > len(mentions) + _FARTHEST:
                break
    # A material inside the name of a kind ("leather belt") stands before it: the cue is nearer to it.
    return sorted(units, key=lambda unit: (unit.start, unit.mention is not None and unit.mention.key == "category"))


def _scope(text: Text, claims: Claims, cue: _Cue, mentions: list[Mention], starts: dict[int, int]) -> _Scope:
    """Walk from a cue to the end of what it excludes; "or", "and" and commas of a list open a new group."""
    scope = _Scope()
    units = _units(text, claims, mentions, cue.end)
    last = cue.end
    for place, unit in enumerate(units):
        gap = _PUNCTUATION.search(text.low, last, unit.start)
        if unit.start in starts:
            joined = _JOINED.match(text.low, unit.start) is not None
            scope.nested = starts[unit.start] if len(scope.groups) == 1 and not gap and not joined else None
            break
        if gap:
            if gap.group() != "," or not _list_goes_on(text, unit, scope):
                break
            scope.groups.append(_Group())
        last = unit.end
        if not _take(scope, unit, units[place + 1] if place + 1 < len(units) else None, starts):
            break
        if cue.words == "n" and scope.last.unknown:
            # "Non-GMO" is what the thing is called; only a value that the catalog has is excluded so.
            scope.last.unknown.clear()
            break
        if cue.kind == "prefix" or len(scope.last.unknown) >= _LONGEST_PHRASE:
            break
    return scope


def _take(scope: _Scope, unit: _Unit, following: _Unit | None, starts: dict[int, int]) -> bool:
    """Take one unit into a scope; False ends the scope before it."""
    if unit.mention is not None:
        if unit.mention.attribute in NUMERIC_ATTRIBUTES:
            return False
        scope.last.mentions.append(unit.mention)
        return True
    if following is not None and following.start in starts and unit.word in ("that", "which", "who"):
        scope.nested = starts[following.start] if len(scope.groups) == 1 else None
        return False
    if scope.last.empty and unit.word in _words("fillers"):
        return True
    if unit.word in ("or", "nor", "and"):
        if scope.last.empty or following is None or (unit.word == "and" and not _same_kind(scope, following)):
            return False
        scope.groups.append(_Group())
        return True
    if unit.word in _words("breakers") or is_spoken(unit.word):
        return False
    scope.last.unknown.append((unit.start, unit.end))
    return True


def _same_kind(scope: _Scope, following: _Unit) -> bool:
    held = scope.last.mentions
    return bool(held) and following.mention is not None and following.mention.key == held[-1].key


def _list_goes_on(text: Text, unit: _Unit, scope: _Scope) -> bool:
    """Return whether a comma continues a list that ends in "or": "no leather, suede or fur"."""
    if not _same_kind(scope, unit):
        return False
    tail = text.low[unit.start : unit.start + _LIST_TAIL]
    return re.match(r"[^.;!?]*?,?\s(?:or|nor)\s", tail) is not None


def _demand(text: Text, group: _Group, result: Polarity) -> None:
    for mention in group.mentions:
        mention.strength = "hard"
    if not group.mentions and group.unknown:
        mention = _words_wanted(text, group.unknown)
        mention.strength = "hard"
        result.added.append(mention)


def _words_wanted(text: Text, spans: list[tuple[int, int]]) -> Mention:
    named = attribute_named(text.low[slice(*spans[-1])]) if len(spans) > 1 else None
    start, end = spans[0][0], spans[-2][1] if named else spans[-1][1]
    return Mention("feature", " ".join(text.low[start:end].split()), start, end, "contains", confidence=0.7)


def _exclude(text: Text, cue: _Cue, group: _Group, lexicon: Lexicon, result: Polarity, mentions: list[Mention]) -> None:
    targets = [m for m in group.mentions if m.attribute != "category"] or group.mentions
    if not targets:
        _exclude_words(text, cue, group.unknown, lexicon, result, mentions)
        return
    if cue.words == "not" and not _contrast(text, cue, targets):
        return
    modifiers = [span for span in group.unknown if span[0] < targets[0].start]
    if modifiers and cue.kind == "open" and all(m.attribute == "category" for m in targets):
        _exclude_words(text, cue, modifiers, lexicon, result, mentions)
        return
    part = cue.words.split()[0] in _PART_CUES
    if part and (len(group.mentions) + len(group.unknown) > 1 or targets[0].key in _PARTS or _is_stuff(targets[0])):
        _exclude_part(text, cue, group, result)
        return
    for mention in targets:
        mention.polarity = "negative"
        result.excluded.append((cue.start, mention.end))


def _exclude_part(text: Text, cue: _Cue, group: _Group, result: Polarity) -> None:
    """Exclude what a thing comes without under all its words, as one part: "without a ring holder", "mesh liner"."""
    first = min(group.mentions, key=lambda mention: mention.start)
    start = min([first.start, *(span[0] for span in group.unknown)])
    end = max([m.end for m in group.mentions] + [span[1] for span in group.unknown])
    first.start, first.end, first.polarity = start, end, "negative"
    first.attribute, first.detail, first.op = "feature", None, "contains"
    first.value = " ".join(text.low[start:end].split())
    result.absorbed += [mention for mention in group.mentions if mention is not first]
    result.excluded.append((cue.start, end))


_PARTS = frozenset({"category", "closure"})
"""What a thing comes without is a part of it: "belts without buckles", "a phone case without a ring holder"."""


@cache
def _doubtful_stuff() -> frozenset[str]:
    return frozenset(row.value for row in load_vocabulary("materials") if row.weak)


def _is_stuff(mention: Mention) -> bool:
    """Return whether a material's word is as often the name of a part ("a bottle without straw")."""
    return mention.attribute == "material" and mention.value in _doubtful_stuff()


def _contrast(text: Text, cue: _Cue, targets: list[Mention]) -> bool:
    """Return whether a bare "not" excludes: before a closed kind of value, or set off from what stands before."""
    if all(mention.attribute not in _CONTRASTED for mention in targets):
        return True
    before = text.low[: cue.start].rstrip()
    return not before or before.endswith((",", ";", ".", "but", "and", "-"))


def _exclude_words(
    text: Text,
    cue: _Cue,
    unknown: list[tuple[int, int]],
    lexicon: Lexicon,
    result: Polarity,
    mentions: list[Mention],
) -> None:
    liking = cue.words.split()[-1] in _LIKING
    if (cue.kind == "closed" and not liking) or not unknown or _is_slogan(text, cue, unknown, mentions):
        return
    mention = _words_wanted(text, unknown)
    words = tokens(str(mention.value))
    strict = liking or cue.kind == "prefix" or cue.words.split()[0] == "no"
    if not words or (
        strict and not all(lexicon.knows(word) or lexicon.knows(word.removesuffix("s")) for word in words)
    ):
        return
    mention.polarity = "negative"
    result.added.append(mention)
    result.excluded.append((cue.start, mention.end))


_LIKING = frozenset({"like", "likes", "love", "hate", "hates", "dislike", "dislikes", "stand", "of", "wear"})
"""Last words of the cues of dislike: what somebody does not like may be any word that the catalog's texts hold."""


def _is_slogan(text: Text, cue: _Cue, unknown: list[tuple[int, int]], mentions: list[Mention]) -> bool:
    """Return whether the words are what is written on a thing named after them: "listen without prejudice shirt"."""
    kinds = [m for m in mentions if m.key == "category"]
    before = any(m.start < cue.start for m in kinds) or cue.words.split()[0] not in _PART_CUES
    return not before and any(text.low[unknown[-1][1] : m.start].strip() == "" for m in kinds if m.start > cue.start)


def _opposite(text: Text, cue: _Cue, group: _Group, lexicon: Lexicon, result: Polarity) -> bool:
    """Ask for the positive opposite of what is excluded, where there is one."""
    spans = [*group.unknown, *((m.start, m.end) for m in group.mentions)]
    if len(spans) != 1 or cue.kind == "closed":
        return False
    start, end = spans[0]
    row = _equivalents().get(text.low[start:end])
    if row is None:
        return False
    mention = group.mentions[0] if group.mentions else Mention("style", "", start, end, confidence=0.9)
    readings = lexicon.readings(tokens(row["value"]))
    if readings:
        mention.attribute, mention.detail, mention.value = (
            readings[0].attribute,
            detail_of(readings[0]),
            readings[0].value,
        )
    else:
        mention.attribute, mention.detail, mention.value = checked(row["attribute"]), row.get("detail"), row["value"]
    mention.opposite = True
    if not group.mentions:
        result.added.append(mention)
    result.excluded.append((cue.start, end))
    return True
