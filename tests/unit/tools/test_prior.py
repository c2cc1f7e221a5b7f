"""What speaks for a product before its values are compared with what was said."""

from __future__ import annotations

import numpy as np
import pytest

from catalog.search import ProductIndex
from graph.events import AttributeAsked, BeliefState, ConstraintAdded, Event, Fact, PreferenceDeclined, fold
from tests.stores import Stores, item
from tools.constants import PriorConstants, ranking_constants
from tools.prior import log_prior, record_units

C = ranking_constants().record
BOTH = np.arange(2, dtype=np.int32)


@pytest.fixture(scope="module")
def index(stores: Stores) -> ProductIndex:
    wordy = item("WORDY", "Scarf of silk", 20, features="Soft on the skin", Care="Hand wash", Origin="Made in Ayr")
    return stores.index([item("TERSE", "Scarf of wool", 20), wordy])


def told(*attributes: str) -> list[Event]:
    """Return the events of an open question and its answer."""
    facts = [Fact.model_validate({"attribute": attribute, "value": "red"}) for attribute in attributes]
    return [AttributeAsked(turn=1, attribute="other"), *(ConstraintAdded(turn=2, fact=fact) for fact in facts)]


def lead(index: ProductIndex, belief: BeliefState) -> float:
    units = record_units(index, belief, BOTH, C)
    terse, wordy = C.told * units["record.told"] + C.silence * units["record.silence"]
    return float(terse - wordy)


def test_the_prior_is_a_mixture_of_purchases_and_of_all_alike(stores: Stores) -> None:
    index = stores.index([item(f"P{n}", f"Scarf {n}", 20, reviews=n) for n in (0, 1, 2, 97)])
    none, one, two, many = log_prior(index, np.arange(4, dtype=np.int32), PriorConstants(weight=1.0, shrinkage=1.0))
    assert none == 0
    assert many == pytest.approx(np.log(1 + 97 / 25), abs=1e-4)
    assert 0 < two - one < 0.04


def test_each_thing_told_speaks_for_the_product_that_says_little_else(index: ProductIndex) -> None:
    counts = dict(zip(index.parent_asins(BOTH), index.statement_counts()[BOTH], strict=True))
    gap = np.log1p(counts["WORDY"]) - np.log1p(counts["TERSE"])
    assert gap > 0
    assert lead(index, BeliefState()) == 0
    opening = ConstraintAdded(turn=1, fact=Fact(attribute="color", value="red"))
    assert lead(index, fold([opening, AttributeAsked(turn=1, attribute="other")])) == 0
    assert lead(index, fold(told("color"))) == pytest.approx(C.told * gap, abs=1e-4)
    assert lead(index, fold(told("color", "style"))) == pytest.approx(2 * C.told * gap, abs=1e-4)


def test_beyond_what_anybody_wishes_for_a_longer_record_is_no_longer(index: ProductIndex) -> None:
    fewest = int(index.statement_counts().min())
    short = C.model_copy(update={"longest": fewest})
    terse, wordy = record_units(index, fold(told("color")), BOTH, short)["record.told"]
    assert terse == wordy < 0


def test_having_nothing_to_add_speaks_against_the_product_with_much_to_say(index: ProductIndex) -> None:
    silent: list[Event] = [AttributeAsked(turn=2, attribute="other"), PreferenceDeclined(turn=3, attribute="other")]
    assert lead(index, fold(silent)) == 0
    assert lead(index, fold([*told("color"), *silent])) > lead(index, fold(told("color")))
    elsewhere = fold([*told("color"), PreferenceDeclined(turn=3, attribute="size")])
    assert lead(index, elsewhere) == lead(index, fold(told("color")))
