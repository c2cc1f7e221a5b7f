"""Dialogue moves that are said without a fact: taking back, having no preference, pointing, starting over.

None of them depends on the catalog, so that they hold for any kind of shop.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from tools.exhaustion import read_exhaustion, refuses
from tools.expressions import Expressions, expression
from tools.mentions import Claims
from tools.move_phrases import Clause, attribute_in, clauses, matches, pattern
from tools.ordinals import ordinals_in
from tools.phrases import is_spoken, load_table, pattern_of
from tools.pointing import Pointed, Scene, read_pointing
from tools.reading import Move
from tools.words import Text

_EXCEPTING = re.compile(r"\s*,?\s*(?:but|except|other than|apart from|besides)(?!\w)")
"""After "any color" this makes an exclusion of it: "any color but green"."""


@dataclass(slots=True)
class Spoken:
    """The moves found, and what was pointed at.

    `refused` is a shrug ("no idea"): it counts only in a message that says nothing else.
    """

    moves: list[Move] = field(default_factory=list)
    pointed: Pointed = field(default_factory=Pointed)
    refused: Move | None = None


def read_moves(text: Text, claims: Claims, scene: Scene) -> Spoken:
    """Return the moves of a message that state no fact, and claim their words."""
    asked = scene.asked
    spoken = Spoken()
    parts = clauses(text)
    for act in ("reset", "undo"):
        spoken.moves += _control(parts, claims, act)
    stated = [part for part in parts if not (asked and refuses(part[2]))]
    spoken.moves += _withdrawn(text, stated, claims)
    spoken.moves += _declined(text, parts, claims, asked)
    spoken.moves += _relaxed(text, claims)
    spoken.moves += _rejected(text, claims)
    nothing = read_exhaustion(text, claims, asked)
    spoken.moves += [move for move in nothing.stated if move not in spoken.moves]
    spoken.refused = nothing.shrug
    spoken.pointed = read_pointing(text, parts, claims, scene)
    spoken.moves += spoken.pointed.moves
    return spoken


def _control(parts: list[Clause], claims: Claims, act: str) -> list[Move]:
    """Reset and undo count only when they are the message, or begin one of its clauses."""
    found: list[Move] = []
    for start, end, words in parts:
        match = _control_pattern(act).match(words) if pattern(act).may_match(words) else None
        rest = words[match.end() :].split() if match else []
        if match and claims.free(start, end) and (act == "reset" or all(is_spoken(word) for word in rest)):
            claims.take(start, start + match.end())
            found.append(Move(act="reset" if act == "reset" else "undo"))
    return found[:1]


@cache
def _control_pattern(act: str) -> Expressions:
    return expression(rf"(?:{pattern_of(load_table('moves')['reset']['lead'])}\s+)*" + pattern(act).pattern)


def _named(text: Text, claims: Claims, regex: Expressions) -> Iterator[tuple[str, str | None]]:
    for match in matches(regex, text, claims):
        if _EXCEPTING.match(text.low, match.end()) and match.group().startswith("any"):
            continue
        named = attribute_in(match.group())
        if named and (named[0] != "other" or "preference" in match.group()):
            claims.take(match.start(), match.end())
            yield named


def _withdrawn(text: Text, parts: list[Clause], claims: Claims) -> list[Move]:
    """Read withdrawals of a named attribute, and of what was said last ("forget that", a clause of its own)."""
    named = _named(text, claims, pattern("remove", "named"))
    moves = [Move(act="remove", attribute=attribute, detail=detail) for attribute, detail in named]
    last = pattern("remove", "last")
    for start, end, words in parts:
        if claims.free(start, end) and last.fullmatch(words):
            claims.take(start, end)
            moves.append(Move(act="remove", value="last"))
    return moves


def _declined(text: Text, parts: list[Clause], claims: Claims, asked: str | None) -> list[Move]:
    named = list(_named(text, claims, pattern("no_preference", "named")))
    clause = pattern("no_preference", "named_clause")
    for start, end, words in parts:
        declines = claims.free(start, end) and clause.fullmatch(words) and not re.search(r"\b(?:but|except)\b", words)
        attribute = attribute_in(words) if declines else None
        if attribute and attribute[0] != "other":
            claims.take(start, end)
            named.append(attribute)
    found = False
    for match in matches(pattern("no_preference", "all"), text, claims):
        claims.take(match.start(), match.end())
        found = True
    for match in matches(pattern("no_preference", "loose"), text, claims):
        claims.take(match.start(), match.start() + len("any"))
        found = True
    if named:
        return [Move(act="no_preference", attribute=attribute, detail=detail) for attribute, detail in named]
    return [Move(act="no_preference", attribute=asked or "all")] if found else []


def _relaxed(text: Text, claims: Claims) -> list[Move]:
    moves = []
    for match in matches(pattern("relax", "named"), text, claims):
        claims.take(match.start(), match.end())
        moves.append(Move(act="relax", attribute="budget"))
    return moves[:1]


def _rejected(text: Text, claims: Claims) -> list[Move]:
    moves = []
    for match in matches(pattern("reject", "one"), text, claims):
        ordinals = ordinals_in(match.group())
        claims.take(match.start(), match.end())
        moves.append(Move(act="negate", ordinals=ordinals))
    if moves:
        return moves
    for match in matches(pattern("reject"), text, claims):
        claims.take(match.start(), match.end())
        moves = [Move(act="negate")]
    return moves
