from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.scoring import Outcome, bootstrap, hit_curve, latency, score, score_scenarios


def outcome(turn: int | None, rank: int | None, scenario: str = "buying", name: str = "s") -> Outcome:
    return Outcome(session_id=name, scenario=scenario, turn=turn, rank=rank)


hits = st.builds(outcome, st.integers(1, 10), st.integers(1, 10), st.sampled_from(["buying", "browsing"]))
runs = st.lists(hits | st.builds(outcome, st.none(), st.none()), min_size=1, max_size=40)


def test_a_worked_example() -> None:
    scores = score([outcome(1, 1), outcome(3, 2), outcome(None, None), outcome(10, 10)])
    assert scores.hr_at_10 == 0.75
    assert scores.mrr == pytest.approx((1 + 0.5 + 0.1) / 4)
    assert scores.mttc == pytest.approx((1 + 3 + 11 + 10) / 4)
    assert scores.efficiency == pytest.approx((11 - 6.25) / 10)
    assert scores.technical_score == pytest.approx(0.5 * 0.75 + 0.3 * 0.4 + 0.2 * 0.475)
    assert scores.exact_top1 == 0.25


def test_the_ends_of_the_scale() -> None:
    assert score([outcome(None, None)]).technical_score == 0
    assert score([outcome(1, 1)]).technical_score == pytest.approx(1)


@given(runs)
def test_scores_equal_an_independent_computation(run: list[Outcome]) -> None:
    found = [(o.turn, o.rank) for o in run if o.turn]
    hr = len(found) / len(run)
    mrr = math.fsum(1 / rank for _, rank in found) / len(run)
    mttc = (math.fsum(turn for turn, _ in found) + 11 * (len(run) - len(found))) / len(run)
    assert score(run).technical_score == pytest.approx(0.5 * hr + 0.3 * mrr + 0.2 * max(0, min(1, (11 - mttc) / 10)))


@given(runs)
def test_the_score_is_the_mean_of_the_sessions_own_contributions(run: list[Outcome]) -> None:
    assert score(run).technical_score == pytest.approx(math.fsum(o.contribution for o in run) / len(run))


@given(runs, st.randoms())
def test_order_does_not_matter(run: list[Outcome], shuffler: random.Random) -> None:
    mixed = run[:]
    shuffler.shuffle(mixed)
    assert score(mixed).technical_score == pytest.approx(score(run).technical_score)


@given(st.integers(1, 10), st.integers(2, 10))
def test_an_earlier_turn_and_a_better_rank_score_more(turn: int, rank: int) -> None:
    assert outcome(turn, rank - 1).contribution > outcome(turn, rank).contribution
    if turn > 1:
        assert outcome(turn - 1, rank).contribution > outcome(turn, rank).contribution
    assert outcome(turn, rank).contribution > outcome(None, None).contribution


@given(runs)
def test_the_interval_holds_the_score_and_repeats(run: list[Outcome]) -> None:
    interval = bootstrap(run, seed=3, resamples=400)
    assert interval == bootstrap(run, seed=3, resamples=400)
    assert 0 <= interval.low <= interval.high <= 1 + 1e-9
    if len({o.contribution for o in run}) == 1:
        assert interval.low == pytest.approx(interval.high)


def test_the_interval_has_the_width_that_theory_gives() -> None:
    run = [outcome(1, 1)] * 100 + [outcome(None, None)] * 100
    interval = bootstrap(run, seed=1)
    half = 1.96 * 0.5 / math.sqrt(200)
    assert interval.low == pytest.approx(0.5 - half, abs=0.01)
    assert interval.high == pytest.approx(0.5 + half, abs=0.01)


@given(runs)
def test_the_hit_curve_rises_to_the_hit_rate(run: list[Outcome]) -> None:
    curve = hit_curve(run)
    assert len(curve) == 10
    assert curve == sorted(curve)
    assert curve[-1] == pytest.approx(score(run).hr_at_10)


def test_scenarios_are_scored_apart() -> None:
    scores = score_scenarios([outcome(1, 1, "buying"), outcome(None, None, "browsing"), outcome(2, 1, "buying")])
    assert list(scores) == ["buying", "browsing"]
    assert (scores["buying"].hits, scores["browsing"].hits) == (2, 0)


def test_latency_percentiles() -> None:
    times = latency(float(n) for n in range(1, 102))
    assert (times.p50_ms, times.p95_ms, times.turns) == (51, 96, 101)
    assert latency([]).p50_ms is None
