"""How often questions are answered, as counts over played sessions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from evals.fitting.play import Question
from tools.constants import DialogueConstants

ROUNDS = 10
"""Of estimating `answerable` and `fatigue` in turn; they stand after a few."""

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

    A question after e empty answers is answered with chance answerable * fatigue ** e; `answerable` by its expected
    count and `fatigue` by maximum likelihood over hundredths are estimated in turn, each given the other.
    """
    fatigue = constants.fatigue
    chances: dict[str, float] = {}
    for _ in range(ROUNDS):
        chances = {
            attribute: _answerable(attribute, questions, constants, fatigue) for attribute in constants.questions
        }
        fatigue = _fatigue(questions, chances, constants.fatigue)
    cases = Counter(row.attribute for row in questions)
    ranks = [row.reciprocal for row in questions if row.new]
    rank = (sum(ranks) + PRESUMED * constants.informed_rank) / (len(ranks) + PRESUMED)
    return [
        *(
            _estimate(f"questions.{attribute}.answerable", question.answerable, chances[attribute], cases[attribute])
            for attribute, question in constants.questions.items()
        ),
        _estimate("fatigue", constants.fatigue, fatigue, sum(row.empty > 0 for row in questions)),
        _estimate("informed_rank", constants.informed_rank, rank, len(ranks)),
    ]


def _answerable(attribute: str, questions: Sequence[Question], constants: DialogueConstants, fatigue: float) -> float:
    asked = [row for row in questions if row.attribute == attribute]
    answered = sum(row.new > 0 for row in asked) + PRESUMED * constants.questions[attribute].answerable
    return min(answered / (sum(fatigue**row.empty for row in asked) + PRESUMED), 1.0)


def _estimate(name: str, present: float, counted: float, cases: int) -> Estimate:
    return Estimate(name=name, present=present, counted=round(counted, 3), cases=cases)


def _fatigue(questions: Sequence[Question], chances: dict[str, float], present: float) -> float:
    grid = np.arange(1, 100) / 100
    total = PRESUMED * (present * np.log(grid) + (1 - present) * np.log(1 - grid))
    for row in questions:
        if row.empty:
            chance = np.minimum(chances[row.attribute] * grid**row.empty, 0.999)
            total += np.log(chance if row.new else 1 - chance)
    return float(grid[int(np.argmax(total))])
