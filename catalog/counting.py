"""How often each word stands in each field of each product, counted run by run and kept in a file.

Grouping the counts of all products at once needs memory for all of them, several gigabytes for a million products.
Here each run is counted and sorted by itself, and a range of stems is put together from its piece of every run.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from catalog.cutting import DETAIL_VALUE, Cut, Numbers

FIELDS = DETAIL_VALUE
"""Number of fields that are counted: those before the values of details, which are quoted only."""

_ROW = np.dtype([("word", "<i4"), ("id", "<i4"), ("field", "u1"), ("times", "<u2")])
_MOST_TIMES = 65_535

Rows = NDArray[np.void]


class Counts(NamedTuple):
    """Counts of the stems `[first, last)`, by stem and then by product: four columns of one shape."""

    first: int
    last: int
    terms: NDArray[np.int32]
    ids: NDArray[np.int32]
    fields: NDArray[np.uint8]
    times: NDArray[np.uint16]


class WordCounts:
    """Counts words run by run: `add` every cut, `sort` once by stem, then read `batches` of stems."""

    def __init__(self, file: Path, size: int) -> None:
        """Count into `file`, which the caller removes, for `size` products."""
        self._file = file
        self._runs = [0]
        self._postings = np.empty(0, dtype=np.int64)
        self.lengths = np.zeros((FIELDS, size), dtype=np.int32)
        """Words of each field of each product."""

    def add(self, cut: Cut) -> None:
        """Count the words of a run of products, joined forms of hyphenated words among them."""
        counted = cut.fields < FIELDS
        ids, fields, strings = cut.ids[counted], cut.fields[counted], cut.strings[counted]
        sizes = (cut.offsets[1:] - cut.offsets[:-1])[strings]
        np.add.at(self.lengths, (fields, ids), sizes.astype(np.int32))
        places = (ids - cut.first) * FIELDS + fields
        keys = [
            np.repeat(places, lengths) + words * ((cut.last - cut.first) * FIELDS)
            for words, lengths in (
                _expanded(cut.words, cut.offsets, strings),
                _expanded(cut.joined, cut.joined_offsets, strings),
            )
        ]
        self._append(cut, *_run_lengths(np.sort(np.concatenate(keys))))

    def _append(self, cut: Cut, keys: Numbers, times: Numbers) -> None:
        words, places = np.divmod(keys, (cut.last - cut.first) * FIELDS)
        rows = np.empty(len(keys), dtype=_ROW)
        rows["word"] = words
        rows["id"], rows["field"] = places // FIELDS + cut.first, places % FIELDS
        rows["times"] = np.minimum(times, _MOST_TIMES)
        with self._file.open("ab") as file:
            rows.tofile(file)
        self._runs.append(self._runs[-1] + len(rows))

    def sort(self, term_of: NDArray[np.int32], terms: int) -> None:
        """Put the number of its stem in place of each word, and sort every run by stem, product and field."""
        self._postings = np.zeros(terms, dtype=np.int64)
        for rows in self._read_runs("r+"):
            numbers = term_of[rows["word"]]
            self._postings += np.bincount(numbers, minlength=terms)
            products = rows["id"].astype(np.int64)
            keys = (numbers.astype(np.int64) * (products.max() + 1) + products) * FIELDS + rows["field"]
            order = np.argsort(keys)
            rows[:] = rows[order]
            rows["word"] = numbers[order]

    def _read_runs(self, mode: str) -> Iterator[Rows]:
        """Yield the rows of each run that has any."""
        for first, last in pairwise(self._runs):
            if last > first:
                yield np.memmap(self._file, _ROW, mode, first * _ROW.itemsize, (last - first,))  # type: ignore[call-overload]

    def batches(self, most: int) -> Iterator[Counts]:
        """Yield the counts of all stems in ranges of about `most` rows."""
        part = np.cumsum(self._postings) // most
        edges = [*np.flatnonzero(np.diff(part, prepend=-1)).tolist(), len(part)]
        for first, last in pairwise(edges):
            pieces = []
            for rows in self._read_runs("r"):
                start, end = np.searchsorted(rows["word"], [first, last])
                pieces.append(np.array(rows[start:end]))
            yield _merged(first, last, np.concatenate(pieces))


def _expanded(words: Numbers, offsets: Numbers, strings: Numbers) -> tuple[Numbers, Numbers]:
    """Return the words of each string in turn, and how many each has."""
    sizes = (offsets[1:] - offsets[:-1])[strings]
    ends = np.cumsum(sizes)
    return words[np.arange(sizes.sum()) + np.repeat(offsets[strings] - (ends - sizes), sizes)], sizes


def _run_lengths(ordered: Numbers) -> tuple[Numbers, Numbers]:
    """Return each different value of a sorted array, and how often it stands there."""
    first = np.flatnonzero(np.diff(ordered, prepend=-1))
    return ordered[first], np.diff(first, append=len(ordered))


def _merged(first: int, last: int, rows: Rows) -> Counts:
    """Return rows that lie run by run in order of stem; the products of later runs are later ones."""
    order = np.argsort(rows["word"], kind="stable")
    columns = (rows[name][order] for name in ("word", "id", "field", "times"))
    return Counts(first, last, *columns)
