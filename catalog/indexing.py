"""Build the index tables of a catalog file from its `products` table.

The text index is a set of impact lists: for each stem the products that hold it, ascending, and what the stem adds to
the score of each (BM25F times idf, as 16-bit integers). On 50,000 products a query takes 1.4 to 2.9 ms against 68 to 94
of the stock `match_bm25`.
"""

# SQL here is assembled from this package's own expressions; values from outside are bound or quoted.
# ruff: noqa: S608

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import duckdb

from catalog.cutting import CUT_TABLES, DETAIL_VALUE, FIELD_NUMBERS, cut_products
from catalog.engine import create_kept_stems, load_fts, stem_sql
from catalog.fields import FIELD_SQL, MENTION_FIELDS, load_fields
from catalog.mining import LexiconMiner
from catalog.quotes import StatementBuilder
from catalog.text import fold_sql, tokens_sql

Progress = Callable[[str, int, int | None], None]

_WORKING_TABLES = (
    *CUT_TABLES,
    "stated",
    "titles",
    "counts",
    "lengths",
    "stemmed",
    "numbered",
    "sid_term",
    "dfs",
    "factors",
)

_BATCH = 30_000_000
"""Postings weighed and sorted at once, which bounds memory likewise."""


MOST_BRAND_WORDS = 6
"""Words of the longest brand that is looked for at the start of titles."""


class IndexCounts(NamedTuple):
    """What was built: number of stems, of lexicon surfaces, and of products that state each facet key."""

    terms: int
    lexicon_surfaces: int
    facets: dict[str, int]


def build_index(connection: duckdb.DuckDBPyConnection, progress: Progress | None = None) -> IndexCounts:
    """Build facet lists, text lists, statements and the lexicon on a connection that holds `products`."""
    report = progress or (lambda _stage, _done, _total: None)
    load_fts(connection)
    create_kept_stems(connection)
    size = _scalar(connection, "SELECT count(*) FROM products")
    report("facets", 0, size)
    _build_facet_lists(connection)
    statements, lexicon = StatementBuilder(connection), LexiconMiner(connection, size)
    _create_counts(connection)
    for cut in cut_products(connection, size):
        report("words", cut.first, size)
        _count_words(connection)
        statements.add(cut)
        lexicon.add(cut)
    report("words", size, size)
    _build_brands(connection)
    _build_terms(connection)
    _build_postings(connection, report)
    report("statements", 0, None)
    statements.write()
    report("lexicon", 0, None)
    surfaces = lexicon.write()
    _drop_working_tables(connection)
    facets = dict(connection.execute("SELECT key, count FROM facet_lists WHERE value = '' ORDER BY key").fetchall())
    return IndexCounts(_scalar(connection, "SELECT count(*) FROM pl"), surfaces, facets)


def _scalar(connection: duckdb.DuckDBPyConnection, sql: str) -> int:
    row = connection.execute(sql).fetchone()
    return int(row[0]) if row and row[0] is not None else 0


def _build_facet_lists(connection: duckdb.DuckDBPyConnection) -> None:
    """List the products of each facet value, and under the value '' those that state the key at all."""
    connection.execute(
        "CREATE OR REPLACE TABLE facet_lists"
        "(key VARCHAR, value VARCHAR, count INTEGER, ids INTEGER[], PRIMARY KEY (key, value))"
    )
    connection.execute(
        """
        CREATE OR REPLACE TEMP TABLE stated AS
        WITH entries AS (
            SELECT id, unnest(map_entries(facets::JSON::MAP(VARCHAR, VARCHAR[])), recursive := true) FROM products
        ), flat AS (
            SELECT id, key, unnest(value) AS value FROM entries
        )
        SELECT DISTINCT id, key, value FROM flat WHERE value <> ''
        """
    )
    connection.execute(
        "INSERT INTO facet_lists SELECT key, value, count(*), list(id ORDER BY id) "
        "FROM (FROM stated UNION ALL SELECT DISTINCT id, key, '' FROM stated) "
        "GROUP BY key, value ORDER BY key, value"
    )


