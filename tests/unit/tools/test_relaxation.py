"""Hard constraints narrow; what is given up costs least and is said aloud."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.judge import judge_product
from catalog.product import Product
from catalog.search import ProductIndex
from graph.events import BeliefState, ConstraintAdded, Fact, ProductsRejected, ProductsShown, fold
from tests.stores import TOWN, Stores, item
from tools.constants import ranking_constants
from tools.explanation import describe
from tools.pool import gather, query_words
from tools.relaxation import Narrowed, instead, narrow, nearest, withheld_ids

SHELF = [
    item("REDBIG", "Canvas tote", 60, Color="red", Size="large"),
    item("REDSMALL", "Canvas tote", 20, Color="red", Size="small"),
    item("NAVYBIG", "Canvas tote", 25, Color="navy", Size="large"),
    item("LEATHER", "Leather satchel", 90, Color="navy", Material="leather"),
]
SILENT = item("SILENT", "Canvas tote")


@pytest.fixture(scope="module")
def index(stores: Stores) -> ProductIndex:
    return stores.index(SHELF)


@pytest.fixture(scope="module")
def silent(stores: Stores) -> ProductIndex:
    return stores.index([*SHELF, SILENT])


def fact(attribute: str, value: Any, **extra: Any) -> Fact:
    return Fact.model_validate({"attribute": attribute, "value": value, **extra})


RED, LARGE, CHEAP = fact("color", "red"), fact("size", "large"), fact("budget", 30.0, op="le")
NOT_LEATHER = fact("material", "leather", polarity="negative")


def narrowed(
    index: ProductIndex, *facts: Fact, among: tuple[str, ...] = (), without: tuple[str, ...] = ()
) -> tuple[list[str], Narrowed]:
    asins = list(among) or index.parent_asins(np.arange(index.size, dtype=np.int32))
    ids, withheld = (np.asarray(index.ids(names), np.int32) for names in (asins, without))
    result = narrow(index, believing(*facts), ids, np.sort(withheld))
    return index.parent_asins(result.ids), result


def believing(*facts: Fact) -> BeliefState:
    return fold(ConstraintAdded(turn=1, fact=f) for f in facts)


def given_up(result: Narrowed) -> list[str]:
    return [row["fact"] for row in result.relaxed]


def test_nothing_hard_narrows_nothing(silent: ProductIndex) -> None:
    names, result = narrowed(silent, RED.model_copy(update={"strength": "soft"}))
    assert len(names) == 5
    assert result.relaxed == []


def test_what_violates_goes_and_what_is_silent_stays_in_the_order_given(silent: ProductIndex) -> None:
    names, result = narrowed(silent, RED, among=("SILENT", "NAVYBIG", "REDSMALL"))
    assert names == ["SILENT", "REDSMALL"]
    assert result.dropped == {"color red": 1}


def test_nothing_is_given_up_while_any_product_of_the_catalog_meets_all(silent: ProductIndex) -> None:
    names, result = narrowed(silent, RED, CHEAP, among=("NAVYBIG",))
    assert names == ["REDSMALL", "SILENT"]
    assert result.relaxed == []


def test_the_cheapest_wish_is_given_up_as_little_as_will_do(index: ProductIndex) -> None:
    names, result = narrowed(index, RED, LARGE, CHEAP, without=("REDSMALL",))
    assert names == ["NAVYBIG"], "another color costs less than twice the price"
    assert given_up(result) == ["color red"]
    names, result = narrowed(index, RED, LARGE, fact("budget", 50.0, op="le"))
    assert names == ["REDBIG"]
    (row,) = result.relaxed
    assert (row["fact"], row["instead"]) == ("at most $50", "at most $60")


def test_a_limit_moves_no_further_than_it_must(index: ProductIndex) -> None:
    names, result = narrowed(index, fact("category", "tote"), fact("budget", 15.0, op="le"))
    assert names == ["REDSMALL"]
    assert result.relaxed[0]["instead"] == "at most $20"


def test_an_exclusion_outlasts_a_wish(index: ProductIndex) -> None:
    green = fact("color", "green")
    names, result = narrowed(index, NOT_LEATHER, green)
    assert names == ["REDBIG", "REDSMALL", "NAVYBIG"]
    assert given_up(result) == ["color green"]


def test_an_exclusion_is_given_up_when_nothing_else_is_there(stores: Stores) -> None:
    names, result = narrowed(stores.index(SHELF[3:]), NOT_LEATHER)
    assert names == ["LEATHER"]
    assert given_up(result) == ["not material leather"]


def test_the_kind_of_product_is_given_up_last(index: ProductIndex) -> None:
    satchel, red = fact("category", "satchel"), fact("color", "red")
    names, result = narrowed(index, satchel, red, CHEAP)
    assert names == ["LEATHER"]
    assert given_up(result) == ["color red", "at most $30"]


def test_a_kind_that_is_sold_is_not_answered_by_what_states_none(stores: Stores) -> None:
    index = stores.index([item("BOOT", "Rain boots", 40, Color="black"), item("THING", "Crystal moon", 5)])
    ids = np.arange(2, dtype=np.int32)
    wanted = believing(fact("category", "rain boots"), fact("color", "red"))
    result = narrow(index, wanted, ids)
    assert (index.parent_asins(result.ids), given_up(result)) == (["BOOT"], ["color red"])
    shown = narrow(index, believing(fact("category", "rain boots")), ids, np.asarray([0], np.int32))
    assert (index.parent_asins(shown.ids), shown.seen) == (["THING"], 0)
    unsold = narrow(index, believing(fact("category", "tents"), fact("color", "red")), ids)
    assert (index.parent_asins(unsold.ids), unsold.relaxed) == (["THING"], [])


def test_what_is_firm_is_never_given_up(index: ProductIndex) -> None:
    must = fact("color", "green", firm=True)
    names, result = narrowed(index, must, LARGE)
    assert (names, result.relaxed) == ([], [])
    near = nearest(index, believing(must, LARGE))
    assert near is not None
    assert (index.parent_asins([near.id]), near.broken) == (["REDBIG"], [must])


def test_weaker_wishes_give_way_before_a_firm_one(index: ProductIndex) -> None:
    names, result = narrowed(index, fact("color", "red", firm=True), fact("size", "huge"), CHEAP)
    assert names == ["REDSMALL"]
    assert given_up(result) == ["size huge"]


def test_of_equal_sets_the_one_that_more_products_have_is_kept(stores: Stores) -> None:
    names, result = narrowed(stores.index(SHELF[1:]), RED, LARGE)
    assert (names, given_up(result)) == (["NAVYBIG", "LEATHER"], ["color red"])


def test_of_sets_as_large_the_one_with_the_best_known_product_is_kept(stores: Stores) -> None:
    known = item("KNOWN", "Canvas tote", 20, 500, Color="red", Size="small")
    names, result = narrowed(stores.index([SHELF[2], known]), RED, LARGE)
    assert (names, given_up(result)) == (["KNOWN"], ["size large"])


def test_what_was_shown_or_excluded_does_not_come_back_when_all_that_fits_was_seen(silent: ProductIndex) -> None:
    names, result = narrowed(silent, RED, CHEAP, without=("REDSMALL", "SILENT"))
    assert (names, result.relaxed, result.seen) == ([], [], 2)
    nothing, left = narrowed(silent, without=tuple(str(row["parent_asin"]) for row in [*SHELF, SILENT]))
    assert (nothing, left.seen) == ([], 5)


def test_the_nearest_price_is_told_when_no_survivor_is_known_to_keep_to_the_budget(silent: ProductIndex) -> None:
    tight = fact("budget", 10.0, op="le")
    _, result = narrowed(silent, tight, RED)
    assert result.price == (tight, 20.0)
    assert narrowed(silent, CHEAP, RED)[1].price is None


@pytest.mark.parametrize(
    ("wish", "number", "expected"),
    [
        (fact("budget", 10.0, op="le"), 12.5, ("le", 15.0)),
        (fact("budget", 10.0, op="lt"), 10.0, ("le", 10.0)),
        (fact("budget", 5.0, op="le"), 6.99, ("le", 7.0)),
        (fact("budget", 100.0, op="le"), 1234.0, ("le", 1300.0)),
        (fact("budget", 50.0, op="ge"), 43.0, ("ge", 40.0)),
        (fact("budget", 20.0, op="around"), 31.0, ("between", [16.0, 35.0])),
        (fact("budget", [20.0, 40.0], op="between"), 12.0, ("between", [10.0, 40.0])),
        (fact("rating", 4.5, op="ge"), float(np.float32(4.2)), ("ge", 4.2)),
        (fact("review_count", 1000.0, op="ge"), 312.0, ("ge", 310.0)),
    ],
)
def test_a_limit_moves_to_a_round_amount_that_the_number_meets(wish: Fact, number: float, expected: Any) -> None:
    moved = instead(wish, number)
    assert moved is not None
    assert (moved.op, moved.value) == expected


def test_no_bound_moves_nowhere() -> None:
    assert instead(RED, 3.0) is None


def test_what_was_chosen_is_not_withheld(index: ProductIndex) -> None:
    belief = fold(
        [ProductsShown(turn=1, products=["REDBIG", "LEATHER"]), ProductsRejected(turn=2, products=["LEATHER"])]
    )
    assert index.parent_asins(withheld_ids(index, belief, "full")) == ["LEATHER"]
    assert index.parent_asins(withheld_ids(index, belief, "confident")) == ["REDBIG", "LEATHER"]
    chosen = belief.model_copy(update={"chosen": ["REDBIG"]})
    assert index.parent_asins(withheld_ids(index, chosen, "confident")) == ["LEATHER"]


ATTRIBUTES = {
    "category": ["boots", "dress", "backpack", "satchel"],
    "color": ["red", "navy", "blue", "black", "green", "brown"],
    "material": ["leather", "canvas", "nylon", "cotton", "linen", "silk"],
    "size": ["7", "9", "11", "m", "xl"],
    "brand": ["corvane", "tarnholt", "nobody"],
}
LIMITS = st.builds(
    lambda op, amount: fact("budget", amount, op=op),
    st.sampled_from(["le", "ge", "around"]),
    st.sampled_from([3.0, 20.0, 45.0, 90.0, 200.0]),
)
VALUES = st.sampled_from(sorted(ATTRIBUTES)).flatmap(
    lambda name: st.builds(
        lambda value, polarity, firm: fact(name, value, polarity=polarity, firm=firm and name != "category"),
        st.sampled_from(ATTRIBUTES[name]),
        st.sampled_from(["positive", "positive", "negative"]),
        st.sampled_from([False, False, False, True]),
    )
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    wishes=st.lists(VALUES | LIMITS, min_size=1, max_size=5),
    withheld=st.sets(st.integers(0, len(TOWN) - 1), max_size=12),
)
def test_against_judging_every_product_of_the_catalog_one_by_one(
    stores: Stores, wishes: list[Fact], withheld: set[int]
) -> None:
    index = stores.index(TOWN)
    belief = believing(*wishes)
    facts = belief.constraints
    gone = np.asarray(sorted(withheld), np.int32)
    constants = ranking_constants()
    shallow = constants.pool.model_copy(update={"text": 2, "structured": 2, "popular": 2, "thin": 0})
    query = query_words(index, belief)
    pool = gather(index, belief, query, constants.model_copy(update={"pool": shallow})).ids
    result = narrow(index, belief, pool, gone, query)
    products = index.products(np.arange(index.size, dtype=np.int32))
    sold = {v for product in products for v in product.facets.get("category", ())}

    def broken(product: Product) -> frozenset[int]:
        verdicts = [judge_product(fact, product) for fact in facts]
        kinds = [f.attribute == "category" and f.polarity == "positive" and f.value in sold for f in facts]
        return frozenset(
            n for n, (v, kind) in enumerate(zip(verdicts, kinds, strict=True)) if v < 0 or (kind and v == 0)
        )

    sets = [broken(product) for product in products]
    free = {row: gave_up for row, gave_up in enumerate(sets) if row not in withheld}
    relaxed = frozenset(n for n, f in enumerate(facts) if any(row["fact"] == describe(f) for row in result.relaxed))
    assert not set(result.ids.tolist()) & withheld
    if not all(sets):
        fit = [row for row in free if all(judge_product(fact, products[row]) >= 0 for fact in facts)]
        assert not relaxed
        assert bool(len(result.ids)) == bool(fit)
        assert set(result.ids.tolist()) <= set(fit)
        assert bool(result.seen) == (not fit)
        return
    firm = {n for n, fact in enumerate(facts) if fact.firm}
    firm |= {n for n, fact in enumerate(facts) if firm and fact.attribute == "category" and fact.value in sold}
    able = [gave_up for gave_up in free.values() if not gave_up & firm]
    assert bool(len(result.ids)) == bool(able)
    assert all(sets[int(row)] == relaxed for row in result.ids)
    assert not any(gave_up < relaxed for gave_up in able if not any(facts[n].attribute == "budget" for n in gave_up))
