"""What judging needs of an index, for some of its products: a large catalog is not passed through for a few hundred."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from catalog.constraint import Constraint
from catalog.facet_sets import FacetSets
from catalog.judge import judge_all
from catalog.postings import EMPTY_IDS, membership
from catalog.search import Ids

_LIST_COST = 40
"""Looking an id up in one of many lists costs as much as marking so many entries of them in a mask."""

_CONSTRAINTS_KEPT = 64
"""Constraints whose last judged products are kept: at most 8 MB of a catalog of 5,000,000."""


class SomeVerdicts:
    """Verdicts of a few products; a turn asks for those of a pool, then for those of ever fewer of it. Thread-safe."""

    def __init__(self, sets: FacetSets):
        self._sets = sets
        self._kept: OrderedDict[str, tuple[Ids, NDArray[np.int8]]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, key: str, constraint: Constraint, ids: Ids) -> NDArray[np.int8]:
        """Return the verdicts of `ids`, shape (k,), on the constraint that `key` names."""
        with self._lock:
            known, verdicts = self._kept.get(key, (EMPTY_IDS, np.empty(0, np.int8)))
        if len(known):
            places = np.minimum(np.searchsorted(known, ids), len(known) - 1)
            if np.array_equal(known[places], ids):
                return verdicts[places]
        verdicts = judge_all(constraint, SomeSets(self._sets, ids))
        if (np.diff(ids) > 0).all():
            with self._lock:
                self._kept[key] = ids.copy(), verdicts
                self._kept.move_to_end(key)
                while len(self._kept) > _CONSTRAINTS_KEPT:
                    self._kept.popitem(last=False)
        return verdicts.copy()


class SomeSets:
    """The view of an index for `catalog.judge` in which product n is `ids[n]`: lists hold places in `ids`."""

    def __init__(self, sets: FacetSets, ids: Ids):
        """Look at the products `ids` only, shape (k,), in any order."""
        self._sets = sets
        self._ids = ids

    @property
    def size(self) -> int:
        """Number of products looked at."""
        return len(self._ids)

    @property
    def numbers(self) -> dict[str, NDArray[np.float64]]:
        """Numeric columns by attribute, NaN where unknown."""
        return {name: column[self._ids] for name, column in self._sets.numbers.items()}

    def known_ids(self, key: str) -> Ids:
        """Products that state the facet; for a brand also those that name a store."""
        return self._in_any(self._sets.known_lists(key))

    def value_ids(self, key: str, value: str) -> Ids:
        """Products whose facet holds the folded value."""
        return self._in_any(self._sets.value_lists(key, value))

    def any_ids(self, key: str, values: Iterable[str]) -> Ids:
        """Products whose facet holds any of the folded values."""
        return self._in_any(self._sets.any_lists(key, values))

    def folded_values(self, key: str) -> Iterable[str]:
        """The folded values of a facet, of all products."""
        return self._sets.folded_values(key)

    def store_ids(self, brand: str) -> Ids:
        """Products whose store is the brand or whose title starts with it."""
        return self._in_any([self._sets.store_ids(brand)])

    def text_ids(self, words: str) -> Ids:
        """Products whose whole text holds all the words, by stem."""
        return self._in_all(self._sets.text_lists(words))

    def mention_ids(self, words: str) -> Ids:
        """Products whose title and features hold all the words, by stem."""
        return self._in_all(self._sets.mention_lists(words))

    def _in_any(self, lists: Sequence[Ids]) -> Ids:
        if len(lists) * len(self._ids) * _LIST_COST > self._sets.size + sum(map(len, lists)):
            marked = np.zeros(self._sets.size, np.bool_)
            for members in lists:
                marked[members] = True
            return _places(marked[self._ids])
        held = np.zeros(len(self._ids), np.bool_)
        for members in lists:
            held |= membership(self._ids, members, self._sets.size)
        return _places(held)

    def _in_all(self, lists: Sequence[Ids]) -> Ids:
        held = np.full(len(self._ids), bool(lists))
        for members in sorted(lists, key=len):
            held &= membership(self._ids, members, self._sets.size)
        return _places(held)


def _places(held: NDArray[np.bool_]) -> Ids:
    return np.flatnonzero(held).astype(np.int32)
