"""Numbers as people write and say them, bounded to what the rest of the system can hold."""

from __future__ import annotations

import re
from functools import cache

from tools.phrases import load_table

LARGEST = 10**9
"""Largest number taken from a message; anything above is no price, count or size of a thing sold."""


@cache
def _scales() -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    table = load_table("numbers")
    return table["units"], table["tens"], table["scales"]


def _spoken_source() -> str:
    units, tens, scales = _scales()
    unit, ten, scale = ("|".join(sorted(group, key=len, reverse=True)) for group in (units, tens, scales))
    below_hundred = rf"(?:(?:{ten})(?:[\s-]+(?:{unit}))?|(?:{unit}))"
    return rf"(?:(?:{below_hundred}|a)\s+(?:{scale})(?:\s+(?:and\s+)?{below_hundred})?|{below_hundred})"


DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,30}(?!\d)(?:[.,]\d{1,2}(?!\d)|\.\d{1,30}(?!\d))?)(?:k(?!\w))?"
NUMBER = rf"(?:{DIGITS}|{_spoken_source()}(?!\w))"
"""Source of a pattern for a number in digits ("1,000", "25.50", "25,5", "2k") or words ("forty five", "a hundred")."""


def parse_number(text: str) -> float | None:
    """Return the number that a text matched by `NUMBER` means, None when it is above `LARGEST`.

    Example: `parse_number("1,000") == 1000`, `parse_number("forty-five") == 45`, `parse_number("25,50") == 25.5`.
    """
    text = text.strip().lower()
    if not text[:1].isdigit():
        return _spoken(text)
    factor = 1
    if text.endswith("k"):
        text, factor = text[:-1], 1000
    text = (
        re.sub(r",(\d{3})(?=\D|$)", r"\1", text)
        if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", text)
        else text.replace(",", ".")
    )
    if len(text) > 24:
        return None
    number = float(text) * factor
    return tidy(number) if number <= LARGEST else None


def tidy(number: float) -> float:
    """Return whole numbers as int, so that they print as people write them."""
    return int(number) if number == int(number) else round(number, 2)


def _spoken(text: str) -> float | None:
    units, tens, scales = _scales()
    total, current = 0, 0
    for word in re.split(r"[\s-]+", text):
        if word in scales:
            total, current = total + max(current, 1) * scales[word], 0
        elif word not in ("and", "a"):
            current += units.get(word, tens.get(word, 0))
    number = total + current
    return number or None
