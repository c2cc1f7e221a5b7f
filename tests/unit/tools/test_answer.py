"""The contract of an answer, checked before it leaves."""

from __future__ import annotations

from typing import Any

import pytest

from catalog.search import ProductIndex
from tests.stores import TOWN, Stores
from tools.answer import checked


@pytest.fixture(scope="module")
def index(stores: Stores) -> ProductIndex:
    return stores.index(TOWN)


def rows(*asins: str) -> list[dict[str, Any]]:
    return [{"parent_asin": asin, "score": 1.0} for asin in asins]


def test_a_fair_answer_passes(index: ProductIndex) -> None:
    checked("Here. Which color?", "color", rows("BOOT00", "BOOT01"), index)
    checked("Here.", None, [], index)


@pytest.mark.parametrize(
    ("reply", "attribute", "asins", "problem"),
    [
        (" ", None, (), "blank"),
        ("Which rating?", "rating", (), "must be one of"),
        ("Tell me the color.", "color", (), "asks no question"),
        ("Here.", None, ("BOOT00", "BOOT00"), "none twice"),
        ("Here.", None, tuple(f"BOOT{n:02}" for n in range(11)), "at most 10"),
        ("Here.", None, ("BOOT00", "INVENTED"), "INVENTED"),
    ],
)
def test_an_answer_that_breaks_the_contract_names_the_fault(
    index: ProductIndex, reply: str, attribute: str | None, asins: tuple[str, ...], problem: str
) -> None:
    with pytest.raises(ValueError, match=problem):
        checked(reply, attribute, rows(*asins), index)
