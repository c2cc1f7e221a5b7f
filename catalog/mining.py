"""Mine the lexicon of a catalog: for each facet value the surfaces that name it, and how far each can be trusted."""

# SQL is put together from the constants of this package and from whole numbers only; values go in as parameters.
from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import duckdb
import orjson

from catalog.brands import short_name
from catalog.cutting import Cut
from catalog.lexicon import LexiconEntry
from catalog.product import ATTRIBUTES, FINER_NAMES
from catalog.shares import Reading, ShareCounter, Surface
from catalog.text import tokens
from catalog.vocabulary import TABLES, full_vocabulary, load_table, plural, singular, spelled_surfaces

_SHARE_SAMPLE = 120_000
"""Products whose texts are read for `share`; of a larger catalog every k-th one is (a share moves by under .01)."""

_MOST_WORDS = 8
"""Longer values are left to the statements, which know every string of the catalog whole."""

_RARE = {"model": 1, "theme": 2, "style": 2, "feature": 2, "use_case": 2, "occasion": 2, "pattern": 2, "neck": 2}
"""Values of open fields enter the lexicon from this many products on: a value of one product is a seller's remark."""


def attribute_of(key: str) -> str | None:
    """Return the attribute of a facet key (itself or the family of a finer name), None for an unknown key."""
    name = FINER_NAMES.get(key, key)
    return name if name in ATTRIBUTES else None


class LexiconMiner:
    """Mines the lexicon while the texts are cut: `add` every run of products, then `write`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, size: int) -> None:
        """Read the values that the `size` products carry from the table `facet_lists`, and find their surfaces."""
        self._connection = connection
        self._counts = _count_values(connection)
        self._readings = _surfaces_of(self._counts)
        self._shares = ShareCounter(self._readings, -(-size // _SHARE_SAMPLE) or 1)
        keys, values = zip(*self._shares.readings(), strict=True) if self._readings else ((), ())
        connection.execute(
            "CREATE OR REPLACE TEMP TABLE readings AS SELECT unnest(from_json($1::VARCHAR, '[\"VARCHAR\"]')) AS key, "
            "unnest(from_json($2::VARCHAR, '[\"VARCHAR\"]')) AS value, unnest(range($3)) AS reading",
            [orjson.dumps(keys).decode(), orjson.dumps(values).decode(), len(keys)],
        )

    def add(self, cut: Cut) -> None:
        """Count the surfaces in the texts of a run of products."""
        self._shares.add(cut, self._connection)

    def write(self) -> int:
        """Fill the table `lexicon` and return its number of distinct surfaces.

        `count` is the number of products that carry the value; `share` is, of the products whose text holds the
        surface, the part that carries it (1.0 for a surface that no text holds: a synonym of the tables, which means
        nothing else here).
        """
        shares = self._shares.shares()
        rows = [
            (" ".join(surface), str(attribute_of(key)), key, value, self._counts[(key, value)], round(share, 4))
            for (surface, (key, value)), share in shares.items()
        ]
        _store(self._connection, rows)
        self._connection.execute("DROP TABLE readings")
        return len(self._readings)


def _count_values(connection: duckdb.DuckDBPyConnection) -> dict[Reading, int]:
    found = connection.execute("SELECT key, value, count FROM facet_lists WHERE value <> ''").fetchall()
    return {
        (key, value): count
        for key, value, count in sorted(found)
        if attribute_of(key) and (count >= _RARE.get(key, 1) or _is_vocabulary_value(key, value))
    }


@lru_cache(maxsize=1)
def _vocabulary_surfaces() -> dict[Reading, list[Surface]]:
    """Return the token surfaces of each value of the tables, with its made plurals and joined spellings."""
    surfaces: dict[Reading, list[Surface]] = defaultdict(list)
    for name, key in TABLES.items():
        for surface, spelling in spelled_surfaces(name).items():
            cut = tokens(" ".join(surface))
            if cut not in surfaces[(key, spelling.value)]:
                surfaces[(key, spelling.value)].append(cut)
    return surfaces


def _is_vocabulary_value(key: str, value: str) -> bool:
    return (key, value) in _vocabulary_surfaces()


def _surfaces_of(counts: dict[Reading, int]) -> dict[Surface, list[Reading]]:
    """Return the readings of each surface: canonical forms, table synonyms, and variants that nothing else claims."""
    readings: dict[Surface, list[Reading]] = defaultdict(list)
    made: list[tuple[Surface, Reading]] = []
    for reading in counts:
        key, value = reading
        own = tokens(value)
        if key == "quantity" or not own or len(own) > _MOST_WORDS:
            continue
        for surface in dict.fromkeys([own, *_vocabulary_surfaces().get(reading, ())]):
            readings[surface].append(reading)
        made.extend((variant, reading) for variant in _variants(key, own))
    for surface, reading in made:
        # A short or inflected form that already names a value of the same key stays with that value.
        if surface and all(held[0] != reading[0] for held in readings.get(surface, ())):
            readings[surface].append(reading)
    return readings


def _variants(key: str, own: Surface) -> Iterator[Surface]:
    """Yield made surfaces: number, a pair of nodes reversed, a brand's short and joined names, size words."""
    if key in ("category", "aisle"):
        yield (*own[:-1], plural(own[-1]))
        yield (*own[:-1], singular(own[-1]))
        if len(own) == 2:
            yield (own[1], own[0])
            yield (own[1], singular(own[0]))
    elif key == "brand":
        short = tokens(short_name(" ".join(own)))
        if short != own and (len(short) > 1 or (short and len(short[0]) > 3 and short not in full_vocabulary())):
            yield short
        if 1 < len(own) <= 3:
            yield ("".join(own),)
        yield from _brand_spellings().get(own, ())
    elif key == "size":
        yield from _size_surfaces(" ".join(own))


