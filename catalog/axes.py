"""Principal axes: encoded sentences centred, turned to the axes in which they differ most, and kept as small integers.

Of all-MiniLM's 384 numbers the first 128 on the axes of the catalog's own sentences lose nothing that is measurable;
see docs/adr/0010-sentence-vectors.md.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float32]

MOST_AXES = 128

LARGEST = 127
"""The largest 8-bit integer that is used."""


class Moments:
    """Sums from which the mean and the axes of any number of rows are found."""

    def __init__(self, dimensions: int) -> None:
        """Sum rows of that length."""
        self._count = 0
        self._sum = np.zeros(dimensions)
        self._products = np.zeros((dimensions, dimensions))

    def add(self, rows: Rows) -> None:
        """Add rows, shape (n, D); rows of zeros (texts without words) do not count."""
        exact = rows[rows.any(axis=1)].astype(np.float64)
        self._count += len(exact)
        self._sum += exact.sum(axis=0)
        self._products += exact.T @ exact

    def mean(self) -> Rows:
        """Return the mean row, shape (D,)."""
        return (self._sum / max(self._count, 1)).astype(np.float32)

    def axes(self) -> Rows:
        """Return the axes of most variance, shape (D, `MOST_AXES` or D), each with its largest number positive."""
        mean = self._sum / max(self._count, 1)
        covariance = self._products / max(self._count, 1) - np.outer(mean, mean)
        axes = np.linalg.eigh(covariance)[1][:, ::-1][:, :MOST_AXES]
        signs = np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
        return np.ascontiguousarray(axes * signs, dtype=np.float32)


def turned(rows: Rows, mean: Rows, axes: Rows) -> Rows:
    """Return encoded sentences centred, on the axes and at unit length, shape (n, d); rows of zeros stay zeros."""
    centred = (rows - mean) @ axes
    centred[~rows.any(axis=1)] = 0
    lengths = np.linalg.norm(centred, axis=1, keepdims=True)
    unit: Rows = np.divide(centred, lengths, out=np.zeros_like(centred), where=lengths > 0)
    return unit


def quantised(rows: Rows, scale: float) -> NDArray[np.int8]:
    """Return rows as 8-bit multiples of 1 / `scale`; a number beyond the range becomes the last in it."""
    small: NDArray[np.int8] = np.clip(np.rint(rows * scale), -LARGEST, LARGEST).astype(np.int8)
    return small
