"""Catalog strings that are quoted word for word."""

from __future__ import annotations

from typing import Any

import pytest

from catalog.search import ProductIndex
from graph.events import Fact
from tests.stores import Stores, item
from tools.quotation import with_quotations
from tools.reading import Move, Reading

SHELF = [
    item("A", "Mug", features="Keeps the tea warm without bulk | Hand wash; lay flat to dry | 95% Cotton 5% Elastane"),
    item("B", "Two words", features="No leather anywhere in this fine long bullet"),
    item(
        "C",
        "Mat",
        features="Non-Slippery | Teapot for six | Holds heat for hours, pours well with one hand, no drip",
    ),
    item("D", "Bag for grown-ups", Color="red", features="Child Medium Size 8-10", Department="Men"),
]


@pytest.fixture(scope="module")
def index(stores: Stores) -> ProductIndex:
    return stores.index(SHELF)


def saying(message: str, words: str, act: Any = "add", **extra: Any) -> Move:
    start = message.index(words)
    values = {"attribute": "feature", "value": words.lower(), "span": (start, start + len(words)), "text": words}
    return Move(act=act, fact=Fact.model_validate(values | extra))


def quoted(index: ProductIndex, message: str, *moves: Move) -> list[tuple[str, str, str]]:
    reading = with_quotations(Reading(moves=list(moves)), message, index)
    return [(m.act, m.fact.op, m.fact.value) for m in reading.moves if m.fact]


def test_a_quoted_string_becomes_a_fact_with_its_words(index: ProductIndex) -> None:
    message = "I like: Keeps the  tea warm without bulk"
    (move,) = with_quotations(Reading(), message, index).moves
    assert move.fact is not None
    assert (move.act, move.fact.op, move.fact.value) == ("add", "contains", "keeps the tea warm without bulk")
    assert (move.fact.strength, move.fact.text) == ("soft", "Keeps the  tea warm without bulk")


def test_a_short_string_is_no_quotation(index: ProductIndex) -> None:
    assert quoted(index, "two words") == []


def test_an_exclusion_inside_a_quotation_is_part_of_it(index: ProductIndex) -> None:
    message = "Keeps the tea warm without bulk"
    bulk = saying(message, "bulk", act="negate", polarity="negative")
    assert quoted(index, message, bulk) == [("add", "contains", message.lower())]


def test_a_quotation_that_is_itself_excluded_is_no_wish(index: ProductIndex) -> None:
    message = "anything but, I want no 95% Cotton 5% Elastane"
    cotton = saying(message, "Cotton", act="negate", attribute="material", polarity="negative")
    assert quoted(index, message, cotton) == [("negate", "eq", "cotton")]


def test_pieces_of_a_string_that_a_frame_cut_are_joined(index: ProductIndex) -> None:
    message = "Hand wash; lay flat to dry"
    pieces = [saying(message, part, op="contains", strength="hard") for part in ("Hand wash", "lay flat to dry")]
    reading = with_quotations(Reading(moves=pieces), message, index)
    assert [(f.op, f.value, f.strength) for f in reading.facts] == [("contains", message.lower(), "hard")]


def test_a_long_quotation_explains_every_word_in_it(index: ProductIndex) -> None:
    message = "No leather anywhere in this fine long bullet"
    leather = saying(message, "leather", attribute="material")
    assert quoted(index, message, leather) == [("add", "contains", message.lower())]


def test_a_value_in_a_short_quotation_stands_beside_it(index: ProductIndex) -> None:
    message = "95% Cotton 5% Elastane"
    cotton = saying(message, "Cotton", attribute="material")
    assert quoted(index, message, cotton) == [("add", "eq", "cotton"), ("add", "contains", message.lower())]


def test_a_fact_that_covers_the_whole_quotation_stands(index: ProductIndex) -> None:
    message = "95% Cotton 5% Elastane"
    whole = saying(message, message, attribute="material")
    assert quoted(index, message, whole) == [("add", "eq", message.lower())]


def test_a_quotation_takes_the_place_of_what_it_replaces(index: ProductIndex) -> None:
    message = "ignore that: Hand wash; lay flat to dry"
    part = saying(message, "lay flat to dry", act="replace", op="contains")
    reading = with_quotations(Reading(moves=[part.model_copy(update={"value": "all"})]), message, index)
    assert [(m.act, m.value) for m in reading.moves] == [("replace", "all")]


def test_moves_outside_the_quotation_stay(index: ProductIndex) -> None:
    message = "in red. Keeps the tea warm without bulk"
    red = saying(message, "red", attribute="color")
    undo = Move(act="other")
    reading = with_quotations(Reading(moves=[red, undo]), message, index)
    assert [move.act for move in reading.moves] == ["add", "other", "add"]


def test_a_quotation_known_by_its_beginning_goes_on_to_where_the_words_part(index: ProductIndex) -> None:
    message = "Holds heat for hours, pours well with one hand, no drip and is blue"
    drip = saying(message, "drip", act="negate", polarity="negative")
    assert quoted(index, message, drip) == [("add", "contains", message[:-12].lower())]


def test_what_the_quoted_products_contradict_was_misread(index: ProductIndex) -> None:
    message = "for him. Child Medium Size 8-10"
    child = saying(message, "Child", attribute="department", value="kids", strength="hard")
    assert quoted(index, message, child) == [("add", "contains", "child medium size 8-10")]
    elsewhere = saying(message, "him", attribute="department", value="kids", strength="hard")
    assert ("add", "eq", "kids") in quoted(index, message, elsewhere)


def test_a_denial_that_products_make_of_themselves_is_the_wish_itself(index: ProductIndex) -> None:
    message = "a mat. Non-Slippery"
    skid = saying(message, "Slippery", act="negate", polarity="negative", strength="hard")
    assert quoted(index, message, skid) == [("add", "contains", "non-slippery")]
    outside = "not Teapot for six"
    teapot = saying(outside, "Teapot for six", act="negate", op="contains", polarity="negative")
    assert quoted(index, outside, teapot) == [("negate", "contains", "teapot for six")]


def test_a_structured_value_keeps_the_words_that_the_catalog_has_for_it(index: ProductIndex) -> None:
    message = "A key requirement is: Color: Red."
    red = saying(message, "Red", attribute="color", source="structured")
    (move,) = with_quotations(Reading(moves=[red]), message, index).moves
    assert move.fact is not None
    assert move.fact.quoted == "Color: Red"
    plain = with_quotations(Reading(moves=[saying("Color: Red", "Red", attribute="color")]), "Color: Red", index).moves
    assert [move.fact.quoted for move in plain if move.fact] == [""]
