"""Quoted catalog strings: bullets, details and titles recognised word for word inside what a shopper writes.

Every string of two or more tokens is kept as one 64-bit number: the polynomial sum of its token hashes, modulo 2^64.
The same sum over any window of a text follows from prefix sums: all windows of all lengths are looked up at once.
"""

# SQL here is assembled from this package's own expressions; values from outside are bound or quoted.
# ruff: noqa: S608

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import duckdb
import numpy as np
from numpy.typing import NDArray

from catalog.cutting import DETAIL_VALUE, SPOKEN, Cut, insert_columns
from catalog.search import Ids, StatementMatch
from catalog.text import token_spans

LONGEST = 64
"""Longer strings are recognised by their beginning only."""

BEGINNINGS = (8, 16)
"""Token counts by which the beginning of a longer string is recognised too."""

_MOST_TOKENS = 2_000
"""Tokens of a text that are looked at; a pasted page is cut there."""

_BASE = 0x9E3779B97F4A7C15
"""Odd, so that it has an inverse modulo 2^64: the golden ratio's fraction in 64 bits."""

_SHORT = 256
"""Texts of up to so many tokens share their window tables; those of longer ones would fill memory."""

_MOST_GROUPED = 16_000_000
"""Quoted strings that are grouped at once: grouping holds some 100 bytes for each in memory."""

_TEXTS_KEPT = 1_024
_LONGEST_KEPT = 400
"""Texts whose statements are kept, and characters of the longest of them."""

_MASK = (1 << 64) - 1

Hashes = NDArray[np.uint64]
Places = NDArray[np.int64]


def _powers(base: int, count: int) -> Hashes:
    powers = [1]
    for _ in range(count - 1):
        powers.append(powers[-1] * base & _MASK)
    return np.array(powers, dtype=np.uint64)


POWERS = _powers(_BASE, LONGEST)
"""Weight of the token at each place of a string, shape (LONGEST,)."""


@lru_cache(maxsize=65_536)
def token_hash(token: str) -> int:
    """Return the 64-bit hash of a token: the second half of its MD5, as DuckDB's `md5_number_lower` has it."""
    digest = hashlib.md5(token.encode("utf-8", "replace"), usedforsecurity=False).digest()
    return int.from_bytes(digest[8:], "little")


def window_hashes(tokens: Sequence[str], lengths: tuple[int, ...]) -> tuple[Hashes, Places, Places]:
    """Return the hash, first token and length of every window of `tokens` of the given lengths, shapes (w,)."""
    count = len(tokens)
    powers, inverses = _weights_of(1 << max(6, (count - 1).bit_length()))
    hashes = np.fromiter(map(token_hash, tokens), dtype=np.uint64, count=count)
    sums = np.zeros(count + 1, dtype=np.uint64)
    np.cumsum(hashes * powers[:count], out=sums[1:])
    start, size = (_windows if count <= _SHORT else _windows.__wrapped__)(count, lengths)
    return (sums[start + size] - sums[start]) * inverses[start], start, size


@lru_cache(maxsize=128)
def _windows(count: int, lengths: tuple[int, ...]) -> tuple[Places, Places]:
    """Return first token and length of all windows of a text of `count` tokens."""
    sizes = [length for length in lengths if length <= count]
    start = np.concatenate([np.arange(count - length + 1) for length in sizes] or [np.empty(0, dtype=np.int64)])
    size = np.repeat(np.array(sizes, dtype=np.int64), [count - length + 1 for length in sizes])
    return start, size


@lru_cache(maxsize=16)
def _weights_of(count: int) -> tuple[Hashes, Hashes]:
    return _powers(_BASE, count), _powers(pow(_BASE, -1, 1 << 64), count)


class Statements(NamedTuple):
    """The statements of one catalog as arrays: sorted hashes, and `ids[offsets[n]:offsets[n + 1]]` for each.

    `whole` tells strings from their beginnings; `lengths` are the token counts that occur, ascending.
    """

    hashes: Hashes
    whole: NDArray[np.bool_]
    offsets: NDArray[np.int64]
    ids: Ids
    lengths: NDArray[np.int64]


