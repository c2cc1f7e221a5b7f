"""Mentions of a kind in products that a shop files under another kind: "pair it with sneakers", said of jeans."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from catalog.postings import membership
from catalog.search import Ids, ProductIndex
from catalog.vocabulary import broader_values
from graph.events import Fact


def mention_in_passing(index: ProductIndex, fact: Fact, ids: Ids) -> NDArray[np.bool_]:
    """Return which candidates are filed on a shelf of another kind than `fact` names, shape (k,).

    A kind that is only read out of a title is a guess, and says little against a kind that the text mentions: of 81
    judged queries to a shop of electronics, which has no shelves, two lost .6 of nDCG@10 by it. What is filed under a
    broader kind (shoes, when sneakers are wanted) may be of the kind all the same.
    """
    own = [index.facet_ids("category", value) for wanted in fact.values for value in (wanted, *_broader(wanted))]
    filed = membership(ids, index.filed_ids(), index.size) & membership(ids, index.known_ids("category"), index.size)
    for members in own:
        filed &= ~membership(ids, members, index.size)
    return filed


@cache
def _all_broader() -> dict[str, tuple[str, ...]]:
    return broader_values("types")


def _broader(kind: str) -> tuple[str, ...]:
    return _all_broader().get(kind, ())
