"""Names of shelves that hold a price."""

from __future__ import annotations

import pytest

from graph.events import BeliefState
from tests.stores import Stores, item
from tools.language import Reader
from tools.reading import Question

SHELVES = [
    item("CLOG", "Garden clogs", 4, 5, categories="Footwear > Women Clogs Below $4.50"),
    item("MULE", "Felt clogs", 9, 5, categories="Footwear > Women Clogs"),
]


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("Women Clogs Below $4.50", []),
        ("Footwear Women Clogs Below $4.50", []),
        ("Women Clogs Below $4.50, and all of it under $20", [20.0]),
        ("women clogs below $4.50", [4.5]),
        ("clogs below $4.50", [4.5]),
        ("Clogs below $4.50 please", [4.5]),
    ],
)
def test_a_price_within_the_name_of_a_shelf_is_no_limit(stores: Stores, text: str, limits: list[float]) -> None:
    facts = Reader(stores.index(SHELVES).lexicon).read(text, Question(), BeliefState()).facts
    assert [number for fact in facts if fact.attribute == "budget" for number in fact.numbers] == limits
    assert any(fact.attribute == "category" for fact in facts)
