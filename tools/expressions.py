"""Regular expressions of which only what may match a text is compiled and tried."""

from __future__ import annotations

import re
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from tools.required_text import Required, required_text

_END = sys.maxsize

_GRAM = 3
"""Characters of a required text that it is filed under; a shorter one is filed under itself."""

_MOST_SETS = 64
"""Sets of alternatives that an expression keeps."""

_NONE: list[re.Pattern[str]] = []


class _Requirements:
    """What each alternative of all expressions requires, so that one look at a text tells which of them it may match.

    Asking the 2,000 required texts of the reader one by one took a millisecond a message, a look takes .05 ms.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0
        self._filed: dict[str, dict[str, list[tuple[int, int]]]] = {}
        self._latest: tuple[str, int, dict[int, int]] = ("", 0, {})

    def add(self, required: Sequence[Required]) -> int:
        """Take what each alternative of an expression requires; returns the expression's number."""
        places: dict[str, int] = defaultdict(int)
        for place, parts in enumerate(required):
            for part in parts:
                places[part] |= 1 << place
        with self._lock:
            number = self._count
            for part, bits in places.items():
                self._filed.setdefault(part[:_GRAM], {}).setdefault(part, []).append((number, bits))
            self._count += 1
        return number

    def met(self, number: int, text: str) -> int:
        """Return which alternatives of an expression find what they require in a text, as bits.

        For a part of the latest text (a clause of a message) those of the whole are returned: some may be too many.
        """
        latest, count, met = self._latest
        if number >= count or text not in latest:
            count, met = self._count, self._look(text)
            self._latest = (text, count, met)
        return met.get(number, 0)

    def _look(self, text: str) -> dict[int, int]:
        met: dict[int, int] = {}
        grams = {text[at : at + size] for size in range(1, _GRAM + 1) for at in range(len(text) - size + 1)}
        for filed in [self._filed[gram] for gram in grams if gram in self._filed]:
            # Copies: another thread may be adding an expression.
            for part, holders in list(filed.items()):
                if part in text:
                    for number, bits in list(holders):
                        met[number] = met.get(number, 0) | bits
        return met


_REQUIREMENTS = _Requirements()


class Expressions:
    r"""Alternatives as one pattern.

    It finds what the compiled alternation would find: the leftmost match, and at one place that of the first
    alternative. A match holds the groups of its own alternative only. Safe for threads.

    Example: `Expressions(["navy", "na[vw]y coats?"], after=r"(?!\w)").search("a navy coat")` is the match of "navy".
    """

    def __init__(
        self,
        alternatives: Iterable[str],
        *,
        before: str = "",
        after: str = "",
        outline: Callable[[str], str] = str,
        write: Callable[[str], str] = str,
    ) -> None:
        """Take alternatives, the first preferred, between the sources `before` and `after`.

        `write` makes the source of an alternative when it is needed. `outline` makes the one that tells what a text
        must hold for it to match (`required_text`): it may have slots in place of what is long.
        """
        self._alternatives = list(alternatives)
        self._before, self._after, self._write, self._outline = before, after, write, outline
        self._compiled: dict[int, re.Pattern[str]] = {}
        self._sets: dict[int, list[re.Pattern[str]]] = {}

    @property
    def pattern(self) -> str:
        """The source of the whole alternation, for a pattern that holds more than it."""
        return f"{self._before}(?:{'|'.join(map(self._write, self._alternatives))}){self._after}"

    def search(self, text: str, start: int = 0, end: int = _END) -> re.Match[str] | None:
        """Return the first match between `start` and `end`; see `re.Pattern.search`."""
        able = self._able(text)
        if len(able) > 1:
            return next(_merged(able, text, start, end), None)
        return able[0].search(text, start, end) if able else None

    def match(self, text: str, start: int = 0, end: int = _END) -> re.Match[str] | None:
        """Return the match at `start`; see `re.Pattern.match`."""
        for one in self._able(text):
            if found := one.match(text, start, end):
                return found
        return None

    def fullmatch(self, text: str, start: int = 0, end: int = _END) -> re.Match[str] | None:
        """Return the match of all that is between `start` and `end`; see `re.Pattern.fullmatch`."""
        for one in self._able(text):
            if found := one.fullmatch(text, start, end):
                return found
        return None

    def finditer(self, text: str, start: int = 0, end: int = _END) -> Iterator[re.Match[str]]:
        """Return the matches between `start` and `end`, none overlapping another; see `re.Pattern.finditer`."""
        able = self._able(text)
        if len(able) > 1:
            return _merged(able, text, start, end)
        return able[0].finditer(text, start, end) if able else iter(())

    def may_match(self, text: str) -> bool:
        """Return False where no alternative can match."""
        return bool(self._able(text))

    @cached_property
    def _filed(self) -> tuple[int, int]:
        """The number under which the alternatives are filed, and those that require nothing, as bits."""
        required = [required_text(self._outline(alternative)) for alternative in self._alternatives]
        return _REQUIREMENTS.add(required), sum(1 << place for place, parts in enumerate(required) if not parts)

    def _able(self, text: str) -> list[re.Pattern[str]]:
        """Return the alternatives that may match, in their order."""
        number, always = self._filed
        bits = _REQUIREMENTS.met(number, text) | always
        if not bits:
            return _NONE
        able = self._sets.get(bits)
        if able is None:
            able = [self._compile(place) for place in range(bits.bit_length()) if bits >> place & 1]
            if len(self._sets) < _MOST_SETS:
                self._sets[bits] = able
        return able

    def _compile(self, place: int) -> re.Pattern[str]:
        compiled = self._compiled.get(place)
        if compiled is None:
            compiled = re.compile(f"{self._before}(?:{self._write(self._alternatives[place])}){self._after}")
            self._compiled[place] = compiled
        return compiled


def _merged(able: Sequence[re.Pattern[str]], text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """Yield the matches that the alternation would find: the leftmost, of those at one place that of the first."""
    waiting = [(one, found) for one in able if (found := one.search(text, start, end))]
    while waiting:
        first = min((found for _, found in waiting), key=re.Match.start)
        yield first
        at = max(first.end(), first.start() + 1)
        moved = [(one, one.search(text, at, end) if found.start() < at else found) for one, found in waiting]
        waiting = [(one, found) for one, found in moved if found]


def expression(source: str) -> Expressions:
    """Return one expression, compiled when a text first holds what it requires."""
    return Expressions([source])
