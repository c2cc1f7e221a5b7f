"""Sets of messages of which one thing is asked; the name of the file says which.

- `exhaustion`: the shopper has nothing (more) to say. Read so when the only act is `no_preference`, without a fact.
- `overrides`: the shopper takes something back. Read so when the acts hold `replace`, `remove` or `reset`.
- `chatter`: nothing of the message is evidence for a product. Read so when there is no fact and no query word that is
  left unexplained.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from catalog.errors import InputError
from tools.reading import Reading

_TAKING_BACK = frozenset({"replace", "remove", "reset"})


def _exhausted(reading: Reading) -> bool:
    return reading.acts == ["no_preference"] and not reading.facts


def _overrides(reading: Reading) -> bool:
    return not _TAKING_BACK.isdisjoint(reading.acts)


def no_query_words(reading: Reading) -> bool:
    """Return whether no word of the message would count as evidence for a product."""
    return not (reading.query_text.strip() and reading.unexplained)


def _chatter(reading: Reading) -> bool:
    return not reading.facts and no_query_words(reading)


_VERDICTS: dict[str, Callable[[Reading], bool]] = {
    "exhaustion": _exhausted,
    "overrides": _overrides,
    "chatter": _chatter,
}


def verdict_named(path: Path) -> tuple[str, Callable[[Reading], bool]]:
    """Return the set that a file belongs to and the verdict of a reading; raises `InputError` for another name."""
    for name, verdict in _VERDICTS.items():
        if path.stem.startswith(name):
            return name, verdict
    names = ", ".join(_VERDICTS)
    raise InputError(f'{path}: rows of "label" are of a file named after what is asked; begin its name with {names}.')
