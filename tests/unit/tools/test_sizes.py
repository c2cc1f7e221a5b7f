"""Sizes of every kind."""

from __future__ import annotations

import pytest

from tests.unit.tools.lexicons import brief, read


def sizes(text: str, asked: str | None = None) -> list[str]:
    return [line.removeprefix("size=") for line in brief(read(text, asked=asked)) if line.startswith("size")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("size 9", ["9"]),
        ("size 8.5 wide", ["8.5 wide"]),
        ("8.5 wide boots", ["8.5 wide"]),
        ("a size 9 1/2", ["9.5"]),
        ("boots, size is 8", ["8"]),
        ("6.5 size for men", ["6.5"]),
        ("in size large", ["l"]),
        ("large size shirt", ["l"]),
        ("xx-large shirt", ["2xl"]),
        ("XXL shirt", ["2xl"]),
        ("2XL shirt", ["2xl"]),
        ("2x-large", ["2xl"]),
        ("extra large hoodie", ["xl"]),
        ("3x large coat", ["3xl"]),
        ("x-small", ["xs"]),
        ("a medium hoodie", ["m"]),
        ("small black shoes", ["s"]),
        ("size m", ["m"]),
        ("size: S", ["s"]),
        ("32x34 jeans", ["32x34"]),
        ("34 x 30", ["34x30"]),
        ("W32 L34", ["32x34"]),
        ("w32/l34", ["32x34"]),
        ("54w x 29l", ["54x29"]),
        ("waist 34 inseam 30", ["34x30"]),
        ("size 33w and 44l", ["33x44"]),
        ("5T jacket", ["5t"]),
        ("size 5T", ["5t"]),
        ("toddler 5", ["5t"]),
        ("eu 39", ["eu 39"]),
        ("uk 4", ["uk 4"]),
        ("34B", ["34b"]),
        ("one size", ["one size"]),
        ("plus size", ["plus size"]),
        ("big and tall", ["big and tall"]),
        ("12-18 months", ["12-18 months"]),
        ("20mm band", ["20mm"]),
        ("men's size 10 shoes", ["10"]),
        ("size no 9", ["9"]),
        ("size seven boots", ["7"]),
    ],
)
def test_sizes(text, found):
    assert sizes(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "i'm here",
        "men's boots",
        "a small logo",
        "large pockets",
        "3 long sleeve shirts",
        "too small",
        "heel under 3 inches",
        "2020 collection",
        "my size varies",
        "under $50",
    ],
)
def test_no_size(text):
    assert sizes(text) == []


@pytest.mark.parametrize(
    ("text", "found"), [("9", ["9"]), ("m", ["m"]), ("I wear a 10.5", ["10.5"]), ("L please", ["l"])]
)
def test_a_size_question_makes_a_number_or_a_letter_a_size(text, found):
    assert sizes(text, asked="size") == found
    assert sizes(text) == []
