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
        ("womens boots sz 10", ["10"]),
        ("sz 9.5 mens", ["9.5"]),
        ("size 11 womens shoes", ["11"]),
        ("mens 11 sneakers", ["11"]),
        ("11 mens sneakers", ["11"]),
        ("men's 10.5 wide sneakers", ["10.5 wide"]),
        ("womens 8", ["8"]),
        ("8.5 black shoes", ["8.5"]),
        ("shoes 10 w", ["10 wide"]),
        ("size nine and a half", ["9.5"]),
        ("size twelve dress", ["12"]),
        ("size 9 and a half", ["9.5"]),
        ("uk size 6", ["uk 6"]),
        ("size 39 EU boots", ["eu 39"]),
        ("8 uk sneakers", ["uk 8"]),
        ("toddler size 5", ["5t"]),
        ("size 5 toddler", ["5t"]),
        ("onesie 6 months", ["6 months"]),
        ("ages 7-8 years", ["7-8 years"]),
        ("size 2-3 years", ["2-3 years"]),
        ("42 long jacket", ["42 long"]),
        ("size 8 short", ["8 short"]),
        ("anything in L?", ["l"]),
        ("in an M please", ["m"]),
        ("size 10 under 50", ["10"]),
        ("34b in black", ["34b"]),
        ("a 32g bra", ["32g"]),
        ("jeans with a 34 inch waist and 30 inch inseam", ["34x30"]),
        ("36 inch waist, 32 inseam", ["36x32"]),
        ("35 waist 35 long jeans", ["35x35"]),
        ("waist 34 length 32", ["34x32"]),
        ("34 inch waist jeans", ["34"]),
        ("waist size 32", ["32"]),
        ("an 8x10 rug", ["8x10"]),
        ("a 24 x 36 poster", ["24x36"]),
        ("5'x7' rug", ["5x7"]),
        ("70 by 55 inch", ["70x55"]),
        ("17.7 inches by 23.6 inches", ["17.7x23.6"]),
        ("a 10x8x4 inch box", ["10x8x4"]),
        ("curtains 52w x 84l", ["52x84"]),
        ("3 1/2 inch pull", ["3.5 inch"]),
        ("1/2 inch binder", ["0.5 inch"]),
        ("a 150-inch screen", ["150 inch"]),
        ("41 mm band", ["41mm"]),
        ("3.4oz bottle", ["3.4 oz"]),
        ("king size duvet cover", ["king"]),
        ("queen sheets", ["queen"]),
        ("sheet set, queen", ["queen"]),
        ("twin xl mattress", ["twin xl"]),
        ("full size comforter", ["full"]),
        ("california king bed", ["california king"]),
        ("small pocket t-shirt", ["s"]),
        ("a size 14 (UK)", ["uk 14"]),
        ("eur 42 shoes", ["eu 42"]),
        ("size 8.5M boots", ["8.5"]),
        ("size 9 m", ["9"]),
        ("jeans 36/32", ["36x32"]),
        ("size 1x", ["1xl"]),
        ("15 inch laptop", ["15 inch"]),
        ("a small belt bag", ["s"]),
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
        "the sizes of the two coats",
        "a regular sized one",
        "small white dots",
        "it has a large graphic",
        "with a small brand logo",
        "large black straps",
        "medium length",
        "a 3d print",
        "a 60w bulb",
        "32g usb drive",
        "it lasts 6 months",
        "3 months warranty",
        "a 4x4 truck",
        "2x4 lumber",
        "queen band shirt",
        "lion king blanket",
        "full sleeve shirt",
        "double breasted jacket",
        "full-size keyboard",
        "4 sizes",
        "one size up",
        "size 1 count",
        "rated 4.5 shoes",
        "mens 3 pack socks",
        "women's 2 piece set",
        "men's 5 star boots",
        "5'10 and 180 lbs",
        "3 inch heels",
        "30 - 45 EUR",
        "EUR 50",
        "40L backpack",
        "sweet 16 dress",
        "jordan 4 sneakers under 200",
    ],
)
def test_no_size(text):
    assert sizes(text) == []


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("size 8 or 9 sandals", "8,9"),
        ("size 8, 9 or 10", "8,9,10"),
        ("sizes 6-8", "6,7,8"),
        ("size 9.5 to a 10.5", "9.5,10,10.5"),
        ("between a size 9 and 10.5 shoes", "9,9.5,10,10.5"),
        ("6.5 to 7 size sandals", "6.5,7"),
        ("size s/m", "s,m"),
        ("medium or large hoodie", "m,l"),
        ("small to large", "s,m,l"),
        ("size 4 to 40", "4,40"),
        ("size 7.5 us / 38 eu", "7.5,eu 38"),
        ("womens size 9 (eu 40)", "9,eu 40"),
        ("16-18 inch chain", "16 inch,18 inch"),
    ],
)
def test_several_sizes_are_a_choice(text, sizes):
    assert [line for line in brief(read(text)) if line.startswith("size")] == [f"size|{sizes}"]


def test_what_stands_beside_a_size_keeps_its_own_meaning():
    assert brief(read("size 8, 2 pairs of socks")) == ["size=8", "quantity=2", "category=socks"]
    assert brief(read("size 10 5 stars")) == ["size=10", "rating>=5"]
    assert brief(read("womens size 8 and under 50")) == ["department=women", "size=8", "budget<=50"]
    assert brief(read("size 11 mens boots")) == ["size=11", "department=men", "category=boots"]


def test_the_height_of_a_heel_is_no_size():
    assert brief(read("3 inch heels"))[0] == "style*3 inch"
    assert brief(read("a heel height of 3 inches"))[0] == "style*3 inch"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("9", ["9"]),
        ("nine and a half", ["9.5"]),
        ("twelve", ["12"]),
        ("the first one", []),
        ("m", ["m"]),
        ("L please", ["l"]),
    ],
)
def test_a_size_question_makes_a_number_or_a_letter_a_size(text, found):
    assert sizes(text, asked="size") == found
    assert sizes(text) == []


@pytest.mark.parametrize("text", ["I wear a 9", "an 8 please", "A 9."])
def test_a_number_with_an_article_and_nothing_else_is_a_size_whatever_was_asked(text):
    assert len(sizes(text)) == len(sizes(text, asked="budget")) == 1
