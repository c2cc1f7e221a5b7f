"""Dialogue moves that are said without a fact: taking back, having no preference, pointing, starting over.

None of them depends on the catalog, so that they hold for any kind of shop.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from catalog.product import Product
from tools.mentions import Claims
from tools.phrases import (
    attribute_named,
    compile_phrases,
    is_spoken,
    load_table,
    pattern_of,
    spoken_attribute_pattern,
    word_set,
)
from tools.reading import Move
from tools.references import References, find_references
from tools.words import Text

_CLAUSE = re.compile(r"[^,.;!?\n]+")
_Clause = tuple[int, int, str]

_MOST_SHOWN = 10
"""Places on a list: a number above is no place."""

_OTHER_NAMES = ("other details", "other", "others", "anything else", "anything more", "something else")


@dataclass(slots=True)
class Spoken:
    """The moves found, and the spans of what asks about a product or points at one (no fact is stated there).

    `standards` are the places that something is measured against ("than the first"). `refused` is a bare "no" to the
    open question: it counts only in a message that says nothing else.
    """

    moves: list[Move] = field(default_factory=list)
    asking: list[tuple[int, int]] = field(default_factory=list)
    pointed: list[tuple[int, int]] = field(default_factory=list)
    standards: list[int] = field(default_factory=list)
    refused: Move | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """What a message is said in front of: the attribute asked for, the products shown, whether anything was said."""

    asked: str | None = None
    shown: Sequence[Product] = ()
    underway: bool = False


@cache
def _fill(phrase: str) -> str:
    numbers = "|".join(load_table("numbers")["ordinals"])
    attribute = f"(?:{spoken_attribute_pattern()}|{'|'.join(_OTHER_NAMES)})"
    return phrase.replace("{attribute}", attribute).replace(
        "{ordinal}", rf"(?:{numbers}|(?:#|number |option )\d{{1,3}})"
    )


@cache
def pattern(move: str, key: str = "phrases") -> re.Pattern[str]:
    """Return the compiled phrases of a move; the attribute and ordinal names stand in unnamed groups."""
    return compile_phrases(_fill(phrase) for phrase in load_table("moves")[move][key])


@cache
def _names() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{spoken_attribute_pattern()}|{'|'.join(_OTHER_NAMES)})(?!\w)")


def read_moves(text: Text, claims: Claims, scene: Scene) -> Spoken:
    """Return the moves of a message that state no fact, and claim their words."""
    asked = scene.asked
    spoken = Spoken()
    parts = clauses(text)
    for act in ("reset", "undo"):
        spoken.moves += _control(parts, claims, act)
    spoken.moves += _withdrawn(text, parts, claims)
    spoken.moves += _declined(text, parts, claims, asked)
    spoken.refused = _refused(parts, claims, asked)
    spoken.moves += _relaxed(text, claims)
    spoken.moves += _rejected(text, claims)
    _pointed(text, parts, claims, spoken, scene)
    return spoken


def _matches(regex: re.Pattern[str], text: Text, claims: Claims) -> Iterator[re.Match[str]]:
    for match in regex.finditer(text.low):
        if claims.free(match.start(), match.end()):
            yield match


@cache
def _opening_words() -> frozenset[str]:
    return (word_set("conversation", "social") - {"no", "yes"}) | {"well", "but", "and", "so"}


@cache
def _closing_words() -> frozenset[str]:
    return word_set("conversation", "social") | {"actually", "then", "honestly", "tbh"}


def clauses(text: Text) -> list[_Clause]:
    """Return the clauses of a message: start, end and the words without leading and trailing social ones."""
    found = []
    for match in _CLAUSE.finditer(text.low):
        words = text.words_between(match.start(), match.end())
        while words and words[0].low in _opening_words():
            words = words[1:]
        while words and words[-1].low in _closing_words():
            words = words[:-1]
        if words:
            start, end = words[0].start, words[-1].end
            found.append((start, end, text.low[start:end]))
    return found


def _control(parts: list[_Clause], claims: Claims, act: str) -> list[Move]:
    """Reset and undo count only when they are the message, or begin one of its clauses."""
    found: list[Move] = []
    regex = _control_pattern(act)
    for start, end, words in parts:
        match = regex.match(words)
        rest = words[match.end() :].split() if match else []
        if match and claims.free(start, end) and (act == "reset" or all(is_spoken(word) for word in rest)):
            claims.take(start, start + match.end())
            found.append(Move(act="reset" if act == "reset" else "undo"))
    return found[:1]


@cache
def _control_pattern(act: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{pattern_of(load_table('moves')['reset']['lead'])}\s+)*" + pattern(act).pattern)


def attribute_in(words: str) -> tuple[str, str | None] | None:
    """Return the attribute that a phrase names last, with its finer name."""
    for match in reversed(list(_names().finditer(words))):
        name = " ".join(match.group().split())
        if name in _OTHER_NAMES:
            return "other", None
        named = attribute_named(name)
        if named:
            return named
    return None


def _named(text: Text, claims: Claims, regex: re.Pattern[str]) -> Iterator[tuple[str, str | None]]:
    for match in _matches(regex, text, claims):
        named = attribute_in(match.group())
        if named and (named[0] != "other" or "preference" in match.group()):
            claims.take(match.start(), match.end())
            yield named


def _withdrawn(text: Text, parts: list[_Clause], claims: Claims) -> list[Move]:
    """Read withdrawals of a named attribute, and of what was said last ("forget that", a clause of its own)."""
    named = _named(text, claims, pattern("remove", "named"))
    moves = [Move(act="remove", attribute=attribute, detail=detail) for attribute, detail in named]
    last = pattern("remove", "last")
    for start, end, words in parts:
        if claims.free(start, end) and last.fullmatch(words):
            claims.take(start, end)
            moves.append(Move(act="remove", value="last"))
    return moves


def _declined(text: Text, parts: list[_Clause], claims: Claims, asked: str | None) -> list[Move]:
    named = list(_named(text, claims, pattern("no_preference", "named")))
    clause = pattern("no_preference", "named_clause")
    for start, end, words in parts:
        attribute = attribute_in(words) if claims.free(start, end) and clause.fullmatch(words) else None
        if attribute:
            claims.take(start, end)
            named.append(attribute)
    found = False
    for match in _matches(pattern("no_preference", "all"), text, claims):
        claims.take(match.start(), match.end())
        found = True
    for match in _matches(pattern("no_preference", "loose"), text, claims):
        claims.take(match.start(), match.start() + len("any"))
        found = True
    bare = pattern("no_preference", "bare")
    for start, end, words in parts:
        if claims.free(start, end) and _is_bare(bare, words):
            claims.take(start, end)
            found = True
    if named:
        return [Move(act="no_preference", attribute=attribute, detail=detail) for attribute, detail in named]
    return [Move(act="no_preference", attribute=asked or "all")] if found else []


def _refused(parts: list[_Clause], claims: Claims, asked: str | None) -> Move | None:
    weak = pattern("no_preference", "weak")
    for start, end, words in parts:
        if asked is not None and claims.free(start, end) and _is_bare(weak, words):
            claims.take(start, end)
            return Move(act="no_preference", attribute=asked)
    return None


def _is_bare(bare: re.Pattern[str], words: str) -> bool:
    trimmed = re.sub(
        r"^(?:i (?:have|really have|'ve)?\s*(?:got )?|i'?ve |i'?m |there is |really |honestly )", "", words
    )
    trimmed = re.sub(r"\s+(?:for me|with me|by me|to me|here|on that|about that|about it)$", "", trimmed)
    return bool(bare.fullmatch(words) or bare.fullmatch(trimmed))


def _relaxed(text: Text, claims: Claims) -> list[Move]:
    moves = []
    for match in _matches(pattern("relax", "named"), text, claims):
        claims.take(match.start(), match.end())
        moves.append(Move(act="relax", attribute="budget"))
    return moves[:1]


def _rejected(text: Text, claims: Claims) -> list[Move]:
    moves = []
    for match in _matches(pattern("reject", "one"), text, claims):
        ordinals = ordinals_in(match.group())
        claims.take(match.start(), match.end())
        moves.append(Move(act="negate", ordinals=ordinals))
    if moves:
        return moves
    for match in _matches(pattern("reject"), text, claims):
        claims.take(match.start(), match.end())
        moves = [Move(act="negate")]
    return moves


@cache
def _ordinal_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    table = load_table("moves")["refer"]
    words = "|".join(sorted(load_table("numbers")["ordinals"], key=len, reverse=True))
    units = "|".join(load_table("numbers")["units"])
    noun, follow, numbered = (pattern_of(table[key]) for key in ("nouns", "follow", "numbered"))
    more = rf"(?:\s+(?:two|three|four|five|[2-5]|and|or|{words}))*"
    end = rf"(?=\s*(?:$|[,.;!?]|(?<!\w){follow}(?!\w)))"
    plain = (
        rf"(?<!\w)(?:the\s+(?:very\s+)?(?:{words}){more}(?:\s+{noun})?{end}|(?<!my\s)(?<!\w)(?:{words})\s+{noun}(?!\w))"
    )
    number = rf"(?<![\w$€£])(?:#|{numbered}\s*#?)\s*(?P<n>\d{{1,3}}|{units})(?!\w|\.\d)"
    return re.compile(plain), re.compile(number)


def ordinals_in(words: str) -> list[int]:
    """Return the places that a phrase points at, 1-based, -1 the last. "the first and third" is `[1, 3]`."""
    table = load_table("numbers")
    first = re.search(r"(?<!\w)(first|last|top|bottom)\s+(two|three|four|five|[2-5])(?!\w)", words)
    if first:
        count = int(first[2]) if first[2].isdigit() else table["units"][first[2]]
        return [*range(1, count + 1)] if first[1] in ("first", "top") else [*range(-count, 0)]
    found = [table["ordinals"][word] for word in re.findall(r"\w+", words) if word in table["ordinals"]]
    numbers = [match["n"] for match in _ordinal_patterns()[1].finditer(words)]
    found += [int(number) if number.isdigit() else table["units"][number] for number in numbers]
    return list(dict.fromkeys(found))


def _pointed(text: Text, parts: list[_Clause], claims: Claims, spoken: Spoken, scene: Scene) -> None:
    """Read pointing at shown products: choosing, asking about, comparing."""
    numbered: list[int] = []
    for regex in _ordinal_patterns():
        for match in _matches(regex, text, claims):
            (spoken.standards if _is_standard(text.low, match.start()) else numbered).extend(ordinals_in(match.group()))
            claims.take(match.start(), match.end())
    references = find_references(text, claims, scene.shown, parts=parts) if scene.underway else References()
    spoken.pointed += [(r.start, r.end) for r in references.found]
    standards = [r for r in references.found if _is_standard(text.low, r.start)]
    spoken.standards += [o for r in standards for o in r.ordinals]
    references.found = [r for r in references.found if r not in standards]
    pointed = bool(numbered or references.found)
    ordinals = list(dict.fromkeys([*numbered, *references.ordinals]))
    if references.cart:
        spoken.moves.append(Move(act="other"))
    if compared := next(_matches(pattern("compare"), text, claims), None):
        claims.take(*compared.span())
        ordinals = list(dict.fromkeys([*ordinals, *spoken.standards]))
        if len(ordinals) < 2:
            ordinals += _bare_numbers(text, claims, len(scene.shown))
        spoken.moves.append(Move(act="compare", ordinals=ordinals))
        return
    asking = _asks(parts, claims, pointed=pointed, marked="?" in text.low)
    spoken.asking += asking
    if asking:
        spoken.moves.append(Move(act="ask_info", ordinals=ordinals))
    described = [r for r in references.found if not any(a <= r.start < b for a, b in asking) or r.described]
    if (numbered and not asking) or described:
        spoken.moves.append(Move(act="refer", ordinals=ordinals, accepted=references.accepted and not asking))


def _is_standard(low: str, start: int) -> bool:
    """Return whether a phrase is what something is measured against: "cheaper than the first one"."""
    return low[:start].rstrip().endswith("than")


def _bare_numbers(text: Text, claims: Claims, shown: int) -> list[int]:
    numbers = [w for w in text.words if w.low.isdigit() and len(w.low) < 4 and claims.free(w.start, w.end)]
    found = [int(word.low) for word in numbers if 1 <= int(word.low) <= max(shown, _MOST_SHOWN)]
    for word in numbers:
        claims.take(word.start, word.end)
    return found


def _asks(parts: list[_Clause], claims: Claims, *, pointed: bool, marked: bool) -> list[tuple[int, int]]:
    """Return the clauses that ask about a product: a question word before a pointing, or "is it", "does this"."""
    found = []
    for start, end, words in parts:
        match = _asking("ask").search(words) or (marked and _asking("ask_marked").match(words))
        match = match or (pointed and not _asking("request").match(words) and pattern("refer", "ask").match(words))
        if match and claims.free(start + match.start(), start + match.start() + 1):
            found.append((start + match.start(), end))
    return found


@cache
def _asking(key: str) -> re.Pattern[str]:
    return compile_phrases(_fill(phrase) for phrase in load_table("references")[key])
