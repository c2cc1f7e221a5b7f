"""The sample store is neither easier nor harder than the reference catalog: 50,000 products, seed 7, sparse prices.

The reference figures are those that PROTOCOLS.md and LESSONS.md of the project's material give for the public
catalog; targets fall as purchases do, by rating count.
"""

import json
from collections import defaultdict
from statistics import median

import pytest

from catalog.product import Product
from catalog.sample import write_sample
from evals.official.bound import bound_outcomes
from evals.official.cards import category_phrase, hidden_card
from evals.official.generate import generate_sessions
from evals.scoring import score


@pytest.fixture(scope="module")
def products(tmp_path_factory):
    path = tmp_path_factory.mktemp("sample") / "store.jsonl"
    write_sample(path, products=50_000, seed=7)
    with path.open(encoding="utf-8") as lines:
        return [Product(**json.loads(line)) for line in lines]


@pytest.fixture(scope="module")
def targets(products):
    return generate_sessions(products, 400, "popularity", 11)


@pytest.fixture(scope="module")
def holders(products, targets):
    """Which products hold each value, for each category phrase of a target; value None holds all."""
    wanted = {target.category for target in targets}
    held = defaultdict(set)
    for product in products:
        phrase = category_phrase(product)
        if phrase in wanted:
            held[phrase, None].add(product.parent_asin)
            for value in hidden_card(product).values:
                held[phrase, value].add(product.parent_asin)
    return held


@pytest.fixture(scope="module")
def consistent(targets, holders):
    """Sizes of the sets that fit each target's phrase and the first n values of its card."""

    def sizes(n: int) -> list[int]:
        chosen = ((target.category, (None, *target.card.values[:n])) for target in targets)
        return [len(set.intersection(*(holders[phrase, value] for value in values))) for phrase, values in chosen]

    return sizes


def share(found) -> float:
    found = list(found)
    return sum(found) / len(found)


def test_a_category_leaves_as_many_products_as_in_the_reference(consistent):
    assert 150 <= median(consistent(0)) <= 220


def test_each_card_fact_narrows_as_much_as_in_the_reference(consistent):
    assert 20 <= median(consistent(1)) <= 50
    assert 1 <= median(consistent(2)) <= 5


def test_a_full_card_is_unique_for_most_targets_but_not_for_all(consistent):
    assert 0.70 <= share(size == 1 for size in consistent(4)) <= 0.90


def test_rating_counts_are_heavy_tailed(products):
    counts = sorted(product.rating_number or 0 for product in products)
    assert 10 <= median(counts) <= 14
    assert 0.025 <= share(count > 1000 for count in counts) <= 0.035
    assert 30_000 <= counts[-1] < 100_000


def test_targets_are_priced_far_more_often_than_products(products, targets):
    priced = {product.parent_asin for product in products if product.price is not None}
    assert 0.19 <= len(priced) / len(products) <= 0.23
    assert 0.83 <= share(target.target in priced for target in targets) <= 0.94


@pytest.mark.parametrize(
    ("key", "low", "high"),
    [("Department", 0.80, 0.90), ("Color", 0.03, 0.08), ("Material", 0.03, 0.06), ("Size", 0.01, 0.04)],
)
def test_details_say_as_little_as_in_the_reference(products, key, low, high):
    assert low <= share(key in product.details for product in products) <= high


@pytest.mark.parametrize("draw", ["popularity", "uniform"])
def test_the_bound_is_that_of_the_reference_for_both_draws(products, draw):
    sessions = generate_sessions(products, 200, draw, 11)
    outcomes = bound_outcomes(products, sessions, ["confident"])["confident"]
    assert 0.965 <= score(outcomes).technical_score <= 0.985
