"""Hard constraints narrow the candidates; when none is left, the fewest and weakest constraints are given up."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from catalog.constraint import Verdict
from catalog.search import Ids, ProductIndex
from graph.events import BeliefState, Fact
from tools.explanation import describe

COSTS = {"category": 6.0, "department": 4.0, "budget": 2.0, "rating": 1.5, "review_count": 1.5}
"""Price of giving up a constraint, relative to 2.5 for any other value and 5 for an exclusion."""

VALUE_COST = 2.5
EXCLUSION_COST = 5.0

SURE_KIND = 0.75
"""Confidence from which a category read from plain words is taken for the kind of product that is wanted."""


class Narrowed(NamedTuple):
    """Survivors (in the order given), what was relaxed for them, the sentences that say so, and what dropped how many.

    A product that violates several constraints is counted for each.
    """

    ids: Ids
    relaxed: list[dict[str, Any]]
    notices: list[str]
    dropped: dict[str, int]


def narrow(index: ProductIndex, belief: BeliefState, ids: Ids) -> Narrowed:
    """Keep the candidates that violate no hard constraint, or those whose violations cost least in all."""
    hard = [fact for fact in belief.constraints if narrows(fact)]
    if not hard or not len(ids):
        return Narrowed(ids, [], [], {})
    broken = np.stack([index.judge(fact, ids) == Verdict.VIOLATED for fact in hard])
    costs = np.array([_cost(fact) for fact in hard])
    paid = np.where(broken, costs[:, None], 0.0).sum(axis=0)
    cheapest = float(paid.min())
    keep = paid <= cheapest
    dropped = {describe(fact): int(count) for fact, count in zip(hard, broken.sum(axis=1), strict=True) if count}
    if cheapest == 0:
        return Narrowed(ids[keep], [], [], dropped)
    if not np.isfinite(cheapest):
        return Narrowed(ids[:0], [], [_refusal(hard)], dropped)
    first = broken[:, np.flatnonzero(keep)[0]]
    keep &= (broken == first[:, None]).all(axis=0)
    given_up = [fact for fact, gone in zip(hard, first, strict=True) if gone]
    held = [fact for fact, gone in zip(hard, first, strict=True) if not gone]
    return Narrowed(ids[keep], [_row(fact) for fact in given_up], [_sentence(given_up, held)], dropped)


def narrows(fact: Fact) -> bool:
    """Return whether a fact narrows the candidates: what is hard, and the kind of product where it is surely read.

    Socks that violate nothing else are no answer to "sandals, size 9, under $80": the size gives way first, aloud.
    """
    sure_kind = fact.attribute == "category" and fact.polarity == "positive" and fact.confidence >= SURE_KIND
    return fact.strength == "hard" or (sure_kind and fact.source != "profile")


def _cost(fact: Fact) -> float:
    """Return the price of giving a fact up: infinite for what the shopper said must be."""
    if fact.firm:
        return np.inf
    if fact.polarity == "negative":
        return EXCLUSION_COST
    return COSTS.get(fact.attribute, VALUE_COST)


def _row(fact: Fact) -> dict[str, Any]:
    return {"attribute": fact.attribute, "op": fact.op, "value": fact.value, "fact": describe(fact)}


def _refusal(hard: list[Fact]) -> str:
    wanted = ", ".join(describe(fact) for fact in hard)
    return f"I found nothing with {wanted}, and you said that it must be so."


def _sentence(given_up: list[Fact], held: list[Fact]) -> str:
    missing = " and ".join(describe(fact) for fact in given_up)
    rest = ", ".join(describe(fact) for fact in held[:2])
    found = f" that is also {rest}" if rest else ""
    return f"I found nothing with {missing}{found}; these come closest."