def _build_brands(connection: duckdb.DuckDBPyConnection) -> None:
    """List the products of each brand (folded) by store and by the title's start; under '' all that name a store.

    Found here once: at query time the titles that start with a brand took 50 ms to pick out.
    """
    connection.execute("CREATE OR REPLACE TABLE brands(brand VARCHAR PRIMARY KEY, ids INTEGER[])")
    connection.execute(
        f"""
        INSERT INTO brands
        WITH stores AS (SELECT id, trim({fold_sql("store")}) AS brand FROM products WHERE trim(store) <> ''),
        names AS (
            SELECT DISTINCT brand FROM stores
            UNION SELECT {fold_sql("value")} FROM facet_lists WHERE key = 'brand' AND value <> ''
        ), cut AS (
            SELECT brand, array_to_string({tokens_sql("brand")}, ' ') AS words FROM names
        ), starts AS (
            SELECT id, array_to_string(words[1:size], ' ') AS words
            FROM titles, (SELECT unnest(range(1, {MOST_BRAND_WORDS + 1})) AS size) WHERE size <= len(titles.words)
        ), rows AS (
            SELECT brand, id FROM stores UNION SELECT '', id FROM stores
            UNION SELECT brand, id FROM cut JOIN starts USING (words) WHERE words <> ''
        )
        SELECT brand, list(id ORDER BY id) FROM rows GROUP BY brand ORDER BY brand
        """
    )


def _create_counts(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("CREATE OR REPLACE TEMP TABLE counts(sid INTEGER, id INTEGER, field UTINYINT, tf USMALLINT)")
    connection.execute("CREATE OR REPLACE TEMP TABLE lengths(id INTEGER, field UTINYINT, length INTEGER)")
    connection.execute("CREATE OR REPLACE TEMP TABLE titles(id INTEGER, words VARCHAR[])")


def _count_words(connection: duckdb.DuckDBPyConnection) -> None:
    """Add the run of products that was just cut to `counts`, `lengths` and `titles`."""
    connection.execute(
        f"""
        INSERT INTO counts
        WITH frequencies AS (SELECT no, sid, count(*) AS tf FROM coded GROUP BY no, sid)
        SELECT sid, id, field, least(sum(tf), 65535) FROM frequencies JOIN placed USING (no)
        WHERE field < {DETAIL_VALUE} GROUP BY sid, id, field
        """
    )
    connection.execute(
        f"INSERT INTO lengths SELECT id, field, sum(len(tokens)) AS length FROM placed JOIN strings USING (no) "
        f"WHERE field < {DETAIL_VALUE} GROUP BY id, field HAVING length > 0"
    )
    connection.execute(
        f"INSERT INTO titles SELECT id, tokens[1:{MOST_BRAND_WORDS}] FROM placed JOIN strings USING (no) "
        f"WHERE field = {FIELD_NUMBERS['title']}"
    )


def _build_terms(connection: duckdb.DuckDBPyConnection) -> None:
    """Stem each surface once; `lex` and `terms` carry the number of products that hold the stem."""
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE stemmed AS SELECT sid, surface, {stem_sql('surface')} AS stem FROM surfaces"
    )
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE numbered AS "
        "SELECT stem, (row_number() OVER (ORDER BY stem) - 1)::INTEGER AS termid "
        "FROM (SELECT DISTINCT stem FROM stemmed)"
    )
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE sid_term AS SELECT sid, termid FROM stemmed JOIN numbered USING (stem)"
    )
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE dfs AS SELECT termid, count(DISTINCT id)::INTEGER AS df, count(*) AS postings "
        "FROM counts JOIN sid_term USING (sid) GROUP BY termid"
    )
    connection.execute("CREATE OR REPLACE TABLE lex(surface VARCHAR PRIMARY KEY, termid INTEGER, df INTEGER)")
    connection.execute(
        "INSERT INTO lex SELECT surface, termid, df FROM stemmed JOIN numbered USING (stem) JOIN dfs USING (termid) "
        "ORDER BY surface"
    )
    connection.execute("CREATE OR REPLACE TABLE terms(stem VARCHAR PRIMARY KEY, termid INTEGER, df INTEGER)")
    connection.execute("INSERT INTO terms SELECT stem, termid, df FROM numbered JOIN dfs USING (termid) ORDER BY stem")


