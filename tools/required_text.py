"""What a text must hold for a regular expression to match in it, told without compiling the expression.

Compiling the reader's 2,000 phrases took two thirds of the first turn of a process, and trying each of them on every
message most of a reading; a handful can match any one message. What is returned here may be weaker than the truth,
never stronger: nothing is left out that could match.
"""

from __future__ import annotations

import re
from typing import NamedTuple

Required = frozenset[str]
"""Strings of which every match holds one; empty: nothing can be told."""

NOTHING: Required = frozenset()

_PLAIN = re.compile(r"[^\\()\[\]{}|?*+.^$]+")
_SLOT = re.compile(r"\{[a-z]+\}")
_NUMBERED = frozenset("xuUN0123456789")
"""Escapes that are longer than one character, or stand for a group."""

_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_REPEAT = re.compile(r"(?P<sign>[?*+])|\{(?P<least>\d*)(?:,\d*)?\}")
_OPENING = re.compile(r"\((?:\?(?:(?P<plain>:|P<\w+>)|(?P<around><?[=!])|(?P<other>.)))?")


def required_text(source: str) -> Required:
    """Return strings of which a match of `source` always holds one.

    A slot (`{attribute}`) stands for any text.

    Example: `required_text("(?:don't|do not) care (?:much )?about")` is `{"about"}`; of `"colou?r"` it is `{"colo"}`.
    """
    try:
        required, end = _choice(source, 0)
    except UnknownConstructError:
        return NOTHING
    return required if end == len(source) else NOTHING


class UnknownConstructError(Exception):
    """A construct that is not understood: nothing can be told."""


class _Atom(NamedTuple):
    """One piece of an expression: characters of its own, or what a group requires."""

    literal: str
    required: Required
    end: int


def _choice(source: str, at: int) -> tuple[Required, int]:
    """Read alternatives up to a closing bracket or the end: one of what each requires."""
    found: list[Required] = []
    while True:
        required, at = _sequence(source, at)
        found.append(required)
        if at >= len(source) or source[at] == ")":
            break
        at += 1
    return (frozenset().union(*found) if all(found) else NOTHING), at


def _sequence(source: str, at: int) -> tuple[Required, int]:
    """Read what stands in a row up to the next alternative: the most telling of what its pieces require."""
    best, run = NOTHING, ""
    while at < len(source) and source[at] not in "|)":
        atom = _atom(source, at)
        repeat = _REPEAT.match(source, atom.end)
        at = atom.end
        if repeat is None:
            if atom.literal:
                run += atom.literal
            else:
                best, run = _better(_better(best, _of(run)), atom.required), ""
            continue
        at = repeat.end() + (source[repeat.end() : repeat.end() + 1] in ("?", "+"))
        run += atom.literal[:-1]
        kept = repeat["sign"] == "+" or (repeat["least"] or "0").strip("0") != ""
        if kept:
            run += atom.literal[-1:]
            best = _better(best, atom.required)
        best, run = _better(best, _of(run)), ""
    return _better(best, _of(run)), at


def _of(run: str) -> Required:
    return frozenset({run}) if run else NOTHING


def _better(one: Required, other: Required) -> Required:
    """Return the one that fewer texts hold: the longer strings, the fewer of them."""
    if not (one and other):
        return one or other
    if len(one) == len(other) == 1:
        (first,), (second,) = one, other
        return other if len(second) > len(first) else one
    return max(one, other, key=lambda required: (min(map(len, required)), -len(required)))


def _atom(source: str, at: int) -> _Atom:
    if plain := _PLAIN.match(source, at):
        return _Atom(plain[0], NOTHING, plain.end())
    first = source[at]
    if first == "(":
        return _group(source, at)
    if first == "\\":
        escaped = source[at + 1 : at + 2]
        if escaped in _NUMBERED:
            raise UnknownConstructError
        return _Atom("" if escaped.isalnum() else escaped, NOTHING, at + 2)
    found = _CLASS.match(source, at) if first == "[" else _SLOT.match(source, at)
    if found is None and first in "[{":
        raise UnknownConstructError
    return _Atom("", NOTHING, found.end() if found else at + 1)


def _group(source: str, at: int) -> _Atom:
    opening = _OPENING.match(source, at)
    if opening is None or opening["other"] is not None:
        raise UnknownConstructError
    required, end = _choice(source, opening.end())
    if end >= len(source):
        raise UnknownConstructError
    return _Atom("", NOTHING if opening["around"] else required, end + 1)
