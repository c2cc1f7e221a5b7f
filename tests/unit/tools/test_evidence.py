"""The evidence score: what each fact says for or against a product."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from catalog.search import ProductIndex
from graph.events import (
    BeliefState,
    ConstraintAdded,
    ConstraintReplaced,
    ConstraintRetracted,
    Event,
    Fact,
    PreferenceDeclined,
    ProductsChosen,
    ProductsShown,
    QueryTextAdded,
    fold,
)
from tests.stores import Stores, item
from tools.constants import ranking_constants
from tools.evidence import (
    fact_evidence,
    overlap,
    price_bounds,
    statement_ids,
    unexplained_words,
    unit_terms,
    weigh,
    word_units,
)
from tools.weights import CREDITS, NAMES, constant, weights, with_weights

C = ranking_constants()
SHELF = [
    item("CHEAP", "Wool scarf", 20, 5, Color="red", features="Hand knitted in small batches by local makers"),
    item("DEAR", "Wool scarf", 80, 5, Color="navy", features="Long enough to go twice around the neck and tie"),
    item("UNPRICED", "Wool scarf", None, 5, features="Comes in red tissue paper"),
    item("KNOWN", "Wool scarf", 20, 5_000, Color="green", Material="wool"),
    item("CAP", "Cotton cap", 15, 50, Material="cotton", features="Hand knitted in small batches by hand"),
]


@pytest.fixture(scope="module")
def index(stores: Stores) -> ProductIndex:
    return stores.index(SHELF)


def fact(attribute: str, value: Any, **extra: Any) -> Fact:
    return Fact.model_validate({"attribute": attribute, "value": value, **extra})


def evidence(index: ProductIndex, wish: Fact) -> dict[str, float]:
    ids = np.arange(index.size, dtype=np.int32)
    values = fact_evidence(index, wish, ids, C)
    assert values.dtype == np.float32
    return dict(zip(index.parent_asins(ids), (round(float(v), 3) for v in values), strict=True))


def scores(index: ProductIndex, *events: Event, query: str = "") -> dict[str, float]:
    ids = np.arange(index.size, dtype=np.int32)
    weighed = weigh(index, fold(events), query, ids, C)
    assert np.allclose(weighed.total, sum(weighed.terms.values()), atol=1e-4)
    return dict(zip(index.parent_asins(ids), map(float, weighed.total), strict=True))


def said(wish: Fact, turn: int = 1) -> Event:
    return ConstraintAdded(turn=turn, fact=wish)


RED = fact("color", "red")


def test_satisfied_costs_nothing_unknown_some_violated_most(index: ProductIndex) -> None:
    of = evidence(index, RED)
    assert of["CHEAP"] == 0
    assert of["DEAR"] < of["CAP"] < of["CHEAP"]


def test_a_contradiction_costs_more_than_silence_however_rare_the_value(index: ProductIndex) -> None:
    text = C.text.model_copy(update={"unknown": 50.0})
    ids = np.arange(index.size, dtype=np.int32)
    values = fact_evidence(index, RED, ids, C.model_copy(update={"text": text}))
    of = dict(zip(index.parent_asins(ids), values, strict=True))
    assert of["CAP"] - of["DEAR"] == pytest.approx(C.text.contradiction, abs=1e-3)


def test_a_mention_takes_away_most_of_what_unknown_costs(index: ProductIndex) -> None:
    of = evidence(index, RED)
    assert of["UNPRICED"] == pytest.approx(of["CAP"] * (1 - C.text.mention_credit), abs=0.01)


def test_a_near_shade_or_the_base_is_most_of_what_was_said_in_other_words(stores: Stores) -> None:
    shelf = [
        *SHELF,
        item("NIGHT", "Wool scarf", 80, 5, Color="dark blue"),
        item("BLUE", "Wool hat", 80, 5, Color="blue"),
    ]
    index = stores.index(shelf)
    of = evidence(index, fact("color", "navy"))
    least = of["UNPRICED"] * (1 - C.text.kin * C.text.mention_credit)
    assert of["NIGHT"] == pytest.approx(least, abs=0.01)
    assert of["BLUE"] == pytest.approx(least, abs=0.01)
    assert of["CHEAP"] < of["UNPRICED"]
    assert evidence(index, fact("color", "navy", source="structured"))["BLUE"] == of["UNPRICED"]


def test_a_soft_wish_weighs_less(index: ProductIndex) -> None:
    hard, soft = evidence(index, RED), evidence(index, RED.model_copy(update={"strength": "soft"}))
    assert soft["DEAR"] == pytest.approx(C.text.soft * hard["DEAR"], abs=0.01)


def test_doubt_weighs_less(index: ProductIndex) -> None:
    doubted = evidence(index, RED.model_copy(update={"confidence": 0.5}))
    assert doubted["DEAR"] == pytest.approx(0.5 * evidence(index, RED)["DEAR"], abs=0.01)


def test_an_exclusion_costs_where_it_is_broken_and_nowhere_else(index: ProductIndex) -> None:
    of = evidence(index, RED.model_copy(update={"polarity": "negative"}))
    assert of == {"CHEAP": -C.negative.violated, "DEAR": 0, "UNPRICED": 0, "KNOWN": 0, "CAP": 0}


def test_a_contradicted_fibre_is_weaker_evidence(index: ProductIndex) -> None:
    assert evidence(index, fact("material", "wool"))["CAP"] == pytest.approx(-C.text.violated_material)


def test_a_price_costs_more_the_farther_it_is_over(index: ProductIndex) -> None:
    of = evidence(index, fact("budget", 40.0, op="le"))
    assert of["CHEAP"] == of["CAP"] == 0
    assert of["UNPRICED"] == -C.numbers.price_unknown
    assert of["DEAR"] == pytest.approx(-C.numbers.price_violated - C.numbers.price_slope * np.log(2), abs=0.01)
    assert evidence(index, fact("budget", 50.0, op="ge"))["DEAR"] == 0
    assert evidence(index, fact("budget", 50.0, op="ge"))["CHEAP"] < -C.numbers.price_violated
    assert evidence(index, fact("budget", [10.0, 30.0], op="between"))["CHEAP"] == 0


def test_around_is_met_within_rounding_and_costs_by_distance(index: ProductIndex) -> None:
    of = evidence(index, fact("budget", 20.4, op="around"))
    assert of["CHEAP"] == 0
    assert -C.numbers.around_cap <= of["DEAR"] < of["CAP"] < 0


@pytest.mark.parametrize("value", [0.0, 1e-9])
def test_an_impossible_price_is_still_a_number(index: ProductIndex, value: float) -> None:
    assert all(np.isfinite(v) for v in evidence(index, fact("budget", value, op="le")).values())


def test_ratings_and_counts_cost_when_below_or_unknown(index: ProductIndex) -> None:
    reviews = evidence(index, fact("review_count", 1000.0, op="ge"))
    assert (reviews["KNOWN"], reviews["CAP"]) == (0, -C.numbers.rating_violated)
    assert set(evidence(index, fact("rating", 4.5, op="ge")).values()) == {-C.numbers.rating_violated}


def test_a_quoted_string_costs_those_that_do_not_carry_it(index: ProductIndex) -> None:
    quoted = fact("feature", "hand knitted in small batches by local makers", op="contains")
    of = evidence(index, quoted)
    assert of["CHEAP"] == 0
    assert of["DEAR"] < of["CAP"] < 0
    unknown = evidence(index, fact("feature", "hand knitted scarf for you", op="contains"))
    assert unknown["DEAR"] < unknown["CAP"] < 0


def test_a_string_cut_at_its_end_is_still_recognised(index: ProductIndex) -> None:
    assert statement_ids(index, "long enough to go twice around the neck and t").tolist() == index.ids(["DEAR"])
    assert statement_ids(index, "knitted by nobody in particular").tolist() == []


def test_a_structured_value_prefers_those_that_say_it_in_these_words(stores: Stores) -> None:
    index = stores.index(
        [item("PLAIN", "Tunic of linen", 20, Material="linen"), item("WORDED", "Tunic", 20, features="100% Linen")]
    )
    worded = fact("material", "linen", source="structured", text="100% Linen", quoted="100% Linen")
    of = evidence(index, worded)
    assert of["WORDED"] == 0
    assert of["PLAIN"] == -C.statement.verbatim
    assert evidence(index, fact("material", "linen"))["PLAIN"] == 0


def test_overlap_is_a_share_of_the_words_by_rarity(index: ProductIndex) -> None:
    ids = np.arange(index.size, dtype=np.int32)
    share = dict(zip(index.parent_asins(ids), overlap(index, "cotton scarf", ids), strict=True))
    assert 0 < share["DEAR"] < share["CAP"] < 1
    assert overlap(index, "umbrella", ids).tolist() == [0] * 5


@pytest.mark.parametrize(
    ("op", "value", "bounds"),
    [
        ("le", 50.0, (0.0, 50.0)),
        ("lt", 0.0, (0.0, 0.01)),
        ("gt", 20.0, (20.0, float("inf"))),
        ("between", [40.0, 20.0], (20.0, 40.0)),
        ("around", 30.0, (30.0, 30.0)),
    ],
)
def test_price_bounds(op: str, value: Any, bounds: tuple[float, float]) -> None:
    assert price_bounds(fact("budget", value, op=op)) == bounds


# --- the whole score -----------------------------------------------------------------------------------------------


def test_with_nothing_said_the_popular_lead(index: ProductIndex) -> None:
    of = scores(index)
    assert max(of, key=of.__getitem__) == "KNOWN"
    mean = C.prior.shrinkage * index.rating_count().mean()
    assert of["CHEAP"] == pytest.approx(C.prior.weight * np.log1p(5 / mean), abs=1e-3)


def test_what_was_said_outweighs_popularity(index: ProductIndex) -> None:
    of = scores(index, said(RED))
    assert max(of, key=of.__getitem__) == "CHEAP"


def test_a_product_passed_over_falls_back_each_time(index: ProductIndex) -> None:
    went_on = [PreferenceDeclined(turn=t, attribute="color") for t in (2, 3)]
    shown = [ProductsShown(turn=t, products=["CHEAP", "gone"]) for t in (1, 2)]
    once = scores(index, shown[0], went_on[0])
    twice = scores(index, shown[0], went_on[0], shown[1], went_on[1])
    assert scores(index, shown[0])["CHEAP"] == pytest.approx(scores(index)["CHEAP"], abs=1e-3)
    assert scores(index)["CHEAP"] - once["CHEAP"] == pytest.approx(C.shown.penalty, abs=1e-3)
    assert scores(index)["CHEAP"] - twice["CHEAP"] == pytest.approx(2 * C.shown.penalty, abs=1e-3)


def test_a_replaced_wish_is_weak_evidence(index: ProductIndex) -> None:
    navy = ConstraintReplaced(turn=2, attribute="color", fact=fact("color", "navy"))
    of, plain = scores(index, said(RED), navy), scores(index, said(fact("color", "navy")))
    assert of["DEAR"] > of["CHEAP"]
    assert of["CHEAP"] - plain["CHEAP"] > of["CAP"] - plain["CAP"]


def test_all_of_a_profile_weighs_less_than_one_spoken_fact(index: ProductIndex) -> None:
    profile = [fact(a, v, source="profile", strength="soft") for a, v in [("color", "green"), ("material", "wool")]]
    events = [ConstraintAdded(turn=0, fact=f) for f in profile]
    gaps = {asin: scores(index)[asin] - score for asin, score in scores(index, *events).items()}
    assert 0 < max(gaps.values()) <= C.text.profile_cap + 1e-6
    of = scores(index, *events, said(RED))
    assert max(of, key=of.__getitem__) == "CHEAP"


def test_unexplained_words_cost_those_that_lack_them(index: ProductIndex) -> None:
    belief = fold([QueryTextAdded(turn=1, text="tissue umbrella red"), said(RED)])
    ids = np.arange(index.size, dtype=np.int32)
    of = dict(zip(index.parent_asins(ids), word_units(index, belief, ids, C), strict=True))
    assert of["UNPRICED"] == 0
    assert of["CAP"] == of["CHEAP"] < 0


def test_words_are_explained_by_facts_and_withdrawn_with_them() -> None:
    text = QueryTextAdded(turn=1, text="red woolly scarf")
    assert unexplained_words(fold([text, said(RED)]), 0.4) == {"woolly": 1.0, "scarf": 1.0}
    gone = ConstraintRetracted(turn=2, attribute="color")
    assert unexplained_words(fold([text, said(RED), gone]), 0.4) == {"woolly": 1.0, "scarf": 1.0}


def test_words_from_before_an_override_weigh_less() -> None:
    events = [
        QueryTextAdded(turn=1, text="warm scarf"),
        ConstraintReplaced(turn=2, attribute=None, fact=RED),
        QueryTextAdded(turn=2, text="warm cap"),
    ]
    assert unexplained_words(fold(events), 0.4) == {"warm": 1.0, "scarf": 0.4, "cap": 1.0}


# --- weights and unit terms ----------------------------------------------------------------------------------------


def everything() -> BeliefState:
    """Return a belief that speaks for or against products in every way there is."""
    wishes = [
        RED,
        fact("material", "cotton"),
        fact("category", "scarf", strength="soft"),
        fact("color", "green", polarity="negative"),
        fact("budget", 30.0, op="le"),
        fact("budget", 21.0, op="around"),
        fact("rating", 4.5, op="ge"),
        fact("feature", "hand knitted in small batches by local makers", op="contains"),
        fact("color", "navy", source="profile"),
    ]
    return fold(
        [
            *map(said, wishes),
            QueryTextAdded(turn=1, text="tissue paper"),
            ProductsShown(turn=1, products=["DEAR"]),
            PreferenceDeclined(turn=2, attribute="other"),
            ProductsChosen(turn=2, products=["KNOWN"]),
        ]
    )


def test_the_score_is_the_sum_of_weight_times_unit_term(index: ProductIndex) -> None:
    ids = np.arange(index.size, dtype=np.int32)
    weight = weights(C)
    units = unit_terms(index, everything(), "wool scarf", ids, C)
    sums = np.zeros(index.size)
    for parts in units.values():
        for name, unit in parts.items():
            assert unit.dtype == np.float32
            sums += weight[name] * unit.astype(float)
    assert np.allclose(sums, weigh(index, everything(), "wool scarf", ids, C).total, atol=1e-3)
    assert {"prior.weight", "shown.penalty", "statement.weight", "text.profile"} <= {
        n for u in units.values() for n in u
    }


def test_a_weight_scales_its_unit_terms_and_nothing_else(index: ProductIndex) -> None:
    ids = np.arange(index.size, dtype=np.int32)
    before = weigh(index, everything(), "wool scarf", ids, C).terms
    heavier = with_weights(C, {"words.weight": C.words.weight + 1})
    after = weigh(index, everything(), "wool scarf", ids, heavier).terms
    gained = word_units(index, everything(), ids, C)
    assert {name for name in before if not np.allclose(before[name], after[name])} == {"words"}
    assert np.allclose(after["words"] - before["words"], gained, atol=1e-4)


def test_weights_and_constants_are_each_other_s_inverse() -> None:
    given = {name: 1.5 + position for position, name in enumerate(NAMES)}
    made = with_weights(C, given)
    found = weights(made)
    assert all(found[name] == pytest.approx(value) for name, value in given.items())
    assert constant(made, "text.mention_credit") == pytest.approx(
        given["text.mention_credit"] / given[CREDITS["text.mention_credit"]]
    )
    assert weights(with_weights(C, {})) == pytest.approx(weights(C))


FILED = [
    item("SNEAKERS", "Canvas sneakers", 30, 5, categories="Women > Shoes"),
    item("JEANS", "Straight jeans", 30, 5, categories="Women > Jeans", features="Pair them with sneakers"),
    item("UNFILED", "Straight jeans", 30, 5, features="Pair them with sneakers"),
    item("SHOES", "Plain shoes", 30, 5, categories="Women > Shoes", features="As light as sneakers"),
]


def test_a_kind_mentioned_by_what_is_filed_under_another_is_hardly_met(stores: Stores) -> None:
    of = evidence(stores.index(FILED), fact("category", "sneakers"))
    assert of["SNEAKERS"] == 0 > of["SHOES"] == of["UNFILED"] > of["JEANS"]
    share = 1 - C.category.mention_credit * C.category.passing
    assert of["JEANS"] == pytest.approx(of["UNFILED"] / (1 - C.category.mention_credit) * share, abs=0.01)


def test_cheaper_looks_for_the_next_price_down(index: ProductIndex) -> None:
    of = evidence(index, fact("budget", 25.0, op="lt"))
    assert 0 > of["CHEAP"] > of["CAP"] > of["UNPRICED"] > of["DEAR"]
    assert evidence(index, fact("budget", 25.0, op="le"))["CAP"] == 0
