"""How often questions are answered, as counts over played sessions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from evals.fitting.play import Question
from tools.constants import DialogueConstants

PRESUMED = 10.0
"""Questions that the present constant counts for beside those asked."""


class Estimate(BaseModel):
    """One constant of `questions.toml`."""

    model_config = ConfigDict(frozen=True)

    name: str
    present: float
    counted: float = Field(description="Smoothed by the present value.")
    cases: int


def estimate_answers(questions: Sequence[Question], constants: DialogueConstants) -> list[Estimate]:
    """Return each attribute's `answerable`, then `fatigue` and `informed_rank`, estimated from what was asked.

    A question after e empty answers is answered with chance answerable * fatigue ** e; `answerable` is estimated with
    the present `fatigue`, then `fatigue` by maximum likelihood over hundredths.
    """
    chances: dict[str, float] = {}
    found: list[Estimate] = []
    for attribute, question in constants.questions.items():
        asked = [row for row in questions if row.attribute == attribute]
        exposure = sum(constants.fatigue**row.empty for row in asked)
        answered = sum(row.new > 0 for row in asked)
        share = min((answered + PRESUMED * question.answerable) / (exposure + PRESUMED), 1.0)
        chances[attribute] = share
        found.append(_estimate(f"questions.{attribute}.answerable", question.answerable, share, len(asked)))
    later = [row for row in questions if row.empty]
    fatigue = _fatigue(later, chances, constants.fatigue)
    found.append(_estimate("fatigue", constants.fatigue, fatigue, len(later)))
    ranks = [row.reciprocal for row in questions if row.new]
    rank = (sum(ranks) + PRESUMED * constants.informed_rank) / (len(ranks) + PRESUMED)
    return [*found, _estimate("informed_rank", constants.informed_rank, rank, len(ranks))]


def _estimate(name: str, present: float, counted: float, cases: int) -> Estimate:
    return Estimate(name=name, present=present, counted=round(counted, 3), cases=cases)


def _fatigue(later: Sequence[Question], chances: dict[str, float], present: float) -> float:
    grid = np.arange(1, 100) / 100
    total = PRESUMED * (present * np.log(grid) + (1 - present) * np.log(1 - grid))
    for row in later:
        chance = np.minimum(chances[row.attribute] * grid**row.empty, 0.999)
        total += np.log(chance if row.new else 1 - chance)
    return float(grid[int(np.argmax(total))])
