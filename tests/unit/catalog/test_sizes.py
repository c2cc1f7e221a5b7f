"""One spelling for each size, and nothing that is no size."""

from __future__ import annotations

import pytest

from catalog.sizes import canonical_size, pack_quantity, sizes_of_field, sizes_of_title
from catalog.titles import cut_title


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("S", "s"),
        ("S.", "s"),
        ("Size-S", "s"),
        ("SizeL", "l"),
        ("Suit-S", "s"),
        ("small", "s"),
        ("X-Large", "xl"),
        ("Extra Large", "xl"),
        ("XXL", "2xl"),
        ("2XL", "2xl"),
        ("2x", "2xl"),
        ("XX-Large", "2xl"),
        ("3X-Large", "3xl"),
        ("One Size Fits All", "one size"),
        ("8 1/2", "8.5"),
        ("8.5 wide", "8.5 wide"),
        ("8 W", "8 wide"),
        ("32W", "32"),
        ("US 8", "8"),
        ("EU 39", "eu 39"),
        ("UK 4", "uk 4"),
        ("34W x 30L", "34x30"),
        ("34 B", "34b"),
        ("3T", "3t"),
        ("Toddler 5", "5t"),
        ("12-18 Months", "12-18 months"),
        ("9 inch", "9 inch"),
        ("Big & Tall", "big and tall"),
        ("150 inch", "150 inch"),
        ("King", "king"),
        ("Queen Size", "queen"),
        ("Cal King", "california king"),
        ("Twin XL", "twin xl"),
        ("8' x 10'", "8x10"),
        ("5 x 7 ft", "5x7"),
        ("22.5 x 55 Inch", "22.5x55"),
    ],
)
def test_spellings_of_a_size_are_one(text: str, size: str) -> None:
    assert canonical_size(text) == size


@pytest.mark.parametrize(
    "text", ["10 ml", "Beige", "Pack of 12", "1PC", "", "Mens", "100% cotton", "Regular", "9 mm", "46x", "10x8x4"]
)
def test_what_is_no_size_is_none(text: str) -> None:
    assert canonical_size(text) is None


def test_a_field_lists_sizes() -> None:
    assert list(sizes_of_field("XS | S | M | Citrine")) == ["xs", "s", "m"]
    assert list(sizes_of_field("S/M")) == ["s", "m"]
    assert list(sizes_of_field("L (12-14)")) == ["l"]


@pytest.mark.parametrize(
    ("title", "sizes"),
    [
        ("Wrap Dress, Blue, Large", ["l"]),
        ("Linen Trousers 34x30 Sand", ["34x30"]),
        ("Rain Boot, Size 8.5 Wide", ["8.5 wide"]),
        ("Fleece Hoodie XX-Large", ["2xl"]),
        ("Romper (12-18 Months)", ["12-18 months"]),
        ("Striped Top (M)", ["m"]),
        ('Rope Chain, 16", Gold', ["16 inch"]),
        ("Linen Duvet Cover, King, White", ["king"]),
        ("Cotton Sheet Set Full Size", ["full"]),
        ("Area Rug 8x10 Grey", ["8x10"]),
        ("Shag Runner 2 x 7 ft", ["2x7"]),
    ],
)
def test_a_title_states_a_size(title: str, sizes: list[str]) -> None:
    assert list(dict.fromkeys(sizes_of_title(title, cut_title(title)))) == sizes


@pytest.mark.parametrize(
    "title",
    [
        "Large Tote Bag",
        "Serial Cable M/M",
        "Toner 1 pc(s)",
        "Slim Wallet - Mens",
        "Small Dog Print Tee",
        "Socks fit sizes 6-12",
        "Rock Tee, Queen, Black",
        "Queen Band Hoodie",
        "Lion King Throw Blanket",
        "Cotton Blanket Full of Stars",
    ],
)
def test_a_title_that_states_no_size(title: str) -> None:
    assert list(sizes_of_title(title, cut_title(title))) == []


@pytest.mark.parametrize(
    ("text", "number"),
    [("Crew Socks 12-Pack", 12), ("Pack of 3 Bras", 3), ("6 Pairs Liners", 6), ("5pcs Rings", 5)],
)
def test_a_pack_has_a_number(text: str, number: int) -> None:
    assert pack_quantity(text) == number


@pytest.mark.parametrize("text", ["2 Piece Outfit", "Backpack", "1 pack", "Model 501"])
def test_a_single_thing_is_no_pack(text: str) -> None:
    assert pack_quantity(text) is None
