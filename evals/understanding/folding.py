"""One spelling for values that mean the same: case, hyphens, spaces and plural endings do not count."""

from __future__ import annotations

import re
from functools import lru_cache

from catalog.text import fold as fold_letters
from catalog.vocabulary import singular

_WORD = re.compile(r"[0-9]+(?:\.[0-9]+)?|\w+")


@lru_cache(maxsize=4096)
def fold_words(value: str) -> tuple[str, ...]:
    """Return the words of a value in lower case and singular: `"Levi's Ankle-Boots"` gives `levi`, `ankle`, `boot`."""
    return tuple(singular(word) for word in _WORD.findall(fold_letters(value).replace("'", "")))


def fold_value(value: str) -> str:
    """Return a value without what does not tell values apart: `V-Neck`, `v necks` and `vneck` are one."""
    return "".join(fold_words(value))
