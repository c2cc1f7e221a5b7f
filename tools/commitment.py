"""How many products to commit to, by expected utility.

The utility of naming the wanted product at rank r of turn t is that of the evaluation protocols:
.5 + .3 / r + .02 (11 - t), so that a better rank is worth many turns.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MOST = 10
"""Products of one answer at most."""


def utility(rank: int, turn: int) -> float:
    """Return the worth of finding the product at this rank of this turn."""
    return 0.5 + 0.3 / rank + 0.02 * (11 - turn)


def informed(probabilities: NDArray[np.float64], turn: int, informed_rank: float) -> int:
    """Return how many to show while the shopper may still tell more.

    A further place is worth taking when ending there now beats waiting a turn for an answer after which the
    product is expected at mean reciprocal rank `informed_rank`. `probabilities` has shape (k,), best first.
    """
    later = 0.5 + 0.3 * informed_rank + 0.02 * (11 - turn - 1)
    size = 1
    while size < min(MOST, len(probabilities)) and utility(size + 1, turn) > later:
        size += 1
    return size


def exhausted(probabilities: NDArray[np.float64], turn: int, turns: int) -> int:
    """Return how many to show when nothing more will be learned: the first batch of the best schedule.

    Showing few puts the leaders first; showing many reaches further before the shopper leaves after `turns`.
    Dynamic programme over (turn, products already shown); `probabilities` has shape (k,), best first.
    """
    count = len(probabilities)
    if count == 0:
        return 0
    ranks = np.arange(1, MOST + 1)
    best = np.zeros(count + MOST + 1)
    choice = 1
    padded = np.concatenate([probabilities, np.zeros(2 * MOST + 1)])
    for moment in range(max(turns, turn), turn - 1, -1):
        gains = np.array([utility(int(rank), moment) for rank in ranks])
        windows = np.lib.stride_tricks.sliding_window_view(padded, MOST)[: count + 1]
        reached = np.cumsum(windows * gains, axis=1)
        ahead = np.stack([best[size : size + count + 1] for size in range(1, MOST + 1)], axis=1)
        totals = reached + ahead
        choice = int(np.argmax(totals[0])) + 1
        best = np.concatenate([totals.max(axis=1), np.zeros(MOST)])
    return min(choice, count)
