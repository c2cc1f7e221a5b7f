"""Text of strangers (catalogs, shoppers) made safe for a terminal."""

from __future__ import annotations

import re

_UNPRINTABLE = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff]"
)


def printable(text: str) -> str:
    """Return text without control codes (C0, C1, direction overrides) and lone surrogates; tab and newline stay.

    Example: a title of `"Coat\\x1b[2J"` cannot clear the screen; it prints as `Coat[2J`.
    """
    return _UNPRINTABLE.sub("", text)


def one_line(text: str, width: int | None = None) -> str:
    """Return printable text on one line, cut to `width` characters with an ellipsis."""
    line = " ".join(printable(text).split())
    return line if width is None or len(line) <= width else line[: width - 1].rstrip() + "…"
