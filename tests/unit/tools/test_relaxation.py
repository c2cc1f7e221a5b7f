"""Hard constraints narrow; what is given up costs least and is said aloud."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from catalog.search import ProductIndex
from graph.events import ConstraintAdded, Fact, fold
from tests.stores import Stores, item
from tools.relaxation import Narrowed, narrow

SHELF = [
    item("REDBIG", "Canvas tote", 60, Color="red", Size="large"),
    item("REDSMALL", "Canvas tote", 20, Color="red", Size="small"),
    item("NAVYBIG", "Canvas tote", 25, Color="navy", Size="large"),
    item("LEATHER", "Leather satchel", 90, Color="navy", Material="leather"),
    item("SILENT", "Canvas tote"),
]


@pytest.fixture(scope="module")
def index(stores: Stores) -> ProductIndex:
    return stores.index(SHELF)


def fact(attribute: str, value: Any, **extra: Any) -> Fact:
    return Fact.model_validate({"attribute": attribute, "value": value, **extra})


RED, LARGE, CHEAP = fact("color", "red"), fact("size", "large"), fact("budget", 30.0, op="le")
NOT_LEATHER = fact("material", "leather", polarity="negative")


def narrowed(index: ProductIndex, *facts: Fact, among: tuple[str, ...] = ()) -> tuple[list[str], Narrowed]:
    asins = list(among) or [str(row["parent_asin"]) for row in SHELF]
    ids = np.asarray(index.ids(asins), np.int32)
    result = narrow(index, fold(ConstraintAdded(turn=1, fact=f) for f in facts), ids)
    return index.parent_asins(result.ids), result


def given_up(result: Narrowed) -> list[str]:
    return [row["fact"] for row in result.relaxed]


def test_nothing_hard_narrows_nothing(index: ProductIndex) -> None:
    names, result = narrowed(index, RED.model_copy(update={"strength": "soft"}))
    assert len(names) == 5
    assert (result.relaxed, result.notices) == ([], [])


def test_what_violates_goes_and_what_is_silent_stays_in_the_order_given(index: ProductIndex) -> None:
    names, result = narrowed(index, RED, among=("SILENT", "NAVYBIG", "REDSMALL"))
    assert names == ["SILENT", "REDSMALL"]
    assert result.notices == []


def test_no_candidate_is_no_relaxation(index: ProductIndex) -> None:
    empty = narrow(index, fold([ConstraintAdded(turn=1, fact=RED)]), np.empty(0, np.int32))
    assert (len(empty.ids), empty.relaxed, empty.notices) == (0, [], [])


def test_the_cheapest_wish_is_given_up_and_said(index: ProductIndex) -> None:
    names, result = narrowed(index, RED, LARGE, CHEAP, among=("REDBIG", "REDSMALL", "NAVYBIG"))
    assert names == ["REDBIG"]
    assert given_up(result) == ["at most $30"]
    assert result.relaxed[0] == {"attribute": "budget", "op": "le", "value": 30.0, "fact": "at most $30"}
    assert result.notices == [
        "I found nothing with at most $30 that is also color red, size large; these come closest."
    ]


def test_an_exclusion_outlasts_a_wish(index: ProductIndex) -> None:
    names, result = narrowed(index, NOT_LEATHER, fact("color", "green"), among=("LEATHER", "REDBIG", "REDSMALL"))
    assert names == ["REDBIG", "REDSMALL"]
    assert given_up(result) == ["color green"]


def test_an_exclusion_is_given_up_when_nothing_else_is_there(index: ProductIndex) -> None:
    names, result = narrowed(index, NOT_LEATHER, among=("LEATHER",))
    assert names == ["LEATHER"]
    assert result.notices == ["I found nothing with not material leather; these come closest."]


def test_the_kind_of_product_is_given_up_last(index: ProductIndex) -> None:
    tote, navy = fact("category", "tote"), fact("color", "navy")
    names, result = narrowed(index, tote, navy, CHEAP, among=("LEATHER", "REDBIG"))
    assert names == ["REDBIG"]
    assert given_up(result) == ["color navy", "at most $30"]


def test_all_that_is_kept_gave_up_the_same(index: ProductIndex) -> None:
    names, result = narrowed(index, fact("color", "green"), LARGE, among=("REDSMALL", "NAVYBIG", "REDBIG"))
    assert names == ["NAVYBIG", "REDBIG"]
    assert given_up(result) == ["color green"]
