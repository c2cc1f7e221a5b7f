"""The sentences of a catalog as arrays: which texts each product says, and the vector of each text."""

from __future__ import annotations

from typing import NamedTuple

import duckdb
import numpy as np
from numpy.typing import NDArray

from catalog.arrays import Allocate, in_memory
from catalog.errors import CatalogError

SENTENCE_TABLES = """
CREATE OR REPLACE TABLE sentences(
    unit INTEGER, product INTEGER, field VARCHAR, first INTEGER, last INTEGER, text INTEGER);
CREATE OR REPLACE TABLE sentence_vectors(first INTEGER, vectors BLOB);
CREATE OR REPLACE TABLE sentence_axes(mean FLOAT[], axes FLOAT[], scale DOUBLE)
"""
"""A unit is a sentence `[first, last)` of a field of a product; `text` is the row of its vector.

Vectors lie in runs of 8-bit rows, `first` being the row that a run begins with; `axes` is (D, d) row by row.
"""


class SentenceArrays(NamedTuple):
    """What is stored of the sentences of n products: u units (a sentence of a product) and t different texts."""

    offsets: NDArray[np.int64]
    """Shape (n + 1,): product p has the units `[offsets[p], offsets[p + 1])`, its title first."""

    texts: NDArray[np.int32]
    """Shape (u,): the text of each unit."""

    vectors: NDArray[np.int8]
    """Shape (t, d): of each text, as multiples of 1 / scale."""

    mean: NDArray[np.float32]
    """Shape (D,): what is taken off an encoded sentence."""

    axes: NDArray[np.float32]
    """Shape (D, d): the principal axes."""

    scale: float


def has_sentences(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether the catalog on a connection was built with sentence vectors."""
    sql = (
        "SELECT count(*) FROM duckdb_tables() WHERE table_name = 'sentence_axes' AND database_name = current_database()"
    )
    return bool(connection.execute(sql).fetchall()[0][0])


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
    mean, axes, scale = read_axes(connection)
    vectors = _read_vectors(connection, axes.shape[1], allocate)
    if (np.diff(owners) < 0).any() or (units and texts.max() >= len(vectors)):
        raise CatalogError("the catalog's sentences are out of order; build it again")
    for array in (offsets, texts, vectors):
        array.flags.writeable = False
    return SentenceArrays(offsets, texts, vectors, mean, axes, scale)


def read_axes(connection: duckdb.DuckDBPyConnection) -> tuple[NDArray[np.float32], NDArray[np.float32], float]:
    """Return the mean, the axes and the scale of a catalog's vectors."""
    mean, axes, scale = connection.execute("SELECT mean, axes, scale FROM sentence_axes").fetchall()[0]
    centre = np.array(mean, dtype=np.float32)
    return centre, np.array(axes, dtype=np.float32).reshape(len(centre), -1), scale


def _read_vectors(connection: duckdb.DuckDBPyConnection, width: int, allocate: Allocate) -> NDArray[np.int8]:
    lengths = "SELECT coalesce(sum(octet_length(vectors)), 0) FROM sentence_vectors"
    flat = allocate("sentences.vectors", int(connection.execute(lengths).fetchall()[0][0]), np.int8)
    runs = connection.execute("SELECT first, vectors FROM sentence_vectors ORDER BY first")
    while row := runs.fetchone():
        start = row[0] * width
        flat[start : start + len(row[1])] = np.frombuffer(row[1], dtype=np.int8)
    return flat.reshape(-1, width)
