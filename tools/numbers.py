"""Numbers as people write and say them, bounded to what the rest of the system can hold."""

from __future__ import annotations

import re
from functools import cache

from tools.phrases import load_table

LARGEST = 10**9
"""Largest number taken from a message; anything above is no price, count or size of a thing sold."""

_COUPLE = r"(?:a\s+)?couple(?:\s+of)?"
_HALF = r"\s+(?:and\s+a\s+half|point\s+five)"
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?")
_DOTTED = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+(?:,\d{1,2})?")


@cache
def _scales() -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    table = load_table("numbers")
    return table["units"], table["tens"], table["scales"]


def _alternation(words: dict[str, int]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


def _spoken_source() -> str:
    """Return the source for numbers in words: "forty five", "a hundred and twenty", "one fifty", "nine and a half"."""
    unit, ten, scale = (_alternation(group) for group in _scales())
    below = rf"(?:(?:{ten})(?:[\s-]+(?:{unit})(?!\w))?|(?:{unit})(?:\s+(?:{ten})(?!\w))?)"
    rest = rf"(?:\s+(?:and\s+)?{below}(?!\w))?"
    scaled = rf"(?:{below}|a|{_COUPLE})\s+(?:{scale}){rest}(?:\s+hundred{rest})?"
    return rf"(?:{scaled}|{below}(?:{_HALF})?|hundred|thousand)"


_POINTED = r"[1-9]\d{0,2}(?:\.\d{3})+(?:,\d{1,2})?(?!\d)"
_PLAIN = r"\d{1,30}(?!\d)(?:[.,]\d{1,2}(?!\d)|\.\d{1,30}(?!\d))?"
_SCALED = rf"(?:k(?!\w)|\s+(?:{_alternation(_scales()[2])})(?!\w)|{_HALF}(?!\w))?"

DIGITS = rf"(?:(?:{_GROUPED.pattern}|{_POINTED}|{_PLAIN}|\.\d{{1,2}}(?!\d)){_SCALED})"
SPOKEN = _spoken_source()
NUMBER = rf"(?:{DIGITS}|{SPOKEN}(?!\w))"
"""Source of a pattern for a number in digits ("1,000", "1,50,000", "25.50", "25,5", "2k", "2 thousand", "9 and a half")
or in words ("forty five", "a hundred")."""


def parse_number(text: str) -> float | None:
    """Return the number that a text matched by `NUMBER` means, None when it is above `LARGEST`.

    Example: `parse_number("1,000") == 1000`, `parse_number("forty-five") == 45`, `parse_number("25,50") == 25.5`.
    """
    text = text.strip().lower()
    if not text[:1].isdigit() and text[:1] != ".":
        return _spoken(text)
    half = re.search(rf"{_HALF}$", text)
    digits, _, scale = (text[: half.start()] if half else text).partition(" ")
    factor = _scales()[2].get(scale.strip(), 1)
    if digits.endswith("k"):
        digits, factor = digits[:-1], 1000
    if _GROUPED.fullmatch(digits):
        digits = digits.replace(",", "")
    elif _DOTTED.fullmatch(digits):
        digits = digits.replace(".", "")
    digits = digits.replace(",", ".")
    if len(digits) > 24:
        return None
    number = float(digits) * factor + (0.5 if half else 0)
    return tidy(number) if number <= LARGEST else None


def tidy(number: float) -> float:
    """Return whole numbers as int, so that they print as people write them."""
    return int(number) if number == int(number) else round(number, 2)


def _spoken(text: str) -> float | None:
    units, tens, scales = _scales()
    half = re.search(rf"{_HALF}$", text)
    total, current = 0, 0
    for word in re.split(r"[\s-]+", text[: half.start()] if half else text):
        if word in scales:
            total, current = total + max(current, 1) * scales[word], 0
        elif word in tens:
            # "one fifty" is a hundred and fifty.
            current = current * 100 + tens[word]
        elif word == "couple":
            current = 2
        else:
            current += units.get(word, 0)
    number = total + current + (0.5 if half else 0)
    return number or None
