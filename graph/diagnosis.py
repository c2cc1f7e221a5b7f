"""What the stages of a turn made of the catalog, in full: for evaluations, which ask where a product was lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from catalog.constraint import Verdict
from catalog.search import Ids, ProductIndex
from graph.events import BeliefState, believe
from tools.evidence import weigh
from tools.explanation import describe
from tools.pool import known
from tools.relaxation import narrows, withheld_ids
from tools.shop import Shop

WITHHELD = "withheld"
"""Why a product is dropped that was turned down or, under `confident`, shown before."""

Nodes = Mapping[str, Mapping[str, Any]]
"""What each node of a turn returned."""


class Stages(NamedTuple):
    """`parent_asin`s after each stage, best first, and those that the filter dropped, by what dropped them.

    The first two are in the order of the full text: neither stage has one of its own.
    """

    retrieved: list[str]
    filtered: list[str]
    ranked: list[str]
    dropped: dict[str, list[str]]


def stages_of(shop: Shop, nodes: Nodes, events: Sequence[Mapping[str, Any]], policy: str) -> Stages:
    """Return the stages of a turn; `events` are those of the conversation up to its end."""
    belief = believe(events[: len(events) - len(nodes["respond"]["events"])])
    index, query = shop.index, nodes["retrieve"]["query"]
    retrieved = _by_text(index, query, known(index, nodes["retrieve"]["candidates"]))
    filtered = _by_text(index, query, known(index, nodes["filter"]["candidates"]))
    survivors = np.sort(filtered)
    scores = weigh(index, belief, query, survivors, shop.ranking).total
    return Stages(
        retrieved=index.parent_asins(retrieved),
        filtered=index.parent_asins(filtered),
        ranked=index.parent_asins(survivors[np.argsort(-scores, kind="stable")]),
        dropped=_dropped(index, belief, retrieved[~np.isin(retrieved, filtered)], policy),
    )


def _by_text(index: ProductIndex, query: str, ids: Ids) -> Ids:
    ids = np.sort(ids)
    return ids[np.argsort(-index.score(query, ids), kind="stable")]


def _dropped(index: ProductIndex, belief: BeliefState, gone: Ids, policy: str) -> dict[str, list[str]]:
    """Return the dropped products by the first thing that drops each: withholding, then the constraints in order."""
    reasons = {WITHHELD: np.isin(gone, withheld_ids(index, belief, policy))}
    for fact in belief.constraints:
        if narrows(fact):
            reasons.setdefault(describe(fact), index.judge(fact, gone) == Verdict.VIOLATED)
    dropped, left = {}, gone
    for reason, here in reasons.items():
        fits = here[np.isin(gone, left)]
        if fits.any():
            dropped[reason] = index.parent_asins(left[fits])
            left = left[~fits]
    return dropped | ({"the kind is not stated": index.parent_asins(left)} if len(left) else {})
