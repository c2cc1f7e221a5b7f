"""The lists of a catalog as arrays in memory: each kind of list in one piece, cut by offsets.

Read in one go at first use. One statement for each new word cost 2 to 7 ms a query; all lists of 50,000 products are
there in 120 ms and 40 MB, and a query of words never seen before then costs what any other does.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import duckdb
import numpy as np
from numpy.typing import NDArray

from catalog.errors import CatalogError
from catalog.postings import EMPTY_IDS, Posting
from catalog.search import Ids

Number = TypeVar("Number", bound=np.generic)

Offsets = NDArray[np.int64]

BYTES_PER_POSTING = 12
"""Memory of all lists together for each entry of the text lists: 6 for these, the rest for mentions and facets."""


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


def read_lists(connection: duckdb.DuckDBPyConnection) -> ListArrays:
    """Read the lists of a catalog; raises `CatalogError` when they are not as the build left them."""
    lengths = _offsets(connection, "SELECT termid AS row, len(docids) AS n FROM pl")
    columns = connection.execute("SELECT unnest(docids) AS id, unnest(imps) AS impact FROM pl").fetchnumpy()
    ids, impacts = _fixed(columns["id"], np.int32), _fixed(columns["impact"], np.uint16)
    highest = np.maximum.reduceat(impacts, lengths[:-1]) if len(impacts) else np.empty(0, dtype=np.uint16)
    return ListArrays(
        PostingArrays(lengths, ids, impacts, highest),
        _id_lists(connection, "mentions", "termid"),
        _id_lists(connection, "facet_lists", "rowid"),
        _id_lists(connection, "brands", "rowid"),
    )


def _id_lists(connection: duckdb.DuckDBPyConnection, table: str, row: str) -> IdArrays:
    offsets = _offsets(connection, f"SELECT {row} AS row, len(ids) AS n FROM {table}")  # noqa: S608 - names of this file
    ids = connection.execute(f"SELECT unnest(ids) AS id FROM {table}").fetchnumpy()["id"]  # noqa: S608 - likewise
    return IdArrays(offsets, _fixed(ids, np.int32))


def _offsets(connection: duckdb.DuckDBPyConnection, sql: str) -> Offsets:
    """Return where the list of each row begins, and the end of the last; rows without a list are empty."""
    columns = connection.execute(sql).fetchnumpy()
    rows = np.asarray(columns["row"], dtype=np.int64)
    if len(rows) and (rows[0] < 0 or (np.diff(rows) <= 0).any()):
        raise CatalogError("the catalog's lists are out of order; build it again")
    lengths = np.zeros(int(rows[-1]) + 2 if len(rows) else 1, dtype=np.int64)
    lengths[rows + 1] = columns["n"]
    return np.cumsum(lengths)


def _fixed(column: Any, kind: type[Number]) -> NDArray[Number]:
    array: NDArray[Number] = np.ascontiguousarray(np.ma.getdata(column), dtype=kind)
    array.flags.writeable = False
    return array
