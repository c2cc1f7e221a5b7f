"""What each stem adds to the score of each product: its weight by fielded BM25 times idf, as 16-bit integers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from catalog.counting import FIELDS, Counts
from catalog.fields import FIELD_SQL, load_fields

MOST_IMPACT = 65_535


class Impacts(NamedTuple):
    """Postings in order of stem and product, three columns of one shape; `df` has one number for each stem."""

    terms: NDArray[np.int32]
    ids: NDArray[np.int32]
    impacts: NDArray[np.uint16]
    df: NDArray[np.int64]


class Weigher:
    """Fielded BM25 with the parameters of `fields.toml`, where its sources are named."""

    def __init__(self, lengths: NDArray[np.int32]) -> None:
        """Take the words of each field of each product, shape (fields, size)."""
        parameters = load_fields()
        self.size = max(lengths.shape[1], 2)
        self.k1, self._delta = parameters.k1, parameters.delta
        self.scale = MOST_IMPACT / ((self.k1 + 1 + self._delta) * np.log(1 + (self.size - 0.5) / 1.5))
        """What the impacts are multiplied by: that of a word of one product at full saturation is the largest."""
        self._factors = np.empty((FIELDS, lengths.shape[1]), dtype=np.float32)
        for number, name in enumerate(FIELD_SQL):
            field, own = parameters.fields[name], lengths[number]
            mean = parameters.mean_length(own[own > 0].mean()) if (own > 0).any() else 1.0
            self._factors[number] = field.weight / (1 - field.b + field.b * own / mean)

    def weigh(self, counts: Counts) -> Impacts:
        """Sum the weighted counts of all fields and saturate them."""
        weighted = counts.times * self._factors[counts.fields, counts.ids].astype(np.float64)
        starts = np.flatnonzero((np.diff(counts.terms, prepend=-1) != 0) | (np.diff(counts.ids, prepend=-1) != 0))
        x = np.add.reduceat(weighted, starts) if len(starts) else weighted
        terms, ids = counts.terms[starts], counts.ids[starts]
        df = np.bincount(terms - counts.first, minlength=counts.last - counts.first)
        idf = np.log(1 + (self.size - df + 0.5) / (df + 0.5))
        exact = self.scale * ((self.k1 + 1) * x / (self.k1 + x) + self._delta) * idf[terms - counts.first]
        return Impacts(terms, ids, np.maximum(np.rint(exact), 1).astype(np.uint16), df)
