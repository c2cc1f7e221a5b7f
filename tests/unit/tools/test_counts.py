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
    ],
)
def test_counts(text, facts):
    assert brief(read(text)) == facts


@pytest.mark.parametrize(
    "text", ["a pair of", "9 stars", "five star hotel vibe 2020", "1 pair", "one pack", "star print"]
)
def test_no_count(text):
    assert not [line for line in brief(read(text)) if line.startswith(("rating=9", "quantity", "rating>=9"))]
