"""Decoded lists in memory: a bounded, thread-safe store of the arrays that sets and scores are made of."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from catalog.search import Hits, Ids, Scores

DEFAULT_CACHE_BYTES = 96 * 1024 * 1024
"""Holds the lists of some 500 common words and values of 50,000 products, or the dozen longest of 5,000,000."""

EMPTY_IDS: Ids = np.empty(0, dtype=np.int32)
EMPTY_IDS.flags.writeable = False

_PROBE_COST = 12
"""Looking a product up in a list costs as much as adding so many entries of it."""

_FLOOR_COST = 2
"""Finding how high the best stand costs as much for each entry of a list as adding so many entries."""

_FEWEST_SPARED = 50_000
"""Entries from which on it is worth finding out whether they need to be added: some .1 ms."""

_PICK_COST = 8
"""Picking an entry out of a list costs as much as looking at so many products in order."""

_SETTLE_COST = 1
"""Picking the products that may be among the best costs as much for each entry added as adding so many."""


_LOOKUP_COST = 8
"""Looking an id up in a list costs as much as marking so many entries of it in a mask."""

_MASK_SHARE = 200
"""An empty mask of so many products costs as much as marking one entry."""


def frozen(ids: Any) -> Ids:
    """Return ids as an array that refuses writing: lists are shared between callers."""
    array: Ids = np.asarray(ids, dtype=np.int32)
    array.flags.writeable = False
    return array


class Posting(NamedTuple):
    """The products that hold a stem, ascending, and the impact of the stem on the score of each."""

    ids: Ids
    impacts: NDArray[np.uint16]
    highest: int
    """The largest impact: no product gains more from the stem."""

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


def rank(postings: Sequence[Posting], size: int, limit: int, scale: float, within: Ids | None) -> Hits:
    """Return the best `limit` products by summed impacts; ties go to the lower id.

    Give the rarest stem first. Exact, with the idea of MaxScore (Turtle and Flood, "Query evaluation: strategies and
    optimizations", 1995): once the lists still to come cannot lift a new product among the best, they are only looked
    up for the products that the earlier ones found.
    """
    if limit < 1 or not postings:
        return Hits(EMPTY_IDS, np.empty(0, dtype=np.float32))
    if within is not None and len(within) * _PROBE_COST < sum(len(posting.ids) for posting in postings) / len(postings):
        return _best(within, _sums(postings, within), limit, scale)
    totals = np.zeros(size, dtype=np.float32)
    if within is not None:
        for posting in postings:
            _add(posting, totals)
        return _best(within, totals.take(within), limit, scale)
    candidates, rest = _add_until_settled(postings, totals, limit)
    return _best(candidates, totals.take(candidates) + _sums(rest, candidates), limit, scale)


def _add(posting: Posting, totals: Scores) -> None:
    # add.at takes 1.7 ns an entry where the types agree, `totals[ids] += impacts` 5.
    np.add.at(totals, posting.ids, posting.impacts.astype(np.float32))


def _add_until_settled(postings: Sequence[Posting], totals: Scores, limit: int) -> tuple[Ids, Sequence[Posting]]:
    """Add lists to `totals` as long as they may bring a new product among the best `limit`.

    Returns the products that may be among the best, ascending, and the lists to look them up in.
    """
    floor = 0.0  # what the best `limit` products reach at least
    added, left = 0, sum(len(posting.ids) for posting in postings)
    above = sum(posting.highest for posting in postings)
    for number, posting in enumerate(postings):
        if floor > above and left > added * _SETTLE_COST:
            candidates = _reaching(postings[:number], totals, floor - above)
            if len(candidates) * (len(postings) - number) * _PROBE_COST < left:
                return candidates, postings[number:]
        _add(posting, totals)
        size = len(posting.ids)
        added, left, above = added + size, left - size, above - posting.highest
        if size >= limit and left > max(size * _FLOOR_COST, _FEWEST_SPARED):
            floor = max(floor, _nth_largest(totals.take(posting.ids), limit))
    return _best_of(postings, totals, limit), ()


def _nth_largest(values: Scores, number: int) -> float:
    return float(np.partition(values, len(values) - number)[len(values) - number])


def _reaching(postings: Sequence[Posting], totals: Scores, bar: float) -> Ids:
    """Return the products of the lists whose total is `bar` or more, ascending."""
    if sum(len(posting.ids) for posting in postings) * _PICK_COST > len(totals):
        return np.flatnonzero(totals >= bar).astype(np.int32)
    reaching = [posting.ids[totals.take(posting.ids) >= bar] for posting in postings]
    return distinct(np.concatenate(reaching))


def distinct(ids: Ids) -> Ids:
    """Return each id once, ascending; `np.unique` hashes, which takes many times as long."""
    ordered = np.sort(ids)
    once: Ids = ordered[np.diff(ordered, prepend=-1) != 0]
    return once


def _best_of(postings: Sequence[Posting], totals: Scores, limit: int) -> Ids:
    """Return the best `limit` products of the lists and whatever equals the last of them, ascending; a few more too."""
    entries = np.concatenate([posting.ids for posting in postings])
    if len(entries) * _PICK_COST > len(totals):
        return np.flatnonzero(totals > 0).astype(np.int32)  # of a mask: ten times as fast as of numbers
    reached = totals.take(entries)
    # A product stands in each list once: so many entries are of `limit` products at least.
    most = limit * len(postings)
    return distinct(entries[reached >= _nth_largest(reached, most)] if len(entries) > most else entries)


def _best(ids: Ids, sums: Scores, limit: int, scale: float) -> Hits:
    """Return the best `limit` of ascending `ids` by their sums, without those of sum 0."""
    bar = np.float32(1.0)
    if len(ids) > limit:
        bar = max(bar, np.partition(sums, len(sums) - limit)[len(sums) - limit])
    kept = np.flatnonzero(sums >= bar)
    found = sums[kept]
    order = np.argsort(-found, kind="stable")[:limit]
    return Hits(ids[kept[order]], found[order] / np.float32(scale))


def beyond(whole: Posting, parts: Sequence[Posting], share: float) -> Posting | None:
    """Return what the products of `whole` gain by `share` of its impacts that they do not gain by `parts`."""
    impacts = np.floor(whole.impacts * share + 0.5) - _sums(parts, whole.ids)
    kept = np.flatnonzero(impacts > 0)
    if not len(kept):
        return None
    return Posting(whole.ids[kept], impacts[kept].astype(np.uint16), int(impacts[kept].max()))


def score(postings: Sequence[Posting], ids: Ids, scale: float) -> Scores:
    """Return the summed impacts of each of `ids`, shape (k,)."""
    return _sums(postings, ids) / np.float32(scale)


def _sums(postings: Sequence[Posting], ids: Ids) -> Scores:
    totals = np.zeros(len(ids), dtype=np.float32)
    for posting in postings:
        places = np.searchsorted(posting.ids, ids)
        places[places == len(posting.ids)] = 0
        held = posting.ids.take(places) == ids
        totals += np.where(held, posting.impacts.take(places), 0)
    return totals


def membership(ids: Ids, members: Ids, size: int) -> NDArray[np.bool_]:
    """Return which of `ids` are in `members` (ascending), shape (k,), of a catalog of `size` products.

    A mask of the whole catalog is made where looking each id up costs more.
    """
    if not len(members):
        return np.zeros(len(ids), np.bool_)
    if len(ids) * _LOOKUP_COST < len(members) + size // _MASK_SHARE:
        places = np.searchsorted(members, ids)
        places[places == len(members)] = 0
        found: NDArray[np.bool_] = members.take(places) == ids
        return found
    mask = np.zeros(size, np.bool_)
    mask[members] = True
    return mask[ids]


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
