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
        ("sub $40 boots", ["<=40"]),
        ("sub-50 jeans", ["<=50"]),
        ("$75 is too much", ["<=75"]),
        ("anything above 60 dollars is way too expensive", ["<=60"]),
        ("over 80 would be out of my range", ["<=80"]),
        ("under 10 dollars is too cheap", [">=10"]),
        ("more than 50 but less than 90", ["..50,90"]),
        ("less than 90 bucks but more than 50", ["..50,90"]),
        ("over $20 and under $40", ["..20,40"]),
        ("no less than $50 no more than $100", ["..50,100"]),
        ("from 50 up to 80 dollars", ["..50,80"]),
        ("between 10 & 20 dollars", ["..10,20"]),
        ("btw 40 n 60 bucks", ["..40,60"]),
        ("forty or fifty bucks", ["..40,50"]),
        ("something in the 20 to 30 range", ["..20,30"]),
        ("not $40, more like $60", ["~60"]),
        ("not 40 dollars but 60", ["~60"]),
        ("under $10 and over 500 pages", ["<=10"]),
        ("no idea, but I have a budget of under $300", ["<=300"]),
        ("a bag without open backs whose price is lower than $60", ["<=60"]),
        ("size 10 boots under 50", ["<=50"]),
        ("boots size 10 under 50", ["<=50"]),
        ("boots for girls under 40", ["<=40"]),
        ("jeans for men under 60", ["<=60"]),
        ("2 shirts under 30 each", ["<=30"]),
        ("I have 200 to spend", ["<=200"]),
        ("I've only got $80", ["<=80"]),
        ("30 or less", ["<=30"]),
        ("40 n under pls", ["<=40"]),
        ("under a tenner", ["<=10"]),
        ("under 50 cents", ["<=0.5"]),
        ("$.99 socks", ["~0.99"]),
        ("less than a couple hundred dollars", ["<=200"]),
        ("under one fifty", ["<=150"]),
        ("thirty something dollars", ["~30"]),
        ("under rs 2000", ["<=2000"]),
        ("below 1,50,000 rupees", ["<=150000"]),
        ("under 1.5 lakh rupees", ["<=150000"]),
        ("max 500/-", ["<=500"]),
        ("under 1.299,00 €", ["<=1299"]),
        ("under C$80", ["<=80"]),
        ("CAD 60 max", ["<=60"]),
        ("about 45 AUD", ["~45"]),
        ("under 20 pounds", ["<=20"]),
        ("£12.50", ["~12.5"]),
        ("30 - 45 EUR", ["..30,45"]),
        ("EUR 50", ["~50"]),
        ("500 kr max", ["<=500"]),
        ("my budget is two fifty", ["<=250"]),
        ("a couple hundred bucks tops", ["<=200"]),
        ("I can stretch to 90", ["<=90"]),
        ("$25/pair", ["~25"]),
        ("20€-30€", ["..20,30"]),
        ("50 - 75 range", ["..50,75"]),
        ("12.50 pounds", ["~12.5"]),
        ("a jacket under 50 pound", ["<=50"]),
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
        "under -20 dollars",
        "under minus five dollars",
        "boots for -$50",
        "$1e999 boots",
        "a bag that weighs under 2 pounds",
        "a 20 pound bag of rice",
        "2 pounds of dark chocolate",
        "I lost 20 pounds and need jeans",
        "the price of those two",
        "what do the two coats cost",
        "the price of the grey one",
        "one with good reviews that costs less than it does",
        "50% off",
        "$20 off",
        "for an extra $50",
        "a $25 gift card",
        "2 for $20",
        "buy 2 get 1 free",
        "air max 90",
        "a phone 12 max case",
        "ages over 3 but under 12",
        "kids over 3 but under 12",
        "shipping cost to the 4014 area",
        "call 555-123-4567",
        "a few hundred dollars",
        "boots good to -20C",
        "free shipping over 50",
        "order #4482910",
        "a 5k run",
        "1950s swing dress",
        "24/7 wear",
        "zip code 90210",
        "size 8 under 10 years",
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
