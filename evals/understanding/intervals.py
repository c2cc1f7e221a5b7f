"""Intervals of scores: whole rows are drawn again, since the facts of one message are not independent."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from evals.scoring import RESAMPLES

Counts = NDArray[np.int64]
Interval = tuple[float, float] | None
"""Ends of a 95% percentile interval; None where the score is not defined (nothing labelled and nothing read)."""


class Score(BaseModel):
    """Precision, recall and F1 of a group of rows; None where there is nothing to divide by."""

    model_config = ConfigDict(frozen=True)

    hits: int
    read: int
    gold: int
    precision: float | None
    recall: float | None
    f1: float | None
    precision_interval: Interval = None
    recall_interval: Interval = None
    f1_interval: Interval = None


class Share(BaseModel):
    """How many rows of a group have a property."""

    model_config = ConfigDict(frozen=True)

    count: int
    of: int = Field(description="Rows that could have it.")
    share: float | None
    interval: Interval = None


def draws(rows: int, seed: int, resamples: int = RESAMPLES) -> Counts:
    """Return how often each of `rows` rows was drawn in each resample: one line a resample."""
    random = np.random.default_rng(seed)
    return np.stack([np.bincount(random.integers(0, rows, rows), minlength=rows) for _ in range(resamples)])


def score_of(counts: Counts, drawn: Counts) -> Score:
    """Score rows of (hits, read, gold) counts, with intervals over the draws."""
    hits, read, gold = (int(total) for total in counts.sum(axis=0))
    again = (drawn @ counts).astype(float)
    return Score(
        hits=hits,
        read=read,
        gold=gold,
        precision=_ratio(hits, read),
        recall=_ratio(hits, gold),
        f1=_ratio(2 * hits, read + gold),
        precision_interval=_ends(again[:, 0], again[:, 1]),
        recall_interval=_ends(again[:, 0], again[:, 2]),
        f1_interval=_ends(2 * again[:, 0], again[:, 1] + again[:, 2]),
    )


def share_of(counts: Counts, drawn: Counts) -> Share:
    """Return the share of rows of (count, of) counts, with its interval over the draws."""
    count, of = (int(total) for total in counts.sum(axis=0))
    again = (drawn @ counts).astype(float)
    return Share(count=count, of=of, share=_ratio(count, of), interval=_ends(again[:, 0], again[:, 1]))


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _ends(parts: NDArray[np.float64], wholes: NDArray[np.float64]) -> Interval:
    """Return the 2.5th and 97.5th percentile of the ratios; draws without anything to divide by are left out."""
    defined = wholes > 0
    if not defined.any():
        return None
    low, high = np.percentile(parts[defined] / wholes[defined], [2.5, 97.5])
    return float(low), float(high)
