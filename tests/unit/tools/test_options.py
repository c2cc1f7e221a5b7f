"""Which values a question names: real ones that tell the leaders apart, and none that was settled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.product import Product
from graph.events import BeliefState, ConstraintAdded, Fact, fold
from tools.options import LONGEST_OPTION, MOST_OPTIONS, bounds_of, options, price_bands
from tools.phrases import load_table

NOTHING = BeliefState()


def product(asin: str, store: str | None = None, price: float | None = None, **facets: str) -> Product:
    values = {key: tuple(value.split("|")) for key, value in facets.items()}
    return Product(parent_asin=asin, title=asin, store=store, price=price, facets=values)


def named(attribute: str, *leaders: Product, belief: BeliefState = NOTHING, chances: Any = None) -> list[str]:
    weights = np.full(len(leaders), 1 / len(leaders)) if chances is None else np.array(chances)
    return options(attribute, leaders, weights, belief)


def held(attribute: str, value: str, **extra: Any) -> BeliefState:
    return fold([ConstraintAdded(turn=1, fact=Fact.model_validate({"attribute": attribute, "value": value, **extra}))])


RED, NAVY, GREEN = product("A", color="red"), product("B", color="navy|blue"), product("C", color="green")
SILENT = product("D")


def test_the_likeliest_values_come_first_and_at_most_three() -> None:
    black = product("E", color="black")
    assert named("color", RED, NAVY, GREEN, black, chances=[0.1, 0.3, 0.35, 0.25]) == ["green", "blue", "black"]


def test_of_a_value_and_its_kind_one_is_named() -> None:
    assert named("color", NAVY, RED) == ["blue", "red"]


def test_what_all_who_say_anything_have_tells_nothing_apart() -> None:
    both = (product("A", color="red|white"), product("B", color="red|green"), SILENT)
    assert named("color", *both) == ["green", "white"]
    assert named("color", RED, RED, SILENT) == []


def test_one_value_is_no_choice() -> None:
    assert named("color", RED, product("E", color="squat proof"), SILENT) == []
    assert named("color", SILENT) == []


def test_what_the_shopper_excluded_is_not_named_nor_a_kind_of_it() -> None:
    black = product("E", color="black")
    assert named("color", RED, NAVY, GREEN, black, belief=held("color", "blue", polarity="negative")) == [
        "black",
        "green",
        "red",
    ]


def test_what_the_shopper_has_is_not_named() -> None:
    assert named("color", RED, GREEN, NAVY, belief=held("color", "red")) == ["blue", "green"]


@pytest.mark.parametrize(
    "value", ["b00x2", "a value of far more than so many letters", "12345", "imported", "womens cut"]
)
def test_a_value_that_nobody_would_say_is_not_named(value: str) -> None:
    assert named(
        "feature", product("A", feature=value), product("B", feature="warm"), product("C", feature="soft")
    ) == [
        "soft",
        "warm",
    ]


def test_a_value_that_names_another_attribute_is_not_named() -> None:
    leaders = [product(str(n), brand=brand) for n, brand in enumerate(("color house", "size up", "halvor", "lissac"))]
    assert named("brand", *leaders) == ["Halvor", "Lissac"]


def test_a_question_on_style_names_values_of_the_one_facet_that_splits_most() -> None:
    leaders = [
        product("A", sleeve="long sleeve", neck="v neck"),
        product("B", neck="crew neck"),
        product("C", style="boho"),
    ]
    assert named("style", *leaders) == ["crew neck", "v neck"]


def test_a_question_on_use_names_no_seasons() -> None:
    leaders = [
        product("A", season="winter", use_case="gym"),
        product("B", season="summer"),
        product("C", use_case="beach"),
    ]
    assert named("use_case", *leaders) == ["beach", "gym"]
    assert named("use_case", *leaders[:2]) == []


def test_names_are_written_as_people_write_them() -> None:
    stores = [product("A", store="Harrow & Quill", brand="harrow quill"), product("B", brand="lissac")]
    assert named("brand", *stores) == ["Harrow & Quill", "Lissac"]
    assert named("size", product("A", size="m"), product("B", size="2xl"), product("C", size="10.5")) == [
        "M",
        "2XL",
        "10.5",
    ]
    assert named("use_case", product("A", occasion="easter"), product("B", occasion="party")) == ["Easter", "party"]


def test_sizes_ascend() -> None:
    assert named("size", *(product(size, size=size) for size in ("11", "7", "9.5"))) == ["7", "9.5", "11"]


def test_prices_come_in_bands_that_products_are_in() -> None:
    assert named("budget", *(product(str(p), price=p) for p in (12.5, 31.0, 80.0))) == [
        "under $30",
        "$30 to $75",
        "over $75",
    ]
    assert price_bands([19.0, 21.0]) == ["under $20", "over $20"]
    assert price_bands([20.0, 20.0]) == price_bands([]) == []


@given(st.lists(st.floats(0.01, 200_000), max_size=30))
def test_every_band_holds_a_price_and_every_price_is_in_a_band(prices: list[float]) -> None:
    bands = [bounds_of(band) for band in price_bands(prices)]
    assert len(bands) in (0, 2, 3)

    def within(price: float, op: str, amount: Any) -> bool:
        if op == "between":
            return bool(amount[0] <= price <= amount[1])
        return bool(price <= amount if op == "le" else price >= amount)

    assert all(any(within(price, *band) for price in prices) for band in bands)
    assert not bands or all(any(within(price, *band) for band in bands) for price in prices)


@given(st.lists(st.sampled_from(["red", "navy", "blue", "green", "black", "b2", "imported"]), min_size=1, max_size=8))
def test_options_are_two_or_three_real_ones_or_none(colors: list[str]) -> None:
    found = named("color", *(product(str(n), color=color) for n, color in enumerate(colors)))
    assert len(found) in (0, *range(2, MOST_OPTIONS + 1))
    assert set(found) <= set(colors) - {"b2", "imported"}
    assert all(len(value) <= LONGEST_OPTION for value in found)


def test_the_amounts_ascend() -> None:
    amounts = load_table("options")["round_amounts"]
    assert amounts == sorted(set(amounts))
