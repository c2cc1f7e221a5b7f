"""Reading prices: the amount, the currency it is in, and why there is none."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import NamedTuple

from catalog.cells import is_blank
from catalog.numbers import NUMBER, finite, number_text, written_number

_TABLE = tomllib.loads(files("catalog").joinpath("data/currencies.toml").read_text(encoding="utf-8"))
_SIGNS: dict[str, list[str]] = {sign.casefold(): codes for sign, codes in _TABLE["signs"].items()}
_CODES: frozenset[str] = frozenset(_TABLE["codes"]["known"])
_DECIMAL_COMMA: frozenset[str] = frozenset(_TABLE["codes"]["decimal_comma"])
_HARMLESS: frozenset[str] = frozenset(_TABLE["words"]["harmless"])
_NOT_THE_PRICE: frozenset[str] = frozenset(_TABLE["words"]["not_the_price"])

MAX_PRICE = 1e9
"""Prices above this are damage."""


def _alternatives() -> str:
    longest_first = sorted(_TABLE["signs"], key=len, reverse=True)
    words = [rf"(?<![^\W\d_]){re.escape(sign)}(?![^\W\d_])\.?" for sign in longest_first if sign[-1].isalpha()]
    signs = [re.escape(sign) for sign in longest_first if not sign[-1].isalpha()]
    codes = [rf"(?<![^\W\d_]){code}(?![^\W\d_])" for code in sorted(_CODES)]
    return "|".join(signs + codes + words)


_CURRENCY = _alternatives()
_AMOUNT = re.compile(
    rf"(?P<before>{_CURRENCY})?\s*(?P<number>{NUMBER})(?P<percent>\s*%)?\s*(?P<after>{_CURRENCY})?",
    re.IGNORECASE,
)
_CURRENCY_ONLY = re.compile(_CURRENCY, re.IGNORECASE)
_CSS = re.compile(r"[#.@]?[A-Za-z][\w\s.#:,>-]*\{[^{}]*\}|\{[^{}]*\}")
_SPACED_CENTS = re.compile(
    rf"((?:{_CURRENCY})\s*\d[\d,]*)\s*\.\s+(\d\d)(?!\d)|((?:{_CURRENCY})\s*\d[\d,]*)\s+(\d\d)(?=\s|$)"
)
_RANGE = re.compile(r"\s*(?:-|–|—|~|to|bis|à|until|up to|and)\s*", re.IGNORECASE)
_MULTIBUY = re.compile(rf"\d\s*(?:for|/)\s*(?:{_CURRENCY})\s*\d", re.IGNORECASE)
_PERIOD = re.compile("|".join(rf"{re.escape(word)}\b" for word in _TABLE["words"]["periods"]), re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_NEGATIVE = re.compile(rf"\s*(?:{_CURRENCY})?\s*-\s*(?:{_CURRENCY})?\s*\d", re.IGNORECASE)
_BARE = re.compile(r"-?\d+(?:\.\d+)?")
_SIMPLE = re.compile(r"(?P<sign>[$£₹])\s?(?P<number>\d{1,3}(?:,\d{3})*|\d+)(?P<cents>\.\d\d)?")


class Money(NamedTuple):
    """A price as written.

    `amount` is the low end of a range whose other end is `high`; `currency` is a code, or empty when the
    text names none; `note` says why there is no amount (empty when the cell was empty).
    """

    amount: float | None = None
    high: float | None = None
    currency: str = ""
    note: str = ""


class _Amount(NamedTuple):
    value: float
    currency: str
    start: int
    end: int


def currency_code(text: str, prefer: str = "") -> str:
    """Return the code of a currency sign or code, empty when unknown; `prefer` settles shared signs such as $.

    Example: `currency_code("$")` is `"USD"`, `currency_code("$", prefer="CAD")` is `"CAD"`.
    """
    text = text.strip()
    if text.upper() in _CODES:
        return "CNY" if text.upper() == "RMB" else text.upper()
    codes = _SIGNS.get(text.rstrip(".").casefold(), [])
    return prefer if prefer in codes else (codes[0] if codes else "")


def parse_price(value: object, currency: str = "") -> Money:
    """Return the price that a cell states; `currency` is the code that its row or column names, if any.

    Ranges give their low end; zero, negative, not finite and unreadable prices give no amount and a note.

    Example: `parse_price("$895.00 - $2,497.50")` is `Money(895.0, 2497.5, "USD")`.
    """
    if isinstance(value, Mapping):
        return _table_price(value, currency)
    if isinstance(value, list):
        return parse_price(value[0], currency) if value else Money()
    if value is None:
        return Money()
    if isinstance(value, (int, float)):
        number = finite(value)
        return Money(note="price not a number") if number is None else _checked(number, None, currency)
    text = number_text(value)
    if is_blank(text):
        return Money(note="price not a number") if text.casefold() == "nan" else Money()
    if _BARE.fullmatch(text):  # machine-written: a dot is decimal here whatever the currency's habit
        return _checked(float(text), None, currency)
    if simple := _SIMPLE.fullmatch(text):  # 98% of written prices; the grammar takes 95 µs, this 2
        amount = float(simple["number"].replace(",", "") + (simple["cents"] or ""))
        return _checked(amount, None, currency_code(simple["sign"], prefer=currency))
    return _written_price(text, currency)


def _table_price(table: Mapping[str, object], currency: str) -> Money:
    named = next((str(table[key]) for key in ("currency", "currency_code", "currencyCode") if table.get(key)), "")
    amount = next((table[key] for key in ("amount", "value", "price", "min") if table.get(key) is not None), None)
    return parse_price(None if isinstance(amount, Mapping) else amount, currency_code(named) or currency)


def _checked(low: float, high: float | None, currency: str) -> Money:
    if low == 0:
        return Money(note="price zero")
    if low < 0:
        return Money(note="price negative")
    if not low <= MAX_PRICE or (high is not None and not high <= MAX_PRICE):
        return Money(note="price out of range")
    return Money(low, high if high is not None and high > low else None, currency)


def _written_price(text: str, currency: str) -> Money:
    text = _SPACED_CENTS.sub(lambda match: ".".join(part for part in match.groups() if part), _CSS.sub(" ", text))
    if _NEGATIVE.match(text):
        return Money(note="price negative")
    if _MULTIBUY.search(text) or _PERIOD.search(text):
        return Money(note="price unreadable")
    amounts = list(_amounts(text, currency))
    if not amounts:
        return Money(note="price unreadable")
    first = amounts[0]
    if len(amounts) > 1 and _RANGE.fullmatch(text[first.end : amounts[1].start]):
        low, high = sorted((first.value, amounts[1].value))
        return _checked(low, high, first.currency or amounts[1].currency or currency)
    return _checked(first.value, None, first.currency or currency)


def _amounts(text: str, hint: str) -> Iterator[_Amount]:
    """Yield the amounts that may be the price; without any currency sign the text must hold little else."""
    signed = _CURRENCY_ONLY.search(text) is not None
    words = {word.casefold() for word in _WORD.findall(_AMOUNT.sub(" ", _CURRENCY_ONLY.sub(" ", text)))}
    if not signed and words - _HARMLESS:
        return
    spoken = 0
    for match in _AMOUNT.finditer(text):
        sign = match["before"] or match["after"] or ""
        leading, spoken = _WORD.findall(text[spoken : match.start()]), match.end()
        if match["percent"] or (signed and not sign and not _in_range(text, match)):
            continue
        if any(word.casefold() in _NOT_THE_PRICE for word in leading):
            continue
        code = currency_code(sign, prefer=hint)
        number = written_number(match["number"], decimal_comma=(code or hint) in _DECIMAL_COMMA)
        if number is not None:
            yield _Amount(number, code, match.start(), match.end())


def _in_range(text: str, match: re.Match[str]) -> bool:
    """Return whether an unsigned amount is one end of a range: `10 - $20`, `$10 - 20`."""
    before, after = text[: match.start()].rstrip(), text[match.end() :]
    joined = re.search(r"(?:-|–|—|~|\bto|\bbis)$", before) or re.match(r"\s*(?:-|–|—|~|to\b|bis\b)\s*\S*\d", after)
    return joined is not None
