"""Build the index tables of a catalog file from its `products` table.

The text index is a set of impact lists: for each stem the products that hold it, ascending, and what the stem adds to
the score of each (BM25F times idf, as 16-bit integers). On 50,000 products a query takes 1.4 to 2.9 ms against 68 to 94
of the stock `match_bm25`.
"""

# SQL here is assembled from this package's own expressions; values from outside are bound or quoted.
# ruff: noqa: S608

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import duckdb
import numpy as np
from numpy.typing import NDArray

from catalog.counting import Counts, WordCounts
from catalog.cutting import CUT_TABLES, FIELD_NUMBERS, cut_products, insert_columns
from catalog.engine import create_kept_stems, load_fts, stem_sql
from catalog.fields import MENTION_FIELDS
from catalog.mining import LexiconMiner
from catalog.quotes import StatementBuilder
from catalog.text import fold_sql, tokens_sql
from catalog.weighing import Impacts, Weigher

Progress = Callable[[str, int, int | None], None]

_WORKING_TABLES = (*CUT_TABLES, "stated", "facet_names", "titles", "stemmed", "numbered", "sid_term", "dfs")

_BATCH = 20_000_000
"""Entries of lists that are put together at once, which bounds memory: some 2 GB."""

_FACET_CHUNK = 200_000
"""Products whose facets are read at once."""

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
    _build_facet_lists(connection, size, report)
    statements, lexicon = StatementBuilder(connection), LexiconMiner(connection, size)
    connection.execute("CREATE OR REPLACE TEMP TABLE titles(id INTEGER, words VARCHAR[])")
    with _scratch_file(connection) as scratch:
        counts = WordCounts(scratch, size)
        for cut in cut_products(connection, size):
            report("words", cut.first, size)
            _keep_titles(connection)
            counts.add(cut)
            statements.add(cut)
            lexicon.add(cut)
        report("words", size, size)
        _build_brands(connection)
        _build_text_lists(connection, counts, report)
    report("statements", 0, None)
    statements.write()
    report("lexicon", 0, None)
    surfaces = lexicon.write()
    _drop_working_tables(connection)
    facets = dict(connection.execute("SELECT key, count FROM facet_lists WHERE value = '' ORDER BY key").fetchall())
    return IndexCounts(_scalar(connection, "SELECT count(*) FROM pl"), surfaces, facets)


@contextmanager
def _scratch_file(connection: duckdb.DuckDBPyConnection) -> Iterator[Path]:
    """Yield a file beside the catalog that is removed afterwards; somewhere else for a catalog in memory."""
    row = connection.execute("SELECT path FROM duckdb_databases() WHERE database_name = current_database()").fetchone()
    beside = Path(row[0]).parent if row and row[0] else None
    with tempfile.TemporaryDirectory(prefix=".counts-", dir=beside, ignore_cleanup_errors=True) as folder:
        yield Path(folder) / "counts"


def _scalar(connection: duckdb.DuckDBPyConnection, sql: str) -> int:
    row = connection.execute(sql).fetchone()
    return int(row[0]) if row and row[0] is not None else 0


def _build_facet_lists(connection: duckdb.DuckDBPyConnection, size: int, report: Progress) -> None:
    """List the products of each facet value, and under the value '' those that state the key at all.

    `stated(id, name)` keeps what each product states, by the numbers of `facet_names(name, key, value)`.
    """
    connection.execute("CREATE OR REPLACE TEMP TABLE facet_names(name INTEGER, key VARCHAR, value VARCHAR)")
    connection.execute("CREATE OR REPLACE TEMP TABLE stated(id INTEGER, name INTEGER)")
    for first in range(0, size, _FACET_CHUNK):
        report("facets", first, size)
        _read_facets(connection, first, first + _FACET_CHUNK)
    connection.execute(
        "CREATE OR REPLACE TABLE facet_lists"
        "(key VARCHAR, value VARCHAR, count INTEGER, ids INTEGER[], PRIMARY KEY (key, value))"
    )
    for first, last in _ranges_of(
        connection,
        "SELECT row_number() OVER (ORDER BY key, value) AS number, entries "
        "FROM facet_names JOIN (SELECT name, count(*) AS entries FROM stated GROUP BY name) USING (name)",
    ):
        connection.execute(
            "INSERT INTO facet_lists WITH ordered AS "
            "(SELECT row_number() OVER (ORDER BY key, value) AS number, name, key, value FROM facet_names) "
            "SELECT key, value, count(*), list(id ORDER BY id) FROM stated "
            f"JOIN (FROM ordered WHERE number >= {first} AND number < {last}) USING (name) "
            "GROUP BY key, value ORDER BY key, value"
        )


def _read_facets(connection: duckdb.DuckDBPyConnection, first: int, last: int) -> None:
    """Add the facets of the products `[first, last)` to `stated`, numbering the values that are new."""
    connection.execute(
        f"""
        CREATE OR REPLACE TEMP TABLE said AS
        WITH entries AS (
            SELECT id, unnest(map_entries(facets::JSON::MAP(VARCHAR, VARCHAR[])), recursive := true) FROM products
            WHERE id >= {first} AND id < {last}
        ), flat AS (
            SELECT id, key, unnest(value) AS value FROM entries
        ), true_values AS (FROM flat WHERE value <> '')
        FROM true_values UNION SELECT id, key, '' FROM true_values
        """
    )
    connection.execute(
        "INSERT INTO facet_names SELECT (SELECT count(*) FROM facet_names) + row_number() OVER (ORDER BY key, value), "
        "key, value FROM (SELECT DISTINCT key, value FROM said ANTI JOIN facet_names USING (key, value))"
    )
    connection.execute("INSERT INTO stated SELECT id, name FROM said JOIN facet_names USING (key, value)")
    connection.execute("DROP TABLE said")


