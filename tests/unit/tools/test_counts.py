"""Ratings, review counts and quantities."""

from __future__ import annotations

import pytest

from tests.unit.tools.lexicons import brief, read


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("at least 4 stars", ["rating>=4"]),
        ("4+ stars", ["rating>=4"]),
        ("4 stars and up", ["rating>=4"]),
        ("four stars or better", ["rating>=4"]),
        ("rated 4.5 or higher", ["rating>=4.5"]),
        ("rating above 4", ["rating>=4"]),
        ("a rating of at least 4.2", ["rating>=4.2"]),
        ("minimum rating 4", ["rating>=4"]),
        ("4.5 out of 5", ["rating>=4.5"]),
        ("over 500 reviews", ["review_count>=500"]),
        ("at least 1,000 reviews", ["review_count>=1000"]),
        ("500+ reviews", ["review_count>=500"]),
        ("more than 200 customer reviews", ["review_count>=200"]),
        ("2k reviews or more", ["review_count>=2000"]),
        ("at least 300 ratings", ["review_count>=300"]),
        ("at least 4 stars and over 500 reviews", ["rating>=4", "review_count>=500"]),
        ("a pack of 3", ["quantity=3"]),
        ("6-pack", ["quantity=6"]),
        ("12 pairs", ["quantity=12"]),
        ("set of two", ["quantity=2"]),
        ("three pack", ["quantity=3"]),
        ("200 five star reviews", ["review_count>=200"]),
        ("more than a hundred verified ratings", ["review_count>=100"]),
        ("two and a half stars", ["rating>=2.5"]),
        ("500 plus reviews", ["review_count>=500"]),
        ("4.5+ stars and 1000+ reviews", ["rating>=4.5", "review_count>=1000"]),
        ("a dozen", ["quantity=12"]),
        ("half a dozen", ["quantity=6"]),
        ("two dozen", ["quantity=24"]),
        ("two pairs", ["quantity=2"]),
        ("two pieces of it", ["quantity=2"]),
        ("7 piece set", ["quantity=7"]),
    ],
)
def test_counts(text, facts):
    assert brief(read(text)) == facts


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("I need three shirts in black", "3"),
        ("get me 2 slim fit jeans", "2"),
        ("looking for 2 white t-shirts under 40", "2"),
        ("two red canvas bags please", "2"),
        ("a dress, two belts", "2"),
        ("i'd like to order 20 towels", "20"),
        ("two denim jackets", "2"),
    ],
)
def test_a_number_before_a_plural_counts_it(text, count):
    reading = read(text)
    assert f"quantity={count}" in brief(reading)
    assert [fact.strength for fact in reading.facts if fact.attribute == "quantity"] == ["soft"]


@pytest.mark.parametrize(
    "text",
    [
        "a pair of",
        "9 stars",
        "five star hotel vibe 2020",
        "1 pair",
        "one pack",
        "star print",
        "one with good reviews",
        "the two pairs of jeans",
        "those two pairs",
        "one of the dresses",
        "two tone shoes",
        "three quarter sleeve shirts",
        "4 way stretch jeans",
        "two piece dresses",
        "a 3 piece suit",
        "2 button jackets",
        "show me two dresses",
        "the first two shirts",
        "for my two kids",
        "I have two kids",
        "it comes in three colors",
        "want 3 inch sandals",
        "I need 501 jeans",
        "i need 8 boots",
        "need it in 5 days",
        "dozens of shirts",
        "a dozen times",
        "three stripe sneakers",
        "buy 2 get 1 free",
        "four leaf clover socks",
        "25 quid tops",
        "40 tops",
    ],
)
def test_no_count(text):
    assert not [line for line in brief(read(text)) if line.startswith(("rating=9", "quantity", "rating>=9", "review"))]
