"""Text as sequences of plain words, and phrases looked up in it."""

from __future__ import annotations

import re
from functools import cache

_POSSESSIVE = re.compile(r"['’]s?\b")
_EXTRA = re.compile(r"\b(?:(x+|\d+x)|extra)[\s-]+(large|small)\b")
_WORD = re.compile(r"[^\W_]+")


def plain(text: str) -> str:
    """Return the words of a text in lower case, each between two spaces; possessive endings are dropped.

    Sizes beyond large and small are one word, since an XX-Large shirt is no large one.

    Example: `plain("Women's T-Shirt, X-Large")` is `" women t shirt xlarge "`.
    """
    text = _EXTRA.sub(lambda found: f"{found[1] or 'x'}{found[2]}", _POSSESSIVE.sub("", text.lower()))
    words = _WORD.findall(text)
    return f" {' '.join(words)} "


@cache
def spellings(phrase: str) -> tuple[str, ...]:
    """Return a phrase as `plain` writes it, and its plural.

    Example: `spellings("bow tie")` is `(" bow tie ", " bow ties ")`.
    """
    words = plain(phrase).strip()
    if not words:
        return ()
    plural = words[:-1] + "ies" if words.endswith("y") else words + ("es" if words.endswith(("s", "x", "ch")) else "s")
    return f" {words} ", f" {plural} "


def holds(text: str, phrases: tuple[str, ...]) -> bool:
    """Return whether a text that `plain` wrote holds one of `phrases`, as `spellings` wrote them."""
    return any(phrase in text for phrase in phrases)


def longest_run(text: str, title: str) -> int:
    """Return how many consecutive words of `title` the text holds at most; both as `plain` wrote them."""
    words = title.split()
    best = 0
    for start in range(len(words)):
        while start + best < len(words) and f" {' '.join(words[start : start + best + 1])} " in text:
            best += 1
    return best
