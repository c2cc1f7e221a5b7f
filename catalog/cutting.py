"""Cut the texts of products into words, each distinct string of a run of products once.

Bullets, details and category nodes repeat from product to product, and the text lists, the statements and the lexicon
all need the same words: cutting them once for all three took the index of 50,000 products from 54 to 30 s of CPU.
"""

# SQL here is assembled from this package's own expressions; values from outside are bound or quoted.
# ruff: noqa: S608

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import duckdb
import numpy as np
from numpy.typing import NDArray

from catalog.fields import PART_SQL, SPOKEN_FIELDS
from catalog.text import compounds_sql, fold_sql, tokens_sql

Numbers = NDArray[np.int64]

CHUNK = 10_000
"""Products cut at once, about 200 words each: 25,000 took 3% less time and 180 MB more memory."""

FIELD_NUMBERS: dict[str, int] = {name: number for number, name in enumerate(PART_SQL)}
"""Field name to its number in the tables."""

SPOKEN = tuple(FIELD_NUMBERS[name] for name in SPOKEN_FIELDS)
"""Numbers of the fields whose strings shoppers quote."""

DETAIL_VALUE = len(PART_SQL)
"""Number of the field that holds the values of details without their keys; it is quoted, not indexed."""

CUT_TABLES = ("surfaces", "parts", "strings", "coded", "placed")
"""The working tables; `surfaces(sid, surface)` grows with every run, the others hold the last one."""


class Cut(NamedTuple):
    """The words of the strings of products `[first, last)`.

    The words of string n are `words[offsets[n] : offsets[n + 1]]`, numbers of `surfaces`; `new` are the surfaces that
    this run added, the next free numbers in order; `joined` and its offsets are the joined forms of hyphenated words
    likewise. Part p is string `strings[p]` in field `fields[p]` of product `ids[p]`; parts are in order of product,
    field and place.
    """

    first: int
    last: int
    words: Numbers
    offsets: Numbers
    ids: Numbers
    fields: Numbers
    strings: Numbers
    new: list[str]
    joined: Numbers
    joined_offsets: Numbers


def cut_products(connection: duckdb.DuckDBPyConnection, size: int) -> Iterator[Cut]:
    """Yield the cut of each run of `CHUNK` products; while it is looked at, the working tables hold its words.

    These are `strings(no, tokens, joined)`, `coded(no, place, sid)`, where `place` is -1 for joined forms of hyphenated
    words, and `placed(no, id, field, place)`.
    """
    connection.execute("CREATE OR REPLACE TEMP TABLE surfaces(sid INTEGER, surface VARCHAR)")
    for first in range(0, size, CHUNK):
        last = min(first + CHUNK, size)
        _cut_strings(connection, first, last)
        yield _read_cut(connection, first, last, _number_words(connection))


def _cut_strings(connection: duckdb.DuckDBPyConnection, first: int, last: int) -> None:
    parts = " UNION ALL ".join(
        f"SELECT id, {number} AS field, unnest(range(len({sql}))) AS place, unnest({sql}) AS text FROM chunk"
        for number, sql in enumerate(PART_SQL.values())
    )
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE parts AS WITH chunk AS (FROM products WHERE id >= {first} AND id < {last}), "
        f"entries AS (SELECT id, unnest(map_entries(details::JSON::MAP(VARCHAR, VARCHAR)), recursive := true) "
        f"FROM chunk) {parts} UNION ALL SELECT id, {DETAIL_VALUE}, 0, value FROM entries"
    )
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE strings AS SELECT (row_number() OVER () - 1)::INTEGER AS no, text, "
        f"{tokens_sql('folded')} AS tokens, {compounds_sql('folded')} AS joined FROM "
        f"(SELECT text, {fold_sql('text')} AS folded FROM (SELECT DISTINCT text FROM parts WHERE text <> ''))"
    )
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE placed AS SELECT no, id, field::INTEGER AS field, place::INTEGER AS place "
        "FROM parts JOIN strings USING (text)"
    )


def _number_words(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Number the words of the strings and return those that no earlier run held."""
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE occurrences AS "
        "SELECT no, unnest(range(len(tokens)))::INTEGER AS place, unnest(tokens) AS surface FROM strings "
        "UNION ALL SELECT no, -1, unnest(joined) FROM strings"
    )
    known = connection.execute("SELECT count(*) FROM surfaces").fetchall()[0][0]
    connection.execute(
        "INSERT INTO surfaces SELECT $1 + row_number() OVER (ORDER BY surface) - 1, surface "
        "FROM (SELECT DISTINCT surface FROM occurrences ANTI JOIN surfaces USING (surface))",
        [known],
    )
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE coded AS SELECT no, place, sid FROM occurrences JOIN surfaces USING (surface)"
    )
    connection.execute("DROP TABLE occurrences")
    new = connection.execute("SELECT surface FROM surfaces WHERE sid >= $1 ORDER BY sid", [known]).fetchall()
    return [surface for (surface,) in new]


def _read_cut(connection: duckdb.DuckDBPyConnection, first: int, last: int, new: list[str]) -> Cut:
    coded = _columns(connection, "SELECT no, sid FROM coded WHERE place >= 0 ORDER BY no, place")
    parts = _columns(connection, "SELECT id, field, no FROM placed ORDER BY id, field, place")
    count = connection.execute("SELECT count(*) FROM strings").fetchall()[0][0]
    joined = _columns(connection, "SELECT no, sid FROM coded WHERE place < 0 ORDER BY no, sid")
    offsets, joined_offsets = (
        np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(words["no"], minlength=count))])
        for words in (coded, joined)
    )
    columns = parts["id"], parts["field"], parts["no"]
    return Cut(first, last, coded["sid"], offsets, *columns, new, joined["sid"], joined_offsets)


def _columns(connection: duckdb.DuckDBPyConnection, sql: str) -> dict[str, Numbers]:
    found = connection.execute(sql).fetchnumpy()
    return {name: np.asarray(column, dtype=np.int64) for name, column in found.items()}


def insert_columns(
    connection: duckdb.DuckDBPyConnection, table: str, columns: Mapping[str, NDArray[np.generic]], query: str
) -> None:
    """Insert into a table what a query makes of columns, which it finds under the name `given`."""
    if not len(next(iter(columns.values()))):
        return
    connection.register("given", {name: np.ascontiguousarray(column) for name, column in columns.items()})
    connection.execute(f"INSERT INTO {table} {query}")
    connection.unregister("given")
