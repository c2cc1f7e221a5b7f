"""The conditional logit (McFadden 1974): weights under which the chosen alternatives were likely choices.

P(chosen) = exp(score of the chosen) / sum of exp(scores), where score = offset + features @ weights. The evidence
score is such a score in nats, and the agent's posterior is this probability: the fit makes it an honest one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

HALVINGS = 30
"""Of a Newton step that does not improve the objective, until it is given up."""


class ChoiceSet(NamedTuple):
    """Alternatives of one choice: features of shape (k, m), offsets of shape (k,), and the row that was chosen."""

    features: NDArray[np.float32]
    offset: NDArray[np.float32]
    chosen: int


class Penalty(NamedTuple):
    """What draws the weights to where they start: strength / 2 times the sum of squared (w - start) / scale."""

    strength: float
    start: Vector
    scale: Vector


class LogitFit(NamedTuple):
    """Weights that maximise the penalised likelihood, and the inverse of its negative Hessian, shape (m, m)."""

    weights: Vector
    covariance: NDArray[np.float64]


class Slope(NamedTuple):
    """The objective at some weights, with its gradient and its negative Hessian."""

    value: float
    gradient: Vector
    curvature: NDArray[np.float64]


def mean_log_likelihood(sets: Sequence[ChoiceSet], weights: Vector) -> float:
    """Return the mean log-probability of what was chosen, in nats a choice; NaN without choices."""
    if not sets:
        return float("nan")
    return float(sum(_log_chances(choice, weights)[choice.chosen] for choice in sets)) / len(sets)


def slope(sets: Sequence[ChoiceSet], weights: Vector, penalty: Penalty) -> Slope:
    """Return the penalised log-likelihood, its gradient and its negative Hessian at `weights`."""
    value, size = 0.0, len(weights)
    gradient, curvature = np.zeros(size), np.zeros((size, size))
    for choice in sets:
        logs = _log_chances(choice, weights)
        chances = np.exp(logs)
        mean = chances @ choice.features
        value += float(logs[choice.chosen])
        gradient += choice.features[choice.chosen] - mean
        curvature += (choice.features * chances[:, None]).T @ choice.features - np.outer(mean, mean)
    away = (weights - penalty.start) / penalty.scale
    value -= 0.5 * penalty.strength * float(away @ away)
    gradient -= penalty.strength * away / penalty.scale
    curvature += np.diag(penalty.strength / penalty.scale**2)
    return Slope(value, gradient, curvature)


def fit_logit(
    sets: Sequence[ChoiceSet], penalty: Penalty, lower: Vector, steps: int = 50, tolerance: float = 1e-6
) -> LogitFit:
    """Return the weights, none below `lower`, that explain the choices best, starting at the penalty's start.

    Newton's method: the objective is concave. A step is halved until it improves, and weights at their bound that
    would go below it stay out of the step. Ends after `steps`, or when a step gains less than `tolerance` a choice.
    """
    weights = np.maximum(penalty.start, lower)
    here = slope(sets, weights, penalty)
    for _ in range(steps):
        free = (weights > lower) | (here.gradient > 0)
        step = np.zeros(len(weights))
        step[free] = np.linalg.solve(here.curvature[np.ix_(free, free)], here.gradient[free])
        gained = 0.0
        for halving in range(HALVINGS):
            tried = np.maximum(weights + step / 2**halving, lower)
            there = slope(sets, tried, penalty)
            if there.value > here.value:
                gained = there.value - here.value
                weights, here = tried, there
                break
        if gained <= tolerance * max(len(sets), 1):
            break
    return LogitFit(weights, np.asarray(np.linalg.inv(here.curvature), dtype=np.float64))


def _log_chances(choice: ChoiceSet, weights: Vector) -> Vector:
    scores = choice.offset + choice.features @ weights
    scores = scores - scores.max()
    return np.asarray(scores - np.log(np.exp(scores).sum()), dtype=np.float64)
