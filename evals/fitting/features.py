"""Choices of played sessions as the evidence score sees them: its unit terms, one column a weight."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from catalog.search import Ids, ProductIndex
from evals.fitting.logit import ChoiceSet
from graph.events import BeliefState
from tools.constants import RankingConstants
from tools.evidence import unit_terms
from tools.weights import NAMES


@dataclass(frozen=True)
class Choice:
    """One turn: what was believed and searched for, the candidates, and the row of `ids` that is the wanted one."""

    belief: BeliefState
    query: str
    ids: Ids
    chosen: int


def choice_set(index: ProductIndex, choice: Choice, constants: RankingConstants) -> ChoiceSet:
    """Return the unit terms of a choice, column by column as `NAMES`; terms of no weight are its offset.

    The score of the ranking is `offset + features @ weights`, by the code that ranks.
    """
    columns = {name: np.zeros(len(choice.ids), np.float32) for name in NAMES}
    offset = np.zeros(len(choice.ids), np.float32)
    for parts in unit_terms(index, choice.belief, choice.query, choice.ids, constants).values():
        for name, unit in parts.items():
            target = columns.get(name, offset)
            target += unit
    return ChoiceSet(np.stack([columns[name] for name in NAMES], axis=1), offset, choice.chosen)
