"""Prices: what bounds them, and what is no price at all."""

from __future__ import annotations

import pytest

from tests.unit.tools.lexicons import brief, read


def budget(text: str, asked: str | None = None) -> list[str]:
    return [line.replace("budget", "") for line in brief(read(text, asked=asked)) if "budget" in line]


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("boots under $50", ["<=50"]),
        ("boots below 50 dollars", ["<=50"]),
        ("less than 50 bucks", ["<=50"]),
        ("no more than $45", ["<=45"]),
        ("not more than 45 euros", ["<=45"]),
        ("up to €80", ["<=80"]),
        ("max 25€", ["<=25"]),
        ("25€ max", ["<=25"]),
        ("$60 tops", ["<=60"]),
        ("$60 or less", ["<=60"]),
        ("at most forty bucks", ["<=40"]),
        ("forty-five dollars or under", ["<=45"]),
        ("a hundred dollars at most", ["<=100"]),
        ("under $1,000", ["<=1000"]),
        ("under $1,299.99", ["<=1299.99"]),
        ("under 49.99 usd", ["<=49.99"]),
        ("within a budget of 70", ["<=70"]),
        ("my budget is 70", ["<=70"]),
        ("budget of $35", ["<=35"]),
        ("I can spend 120", ["<=120"]),
        ("I don't want to spend more than 30 usd", ["<=30"]),
        ("I can't go above 500$", ["<=500"]),
        ("nothing over $90", ["<=90"]),
        ("at least $100", [">=100"]),
        ("over 200 dollars", [">=200"]),
        ("$100 and up", [">=100"]),
        ("$100+", [">=100"]),
        ("not under $50", [">=50"]),
        ("around $30", ["~30"]),
        ("about 30 bucks", ["~30"]),
        ("roughly £20", ["~20"]),
        ("$40 or so", ["~40"]),
        ("$40ish", ["~40"]),
        ("40-ish dollars", ["~40"]),
        ("between 40 and 60 dollars", ["..40,60"]),
        ("between $40 and $60", ["..40,60"]),
        ("20-30 dollars", ["..20,30"]),
        ("$20 to $30", ["..20,30"]),
        ("from $60 to 40", ["..40,60"]),
        ("price range 20 to 30", ["..20,30"]),
        ("boots under 50", ["<=50"]),
        ("boots under 50 please", ["<=50"]),
        ("jeans under 60, blue", ["<=60"]),
        ("under 2k dollars", ["<=2000"]),
        ("a $50 bag", ["~50"]),
    ],
)
def test_prices(text, bounds):
    assert budget(text) == bounds


@pytest.mark.parametrize(
    "text",
    [
        "heels under 3 inches",
        "Under Armour shirt",
        "under armour",
        "a bag over 20 liters",
        "over 500 reviews",
        "at least 4 stars",
        "size 9 boots",
        "size under 10",
        "5 pack of socks",
        "501 jeans",
        "for my 5 year old",
        "kids under 12",
        "under 10 lbs",
        "32x34 jeans",
        "1990s jacket",
        "men over 60",
        "100% cotton",
        "2 pairs",
    ],
)
def test_no_price(text):
    assert budget(text) == []


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("50", ["<=50"]),
        ("under 50", ["<=50"]),
        ("fifty", ["<=50"]),
        ("about 40", ["~40"]),
        ("20 to 30", ["..20,30"]),
        ("between 20 and 30", ["..20,30"]),
        ("100 max", ["<=100"]),
        ("at least 80", [">=80"]),
    ],
)
def test_a_budget_question_makes_a_number_a_price(text, bounds):
    assert budget(text, asked="budget") == bounds


def test_a_number_beyond_64_bits_is_no_price_and_is_said_to_be_unexplained():
    reading = read("boots under $99999999999999999999999")
    assert budget("boots under $99999999999999999999999") == []
    assert "99999999999999999999999" in reading.unexplained


def test_a_stated_bound_is_hard_and_a_bare_price_soft():
    assert read("under $50").facts[0].strength == "hard"
    assert read("a $50 bag").facts[0].strength == "soft"
    assert read("ideally under $50").facts[0].strength == "soft"
