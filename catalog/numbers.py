"""Reading numbers out of cells: plain numbers, ratings and rating counts."""

from __future__ import annotations

import math
import re
import unicodedata
from typing import NamedTuple

NUMBER = r"(?:\d+(?:[.,'’]\d+)*(?:[ \u00a0\u202f]\d{3}(?!\d))*(?:[.,]\d+)?|\.\d+)(?:[eE][+-]?\d{1,4})?"
"""A written number: digits, group and decimal signs of any country, an exponent."""

MAX_COUNT = 2**53
"""Counts above this are damage, not popularity (and would not survive a JavaScript reader)."""

_NUMBER = re.compile(NUMBER)
_EXPONENT = re.compile(r"[eE][+-]?\d+$")
_PLAIN_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,4})?")
_OUT_OF = re.compile(rf"(?P<value>{NUMBER})\s*(?:/|out of|of|von|sur|de)\s*(?P<scale>\d+)")
_STARS = re.compile(rf"(?P<value>{NUMBER})\s*(?:stars?|★+|⭐+)?")
_COUNT = re.compile(
    rf"\(?(?P<value>{NUMBER})\s*(?P<unit>k|m|tsd|mio|lakh)?\+?\s*"
    r"(?:(?:global|customer|verified|user|product|total)\s+)*"
    r"(?:ratings?|reviews?|votes?|bewertungen|avis|reseñas|opiniones)?\)?",
    re.IGNORECASE,
)
_UNITS = {"k": 1e3, "tsd": 1e3, "lakh": 1e5, "m": 1e6, "mio": 1e6}


class Reading(NamedTuple):
    """A number, or None with the `note` that says why it is unknown (empty when the cell was empty)."""

    value: float | None
    note: str = ""


def written_number(text: str, *, decimal_comma: bool = False) -> float | None:
    """Return the value of one written number, None when its digit groups make no sense.

    A comma before exactly three digits groups thousands; a dot does so only with `decimal_comma` or when
    it repeats.

    Example: `"1.299,50"` is 1299.5, `"1,29,999"` is 129999, `"12,5"` is 12.5, `"1.5e3"` is 1500.
    """
    exponent = _EXPONENT.search(text)
    body = text[: exponent.start()] if exponent else text
    digits = _ungrouped(re.sub(r"[ \u00a0\u202f'’]", "", body), decimal_comma)
    if digits is None:
        return None
    return float(digits + (exponent.group() if exponent else ""))


def _ungrouped(body: str, decimal_comma: bool) -> str | None:
    dots, commas = body.count("."), body.count(",")
    if dots and commas:
        decimal = max(body.rfind("."), body.rfind(","))
        return re.sub("[.,]", "", body[:decimal]) + "." + body[decimal + 1 :]
    sign = "." if dots else ","
    groups = body.split(sign)
    if len(groups) == 1:
        return body
    thousands = all(len(group) == 3 for group in groups[1:]) and groups[0].strip("0") != ""
    if len(groups) == 2:
        grouped = thousands and len(groups[0]) <= 3 and (sign == "," or decimal_comma)
        return "".join(groups) if grouped else ".".join(groups)
    if thousands or (sign == "," and len(groups[-1]) == 3):  # "1,29,999": Indian groups
        return "".join(groups)
    sound = all(len(group) == 3 for group in groups[1:-1]) and len(groups[-1]) <= 2
    return "".join(groups[:-1]) + "." + groups[-1] if sound else None


def finite(value: object) -> float | None:
    """Return a JSON number as a finite float; None for booleans, NaN, infinities and everything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def number_text(value: object) -> str:
    """Return the text of a cell that should hold a number, in its plainest Unicode form."""
    return "" if value is None else unicodedata.normalize("NFKC", str(value)).strip()


def parse_rating(value: object) -> Reading:
    """Return an average rating of 1 to 5 stars.

    Zero means that nobody rated. `4.5 out of 5` and `9/10` are put on five stars; anything above 5 without
    a stated scale is unknown, with a note.
    """
    if value is None or value == "":
        return Reading(None)
    number = finite(value)
    if number is None and isinstance(value, str):
        number = _written_rating(number_text(value))
    if number is None:
        return Reading(None, "rating unreadable")
    if number == 0:
        return Reading(None)
    return Reading(number) if 1 <= number <= 5 else Reading(None, "rating out of range")


def _written_rating(text: str) -> float | None:
    if scaled := _OUT_OF.match(text):
        number, scale = written_number(scaled["value"]), int(scaled["scale"])
        return None if number is None or scale == 0 else round(number * 5 / scale, 4)
    if plain := _STARS.fullmatch(text):
        return written_number(plain["value"])
    return None


def parse_count(value: object) -> Reading:
    """Return a count of ratings: `1,234`, `(87)`, `1.2k+`, `12 reviews`; other words make it unknown."""
    if value is None or value == "":
        return Reading(None)
    if isinstance(value, list):
        return Reading(float(len(value)))
    number = finite(value)
    if number is None and isinstance(value, str):
        number = _written_count(number_text(value))
    if number is None or not math.isfinite(number):
        return Reading(None, "rating count unreadable")
    if not 0 <= number <= MAX_COUNT:
        return Reading(None, "rating count out of range")
    return Reading(float(int(number)))


def _written_count(text: str) -> float | None:
    if _PLAIN_NUMBER.fullmatch(text):
        return float(text)
    match = _COUNT.fullmatch(text)
    if not match:
        return None
    unit = _UNITS.get((match["unit"] or "").casefold(), 1.0)
    # "1.234 Bewertungen" groups thousands, "1.2k" does not.
    number = written_number(match["value"], decimal_comma=unit == 1.0)
    return None if number is None else number * unit
