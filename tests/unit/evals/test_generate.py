from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.product import Product
from evals.draws import pick, unit, weighted_key
from evals.errors import EvaluationError
from evals.official.generate import anonymous_profile, generate_sessions, scenario_counts
from tests.unit.evals.shelf import shelf

PUBLIC_KEYS = {"purchase_frequency", "average_prior_rating", "rating_style", "preference_tags", "summary"}


def test_the_public_mix_is_exact() -> None:
    assert scenario_counts(200) == {"buying": 80, "browsing": 80, "intent_override": 30, "boundary": 10}


@given(st.integers(1, 500))
def test_scenario_counts_add_up_and_stay_within_one_of_their_share(n: int) -> None:
    counts = scenario_counts(n)
    assert sum(counts.values()) == n
    for name, share in {"buying": 0.4, "browsing": 0.4, "intent_override": 0.15, "boundary": 0.05}.items():
        assert abs(counts[name] - share * n) < 1


def test_the_same_arguments_give_the_same_sessions_whatever_the_order_of_products() -> None:
    once = generate_sessions(shelf(), 20, "popularity", 5)
    assert once == generate_sessions(shelf()[::-1], 20, "popularity", 5)
    assert once != generate_sessions(shelf(), 20, "popularity", 6)
    assert {s.target for s in once} != {s.target for s in generate_sessions(shelf(), 20, "uniform", 5)}


def test_targets_differ_and_scenarios_are_dealt_exactly() -> None:
    sessions = generate_sessions(shelf(), 20, "uniform", 1)
    assert len({session.target for session in sessions}) == 20
    assert len({session.session_id for session in sessions}) == 20
    assert Counter(session.scenario for session in sessions) == scenario_counts(20)


def test_a_session_id_names_neither_draw_nor_scenario_nor_target() -> None:
    for session in generate_sessions(shelf(), 20, "popularity", 1):
        assert set(session.session_id) <= set("0123456789abcdef")


def test_popularity_prefers_the_rated_and_a_missing_count_weighs_one() -> None:
    rated = [Product(parent_asin=f"R{n:09d}", title="t", features=("a1", "b2"), rating_number=999) for n in range(10)]
    plain = [Product(parent_asin=f"P{n:09d}", title="t", features=("a1", "b2"), rating_number=None) for n in range(90)]
    zero = [product.model_copy(update={"rating_number": 0}) for product in plain]
    first = [generate_sessions(rated + plain, 1, "popularity", seed)[0].target for seed in range(200)]
    assert sum(target.startswith("R") for target in first) > 190  # expected 198.2 of 200
    evenly = [generate_sessions(rated + plain, 1, "uniform", seed)[0].target for seed in range(200)]
    assert 8 < sum(target.startswith("R") for target in evenly) < 35  # expected 20
    same = [generate_sessions(rated + zero, 1, "popularity", seed)[0].target for seed in range(200)]
    assert first == same


def test_products_with_one_value_or_with_their_id_on_the_card_are_no_targets() -> None:
    one = Product(parent_asin="ONE0000001", title="t", features=("a1", "a1."))
    giveaway = Product(parent_asin="LEAK000001", title="t", features=("Model leak000001", "b2"))
    fine = Product(parent_asin="FINE000001", title="t", features=("Model LEAK0000012", "b2"))
    assert [s.target for s in generate_sessions([one, giveaway, fine], 1, "uniform", 0)] == ["FINE000001"]
    with pytest.raises(EvaluationError, match=r"only 1 of 3 products.*n <= 1"):
        generate_sessions([one, giveaway, fine], 2, "uniform", 0)


def test_no_sessions_is_an_error() -> None:
    with pytest.raises(EvaluationError, match="n is 0"):
        generate_sessions(shelf(), 0, "uniform", 0)


def test_profiles_have_the_contract_keys_and_say_nothing_of_the_target() -> None:
    profile = anonymous_profile("abc").model_dump(mode="json")
    assert set(profile) == PUBLIC_KEYS
    assert 3 <= profile["average_prior_rating"] <= 5
    by_id = {s.session_id: s.user_profile for s in generate_sessions(shelf(), 10, "uniform", 1)}
    assert by_id == {session_id: anonymous_profile(session_id) for session_id in by_id}
    assert json.loads(json.dumps(profile)) == profile


def test_weighted_keys_draw_in_proportion() -> None:
    wins = sum(weighted_key(3, seed, "a") < weighted_key(1, seed, "b") for seed in range(2000))
    assert 1400 < wins < 1600  # expected 1500


@given(st.lists(st.text()))
def test_draws_lie_within_their_range(parts: list[str]) -> None:
    assert 0 < unit(*parts) < 1
    assert pick("abc", *parts) in "abc"
