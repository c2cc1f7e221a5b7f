"""Where the lists of a catalog come from: arrays of all of them, or statements one by one with a bounded cache.

Arrays in memory while they fit in `cache_bytes`; mapped files beside the catalog, which the build writes for larger
ones; without these, one list after the other as it is asked for.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Literal

import duckdb

from catalog.arrays import BYTES_PER_POSTING, ListArrays, read_lists, read_statements
from catalog.mapping import lists_folder, map_lists, map_sentences
from catalog.postings import EMPTY_IDS, BoundedCache, Posting, frozen
from catalog.quotes import Statements, StatementTable
from catalog.search import Ids
from catalog.sentence_arrays import SentenceArrays, read_sentences

ListName = Literal["mention", "facet", "brand"]

LIST_STATEMENTS = {
    "lists": "SELECT termid, docids, imps FROM pl WHERE termid IN (SELECT unnest(string_split($1, ' ')::INTEGER[]))",
    "mention": "SELECT ids FROM mentions WHERE termid = $1",
    "facet": "SELECT ids FROM facet_lists WHERE key = $1 AND value = $2",
    "brand": "SELECT ids FROM brands WHERE brand = $1",
}
"""The statements that read single lists, to be prepared on every cursor."""


def listed(numbers: Sequence[int] | Ids) -> str:
    """Return numbers as the text that the prepared statements split."""
    return " ".join(map(str, numbers if isinstance(numbers, Sequence) else numbers.tolist()))


class CatalogLists:
    """The lists of one catalog. Safe for threads."""

    def __init__(
        self,
        run: Callable[..., duckdb.DuckDBPyConnection],
        cursor: Callable[[], duckdb.DuckDBPyConnection],
        file: Path,
        cache_bytes: int,
    ):
        """Read by prepared statements (`run`) or from the thread's cursor, and keep up to `cache_bytes`."""
        self._run = run
        self._cursor = cursor
        self._file = file
        self._cache_bytes = cache_bytes
        self._lock = threading.Lock()
        self._postings: BoundedCache[Posting] = BoundedCache(cache_bytes, lambda item: item.nbytes)
        self._sets: BoundedCache[Ids] = BoundedCache(max(cache_bytes // 2, 1 << 20), lambda item: int(item.nbytes))

    @cached_property
    def _mapped(self) -> tuple[ListArrays, Statements] | None:
        """The lists that the build of a large catalog left beside it."""
        return map_lists(self._cursor(), lists_folder(self._file)) if self._cache_bytes else None

    @cached_property
    def arrays(self) -> ListArrays | None:
        """All lists, mapped or in memory; None when they would take more than they may."""
        with self._lock:
            if self._mapped is not None:
                return self._mapped[0]
            found = self._cursor().execute("SELECT sum(df) FROM terms").fetchall()[0][0] or 0
            if not self._cache_bytes or found * BYTES_PER_POSTING > self._cache_bytes:
                return None
            return read_lists(self._cursor())

    @cached_property
    def statements(self) -> StatementTable:
        """The strings that shoppers quote, mapped or in memory."""
        with self._lock:
            return StatementTable(self._mapped[1] if self._mapped is not None else read_statements(self._cursor()))

    def sentences(self) -> SentenceArrays:
        """Return the sentences with their vectors, mapped or in memory."""
        cursor = self._cursor()
        return map_sentences(cursor, lists_folder(self._file)) or read_sentences(cursor)

    @cached_property
    def _rows(self) -> dict[str, dict[tuple[str | int, ...], int]]:
        """The row of each list of a facet value and of a brand in the arrays."""
        facets = self._cursor().execute("SELECT key, value FROM facet_lists").fetchall()
        brands = self._cursor().execute("SELECT brand FROM brands").fetchall()
        return {"facet": dict(zip(facets, count())), "brand": dict(zip(brands, count()))}

    def postings(self, terms: Sequence[int]) -> list[Posting]:
        """Return the lists of stems in their order, reading those that are not kept in one statement."""
        if self.arrays is not None:
            found = [self.arrays.postings.posting(term) for term in terms]
            return [posting for posting in found if posting is not None]
        kept = {term: self._postings.get(term) for term in terms}
        missing = [term for term, posting in kept.items() if posting is None]
        if missing:
            columns = self._run("lists", listed(missing)).fetchnumpy()
            for term, ids, impacts in zip(columns["termid"], columns["docids"], columns["imps"], strict=True):
                posting = Posting(frozen(ids), impacts, int(impacts.max()))
                kept[int(term)] = posting
                self._postings.put(int(term), posting)
        return [posting for posting in kept.values() if posting is not None]

    def ids(self, name: ListName, *values: str | int) -> Ids:
        """Return one list of `mention` (by stem), `facet` (by key and value) or `brand`; empty when there is none."""
        arrays = self.arrays
        if arrays is None:
            return self._read_ids(name, *values)
        if name == "mention":
            return arrays.mentions.row(int(values[0]))
        lists = arrays.facets if name == "facet" else arrays.brands
        return lists.row(self._rows[name].get(values))

    def _read_ids(self, name: ListName, *values: str | int) -> Ids:
        """Return the one list that a prepared statement yields, through the cache; empty when there is no row."""
        key = (name, *values)
        kept = self._sets.get(key)
        if kept is None:
            found = self._run(name, *values).fetchnumpy()["ids"]
            kept = frozen(found[0]) if len(found) else EMPTY_IDS
            self._sets.put(key, kept)
        return kept
