from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.product import Product
from evals.official.cards import HiddenCard, category_phrase, hidden_card, price_text, value_class
from evals.official.tables import tables


def product(**fields: object) -> Product:
    return Product.model_validate({"parent_asin": "A000000001", "title": "Plain thing"} | fields)


def test_features_come_before_details_and_empty_details_are_dropped() -> None:
    card = hidden_card(product(features=("Imported", "Zip closure"), details={"Fit": " ", "Collar": "shawl", "A": "b"}))
    assert card == HiddenCard(("Imported", "Zip closure"), ("Collar: shawl", "A: b"))


def test_the_first_material_and_the_first_colour_of_any_text_lead_the_card() -> None:
    card = hidden_card(product(features=("Soft",), description=("Grey Wool, lined with RED silk",)))
    assert card.values == ("wool", "color: grey", "Soft")


def test_a_colour_without_a_material_stands_second() -> None:
    assert hidden_card(product(title="Orange cap", features=("Brim", "Strap"))).values == (
        "Brim",
        "color: orange",
        "Strap",
    )


def test_words_inside_words_are_neither_materials_nor_colours() -> None:
    assert hidden_card(product(features=("Tapered silky woollen blend",))).values == ("Tapered silky woollen blend",)


def test_details_are_searched_as_key_and_value() -> None:
    assert hidden_card(product(details={"Leather": "none"})).hard[0] == "leather"


@pytest.mark.parametrize(("price", "text"), [(25.0, "25"), (39.5, "39.50"), (39.99, "39.99"), (1200.0, "1200")])
def test_a_price_is_the_last_candidate(price: float, text: str) -> None:
    assert price_text(price) == text
    assert hidden_card(product(features=("Brim",), price=price)).values[-1] == f"budget around ${text}"


def test_values_are_squeezed_stripped_cut_and_not_repeated() -> None:
    long = "x" * 200
    card = hidden_card(product(features=(" - Two\t\n spaces ;.", "Two spaces", "...", long)))
    assert card.values == ("Two spaces", "x" * 180)


def test_soft_values_fall_back_on_the_first_when_there_are_fewer_than_three() -> None:
    assert hidden_card(product(features=("a1", "b2"))) == HiddenCard(("a1", "b2"), ("a1",))
    assert hidden_card(product(features=("a1", "b2", "c3"))) == HiddenCard(("a1", "b2"), ("c3",))
    assert hidden_card(product()) == HiddenCard(("Plain thing",), ("Plain thing",))


def test_a_clean_card_leaves_bookkeeping_out_of_the_values_and_of_the_searched_text() -> None:
    kept = product(details={"Price Text": "red $9", "CURRENCY": "AED", "Source": "feed", "Lining": "mesh"})
    assert hidden_card(kept).values == ("Price Text: red $9", "color: red", "CURRENCY: AED", "Source: feed")
    assert hidden_card(kept, clean=True).values == ("Lining: mesh",)


@pytest.mark.parametrize(
    ("categories", "phrase"),
    [
        (("Clothing, Shoes & Jewelry", "Women", "Clothing", "Dresses", "Casual"), "Dresses Casual"),
        (("Clothing, Shoes & Jewelry", "Women"), "Women"),
        (("Clothing, Shoes & Jewelry",), "clothing item"),
        ((), "clothing item"),
        (("Home", "Bed, Bath"), "Bed Bath"),
        (("Only, , ",), "Only"),
    ],
)
def test_category_phrase(categories: tuple[str, ...], phrase: str) -> None:
    assert category_phrase(product(categories=categories)) == phrase


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("budget around $25", "budget"),
        ("Under 30 in black", "budget"),
        ("List: <= 9", "budget"),
        ("Underwire 3", "feature"),
        ("cotton", "material"),
        ("Material: Acrylic", "material"),
        ("black wool", "material"),
        ("color: orange", "color"),
        ("White soles", "color"),
        ("Size: 10", "size"),
        ("Wide toe", "size"),
        ("Department: womens", "style"),
        ("V neck", "style"),
        ("For hiking and gym", "use_case"),
        ("Network shirt", "feature"),
        ("Imported", "feature"),
    ],
)
def test_value_class(value: str, name: str) -> None:
    assert value_class(value) == name


@given(
    st.lists(st.text(max_size=220), max_size=5),
    st.dictionaries(st.text(max_size=12), st.text(max_size=40), max_size=4),
    st.none() | st.floats(0.01, 5000),
)
def test_every_card_is_well_formed(features: list[str], details: dict[str, str], price: float | None) -> None:
    card = hidden_card(product(features=features, details=details, price=price))
    assert 1 <= len(card.hard) <= 2
    assert 1 <= len(card.soft) <= 2
    assert len(set(card.hard)) == len(card.hard)
    for value in card.values:
        assert 0 < len(value) <= 180
        assert value == value.lstrip(" -;,.\t\n")
        assert not re.search(r"\s\s", value)
        assert value_class(value) in {group.name for group in tables().classes} | {"feature"}


def test_the_data_file_holds_a_sentence_for_every_scenario() -> None:
    assert set(tables().opening) == set(tables().scenarios)
    assert sum(tables().scenarios.values()) == 100
    for sentences in tables().opening.values():
        assert all("{category}" in sentence for sentence in sentences)
    for name in ("buying", "intent_override"):
        assert all("{value}" in sentence for sentence in tables().opening[name])
    assert "{values}" in tables().reply.reveal
    assert "{value}" in tables().reply.override
