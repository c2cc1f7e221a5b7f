from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from catalog import postings
from catalog.postings import Posting, membership, rank, score

SIZE = 60
IMPACTS = arrays.arrays(np.uint16, (SIZE,), elements=st.integers(0, 9) | st.integers(0, 65_535))


def _posting(row: np.ndarray) -> Posting:
    ids = np.flatnonzero(row).astype(np.int32)
    return Posting(ids, row[ids], int(row.max()))


def _brute_force(rows: list[np.ndarray], limit: int, within: np.ndarray | None) -> tuple[list[int], list[int]]:
    sums = np.sum([row.astype(np.int64) for row in rows], axis=0)
    allowed = range(SIZE) if within is None else within.tolist()
    best = sorted((number for number in allowed if sums[number]), key=lambda number: (-sums[number], number))[:limit]
    return best, [int(sums[number]) for number in best]


@given(
    rows=st.lists(IMPACTS.filter(np.any), min_size=1, max_size=6),
    limit=st.integers(1, SIZE),
    within=st.none() | st.sets(st.integers(0, SIZE - 1), min_size=1),
    spare=st.booleans(),
)
def test_the_best_are_those_of_all_sums(
    rows: list[np.ndarray], limit: int, within: set[int] | None, spare: bool
) -> None:
    rows = sorted(rows, key=np.count_nonzero)
    allowed = None if within is None else np.array(sorted(within), dtype=np.int32)
    with pytest.MonkeyPatch.context() as patch:
        if spare:  # settle as early as the sums allow, and look up rather than add
            patch.setattr(postings, "_FEWEST_SPARED", 0)
            patch.setattr(postings, "_FLOOR_COST", 0)
            patch.setattr(postings, "_PROBE_COST", 0)
            patch.setattr(postings, "_PICK_COST", 0)
            patch.setattr(postings, "_SETTLE_COST", 0)
        hits = rank([_posting(row) for row in rows], SIZE, limit, 1.0, allowed)
    assert (hits.ids.tolist(), hits.scores.tolist()) == _brute_force(rows, limit, allowed)


def test_frequent_words_are_not_added_once_the_best_are_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postings, "_FEWEST_SPARED", 0)
    added: list[int] = []
    add = postings._add
    monkeypatch.setattr(
        postings, "_add", lambda posting, totals: (added.append(len(posting.ids)), add(posting, totals))
    )
    size = 10_000
    rare = Posting(np.arange(0, 40, 2, dtype=np.int32), np.full(20, 900, dtype=np.uint16), 900)
    frequent = Posting(np.arange(size, dtype=np.int32), np.arange(size).astype(np.uint16) % 100 + 1, 100)
    hits = rank([rare, frequent], size, 10, 1.0, None)
    assert added == [20]
    assert hits.ids.tolist() == list(range(38, 18, -2))
    assert hits.scores[0] == 900 + 39


@given(row=IMPACTS.filter(np.any), ids=st.sets(st.integers(0, SIZE - 1), min_size=1))
def test_scores_of_named_products(row: np.ndarray, ids: set[int]) -> None:
    named = np.array(sorted(ids), dtype=np.int32)
    assert score([_posting(row)], named, 2.0).tolist() == (row[named] / 2).tolist()


def test_distinct_ids_are_ascending_and_once_each():
    assert postings.distinct(np.array([5, 2, 9, 2, 5], np.int32)).tolist() == [2, 5, 9]
    assert postings.distinct(np.empty(0, np.int32)).tolist() == []


@given(
    ids=st.lists(st.integers(0, SIZE - 1), max_size=20),
    members=st.sets(st.integers(0, SIZE - 1)),
    lookup_cost=st.sampled_from([0, 10_000]),
)
def test_membership_is_the_same_looked_up_and_by_a_mask(ids: list[int], members: set[int], lookup_cost: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postings, "_LOOKUP_COST", lookup_cost)
        found = membership(np.array(ids, np.int32), np.array(sorted(members), np.int32), SIZE)
    assert found.tolist() == [number in members for number in ids]
