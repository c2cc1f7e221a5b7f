"""Measures of judged queries: worked examples, and the same figures as the `ir-measures` package."""

from __future__ import annotations

import math

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import RR, R, nDCG

from evals.retrieval.measures import ndcg_at_k, recall_at_k, reciprocal_rank_at_k

GRADES = {"a": 3, "b": 0, "c": 1, "d": 2}


def test_gains_fall_with_the_logarithm_of_the_place() -> None:
    best = 3 + 2 / math.log2(3) + 1 / 2
    assert ndcg_at_k(["b", "a", "x", "c"], GRADES, 4) == pytest.approx((3 / math.log2(3) + 1 / math.log2(5)) / best)
    assert ndcg_at_k(["a", "d", "c", "b"], GRADES, 10) == pytest.approx(1)
    assert ndcg_at_k(["b", "x", "a"], GRADES, 2) == 0


def test_recall_counts_what_is_relevant_and_not_what_is_merely_judged() -> None:
    assert recall_at_k(["b", "c", "x", "a"], GRADES, 3) == pytest.approx(1 / 3)
    assert recall_at_k(["b", "c", "x", "a"], GRADES, 4) == pytest.approx(2 / 3)


def test_the_reciprocal_rank_is_that_of_the_first_relevant_product() -> None:
    assert reciprocal_rank_at_k(["b", "x", "d", "a"], GRADES, 10) == pytest.approx(1 / 3)
    assert reciprocal_rank_at_k(["b", "x", "d"], GRADES, 2) == 0


def test_a_query_without_a_relevant_product_scores_nothing() -> None:
    assert ndcg_at_k(["a"], {"a": 0}, 10) == recall_at_k(["a"], {"a": 0}, 10) == 0


@given(
    judged=st.lists(
        st.dictionaries(st.sampled_from("abcdefghijklmnop"), st.integers(0, 3), min_size=1), min_size=1, max_size=4
    ),
    rankings=st.lists(st.permutations("abcdefghijklmnopqrstu"), min_size=4, max_size=4),
    sizes=st.lists(st.integers(0, 21), min_size=4, max_size=4),
    k=st.integers(1, 15),
)
def test_figures_agree_with_ir_measures(
    judged: list[dict[str, int]], rankings: list[list[str]], sizes: list[int], k: int
) -> None:
    runs = [ranking[:size] for ranking, size in zip(rankings, sizes, strict=True)][: len(judged)]
    qrels = [ir_measures.Qrel(str(q), doc, grade) for q, row in enumerate(judged) for doc, grade in row.items()]
    run = [ir_measures.ScoredDoc(str(q), doc, -float(at)) for q, docs in enumerate(runs) for at, doc in enumerate(docs)]
    ours = {"nDCG": ndcg_at_k, "R": recall_at_k, "RR": reciprocal_rank_at_k}
    theirs = {"nDCG": nDCG @ k, "R": R @ k, "RR": RR @ k}
    for name, measure in theirs.items():
        found = ir_measures.calc_aggregate([measure], qrels, run)[measure]
        mean = sum(ours[name](docs, row, k) for docs, row in zip(runs, judged, strict=True)) / len(judged)
        assert mean == pytest.approx(found, abs=1e-6), name
