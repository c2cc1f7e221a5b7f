"""Typing slips: seeded, one a word at most, never in a number or a code."""

from __future__ import annotations

import re
from collections.abc import Callable

from evals.draws import pick, unit

SHORTEST = 4
"""Letters of a word that may have a slip."""

_WORD = re.compile(r"(?<![\w{-])[^\W\d_]+(?![\w}-])")


def with_typos(text: str, rate: float, *seed: object) -> str:
    """Return `text` in which each longer word has a slip with the chance `rate`; braces and codes stay as they are.

    A word of capitals counts as a code.
    """
    place = 0

    def slip(match: re.Match[str]) -> str:
        nonlocal place
        place += 1
        word = match.group()
        if len(word) < SHORTEST or word.isupper() or unit(*seed, "typo", place) >= rate:
            return word
        at = 1 + int(unit(*seed, "place", place) * (len(word) - 2))
        return pick(_SLIPS, *seed, "slip", place)(word, at)

    return _WORD.sub(slip, text)


def _swapped(word: str, at: int) -> str:
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _dropped(word: str, at: int) -> str:
    return word[:at] + word[at + 1 :]


def _doubled(word: str, at: int) -> str:
    return word[:at] + word[at] + word[at:]


_SLIPS: tuple[Callable[[str, int], str], ...] = (_swapped, _dropped, _doubled)
