"""Measures of one ranking against the judgments of one query.

The definitions are those of trec_eval (`ndcg_cut`, `recall`, `recip_rank`), which `ir-measures` runs as `nDCG@k`, `R@k`
and `RR@k`; `tests/unit/evals/test_retrieval_measures.py` holds both equal over generated runs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

Judgments = Mapping[str, int]
"""Product to its grade for one query; 0 is judged and not relevant, whatever was not judged counts as 0."""


def ndcg_at_k(ranking: Sequence[str], judgments: Judgments, k: int) -> float:
    """Return the discounted gain of the first `k` of a ranking over that of the best ranking possible, 0 to 1.

    The gain is the grade itself, the discount log2(rank + 1) (Jarvelin and Kekalainen, "Cumulated gain-based evaluation
    of IR techniques", 2002). A query without a relevant product gives 0.
    """
    best = _discounted(sorted(judgments.values(), reverse=True)[:k])
    return _discounted([judgments.get(product, 0) for product in ranking[:k]]) / best if best else 0.0


def recall_at_k(ranking: Sequence[str], judgments: Judgments, k: int) -> float:
    """Return the share of the relevant products (grade 1 or more) among the first `k`; 0 when there are none."""
    wanted = relevant(judgments)
    return len(wanted.intersection(ranking[:k])) / len(wanted) if wanted else 0.0


def reciprocal_rank_at_k(ranking: Sequence[str], judgments: Judgments, k: int) -> float:
    """Return 1 / the place of the first relevant product among the first `k`; 0 when there is none."""
    wanted = relevant(judgments)
    return next((1 / place for place, product in enumerate(ranking[:k], start=1) if product in wanted), 0.0)


def relevant(judgments: Judgments) -> set[str]:
    """Return the products of grade 1 or more."""
    return {product for product, grade in judgments.items() if grade > 0}


def _discounted(grades: Sequence[int]) -> float:
    return sum(max(grade, 0) / math.log2(place + 1) for place, grade in enumerate(grades, start=1))
