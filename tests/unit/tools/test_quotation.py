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
