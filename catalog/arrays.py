"""The lists of a catalog as arrays: each kind of list in one piece, cut by offsets, in memory or mapped from files.

One statement for each new word cost 2 to 7 ms a query. All lists of 50,000 products are read in 120 ms into 40 MB, and
a query of words never seen before then costs what any other does. Of larger catalogs the build writes the same arrays
to files beside the catalog, which are mapped: open at once, shared by processes, and only what is used takes memory.
"""

# SQL here is assembled from this package's own expressions; values from outside are bound or quoted.
# ruff: noqa: S608

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import duckdb
import numpy as np
from numpy.typing import NDArray

from catalog.errors import CatalogError
from catalog.postings import EMPTY_IDS, Posting
from catalog.quotes import Statements
from catalog.search import Ids

Number = TypeVar("Number", bound=np.generic)

Offsets = NDArray[np.int64]

Allocate = Callable[[str, int, Any], NDArray[Any]]
"""Returns an array to fill, of a name, a length and a type."""

BYTES_PER_POSTING = 12
"""Memory of all lists together for each entry of the text lists: 6 for these, the rest for mentions and facets."""

_BATCH = 20_000_000
"""Entries that are read at once."""


class PostingArrays(NamedTuple):
    """The text lists: stem n holds `ids[offsets[n]:offsets[n + 1]]`, its largest impact is `highest[n]`."""

    offsets: Offsets
    ids: Ids
    impacts: NDArray[np.uint16]
    highest: NDArray[np.uint16]

    def posting(self, term: int) -> Posting | None:
        """Return the list of a stem, None when there is none of that number."""
        if not 0 <= term < len(self.highest):
            return None
        first, last = self.offsets[term], self.offsets[term + 1]
        return Posting(self.ids[first:last], self.impacts[first:last], int(self.highest[term]))


class IdArrays(NamedTuple):
    """Lists of ids: row n is `ids[offsets[n]:offsets[n + 1]]`."""

    offsets: Offsets
    ids: Ids

    def row(self, number: int | None) -> Ids:
        """Return one list, empty when there is none of that number."""
        if number is None or not 0 <= number < len(self.offsets) - 1:
            return EMPTY_IDS
        return self.ids[self.offsets[number] : self.offsets[number + 1]]


class ListArrays(NamedTuple):
    """All lists of a catalog: postings and mentions by stem, facets and brands by their row."""

    postings: PostingArrays
    mentions: IdArrays
    facets: IdArrays
    brands: IdArrays


def in_memory(_name: str, length: int, kind: Any) -> NDArray[Any]:
    """Return an array to fill in memory."""
    return np.empty(length, dtype=kind)


def read_lists(connection: duckdb.DuckDBPyConnection, allocate: Allocate = in_memory) -> ListArrays:
    """Read the lists of a catalog; raises `CatalogError` when they are not as the build left them."""
    return ListArrays(
        _postings(connection, allocate),
        _id_lists(connection, "mentions", "termid", allocate),
        _id_lists(connection, "facet_lists", "rowid", allocate),
        _id_lists(connection, "brands", "rowid", allocate),
    )


def _postings(connection: duckdb.DuckDBPyConnection, allocate: Allocate) -> PostingArrays:
    offsets = _offsets(connection, "SELECT termid AS row, len(docids) AS n FROM pl", allocate, "pl.offsets")
    ids = allocate("pl.ids", int(offsets[-1]), np.int32)
    impacts = allocate("pl.impacts", int(offsets[-1]), np.uint16)
    highest = allocate("pl.highest", len(offsets) - 1, np.uint16)
    for first, last in _batches(offsets):
        columns = connection.execute(
            f"SELECT unnest(docids) AS id, unnest(imps) AS imp FROM pl WHERE termid >= {first} AND termid < {last}"
        ).fetchnumpy()
        place = slice(offsets[first], offsets[last])
        ids[place], impacts[place] = columns["id"], columns["imp"]
        highest[first:last] = np.maximum.reduceat(np.asarray(columns["imp"]), offsets[first:last] - offsets[first])
    return PostingArrays(offsets, _fixed(ids), _fixed(impacts), _fixed(highest))


def _id_lists(connection: duckdb.DuckDBPyConnection, table: str, row: str, allocate: Allocate) -> IdArrays:
    offsets = _offsets(connection, f"SELECT {row} AS row, len(ids) AS n FROM {table}", allocate, f"{table}.offsets")
    ids = allocate(f"{table}.ids", int(offsets[-1]), np.int32)
    for first, last in _batches(offsets):
        columns = connection.execute(
            f"SELECT unnest(ids) AS id FROM {table} WHERE {row} >= {first} AND {row} < {last}"
        ).fetchnumpy()
        ids[offsets[first] : offsets[last]] = columns["id"]
    return IdArrays(offsets, _fixed(ids))


def _offsets(connection: duckdb.DuckDBPyConnection, sql: str, allocate: Allocate, name: str) -> Offsets:
    """Return where the list of each row begins, and the end of the last; rows without a list are empty."""
    columns = connection.execute(sql).fetchnumpy()
    rows = np.asarray(columns["row"], dtype=np.int64)
    if len(rows) and (rows[0] < 0 or (np.diff(rows) <= 0).any()):
        raise CatalogError("the catalog's lists are out of order; build it again")
    lengths = np.zeros(int(rows[-1]) + 2 if len(rows) else 1, dtype=np.int64)
    lengths[rows + 1] = columns["n"]
    offsets = allocate(name, len(lengths), np.int64)
    np.cumsum(lengths, out=offsets)
    return _fixed(offsets)


def _batches(offsets: Offsets) -> Iterator[tuple[int, int]]:
    """Yield ranges of rows of about `_BATCH` entries, `[first, last)`."""
    part = offsets[:-1] // _BATCH
    yield from pairwise([*np.flatnonzero(np.diff(part, prepend=-1)).tolist(), len(part)])


def read_statements(connection: duckdb.DuckDBPyConnection, allocate: Allocate = in_memory) -> Statements:
    """Read the statements as they lie: by hash, the whole string before a beginning.

    To sort them again took twice the time. Raises `CatalogError` when they are out of order.
    """
    columns = connection.execute("SELECT hash, whole, len(ids) AS n FROM statements").fetchnumpy()
    count = len(columns["hash"])
    hashes, whole = allocate("statements.hashes", count, np.uint64), allocate("statements.whole", count, np.bool_)
    hashes[:], whole[:] = columns["hash"], columns["whole"]
    if (hashes[1:] < hashes[:-1]).any():
        raise CatalogError("the catalog's statements are out of order; build it again")
    offsets = allocate("statements.offsets", count + 1, np.int64)
    offsets[0] = 0
    np.cumsum(columns["n"], out=offsets[1:])
    ids = allocate("statements.ids", int(offsets[-1]), np.int32)
    for first, last in _batches(offsets):
        sql = f"SELECT unnest(ids) AS id FROM statements WHERE rowid >= {first} AND rowid < {last}"
        ids[offsets[first] : offsets[last]] = connection.execute(sql).fetchnumpy()["id"]
    lengths = connection.execute("SELECT DISTINCT tokens FROM statements ORDER BY 1").fetchall()
    sizes = allocate("statements.lengths", len(lengths), np.int64)
    sizes[:] = [length for (length,) in lengths]
    return Statements(*map(_fixed, (hashes, whole, offsets, ids, sizes)))


def _fixed(array: NDArray[Number]) -> NDArray[Number]:
    array.flags.writeable = False
    return array
