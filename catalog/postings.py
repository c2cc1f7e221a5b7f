"""Decoded lists in memory: a bounded, thread-safe store of the arrays that sets and scores are made of."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from catalog.search import Hits, Ids, Scores

DEFAULT_CACHE_BYTES = 96 * 1024 * 1024
"""Holds the lists of some 500 common words and values of 50,000 products, or the dozen longest of 5,000,000."""

EMPTY_IDS: Ids = np.empty(0, dtype=np.int32)
EMPTY_IDS.flags.writeable = False


class Posting(NamedTuple):
    """The products that hold a stem, ascending, and the impact of the stem on the score of each."""

    ids: Ids
    impacts: NDArray[np.uint16]

    @property
    def nbytes(self) -> int:
        """Memory of both arrays."""
        return self.ids.nbytes + self.impacts.nbytes


Item = TypeVar("Item")


class BoundedCache(Generic[Item]):
    """Keep the most recently used items up to a total size in bytes; an item that is too large is not kept."""

    def __init__(self, limit: int, size_of: Callable[[Item], int]):
        self._limit = limit
        self._size_of = size_of
        self._items: OrderedDict[Hashable, Item] = OrderedDict()
        self._used = 0
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Item | None:
        """Return the item of `key` and mark it used; None when it is not kept."""
        with self._lock:
            item = self._items.get(key)
            if item is not None:
                self._items.move_to_end(key)
            return item

    def put(self, key: Hashable, item: Item) -> None:
        """Keep an item, dropping the least recently used ones beyond the limit."""
        size = self._size_of(item) + 200
        with self._lock:
            if size > self._limit or key in self._items:
                return
            self._items[key] = item
            self._used += size
            while self._used > self._limit:
                _, dropped = self._items.popitem(last=False)
                self._used -= self._size_of(dropped) + 200


def read_only(array: NDArray[np.generic]) -> NDArray[np.generic]:
    """Return `array` with writing refused: cached arrays are shared between callers."""
    array.flags.writeable = False
    return array


def rank(postings: list[Posting], size: int, limit: int, scale: float, within: Ids | None) -> Hits:
    """Add up impacts over all products and return the best `limit`; ties go to the lower id."""
    totals = np.zeros(size, dtype=np.float32)
    for posting in postings:
        totals[posting.ids] += posting.impacts
    if within is None:
        candidates: Ids = np.flatnonzero(totals).astype(np.int32)
    else:
        candidates = within[totals[within] > 0]
    found = totals[candidates]
    if len(candidates) > limit > 0:
        threshold = np.partition(found, len(found) - limit)[len(found) - limit]
        kept = found >= threshold
        candidates, found = candidates[kept], found[kept]
    order = np.lexsort((candidates, -found))[: max(limit, 0)]
    return Hits(candidates[order], found[order] / np.float32(scale))


def score(postings: list[Posting], ids: Ids, scale: float) -> Scores:
    """Return the summed impacts of each of `ids`, shape (k,)."""
    totals = np.zeros(len(ids), dtype=np.float32)
    for posting in postings:
        places = np.searchsorted(posting.ids, ids)
        places[places == len(posting.ids)] = 0
        held = posting.ids[places] == ids
        totals[held] += posting.impacts[places[held]]
    return totals / np.float32(scale)


def intersection(lists: list[Ids]) -> Ids:
    """Return the ids that stand in every list, ascending; empty for no lists."""
    if not lists:
        return EMPTY_IDS
    lists = sorted(lists, key=len)
    common = lists[0]
    for other in lists[1:]:
        places = np.searchsorted(other, common)
        places[places == len(other)] = 0
        common = common[other[places] == common] if len(other) else EMPTY_IDS
    return common
