"""The candidate pool: products worth scoring, found in more than one way."""

from __future__ import annotations

import numpy as np
import pytest

from catalog.search import ProductIndex
from graph.events import Event, Fact, QueryTextAdded, fold
from tests.stores import TOWN, Stores
from tests.unit.tools.test_evidence import SHELF, fact, said
from tools.constants import ranking_constants
from tools.pool import gather, holding, query_words

C = ranking_constants()
RED = fact("color", "red")


@pytest.fixture(scope="module")
def index(stores: Stores) -> ProductIndex:
    return stores.index(SHELF)


@pytest.fixture(scope="module")
def town(stores: Stores) -> ProductIndex:
    return stores.index(TOWN)


def test_the_query_holds_raw_words_and_wanted_values_and_nothing_excluded(index: ProductIndex) -> None:
    not_wool = fact("material", "wool", polarity="negative")
    events = [QueryTextAdded(turn=1, text="warm wool scarf"), said(RED), said(not_wool), said(fact("budget", 9.0))]
    assert set(query_words(index, fold(events)).split()) == {"warm", "scarf", "red"}


def test_the_latest_words_come_first_and_each_once(index: ProductIndex) -> None:
    events = [QueryTextAdded(turn=1, text="warm scarf"), QueryTextAdded(turn=2, text="long scarf")]
    assert query_words(index, fold(events)) == "long scarf warm"


def test_a_kind_is_searched_by_the_shoppers_word_where_the_catalog_has_it(index: ProductIndex) -> None:
    headwear = fact("category", "headwear", text="cap")
    assert query_words(index, fold([said(headwear)])) == "cap"
    unsold = fact("category", "cap", text="kepi")
    assert query_words(index, fold([said(unsold)])) == "cap"


def test_what_is_stated_in_a_form_is_searched_as_it_is_written(index: ProductIndex) -> None:
    shade = {"text": "red scarf", "confidence": 1.0}
    assert query_words(index, fold([said(fact("color", "red", source="structured", **shade))])) == "red scarf"
    assert query_words(index, fold([said(fact("color", "red", source="lexicon", **shade))])) == "red"


def names(index: ProductIndex, *events: Event, query: str = "", **pool: int) -> list[str]:
    constants = C.model_copy(update={"pool": C.pool.model_copy(update=pool)})
    return index.parent_asins(gather(index, fold(events), query, constants).ids)


def test_the_pool_unites_text_facts_and_the_popular(index: ProductIndex) -> None:
    small = {"text": 1, "structured": 1, "popular": 1, "thin": 0}
    assert set(names(index, said(RED), query="tissue paper", **small)) == {"UNPRICED", "CHEAP", "KNOWN"}


def test_nothing_said_leaves_the_popular(index: ProductIndex) -> None:
    assert names(index, popular=2, thin=0) == ["KNOWN", "CAP"]


def test_a_thin_pool_is_filled_with_what_holds(index: ProductIndex) -> None:
    costly = said(fact("budget", 50.0, op="ge"))
    thin = names(index, costly, query="cap", text=1, structured=1, popular=0, thin=0)
    filled = names(index, costly, query="cap scarf", text=1, structured=1, popular=0, thin=2)
    assert "DEAR" not in thin
    assert "DEAR" in filled


@pytest.mark.parametrize(
    ("wish", "found"),
    [
        (fact("budget", 80.0, op="around"), {"DEAR"}),
        (fact("feature", "comes in red tissue paper", op="contains"), {"UNPRICED"}),
        (fact("color", ["navy", "green"], op="one_of"), {"DEAR", "KNOWN"}),
        (fact("color", "red", polarity="negative"), set()),
    ],
)
def test_facts_find_the_products_that_carry_them(index: ProductIndex, wish: Fact, found: set[str]) -> None:
    assert set(names(index, said(wish), popular=0, thin=0)) == found


def test_the_best_matched_are_kept_when_many_match(town: ProductIndex) -> None:
    events = [said(fact("color", "red")), said(fact("material", "leather")), said(fact("size", "9"))]
    assert names(town, *events, structured=1, popular=0, thin=0) == ["BOOT07"]


@pytest.mark.parametrize("sort_cost", [0, 10_000])
@pytest.mark.parametrize("popular", [4, 9, 100_000])
@pytest.mark.parametrize("wishes", [("red", "leather", "9"), ("red", "leather"), ("red",)])
def test_a_large_catalog_is_not_passed_through_for_the_best_matched(
    town: ProductIndex, monkeypatch: pytest.MonkeyPatch, wishes: tuple[str, ...], popular: int, sort_cost: int
) -> None:
    keys = {"red": "color", "leather": "material", "9": "size"}
    events = [said(fact(keys[value], value)) for value in wishes]
    ranked = [set(names(town, *events, structured=most, popular=0, thin=0)) for most in range(1, 9)]
    monkeypatch.setattr("tools.pool._SORT_COST", sort_cost)
    monkeypatch.setattr("tools.pool._POPULAR", popular)
    assert [set(names(town, *events, structured=most, popular=0, thin=0)) for most in range(1, 9)] == ranked


def test_what_holds_violates_nothing_and_may_be_unknown(index: ProductIndex) -> None:
    ids = np.arange(index.size, dtype=np.int32)
    kept = holding(index, [fact("budget", 50.0, op="le"), fact("color", "red", polarity="negative")], ids)
    assert index.parent_asins(kept) == ["UNPRICED", "KNOWN", "CAP"]
