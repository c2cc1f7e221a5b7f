"""How far a written word is from the one meant, in slips of the hand and the ear."""

from __future__ import annotations

import itertools
from functools import cache
from typing import NamedTuple

from rapidfuzz.distance import Postfix, Prefix

from tools.phrases import load_table

_VOWELS = frozenset("aeiouy")


class _Costs(NamedTuple):
    """The cost of each kind of slip, and the pairs of letters that are heard alike or lie side by side."""

    transposed: float
    doubled: float
    vowel: float
    sound: float
    neighbour: float
    other: float
    sounds: frozenset[str]
    keys: frozenset[str]


@cache
def _costs() -> _Costs:
    table = load_table("spelling")
    rows: list[str] = table["keyboard"]["rows"]
    keys = {a + b for row in rows for a, b in itertools.pairwise(row)}
    for above, below in itertools.pairwise(rows):
        keys |= {letter + key for at, letter in enumerate(above) for key in below[max(0, at - 1) : at + 1]}
    sounds = table["sounds"]["pairs"].split()
    return _Costs(**table["cost"], sounds=_both_ways(sounds), keys=_both_ways(keys))


def _both_ways(pairs: list[str] | set[str]) -> frozenset[str]:
    return frozenset(pairs) | frozenset(pair[::-1] for pair in pairs)


def slip_cost(written: str, meant: str) -> float:
    """Return what it takes to write one word for the other: 1 is a consonant missing or too many.

    An optimal string alignment (Damerau and Levenshtein's edits, no letter edited twice) with a weight a slip.

    Example: `slip_cost("shrit", "shirt")` is .7 (transposed), `slip_cost("blok", "black")` 1.8 (a vowel, a letter).
    """
    costs = _costs()
    written, meant = _parts_apart(written, meant)
    before: list[float] = []
    last = [float(size) for size in range(len(meant) + 1)]
    for at, wrote in enumerate(written):
        row = [last[0] + 1.0]
        extra = _added(costs, wrote, written[at - 1] if at else "")
        for to, letter in enumerate(meant):
            cost = min(
                last[to + 1] + extra,
                row[to] + _added(costs, letter, wrote),
                last[to] + _put_for(costs, wrote, letter),
            )
            if at and to and wrote == meant[to - 1] != letter == written[at - 1]:
                cost = min(cost, before[to - 1] + costs.transposed)
            row.append(cost)
        before, last = last, row
    return last[-1]


def _parts_apart(written: str, meant: str) -> tuple[str, str]:
    """Return two words without the beginning and end that they share, but for a letter on each side.

    Most of two like words is shared: this takes a fifth of the time.
    """
    head = Prefix.similarity(written, meant)
    tail = min(Postfix.similarity(written, meant), len(written) - head, len(meant) - head)
    first, last = max(0, head - 1), max(0, tail - 1)
    return written[first : len(written) - last], meant[first : len(meant) - last]


def _added(costs: _Costs, letter: str, beside: str) -> float:
    if letter == beside:
        return costs.doubled
    return costs.vowel if letter in _VOWELS else 1.0


def _put_for(costs: _Costs, wrote: str, letter: str) -> float:
    if wrote == letter:
        return 0.0
    if wrote in _VOWELS and letter in _VOWELS:
        return costs.vowel
    if wrote + letter in costs.sounds:
        return costs.sound
    return costs.neighbour if wrote + letter in costs.keys else costs.other
