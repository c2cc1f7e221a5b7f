"""How many products hold each surface of the lexicon in their text, and how many of those carry each of its readings.

All texts of a run of products are walked at once through a tree of the surfaces: product by product in Python this was
most of the 20 s that the lexicon of 50,000 products took.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import duckdb
import numpy as np
from numpy.typing import NDArray

from catalog.cutting import FIELD_NUMBERS, Cut, Numbers
from catalog.fields import READING_ORDER

Reading = tuple[str, str]
Surface = tuple[str, ...]

_RANK = np.full(max(FIELD_NUMBERS.values()) + 2, -1, dtype=np.int64)
_RANK[[FIELD_NUMBERS[name] for name in READING_ORDER]] = np.arange(len(READING_ORDER))


class _Tree(NamedTuple):
    """The surfaces as a tree of words: node 0 is its root.

    `steps` are the sorted numbers `node * words + word` of its edges, `children` where each leads; `surface_of` gives
    the surface that ends at a node, -1 for none; `inner` tells the nodes that have edges.
    """

    words: dict[str, int]
    steps: Numbers
    children: Numbers
    surface_of: Numbers
    inner: NDArray[np.bool_]


def _grow(surfaces: Sequence[Surface]) -> _Tree:
    words: dict[str, int] = {}
    for surface in surfaces:
        for word in surface:
            words.setdefault(word, len(words))
    edges: dict[int, int] = {}
    ends = {}
    for number, surface in enumerate(surfaces):
        node = 0
        for word in surface:
            node = edges.setdefault(node * len(words) + words[word], len(edges) + 1)
        ends[node] = number
    steps = np.array(sorted(edges), dtype=np.int64)
    surface_of = np.full(len(edges) + 1, -1, dtype=np.int64)
    surface_of[list(ends)] = list(ends.values())
    inner = np.zeros(len(edges) + 1, dtype=np.bool_)
    inner[steps // max(len(words), 1)] = True
    return _Tree(words, steps, np.array([edges[step] for step in steps.tolist()], dtype=np.int64), surface_of, inner)


class ShareCounter:
    """Counts, run by run, over every `step`-th product."""

    def __init__(self, readings: Mapping[Surface, Sequence[Reading]], step: int = 1) -> None:
        """Number the surfaces and, in the order of their surfaces, their readings."""
        self._step = step
        self._surfaces = list(readings)
        self._pairs = [(surface, reading) for surface in self._surfaces for reading in readings[surface]]
        self._reading_numbers = {
            reading: number for number, reading in enumerate(dict.fromkeys(r for _, r in self._pairs))
        }
        self._reading_of = np.array([self._reading_numbers[reading] for _, reading in self._pairs], dtype=np.int64)
        sizes = [len(readings[surface]) for surface in self._surfaces]
        self._first_pair = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.array(sizes, dtype=np.int64))])
        self._tree = _grow(self._surfaces)
        self._word_of = np.empty(0, dtype=np.int64)
        self._held = np.zeros(len(self._surfaces), dtype=np.int64)
        self._carried = np.zeros(len(self._pairs), dtype=np.int64)

    def add(self, cut: Cut, connection: duckdb.DuckDBPyConnection) -> None:
        """Count the products of a run; their values are looked up in `stated(id, name)`."""
        known = self._tree.words
        self._word_of = np.concatenate([self._word_of, np.array([known.get(word, -1) for word in cut.new], np.int64)])
        words, products = _texts(cut, self._step)
        surfaces, holders = self._held_by(self._word_of[words], products)
        self._held += np.bincount(surfaces, minlength=len(self._held))
        sizes = (self._first_pair[1:] - self._first_pair[:-1])[surfaces]
        pairs = np.repeat(self._first_pair[surfaces], sizes) + _ranges(sizes)
        asked = self._reading_of[pairs] * (cut.last - cut.first) + np.repeat(holders, sizes)
        carriers = self._carriers(cut, connection)
        self._carried += np.bincount(pairs[_found(carriers, asked)[1]], minlength=len(self._carried))

    def _held_by(self, words: Numbers, products: Numbers) -> tuple[Numbers, Numbers]:
        """Return the surfaces and the products that hold them, each pair once, products counted from the first."""
        tree = self._tree
        at = np.flatnonzero(words >= 0)
        nodes = np.zeros(len(at), dtype=np.int64)
        start, found = at, []
        while len(at):
            places, held = _found(tree.steps, nodes * len(tree.words) + words[at])
            start, at, nodes = start[held], at[held], tree.children[places[held]]
            ends = tree.surface_of[nodes] >= 0
            found.append(tree.surface_of[nodes[ends]] * (products[-1] + 1) + products[start[ends]])
            on = tree.inner[nodes] & (at + 1 < len(words))
            start, at, nodes = start[on], at[on] + 1, nodes[on]
            on = (words[at] >= 0) & (products[at] == products[start])
            start, at, nodes = start[on], at[on], nodes[on]
        if not found:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        surfaces, holders = np.divmod(np.unique(np.concatenate(found)), products[-1] + 1)
        return surfaces, holders

    def _carriers(self, cut: Cut, connection: duckdb.DuckDBPyConnection) -> Numbers:
        """Return the sorted numbers `reading * size of the run + product` of what the products carry."""
        columns = connection.execute(
            "SELECT reading, id FROM stated JOIN facet_names USING (name) JOIN readings USING (key, value) "
            "WHERE id >= $1 AND id < $2 AND id % $3 = 0",
            [cut.first, cut.last, self._step],
        ).fetchnumpy()
        numbers = columns["reading"].astype(np.int64) * (cut.last - cut.first) + columns["id"] - cut.first
        return np.sort(np.asarray(numbers, dtype=np.int64))

    def readings(self) -> list[Reading]:
        """Return the readings in the order of their numbers."""
        return list(self._reading_numbers)

    def shares(self) -> dict[tuple[Surface, Reading], float]:
        """Return, of the products that hold each surface, the part that carries each reading; 1 where none holds it."""
        held = np.repeat(self._held, self._first_pair[1:] - self._first_pair[:-1])
        shares = np.where(held > 0, self._carried / np.maximum(held, 1), 1.0)
        return dict(zip(self._pairs, shares.tolist(), strict=True))


def _texts(cut: Cut, step: int) -> tuple[Numbers, Numbers]:
    """Return the words of the products' texts in reading order, and the product of each, counted from the first."""
    rank = _RANK[cut.fields]
    chosen = np.flatnonzero((rank >= 0) & (cut.ids % step == 0))
    order = chosen[np.lexsort((rank[chosen], cut.ids[chosen]))]
    strings = cut.strings[order]
    sizes = cut.offsets[strings + 1] - cut.offsets[strings]
    words = cut.words[np.repeat(cut.offsets[strings], sizes) + _ranges(sizes)]
    return words, np.repeat(cut.ids[order] - cut.first, sizes)


def _ranges(sizes: Numbers) -> Numbers:
    """Return 0 .. size-1 for each size, one after the other."""
    return np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def _found(ordered: Numbers, asked: Numbers) -> tuple[Numbers, NDArray[np.bool_]]:
    """Return where each number stands in an ordered list, and whether it stands there at all."""
    if not len(ordered):
        return np.zeros(len(asked), dtype=np.int64), np.zeros(len(asked), dtype=np.bool_)
    places = np.minimum(np.searchsorted(ordered, asked), len(ordered) - 1)
    return places, ordered[places] == asked
