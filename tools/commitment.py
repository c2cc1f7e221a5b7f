"""How many products to commit to, by expected utility.

The utility of naming the wanted product at rank r of turn t is that of the evaluation protocols:
.5 + .3 / r + .02 (11 - t), so that a better rank is worth many turns.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MOST = 10
"""Products of one answer at most."""

_BY_RANK = 0.5 + 0.3 / np.arange(1, MOST + 1)
_BY_TURN = 0.02

Floats = NDArray[np.float64]


def utility(rank: int, turn: int) -> float:
    """Return the worth of finding the product at this rank of this turn."""
    return float(_BY_RANK[rank - 1]) + _BY_TURN * (11 - turn)


def best_size(probabilities: Floats, turn: int, turns: int, *, informed: float, rank: float) -> int:
    """Return how many to show: the first batch of the best schedule over the turns that are left.

    Showing few puts the leaders first; showing many reaches further before the shopper leaves after `turns`. With
    chance `informed` the next answer tells enough to find the product at mean reciprocal rank `rank` a turn later;
    otherwise nothing more is learned, and a dynamic programme over (turn, products already shown) says what showing the
    rest batch by batch is worth. `probabilities` has shape (k,), best first.
    """
    count = len(probabilities)
    if count == 0:
        return 0
    turn = min(turn, turns)
    windows = np.lib.stride_tricks.sliding_window_view(
        np.concatenate([probabilities, np.zeros(MOST)]), MOST
    )[: count + 1]  # fmt: skip
    mass = np.cumsum(windows, axis=1)
    ranked = np.cumsum(windows * _BY_RANK, axis=1)
    ahead = _ahead(np.zeros(count + 1))
    for moment in range(turns, turn, -1):
        ahead = _ahead((ranked + _BY_TURN * (11 - moment) * mass + ahead).max(axis=1))
    gained = ranked[0] + _BY_TURN * (11 - turn) * mass[0]
    if turn < turns:
        later = 0.5 + 0.3 * rank + _BY_TURN * (10 - turn)
        left = float(probabilities.sum()) - mass[0]
        gained = gained + informed * left * later + (1 - informed) * ahead[0]
    return min(int(np.argmax(gained)) + 1, count)


def _ahead(best: Floats) -> Floats:
    """Return what is left to win after each batch size from each place on, shape (k + 1, MOST)."""
    padded = np.concatenate([best, np.zeros(MOST)])
    return np.lib.stride_tricks.sliding_window_view(padded, MOST)[1 : len(best) + 1]
