"""How many products an answer commits to."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.commitment import MOST, best_size, utility


def worth(schedule: tuple[int, ...], chances: list[float], turn: int) -> float:
    total, place = 0.0, 0
    for step, size in enumerate(schedule):
        for rank, chance in enumerate(chances[place : place + size], 1):
            total += chance * utility(rank, turn + step)
        place += size
    return total


def test_utility_is_that_of_the_protocols() -> None:
    assert utility(1, 1) == pytest.approx(1.0)
    assert utility(2, 1) - utility(1, 1) == pytest.approx(-0.15)
    assert utility(1, 2) - utility(1, 1) == pytest.approx(-0.02)


def size(chances: list[float] | np.ndarray, turn: int, informed: float = 0.0, rank: float = 0.9) -> int:
    return best_size(np.array(chances), turn, 10, informed=informed, rank=rank)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.floats(0.01, 1), min_size=1, max_size=9).map(lambda w: sorted((x / sum(w) for x in w), reverse=True)),
    st.integers(7, 10),
)
def test_the_first_batch_of_the_best_schedule_equals_brute_force(chances: list[float], turn: int) -> None:
    left = 10 - turn + 1
    schedules = list(product(range(1, 5), repeat=left - 1))
    best = max(worth((*s, MOST), chances, turn) for s in schedules) if left > 1 else worth((MOST,), chances, turn)
    first = size(chances, turn)
    rest = list(product(range(1, MOST + 1), repeat=left - 1))
    found = max(worth((first, *s), chances, turn) for s in rest)
    assert found >= best - 1e-9


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.floats(0.01, 1), min_size=3, max_size=12).map(lambda w: sorted((x / sum(w) for x in w), reverse=True)),
    st.floats(0, 1),
    st.floats(0.2, 1),
)
def test_an_answer_to_come_is_weighed_against_showing_more_now(
    chances: list[float], informed: float, rank: float
) -> None:
    later = 0.5 + 0.3 * rank + 0.02
    values = []
    for first in range(1, min(MOST, len(chances)) + 1):
        now = sum(chance * utility(place, 9) for place, chance in enumerate(chances[:first], 1))
        last = sum(chance * utility(place, 10) for place, chance in enumerate(chances[first : first + MOST], 1))
        values.append(now + informed * later * sum(chances[first:]) + (1 - informed) * last)
    assert values[size(chances, 9, informed, rank) - 1] == pytest.approx(max(values))


def test_the_last_turn_shows_all_it_can() -> None:
    assert size(np.full(40, 1 / 40), 10) == MOST
    assert size(np.full(40, 1 / 40), 10, informed=1.0) == MOST
    assert size(np.full(40, 1 / 40), 14) == MOST


def test_a_sure_leader_stands_alone_while_turns_remain() -> None:
    assert size([0.9, 0.05, 0.05], 5) == 1


def test_many_equals_are_shown_together_when_turns_run_short() -> None:
    assert size(np.full(100, 0.01), 9) == MOST


def test_no_candidates_commit_to_nothing() -> None:
    assert size([], 3) == 0


def test_one_product_while_the_shopper_may_tell_more() -> None:
    assert size(np.full(20, 0.05), 2, informed=1.0) == 1


def test_more_when_waiting_promises_little() -> None:
    assert size(np.full(20, 0.05), 2, informed=1.0, rank=0.3) >= 3