def _build_postings(connection: duckdb.DuckDBPyConnection, report: Progress) -> None:
    """Weigh the postings batch by batch into `pl`, and list title and feature mentions in `mentions`."""
    fields = load_fields()
    weights = ", ".join(
        f"({number}, {fields.fields[name].weight}, {fields.fields[name].b})" for number, name in enumerate(FIELD_SQL)
    )
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE factors AS "
        "SELECT l.id, l.field, (w.weight / (1 - w.b + w.b * l.length / a.mean))::FLOAT AS factor FROM lengths l "
        "JOIN (SELECT field, avg(length) AS mean FROM lengths GROUP BY field) a USING (field) "
        f"JOIN (VALUES {weights}) w(field, weight, b) USING (field)"
    )
    size = _scalar(connection, "SELECT count(*) FROM products")
    connection.execute(
        "CREATE OR REPLACE TABLE text_stats AS SELECT $1::DOUBLE AS k1, $2::BIGINT AS size, "
        "65535 / (($1 + 1) * ln(1 + ($2 - 0.5) / 1.5)) AS scale",
        [fields.k1, max(size, 2)],
    )
    connection.execute("CREATE OR REPLACE TABLE pl(termid INTEGER PRIMARY KEY, docids INTEGER[], imps USMALLINT[])")
    connection.execute("CREATE OR REPLACE TABLE mentions(termid INTEGER PRIMARY KEY, ids INTEGER[])")
    total = _scalar(connection, "SELECT count(*) FROM dfs")
    for first, last in _term_batches(connection):
        report("text lists", first, total)
        _weigh_batch(connection, first, last)
    report("text lists", total, total)


def _term_batches(connection: duckdb.DuckDBPyConnection) -> list[tuple[int, int]]:
    """Cut the term numbers into ranges of about `_BATCH` postings, `[first, last)` each."""
    rows = connection.execute(
        "SELECT min(termid), max(termid) + 1 "
        "FROM (SELECT termid, (sum(postings) OVER (ORDER BY termid)) // $1 AS part FROM dfs) "
        "GROUP BY part ORDER BY 1",
        [_BATCH],
    ).fetchall()
    return [(int(first), int(last)) for first, last in rows]


def _weigh_batch(connection: duckdb.DuckDBPyConnection, first: int, last: int) -> None:
    connection.execute(
        f"""
        INSERT INTO pl
        WITH frequencies AS (
            SELECT termid, c.id, sum(c.tf * f.factor) AS x
            FROM counts c JOIN (SELECT * FROM sid_term WHERE termid >= {first} AND termid < {last}) USING (sid)
            JOIN factors f ON f.id = c.id AND f.field = c.field GROUP BY termid, c.id
        ), impacts AS (
            SELECT termid, id, greatest(1, round(
                s.scale * (s.k1 + 1) * x / (s.k1 + x) * ln(1 + (s.size - d.df + 0.5) / (d.df + 0.5))))::USMALLINT AS imp
            FROM frequencies JOIN dfs d USING (termid), text_stats s
        )
        SELECT termid, list(id ORDER BY id), list(imp ORDER BY id) FROM impacts GROUP BY termid ORDER BY termid
        """
    )
    chosen = ", ".join(str(number) for number, name in enumerate(FIELD_SQL) if name in MENTION_FIELDS)
    connection.execute(
        f"INSERT INTO mentions SELECT termid, list(DISTINCT id ORDER BY id) FROM counts JOIN sid_term USING (sid) "
        f"WHERE termid >= {first} AND termid < {last} AND field IN ({chosen}) GROUP BY termid ORDER BY termid"
    )


def _drop_working_tables(connection: duckdb.DuckDBPyConnection) -> None:
    for name in _WORKING_TABLES:
        connection.execute(f"DROP TABLE IF EXISTS {name}")
