"""Why a product is shown: verdicts, and the words that decide them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from catalog.search import ProductIndex
from graph.events import Fact
from tests.stores import Stores, item
from tools.explanation import describe, evidence_of, unconfirmed

SHELF = [
    item(
        "FULL",
        "Women's Navy V-Neck Tunic",
        39.5,
        1234,
        Material="wool blend",
        store="Halvor",
        features="Pull-on closure | Hand wash only",
        categories="Clothing > Women > Tunics",
    ),
    item("BARE", "Something"),
]


@pytest.fixture(scope="module")
def index(stores: Stores) -> ProductIndex:
    return stores.index(SHELF)


def fact(attribute: str, value: Any, **extra: Any) -> Fact:
    return Fact.model_validate({"attribute": attribute, "value": value, **extra})


def row(index: ProductIndex, wish: Fact, asin: str = "FULL", relaxed: Any = ()) -> dict[str, Any]:
    ((found,),) = evidence_of(index, np.asarray(index.ids([asin]), np.int32), [wish], list(relaxed))
    return found


def test_a_satisfied_fact_quotes_its_field(index: ProductIndex) -> None:
    assert row(index, fact("color", "navy")) == {
        "attribute": "color",
        "op": "eq",
        "value": "navy",
        "polarity": "positive",
        "verdict": "satisfied",
        "fact": "color navy",
        "field": "title",
        "words": "Navy",
    }


@pytest.mark.parametrize(
    ("wish", "field", "words"),
    [
        (fact("material", "wool"), "details.Material", "wool"),
        (fact("style", "v neck", detail="neck"), "title", "V-Neck"),
        (fact("feature", "hand wash"), "features[2]", "Hand wash"),
        (fact("brand", "halvor"), "store", "Halvor"),
        (fact("category", "tunics"), "categories", "Tunics"),
        (fact("department", "womens"), "title", "Women's"),
        (fact("color", "blue"), "derived", "navy"),
        (fact("budget", 40.0, op="le"), "price", "$39.50"),
        (fact("rating", 4.0, op="ge"), "average_rating", "4"),
        (fact("review_count", 100.0, op="ge"), "rating_number", "1,234"),
    ],
)
def test_the_words_that_decide_are_found_where_they_stand(
    index: ProductIndex, wish: Fact, field: str, words: str
) -> None:
    found = row(index, wish)
    assert (found["field"], found["words"]) == (field, words)


@pytest.mark.parametrize(
    "wish", [fact("color", "navy"), fact("budget", 40.0, op="le"), fact("quantity", 2.0), fact("feature", "!?")]
)
def test_what_is_not_known_quotes_nothing(index: ProductIndex, wish: Fact) -> None:
    found = row(index, wish, "BARE")
    assert found["verdict"] == "unknown"
    assert "field" not in found


def test_a_word_inside_another_is_not_quoted(index: ProductIndex) -> None:
    assert "field" not in row(index, fact("feature", "unic"))


def test_what_was_given_up_is_relaxed_and_not_violated(index: ProductIndex) -> None:
    cheap = fact("budget", 10.0, op="le")
    assert row(index, cheap)["verdict"] == "violated"
    given_up = [{"attribute": "budget", "value": 10.0}]
    assert row(index, cheap, relaxed=given_up)["verdict"] == "relaxed"
    assert row(index, fact("budget", 40.0, op="le"), relaxed=given_up)["verdict"] == "satisfied"


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        (fact("color", "navy"), "color navy"),
        (fact("material", "leather", polarity="negative"), "not material leather"),
        (fact("style", "long sleeve", detail="sleeve"), "sleeve long sleeve"),
        (fact("use_case", "office"), "use case office"),
        (fact("color", ["red", "blue"], op="one_of"), "color red, blue"),
        (fact("feature", "pull-on closure", op="contains"), "pull-on closure"),
        (fact("budget", 50.0, op="lt"), "under $50"),
        (fact("budget", 1234.5, op="le"), "at most $1,234.50"),
        (fact("budget", 20.0, op="gt"), "over $20"),
        (fact("budget", 20.0, op="around"), "around $20"),
        (fact("budget", [20.0, 40.0], op="between"), "$20 to $40"),
        (fact("rating", 4.5, op="ge"), "rating at least 4.5"),
        (fact("quantity", 2.0), "quantity 2"),
    ],
)
def test_a_fact_in_words(wish: Fact, words: str) -> None:
    assert describe(wish) == words


def test_a_long_fact_is_cut() -> None:
    words = describe(fact("feature", "word " * 40, op="contains"))
    assert len(words) <= 60
    assert words.endswith("...")


def test_a_wish_that_nothing_shown_is_known_to_meet_is_unconfirmed(index: ProductIndex) -> None:
    soft = {"strength": "soft"}
    facts = [
        fact("color", "navy"),
        fact("size", "9"),
        fact("feature", "waterproof", **soft),
        fact("category", "boots", **soft),
        fact("material", "silk", polarity="negative"),
        fact("brand", "nobody", source="profile"),
    ]
    ids = np.asarray(index.ids(["FULL", "BARE"]), np.int32)
    assert unconfirmed(facts, evidence_of(index, ids, facts, [])) == ["size 9", "category boots"]
    assert unconfirmed(facts, []) == []
    assert unconfirmed([], evidence_of(index, ids, [], [])) == []
