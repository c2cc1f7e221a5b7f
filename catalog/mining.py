"""Mine the lexicon of a catalog: for each facet value the surfaces that name it, and how far each can be trusted."""

# SQL is put together from the constants of this package and from whole numbers only; values go in as parameters.
# ruff: noqa: S608
from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

import duckdb
import orjson

from catalog.brands import short_name
from catalog.lexicon import LexiconEntry
from catalog.product import ATTRIBUTES, FINER_NAMES
from catalog.text import fold_sql, tokens, tokens_sql
from catalog.vocabulary import TABLES, full_vocabulary, plural, singular, spelled_surfaces

Progress = Callable[[str, int, int | None], None]
Reading = tuple[str, str]
Surface = tuple[str, ...]

_CHUNK = 20_000
"""Products whose words are in memory at once."""

_SHARE_SAMPLE = 120_000
"""Products whose texts are read for `share`; of a larger catalog every k-th one is (a share moves by under .01)."""

_MOST_WORDS = 8
"""Longer values are left to the statements, which know every string of the catalog whole."""

_RARE = {"model": 2, "theme": 2, "style": 2, "feature": 2, "use_case": 2, "occasion": 2, "pattern": 2, "neck": 2}
"""Values of open fields enter the lexicon from this many products on: a value of one product is a seller's remark."""


def attribute_of(key: str) -> str | None:
    """Return the attribute of a facet key (itself or the family of a finer name), None for an unknown key."""
    name = FINER_NAMES.get(key, key)
    return name if name in ATTRIBUTES else None


def mine_lexicon(connection: duckdb.DuckDBPyConnection, progress: Progress | None = None) -> int:
    """Fill the table `lexicon` from `products` and return its number of distinct surfaces.

    `count` is the number of products that carry the value; `share` is, of the products whose text holds the surface,
    the part that carries it (1.0 for a surface that no text holds: a synonym of the tables, which means nothing else
    here).
    """
    report = progress or (lambda _stage, _done, _total: None)
    counts = _count_values(connection)
    readings = _surfaces_of(counts)
    held, carried = _count_texts(connection, readings, report)
    rows = list(_rows(counts, readings, held, carried))
    _store(connection, rows)
    return len({row[0] for row in rows})


def _count_values(connection: duckdb.DuckDBPyConnection) -> dict[Reading, int]:
    counts: dict[Reading, int] = defaultdict(int)
    cursor = connection.cursor().execute("SELECT facets FROM products ORDER BY id")
    while batch := cursor.fetchmany(_CHUNK):
        for (facets,) in batch:
            for key, values in orjson.loads(facets or "{}").items():
                for value in values:
                    counts[(key, value)] += 1
    return {
        (key, value): count
        for (key, value), count in sorted(counts.items())
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
    elif key == "size":
        yield from _size_surfaces(" ".join(own))


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


class _TextCounter:
    """Counts, over product texts, the products that hold each surface and those that also carry each reading."""

    def __init__(self, readings: dict[Surface, list[Reading]]) -> None:
        self._readings = readings
        self._lengths: dict[str, list[int]] = defaultdict(list)
        for surface in readings:
            if len(surface) not in self._lengths[surface[0]]:
                self._lengths[surface[0]].append(len(surface))
        self.held: dict[Surface, int] = defaultdict(int)
        self.carried: dict[tuple[Surface, Reading], int] = defaultdict(int)

    def add(self, found: list[str], facets: dict[str, list[str]]) -> None:
        """Count one product's words and facets."""
        lengths, readings = self._lengths, self._readings
        seen = {
            surface
            for at, word in enumerate(found)
            if word in lengths
            for size in lengths[word]
            if (surface := tuple(found[at : at + size])) in readings
        }
        for surface in seen:
            self.held[surface] += 1
            for reading in readings[surface]:
                if reading[1] in facets.get(reading[0], ()):
                    self.carried[(surface, reading)] += 1


_TEXT_SQL = (
    "concat_ws(' | ', title, array_to_string(features, ' | '), array_to_string(description, ' | '), "
    "array_to_string(categories, ' | '), details, store)"
)


def _count_texts(
    connection: duckdb.DuckDBPyConnection, readings: dict[Surface, list[Reading]], report: Progress
) -> tuple[dict[Surface, int], dict[tuple[Surface, Reading], int]]:
    counter = _TextCounter(readings)
    row = connection.execute("SELECT count(*) FROM products").fetchone()
    size = int(row[0]) if row else 0
    step = -(-size // _SHARE_SAMPLE) or 1
    cursor = connection.cursor()
    for first in range(0, size, _CHUNK * step):
        report("lexicon", first, size)
        rows = cursor.execute(
            f"SELECT {tokens_sql('folded')}, facets FROM (SELECT {fold_sql(_TEXT_SQL)} AS folded, facets FROM products "
            f"WHERE id >= {first} AND id < {first + _CHUNK * step} AND id % {step} = 0)"
        ).fetchall()
        for found, facets in rows:
            counter.add(found, orjson.loads(facets or "{}"))
    report("lexicon", size, size)
    return counter.held, counter.carried


def _rows(
    counts: dict[Reading, int],
    readings: dict[Surface, list[Reading]],
    held: dict[Surface, int],
    carried: dict[tuple[Surface, Reading], int],
) -> Iterator[tuple[str, str, str, str, int, float]]:
    for surface, found in readings.items():
        for key, value in found:
            texts = held.get(surface, 0)
            share = carried.get((surface, (key, value)), 0) / texts if texts else 1.0
            yield " ".join(surface), str(attribute_of(key)), key, value, counts[(key, value)], round(share, 4)


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