class StatementTable:
    """Finds the statements of one catalog in texts."""

    def __init__(self, statements: Statements):
        self._statements = statements
        self._lengths = tuple(statements.lengths.tolist())
        self._kept: Callable[[str], tuple[StatementMatch, ...]] = lru_cache(_TEXTS_KEPT)(self._found)

    def counts(self, size: int) -> NDArray[np.int64]:
        """Return how many whole strings of two or more tokens each product has, shape (size,)."""
        _, whole, offsets, ids, _ = self._statements
        return np.bincount(ids[np.repeat(whole, np.diff(offsets))], minlength=size)

    def matches(self, text: str) -> list[StatementMatch]:
        """Return the statements quoted in `text`, longest first, none overlapping another.

        Those of short texts are kept: a turn asks for those of a value several times, and so does the next turn.
        """
        return list(self._kept(text) if len(text) <= _LONGEST_KEPT else self._found(text))

    def _found(self, text: str) -> tuple[StatementMatch, ...]:
        tokens = token_spans(text)[:_MOST_TOKENS]
        if len(tokens) < 2 or not len(self._statements.hashes):
            return ()
        hashes, starts, sizes = window_hashes([token.text for token in tokens], self._lengths)
        order = np.argsort(hashes)
        known, whole, offsets, ids, _ = self._statements
        rows = np.minimum(np.searchsorted(known, hashes[order]), len(known) - 1)
        hit = known[rows] == hashes[order]
        found = sorted(zip(-sizes[order][hit], starts[order][hit], rows[hit], strict=True))
        taken = np.zeros(len(tokens), dtype=np.bool_)
        matches = []
        for size, start, row in found:
            end = start - size
            if not taken[start:end].any():
                taken[start:end] = True
                span = (tokens[start].start, tokens[end - 1].end)
                held = ids[offsets[row] : offsets[row + 1]]
                matches.append(StatementMatch(span, held, int(-size), bool(whole[row])))
        return tuple(matches)


class StatementBuilder:
    """Collects the statements of one run of products after the other, and writes the table `statements`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Create the working table."""
        self._connection = connection
        self._hashes = np.empty(0, dtype=np.uint64)
        connection.execute(
            "CREATE OR REPLACE TEMP TABLE quoted(hash UBIGINT, tokens INTEGER, whole BOOLEAN, id INTEGER)"
        )

    def add(self, cut: Cut) -> None:
        """Collect the strings that shoppers quote: of titles, features and details, whole or their beginnings."""
        self._hashes = np.concatenate([self._hashes, np.array([token_hash(word) for word in cut.new], dtype=np.uint64)])
        lengths = np.diff(cut.offsets)
        place = np.arange(len(cut.words)) - np.repeat(cut.offsets[:-1], lengths)
        weighted = np.where(place < LONGEST, self._hashes[cut.words] * POWERS[np.minimum(place, LONGEST - 1)], 0)
        sums = np.zeros(len(cut.words) + 1, dtype=np.uint64)
        np.cumsum(weighted, out=sums[1:])
        spoken = np.isin(cut.fields, (*SPOKEN, DETAIL_VALUE))
        strings, ids = np.divmod(np.unique(cut.strings[spoken] * cut.last + cut.ids[spoken]), cut.last)
        for beginning in (*BEGINNINGS, None):
            chosen = (lengths >= 2) & (lengths <= LONGEST) if beginning is None else lengths > beginning
            held = chosen[strings]
            start, size = cut.offsets[strings[held]], lengths[strings[held]] if beginning is None else beginning
            self._store(sums[start + size] - sums[start], size, beginning is None, ids[held])

    def _store(self, hashes: Hashes, size: Places | int, whole: bool, ids: Places) -> None:
        if not len(ids):
            return
        sizes = np.broadcast_to(size, ids.shape).astype(np.int32)
        rows: dict[str, NDArray[np.generic]] = {"hash": hashes, "tokens": sizes, "id": ids.astype(np.int32)}
        insert_columns(self._connection, "quoted", rows, f"SELECT hash, tokens, {whole}, id FROM given")

    def write(self) -> None:
        """Fill `statements`, sorted by hash with the whole string before a beginning."""
        self._connection.execute(
            "CREATE OR REPLACE TABLE statements(hash UBIGINT, tokens INTEGER, whole BOOLEAN, ids INTEGER[])"
        )
        count = self._connection.execute("SELECT count(*) FROM quoted").fetchall()[0][0]
        parts = 1 << max(0, (count // _MOST_GROUPED).bit_length())
        for part in range(parts):
            self._connection.execute(
                "INSERT INTO statements SELECT hash, tokens, whole, list(id ORDER BY id) FROM "
                f"(SELECT DISTINCT hash, tokens, whole, id FROM quoted WHERE (hash::HUGEINT * {parts}) >> 64 = {part}) "
                "GROUP BY hash, tokens, whole ORDER BY hash, whole DESC"
            )
        self._connection.execute("DROP TABLE quoted")
