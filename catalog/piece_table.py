"""A table of vectors of word pieces: their sum points where all-MiniLM-L6-v2 puts the whole sentence.

`data/piece_table.npz` was fitted by `evals/fitting/piece_table.py`; what is in it is told there.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import as_file, files
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from catalog.wordpiece import word_pieces

Rows = NDArray[np.float32]

FILE = "data/piece_table.npz"


class PieceTable(NamedTuple):
    """The table and the space of its vectors: the model's 384 numbers, centred, on d principal axes."""

    rows: Rows
    """Shape (pieces, d); frequent pieces have short rows, a piece that says nothing has zeros."""

    mean: Rows
    """Shape (384,): the mean of what the model says of sentences."""

    axes: Rows
    """Shape (384, d): the principal axes of the centred rest."""

    def on_axes(self, rows: Rows) -> Rows:
        """Return unit rows of the model in the space of the table, shape (n, d); zeros stay zeros."""
        centred = rows - self.mean
        centred[~rows.any(axis=1)] = 0
        return unit_rows(unit_rows(centred) @ self.axes)

    def encode(self, texts: Sequence[str]) -> Rows:
        """Return the unit row of each text, shape (n, d); zeros for a text without words."""
        pieces = [word_pieces(text) for text in texts]
        counts = np.array([len(row) for row in pieces], dtype=np.int64)
        told = np.flatnonzero(counts)
        found = np.zeros((len(texts), self.rows.shape[1]), dtype=np.float32)
        if len(told):
            flat = np.fromiter(chain.from_iterable(pieces), dtype=np.int64, count=int(counts.sum()))
            starts = np.cumsum(counts[told]) - counts[told]
            found[told] = np.add.reduceat(self.rows[flat], starts, axis=0)
        return unit_rows(found)


@lru_cache(maxsize=1)
def load_table() -> PieceTable:
    """Return the table, read once."""
    with as_file(files("catalog").joinpath(FILE)) as path, np.load(path, allow_pickle=False) as stored:
        rows = stored["rows"].astype(np.float32) * stored["scales"].astype(np.float32)[:, None]
        return PieceTable(rows, stored["mean"].astype(np.float32), stored["axes"].astype(np.float32))


def unit_rows(rows: Rows) -> Rows:
    """Return rows at unit length; zeros stay zeros."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Rows = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return unit
