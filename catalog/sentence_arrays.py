"""The sentences of a catalog as arrays: which texts each product says, and the vector of each text."""

from __future__ import annotations

from typing import NamedTuple

import duckdb
import numpy as np
from numpy.typing import NDArray

from catalog.arrays import Allocate, in_memory
from catalog.errors import CatalogError
from catalog.piece_table import unit_rows

SENTENCE_TABLES = """
CREATE OR REPLACE TABLE sentences(
    unit INTEGER, product INTEGER, field VARCHAR, first INTEGER, last INTEGER, text INTEGER);
CREATE OR REPLACE TABLE sentence_vectors(first INTEGER, vectors BLOB);
CREATE OR REPLACE TABLE sentence_space(mean FLOAT[], scale DOUBLE)
"""
"""A unit is a sentence `[first, last)` of a field of a product; `text` is the row of its vector.

Vectors lie in runs of 8-bit rows, `first` being the row that a run begins with.
"""


_HAS_SENTENCES = """
SELECT 1 FROM duckdb_tables() WHERE table_name = 'sentence_space' AND database_name = current_database()
"""

LARGEST = 127
"""The largest 8-bit integer that is used."""


class SentenceArrays(NamedTuple):
    """What is stored of the sentences of n products: u units (a sentence of a product) and t different texts."""

    offsets: NDArray[np.int64]
    """Shape (n + 1,): product p has the units `[offsets[p], offsets[p + 1])`, its title first."""

    texts: NDArray[np.int32]
    """Shape (u,): the text of each unit."""

    vectors: NDArray[np.int8]
    """Shape (t, d): of each text, as multiples of 1 / scale."""

    mean: NDArray[np.float32]
    """Shape (d,): the mean of the encoded texts, which is taken off all that is compared."""

    scale: float


def has_sentences(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether the catalog on a connection was built with sentence vectors."""
    return bool(connection.execute(_HAS_SENTENCES).fetchall())


def read_sentences(connection: duckdb.DuckDBPyConnection, allocate: Allocate = in_memory) -> SentenceArrays:
    """Read the sentences of a catalog that has them.

    Raises `CatalogError` when they are not as the build left them.
    """
    size = int(connection.execute("SELECT count(*) FROM products").fetchall()[0][0])
    columns = connection.execute("SELECT product, text FROM sentences").fetchnumpy()
    owners, units = np.asarray(columns["product"]), len(columns["product"])
    offsets = allocate("sentences.offsets", size + 1, np.int64)
    offsets[0] = 0
    np.cumsum(np.bincount(owners, minlength=size), out=offsets[1:])
    texts = allocate("sentences.texts", units, np.int32)
    texts[:] = columns["text"]
    mean, scale = read_space(connection)
    vectors = _read_vectors(connection, len(mean), allocate)
    if (np.diff(owners) < 0).any() or (units and texts.max() >= len(vectors)):
        raise CatalogError("the catalog's sentences are out of order; build it again")
    for array in (offsets, texts, vectors):
        array.flags.writeable = False
    return SentenceArrays(offsets, texts, vectors, mean, scale)


def read_space(connection: duckdb.DuckDBPyConnection) -> tuple[NDArray[np.float32], float]:
    """Return the mean and the scale of a catalog's vectors."""
    mean, scale = connection.execute("SELECT mean, scale FROM sentence_space").fetchall()[0]
    return np.array(mean, dtype=np.float32), scale


def centred(rows: NDArray[np.float32], mean: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return encoded texts without the mean, at unit length, shape (n, d); rows of zeros stay zeros."""
    rest = rows - mean
    rest[~rows.any(axis=1)] = 0
    return unit_rows(rest)


def quantised(rows: NDArray[np.float32], scale: float) -> NDArray[np.int8]:
    """Return rows as 8-bit multiples of 1 / `scale`; a number beyond the range becomes the last in it."""
    small: NDArray[np.int8] = np.clip(np.rint(rows * scale), -LARGEST, LARGEST).astype(np.int8)
    return small


def _read_vectors(connection: duckdb.DuckDBPyConnection, width: int, allocate: Allocate) -> NDArray[np.int8]:
    lengths = "SELECT coalesce(sum(octet_length(vectors)), 0) FROM sentence_vectors"
    flat = allocate("sentences.vectors", int(connection.execute(lengths).fetchall()[0][0]), np.int8)
    runs = connection.execute("SELECT first, vectors FROM sentence_vectors ORDER BY first")
    while row := runs.fetchone():
        start = row[0] * width
        flat[start : start + len(row[1])] = np.frombuffer(row[1], dtype=np.int8)
    return flat.reshape(-1, width)