@lru_cache(maxsize=1)
def _brand_spellings() -> dict[Surface, list[Surface]]:
    """Return the misspellings and short forms of brands by the tokens of the name."""
    return {tokens(row.value): [tokens(surface) for surface in row.surfaces] for row in load_table("brand_spellings")}


_SIZE_WORDS = {
    "xs": ("x small", "extra small", "xsmall"),
    "s": ("small",),
    "m": ("medium",),
    "l": ("large",),
    "xl": ("x large", "extra large", "xlarge"),
    "2xl": ("xxl", "xx large", "2x", "2x large", "double xl", "xxlarge"),
    "3xl": ("xxxl", "xxx large", "3x", "3x large", "triple xl"),
    "4xl": ("xxxxl", "4x", "4x large"),
    "5xl": ("xxxxxl", "5x", "5x large"),
    "6xl": ("6x",),
    "one size": ("one size fits all", "one size fits most", "onesize", "free size", "osfa"),
    "big and tall": ("big tall",),
    "plus size": ("plus sizes", "plus sized", "plussize"),
}


def _size_surfaces(value: str) -> Iterator[Surface]:
    for text in _SIZE_WORDS.get(value, ()):
        yield tokens(text)
    if value[:1].isdigit():
        yield ("size", *tokens(value))


def _store(connection: duckdb.DuckDBPyConnection, rows: Iterable[tuple[str, str, str, str, int, float]]) -> None:
    """Write the rows in order of surface, most frequent reading first, through one columnar insert."""
    ordered = sorted(rows, key=lambda row: (row[0], -row[4], row[2], row[3]))
    connection.execute(
        "CREATE OR REPLACE TABLE lexicon(surface VARCHAR, attribute VARCHAR, key VARCHAR, value VARCHAR, "
        "count INTEGER, share DOUBLE)"
    )
    if not ordered:
        return
    # As JSON text: each element of a bound Python list costs about .5 ms (the client looks for pandas every time),
    # 20,000 strings 11 s against .04 s for the same as text.
    columns = [orjson.dumps(column).decode() for column in zip(*ordered, strict=True)]
    types = ("VARCHAR", "VARCHAR", "VARCHAR", "VARCHAR", "INTEGER", "DOUBLE")
    lists = ", ".join(f"unnest(from_json(${i}::VARCHAR, '[\"{name}\"]'))" for i, name in enumerate(types, 1))
    connection.execute(f"INSERT INTO lexicon SELECT {lists}", columns)


class StoredLexicon:
    """The lexicon of a catalog file, read into memory at first use. Safe for threads.

    Implements `catalog.lexicon.Lexicon`.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Keep a connection (or a cursor of its own: nobody else may use it) to the catalog; nothing is read yet."""
        self._connection = connection
        self._lock = threading.Lock()
        self._first: dict[str, int] | None = None
        self._columns: list[list[Any]] = []
        self._longest = 0
        self._frequencies: dict[str, int] | None = None

    def _load(self) -> dict[str, int]:
        """Return the first row of each surface; rows stay columns until they are asked for (a third of the time)."""
        with self._lock:
            if self._first is None:
                found = self._connection.execute("SELECT * FROM lexicon").fetchnumpy()
                self._columns = [column.tolist() for column in found.values()]
                surfaces = self._columns[0]
                first = dict(zip(reversed(surfaces), range(len(surfaces) - 1, -1, -1), strict=True))
                self._longest = max((surface.count(" ") + 1 for surface in first), default=0)
                self._first = first
        return self._first

    @property
    def longest(self) -> int:
        """Tokens of the longest surface."""
        self._load()
        return self._longest

    def readings(self, tokens: tuple[str, ...]) -> list[LexiconEntry]:
        """Return the readings of exactly these tokens, most frequent first; empty when unknown."""
        surface = " ".join(tokens)
        at = self._load().get(surface)
        if at is None:
            return []
        surfaces, *columns = self._columns
        end = at + 1
        while end < len(surfaces) and surfaces[end] == surface:
            end += 1
        return [LexiconEntry(*(column[row] for column in columns)) for row in range(at, end)]

    def surfaces(self) -> Iterable[str]:
        """Return all surfaces, tokens joined by one space (for spelling repair and prefix tables)."""
        return self._load().keys()

    def _document_frequencies(self) -> dict[str, int]:
        with self._lock:
            if self._frequencies is None:
                columns = self._connection.execute("SELECT surface, df FROM lex").fetchnumpy()
                self._frequencies = dict(zip(columns["surface"].tolist(), columns["df"].tolist(), strict=True))
        return self._frequencies

    def knows(self, token: str) -> bool:
        """Return whether the catalog's texts hold this token at all."""
        return token in self._document_frequencies()

    def document_frequency(self, token: str) -> int:
        """Return how many products hold the token (or a word of the same stem); 0 for an unknown one."""
        return self._document_frequencies().get(token, 0)