def _ranges_of(connection: duckdb.DuckDBPyConnection, numbered: str) -> list[tuple[int, int]]:
    """Cut the numbers of the rows `(number, entries)` into ranges of about `_BATCH` entries, `[first, last)` each."""
    rows = connection.execute(
        "SELECT min(number), max(number) + 1 FROM "
        f"(SELECT number, (sum(entries) OVER (ORDER BY number)) // {_BATCH} AS part FROM ({numbered})) "
        "GROUP BY part ORDER BY 1"
    ).fetchall()
    return [(int(first), int(last)) for first, last in rows]


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


def _keep_titles(connection: duckdb.DuckDBPyConnection) -> None:
    """Add the first words of the titles that were just cut to `titles`."""
    connection.execute(
        f"INSERT INTO titles SELECT id, tokens[1:{MOST_BRAND_WORDS}] FROM placed JOIN strings USING (no) "
        f"WHERE field = {FIELD_NUMBERS['title']}"
    )


def _number_stems(connection: duckdb.DuckDBPyConnection) -> NDArray[np.int32]:
    """Stem each surface once and return the number of each one's stem, stems in their order."""
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE stemmed AS SELECT sid, surface, {stem_sql('surface')} AS stem FROM surfaces"
    )
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE numbered AS "
        "SELECT stem, (row_number() OVER (ORDER BY stem) - 1)::INTEGER AS termid "
        "FROM (SELECT DISTINCT stem FROM stemmed)"
    )
    column = connection.execute("SELECT termid FROM stemmed JOIN numbered USING (stem) ORDER BY sid").fetchnumpy()[
        "termid"
    ]
    return np.asarray(column, dtype=np.int32)


def _build_text_lists(connection: duckdb.DuckDBPyConnection, counts: WordCounts, report: Progress) -> None:
    """Weigh the counts batch by batch into `pl`, list title and feature mentions, and name the stems."""
    term_of = _number_stems(connection)
    terms = _scalar(connection, "SELECT count(*) FROM numbered")
    report("text lists", 0, terms)
    counts.sort(term_of, terms)
    weigher = Weigher(counts.lengths)
    connection.execute(
        "CREATE OR REPLACE TABLE text_stats AS SELECT $1::DOUBLE AS k1, $2::BIGINT AS size, $3::DOUBLE AS scale",
        [weigher.k1, weigher.size, float(weigher.scale)],
    )
    connection.execute("CREATE OR REPLACE TABLE pl(termid INTEGER PRIMARY KEY, docids INTEGER[], imps USMALLINT[])")
    connection.execute("CREATE OR REPLACE TABLE mentions(termid INTEGER PRIMARY KEY, ids INTEGER[])")
    connection.execute("CREATE OR REPLACE TEMP TABLE dfs(termid INTEGER, df INTEGER)")
    for batch in counts.batches(_BATCH):
        report("text lists", batch.first, terms)
        _write_batch(connection, batch, weigher.weigh(batch))
    report("text lists", terms, terms)
    _name_stems(connection)


def _write_batch(connection: duckdb.DuckDBPyConnection, batch: Counts, found: Impacts) -> None:
    numbers = np.arange(batch.first, batch.last, dtype=np.int32)[found.df > 0]
    insert_columns(connection, "dfs", {"termid": numbers, "df": found.df[found.df > 0]}, "SELECT * FROM given")
    insert_columns(
        connection,
        "pl",
        {"termid": found.terms, "id": found.ids, "imp": found.impacts},
        "SELECT termid, list(id ORDER BY id), list(imp ORDER BY id) FROM given GROUP BY termid ORDER BY termid",
    )
    mentioned = np.isin(batch.fields, [FIELD_NUMBERS[name] for name in MENTION_FIELDS])
    insert_columns(
        connection,
        "mentions",
        {"termid": batch.terms[mentioned], "id": batch.ids[mentioned]},
        "SELECT termid, list(DISTINCT id ORDER BY id) FROM given GROUP BY termid ORDER BY termid",
    )


def _name_stems(connection: duckdb.DuckDBPyConnection) -> None:
    """Write `lex` and `terms`: surfaces and stems with the number of products that hold the stem."""
    connection.execute("CREATE OR REPLACE TABLE lex(surface VARCHAR PRIMARY KEY, termid INTEGER, df INTEGER)")
    connection.execute(
        "INSERT INTO lex SELECT surface, termid, df FROM stemmed JOIN numbered USING (stem) JOIN dfs USING (termid) "
        "ORDER BY surface"
    )
    connection.execute("CREATE OR REPLACE TABLE terms(stem VARCHAR PRIMARY KEY, termid INTEGER, df INTEGER)")
    connection.execute("INSERT INTO terms SELECT stem, termid, df FROM numbered JOIN dfs USING (termid) ORDER BY stem")


def _drop_working_tables(connection: duckdb.DuckDBPyConnection) -> None:
    for name in _WORKING_TABLES:
        connection.execute(f"DROP TABLE IF EXISTS {name}")
