"""Prices, ratings and counts as shops write them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.money import Money, currency_code, parse_price
from catalog.numbers import parse_count, parse_rating, written_number


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("15.00", 15.0, ""), ("1,299", 1299.0, ""), ("12,5", 12.5, ""), ("1.5e3", 1500.0, ""), ("1.2E+02", 120.0, ""),
        ("$19.99", 19.99, "USD"), ("$ 1,234,567.89", 1234567.89, "USD"), ("US$15", 15.0, "USD"), ("$.99", 0.99, "USD"),
        ("15.00 USD", 15.0, "USD"), ("26.00 EUR", 26.0, "EUR"), ("EUR 1.299", 1299.0, "EUR"), ("USD50", 50.0, "USD"),
        ("1.299,00 €", 1299.0, "EUR"), ("€ 1.299,-", 1299.0, "EUR"), ("1 299,00 kr", 1299.0, "SEK"),
        ("1'299.00 CHF", 1299.0, "CHF"), ("₹1,29,999", 129999.0, "INR"), ("Rs. 999", 999.0, "INR"),
        ("R$ 1.299,90", 1299.9, "BRL"), ("C$20", 20.0, "CAD"), ("£5", 5.0, "GBP"), ("zł 40", 40.0, "PLN"),
        ("from 20", 20.0, ""), ("Was $20.00 Now $15.00", 15.0, "USD"), ("$12.99 ($1.08 / Ounce)", 12.99, "USD"),
        ("$12.99 + $5 shipping", 12.99, "USD"), ("$24.50 $ 24 . 50", 24.5, "USD"), ("５０", 50.0, ""),
        ("$ 31 49 $45.00 #note { margin: 4px !important; } #note .x:hover { top: 5px; } Save $13.51", 31.49, "USD"),
    ],
)  # fmt: skip
def test_prices(text: str, amount: float, currency: str) -> None:
    assert parse_price(text) == Money(amount, None, currency)


@pytest.mark.parametrize(
    ("text", "low", "high", "currency"),
    [
        ("$895.00 - $2,497.50", 895.0, 2497.5, "USD"), ("10-20", 10.0, 20.0, ""), ("$10 - 20", 10.0, 20.0, "USD"),
        ("10 - $20", 10.0, 20.0, "USD"), ("15.99 to 20.99 EUR", 15.99, 20.99, "EUR"), ("20 – 10", 10.0, 20.0, ""),
        ("1.299,00 - 2.000,00 €", 1299.0, 2000.0, "EUR"),
    ],
)  # fmt: skip
def test_ranges_give_both_ends(text: str, low: float, high: float, currency: str) -> None:
    assert parse_price(text) == Money(low, high, currency)


@pytest.mark.parametrize(
    ("value", "note"),
    [
        ("Too low to display", "price unreadable"), ("Only 2 left in stock", "price unreadable"),
        ("true", "price unreadable"), ("2 for $10", "price unreadable"), ("$9.99/month", "price unreadable"),
        ("20% off", "price unreadable"), ("1.2.3", "price unreadable"), ("You save $5", "price unreadable"),
        ("11.0.1", "price unreadable"), (True, "price not a number"), (float("nan"), "price not a number"),
        ("NaN", "price not a number"), (float("inf"), "price not a number"), (10**400, "price not a number"),
        ("1e999", "price out of range"), (5e12, "price out of range"), (0, "price zero"), ("$0.00", "price zero"),
        (-5, "price negative"), ("-$5.00", "price negative"), ("$ -5", "price negative"),
    ],
)  # fmt: skip
def test_what_is_no_price_is_unknown_and_says_why(value: object, note: str) -> None:
    assert parse_price(value) == Money(note=note)


@pytest.mark.parametrize("value", [None, "", " ", "N/A", "-", []])
def test_an_empty_price_needs_no_note(value: object) -> None:
    assert parse_price(value) == Money()


def test_a_named_currency_settles_shared_signs_but_not_other_ones() -> None:
    assert parse_price("$20", "CAD").currency == "CAD"
    assert parse_price("20", "EUR").currency == "EUR"
    assert parse_price("£20", "EUR").currency == "GBP"
    assert parse_price({"amount": "12.50", "currency": "EUR"}) == Money(12.5, None, "EUR")
    assert currency_code("kr", prefer="NOK") == "NOK"
    assert currency_code("glass beads") == ""


def test_a_machine_number_keeps_its_decimal_dot_in_any_currency() -> None:
    assert parse_price("49.950", "EUR").amount == 49.95


@given(st.decimals(min_value="0.01", max_value="9999999", places=2))
def test_a_grouped_dollar_price_reads_back(amount: object) -> None:
    assert parse_price(f"${amount:,}").amount == pytest.approx(float(f"{amount}"))


@given(st.one_of(st.text(), st.floats(), st.integers(), st.booleans()))
def test_any_cell_gives_a_finite_positive_price_or_none(value: object) -> None:
    money = parse_price(value)
    assert money.amount is None or (math.isfinite(money.amount) and 0 < money.amount <= 1e9)
    assert money.high is None or (money.amount is not None and money.high > money.amount)


@pytest.mark.parametrize(
    ("text", "number"),
    [("1,234", 1234), ("1.234,5", 1234.5), ("1.234", 1.234), ("0,999", 0.999), ("1.234.567", 1234567), ("1.2.3", None)],
)
def test_written_numbers(text: str, number: float | None) -> None:
    assert written_number(text) == number


@pytest.mark.parametrize(
    ("value", "rating"),
    [(4.5, 4.5), ("4.5", 4.5), ("4,5", 4.5), ("4.5 out of 5 stars", 4.5), ("9/10", 4.5), (0, None), ("0.0", None)],
)
def test_ratings(value: object, rating: float | None) -> None:
    assert parse_rating(value) == (rating, "")


@pytest.mark.parametrize("value", ["good", True, float("nan"), "87", 6, -1, "4/0"])
def test_bad_ratings_are_unknown_with_a_note(value: object) -> None:
    reading = parse_rating(value)
    assert reading.value is None
    assert reading.note


@pytest.mark.parametrize(
    ("value", "count"),
    [(12, 12), ("12", 12), ("1,234", 1234), ("(87)", 87), ("1.2k", 1200), ("1.6k+", 1600), ("12 reviews", 12),
     ("1,024 global ratings", 1024), ("1.234 Bewertungen", 1234), (12.0, 12), ([{}, {}], 2), (0, 0)],
)  # fmt: skip
def test_counts(value: object, count: int) -> None:
    assert parse_count(value) == (count, "")


@pytest.mark.parametrize(
    "value", ["Only 2 left in stock", "100+ sold recently", True, float("nan"), -3, 2**70, "1e999"]
)
def test_what_counts_something_else_is_unknown_with_a_note(value: object) -> None:
    reading = parse_count(value)
    assert reading.value is None
    assert reading.note
