"""The id sets that judging needs: facet values compared without case and accents, stores, mentions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catalog.postings import EMPTY_IDS, frozen
from catalog.search import Ids
from catalog.text import fold, tokens

if TYPE_CHECKING:
    from catalog.duckdb_index import DuckDBIndex

_KEYS_KEPT = 64
_MOST_IDS = 1_000_000
"""Ids of a facet's values up to which all are read at first use (4 MB), in place of a statement for each value."""

_BRANDS_KEPT = 256


class _Lists(NamedTuple):
    """The lists of a facet's values: those of a folded value are `ids[start:end]` for each of its ranges."""

    ranges: dict[str, list[tuple[int, int]]]
    ids: Ids


class FacetSets:
    """The view of an index that `catalog.judge` works on."""

    def __init__(self, index: DuckDBIndex):
        self._index = index
        self._spellings: Callable[[str], dict[str, list[str]]] = lru_cache(_KEYS_KEPT)(self._read_spellings)
        self._lists: Callable[[str], _Lists | None] = lru_cache(_KEYS_KEPT)(self._read_lists)
        self.store_ids: Callable[[str], Ids] = lru_cache(_BRANDS_KEPT)(self._read_store_ids)

    @property
    def size(self) -> int:
        """Number of products."""
        return self._index.size

    @property
    def numbers(self) -> dict[str, NDArray[np.float64]]:
        """Numeric columns by attribute, NaN where unknown."""
        return self._index.numbers

    def known_ids(self, key: str) -> Ids:
        """Products that state the facet; for a brand also those that name a store."""
        return self._union(self.known_lists(key))

    def known_lists(self, key: str) -> list[Ids]:
        """The lists that make up `known_ids`."""
        known = self._index.known_ids(key)
        return [known, self._index.stored_ids("brand", "")] if key == "brand" else [known]

    def value_ids(self, key: str, value: str) -> Ids:
        """Products whose facet holds the folded value."""
        return self._union(self.value_lists(key, value))

    def value_lists(self, key: str, value: str) -> list[Ids]:
        """The lists that make up `value_ids`, one for each spelling."""
        return [self._index.facet_ids(key, spelling) for spelling in self._spellings(key).get(value, ())]

    def any_ids(self, key: str, values: Iterable[str]) -> Ids:
        """Products whose facet holds any of the folded values, of which there may be hundreds."""
        return self._union(self.any_lists(key, values))

    def any_lists(self, key: str, values: Iterable[str]) -> list[Ids]:
        """The lists that make up `any_ids`."""
        return [ids for value in values for ids in self._lists_of(key, value)]

    def _lists_of(self, key: str, value: str) -> list[Ids]:
        if lists := self._lists(key):
            return [lists.ids[start:end] for start, end in lists.ranges.get(value, ())]
        return self.value_lists(key, value)

    def folded_values(self, key: str) -> Iterable[str]:
        """The folded values of a facet."""
        return self._spellings(key)

    def text_ids(self, words: str) -> Ids:
        """Products whose whole text holds all the words, by stem."""
        return self._index.term_ids(words)

    def mention_ids(self, words: str) -> Ids:
        """Products whose title and features hold all the words, by stem."""
        return self._index.mention_ids(words)

    def text_lists(self, words: str) -> list[Ids]:
        """The lists that `text_ids` is the intersection of, one for each word."""
        return self._index.text_lists(words)

    def mention_lists(self, words: str) -> list[Ids]:
        """The lists that `mention_ids` is the intersection of, one for each word."""
        return self._index.mention_lists(words)

    @cached_property
    def filed_ids(self) -> Ids:
        """Products whose category path has two nodes or more, ascending."""
        return frozen(self._index.run("filed", 2).fetchnumpy()["id"])

    def _union(self, lists: list[Ids]) -> Ids:
        """Return the ids of any of the lists, ascending; a mask is ten times as fast as sorting 50,000 ids."""
        if len(lists) == 1:
            return lists[0]
        held = np.zeros(self.size, dtype=np.bool_)
        for ids in lists:
            held[ids] = True
        return np.flatnonzero(held).astype(np.int32)

    def _read_lists(self, key: str) -> _Lists | None:
        """Read the lists of all values of a facet; None when they are too many to be kept."""
        rows = self._index.run("facet_counts", key).fetchall()
        ends = list(accumulate(count for _, count in rows))
        if ends and ends[-1] > _MOST_IDS:
            return None
        ranges: dict[str, list[tuple[int, int]]] = {}
        for (value, count), end in zip(rows, ends, strict=True):
            ranges.setdefault(fold(value), []).append((end - count, end))
        ids = np.asarray(self._index.run("facet_all", key).fetchnumpy()["id"], dtype=np.int32)
        ids.flags.writeable = False
        return _Lists(ranges, ids)

    def _read_spellings(self, key: str) -> dict[str, list[str]]:
        spellings: dict[str, list[str]] = {}
        for (value,) in self._index.run("spellings", key).fetchall():
            spellings.setdefault(fold(value), []).append(value)
        return spellings

    def _read_store_ids(self, brand: str) -> Ids:
        """Products whose store is the folded brand or whose title starts with its words.

        The build lists both for every brand and store that the catalog names; any other text is looked for here.
        """
        listed = self._index.stored_ids("brand", brand)
        if len(listed):
            return listed
        words = tokens(brand)
        titled = self._index.mention_ids(brand)
        if not len(titled):
            return EMPTY_IDS
        rows = self._index.run("titles", " ".join(map(str, titled.tolist()))).fetchall()
        starting = [product_id for product_id, title in rows if tokens(title or "")[: len(words)] == words]
        return np.array(sorted(starting), dtype=np.int32)
