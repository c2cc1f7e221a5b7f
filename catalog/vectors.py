"""The vectors of a catalog's sentences, and the sentences nearest to what a shopper said.

A text that many products share is encoded and compared once. Vectors are centred (the mean of the catalog's sentences
taken off) and kept as 8-bit integers, which changes nothing measurable in the order of the nearest sentences.

Products lie in order of how many sentences they have, so that the first sentences of all are one array, the second
ones of those that have two another, and the best of each product takes 1 ms for 390,000 sentences; `reduceat` over
sentences in their own order took 3.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import simsimd
from numpy.typing import NDArray

from catalog.sentence_arrays import SentenceArrays, centred, quantised
from catalog.sentences import MOST_SENTENCES, ProductSentence

PLACE_BITS = 4
"""Bits that number the sentences of a product in a comparison."""

_LAST_PLACE = (1 << PLACE_BITS) - 1
if MOST_SENTENCES > _LAST_PLACE + 1:
    raise AssertionError("more sentences a product than places")


class SentenceVectors:
    """The sentences of one catalog by meaning. Safe for threads; every array is read-only."""

    def __init__(self, model: str, arrays: SentenceArrays, read: Callable[[int], ProductSentence]) -> None:
        """Keep the arrays; `read` returns the sentence of a unit."""
        self.model = model
        """Name of the encoder that made the vectors: only its vectors may be asked for."""
        self.mean = arrays.mean
        """Shape (d,): the mean vector of the catalog's sentences."""
        self._arrays = arrays
        self._read = read
        self._step = np.float32(1 / arrays.scale**2)
        counts = np.diff(arrays.offsets)
        self.owners: NDArray[np.int32] = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        """Shape (u,): the product of each unit."""
        self.owners.flags.writeable = False
        order = np.argsort(-counts, kind="stable")
        self._told = order[: np.count_nonzero(counts)]
        self._starts = arrays.offsets[self._told]
        self._layers = [
            arrays.texts[self._starts[: np.count_nonzero(counts > place)] + place].astype(np.intp)
            for place in range(int(counts.max(initial=0)))
        ]

    def best(
        self, query: NDArray[np.float32], rows: NDArray[np.int32] | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """Return the best cosine of each product's sentences with an encoded one, and the unit that has it.

        For all products or those of `rows`, both of that length; a product without sentences has -1 and unit -1.
        """
        if rows is None:
            return self._all_best(query)
        scores, units = self._all_best(query)
        return scores[rows], units[rows]

    def _all_best(self, query: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        size = len(self._arrays.offsets) - 1
        scores = np.full(size, -1, dtype=np.float32)
        units = np.full(size, -1, dtype=np.int32)
        if not self._layers:
            return scores, units
        # One number holds the likeness and, for the earlier of two equals, the place in the product.
        dots = self._dots(query) << PLACE_BITS
        highest = dots.take(self._layers[0]) | _LAST_PLACE
        for place, texts in enumerate(self._layers[1:], 1):
            keys = dots.take(texts)
            keys |= _LAST_PLACE - place
            np.maximum(highest[: len(keys)], keys, out=highest[: len(keys)])
        scores[self._told] = (highest >> PLACE_BITS) * self._step
        units[self._told] = self._starts + _LAST_PLACE - (highest & _LAST_PLACE)
        return scores, units

    def titles(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the cosine of each product's title with an encoded sentence; -1 for a product without sentences."""
        scores = np.full(len(self._arrays.offsets) - 1, -1, dtype=np.float32)
        scores[self._told] = self._dots(query).take(self._layers[0]) * self._step if self._layers else -1
        return scores

    def sentence(self, unit: int) -> ProductSentence:
        """Return the field, the start, the end and the text of a unit."""
        return self._read(unit)

    def _dots(self, query: NDArray[np.float32]) -> NDArray[np.int32]:
        """Return the product of the query with each text, as integers."""
        arrays = self._arrays
        wanted = quantised(centred(query[None, :], arrays.mean), arrays.scale)
        dots: NDArray[np.int32] = np.asarray(simsimd.cdist(wanted, arrays.vectors, metric="dot"))[0].astype(np.int32)
        return dots
