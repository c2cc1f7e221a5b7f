"""Catalogs of any size made by SQL from the products of a small one, to measure speed at scale.

A made product takes category, facets, store, details, ratings and price from one product of the source, its bullets
from any, and its title with every fourth word replaced by one drawn from all titles: words and bullets are drawn as
often as the source writes them, so that document frequencies grow with the size and keep their (Zipf's) distribution.
Every title ends in a number of its own range, as model numbers do.
"""

# SQL here is assembled from this package's own expressions; values from outside are bound or quoted.
# ruff: noqa: S608

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable
from pathlib import Path

import duckdb

from catalog.build import PRODUCTS_TABLE, own_version
from catalog.errors import InputError
from catalog.indexing import build_index
from catalog.manifest import Manifest
from catalog.mapping import move_lists, store_lists
from catalog.open import open_file

Progress = Callable[[str, int, int | None], None]

MOST_PRODUCTS = 10_000_000

_CHUNK = 100_000
_MODELS = 20_000
"""Different numbers at the end of titles."""

# Hashed as text: hashes of numbers that differ a little are not independent of each other.
_INSERT = """
INSERT INTO products
WITH drawn AS (
    SELECT i::INTEGER AS id, (hash(concat('base:', i, ':', $seed)) % $size)::INTEGER AS base
    FROM range($first, $last) t(i)
), places AS (
    SELECT id, unnest(range(len(words))) AS place, unnest(words) AS word FROM drawn JOIN source_titles USING (base)
), chosen AS (
    SELECT id, place, word, CASE WHEN hash(concat('change:', id, ':', place, ':', $seed)) % 4 = 0
        THEN hash(concat('word:', id, ':', place, ':', $seed)) % $words END AS slot
    FROM places
), titles AS (
    SELECT id, string_agg(coalesce(drawn_words.word, chosen.word), ' ' ORDER BY place) AS title
    FROM chosen LEFT JOIN drawn_words USING (slot) GROUP BY id
), spots AS (
    SELECT drawn.id, unnest(range(len(features))) AS place FROM drawn JOIN source.products p ON p.id = base
), bullets AS (
    SELECT id, list(bullet ORDER BY place) AS features
    FROM spots JOIN drawn_bullets ON slot = hash(concat('bullet:', id, ':', place, ':', $seed)) % $bullets GROUP BY id
), numbers AS (
    SELECT id, hash(concat('model:', id, ':', $seed)) % $models AS model,
           .75 + (hash(concat('price:', id, ':', $seed)) % 500) / 1000 AS share
    FROM drawn
)
SELECT drawn.id, printf('M%09d', drawn.id), titles.title || ' ' || model, bullets.features, p.description,
       round(p.price * share, 2), p.categories, p.details, p.average_rating, p.rating_number, p.store, p.facets
FROM drawn JOIN numbers USING (id) JOIN titles USING (id) LEFT JOIN bullets ON bullets.id = drawn.id
JOIN source.products p ON p.id = base
ORDER BY drawn.id
"""


def bulk_digest(source_digest: str, products: int, seed: int) -> str:
    """Return the digest that names the content of a made catalog."""
    return hashlib.sha256(f"{source_digest} {products} {seed}".encode()).hexdigest()


def build_bulk(
    source: Path,
    out: Path,
    products: int,
    *,
    seed: int = 0,
    memory_limit: str | None = None,
    progress: Progress | None = None,
) -> Manifest:
    """Make a catalog of `products` products from those of the catalog `source` and return its manifest.

    The same arguments give the same products. Raises `InputError` for arguments that make no catalog, and
    `CatalogError` for a source that is none.
    """
    if not 1 <= products <= MOST_PRODUCTS:
        raise InputError(f"cannot make {products} products: choose between 1 and {MOST_PRODUCTS}")
    if not out.parent.is_dir():
        raise InputError(f"cannot write {out}: the folder {out.parent} does not exist; create it first")
    connection, described, file = open_file(source)
    connection.close()
    report = progress or (lambda _stage, _done, _total: None)
    with tempfile.TemporaryDirectory(prefix=f".{out.stem}-", dir=out.parent) as folder:
        draft = Path(folder) / "catalog.duckdb"
        settings: dict[str, str | bool | int | float | list[str]] = {"temp_directory": str(Path(folder) / "spill")}
        if memory_limit:
            settings["memory_limit"] = memory_limit
        with duckdb.connect(str(draft), config=settings) as writing:
            _draw_products(writing, file, products, seed, report)
            manifest = _finish(writing, described, products, seed, report)
            report("arrays", 0, None)
            store_lists(writing, draft)
        draft.replace(out)
        move_lists(draft, out)
    return manifest


def _draw_products(
    connection: duckdb.DuckDBPyConnection, source: Path, products: int, seed: int, report: Progress
) -> None:
    connection.execute("SET enable_progress_bar = false")  # it writes to stdout
    connection.execute(f"ATTACH '{str(source).replace(chr(39), chr(39) * 2)}' AS source (READ_ONLY)")
    connection.execute(PRODUCTS_TABLE)
    connection.execute(
        "CREATE TEMP TABLE source_titles AS "
        "SELECT id AS base, list_filter(string_split(title, ' '), lambda w: w <> '') AS words FROM source.products"
    )
    connection.execute(
        "CREATE TEMP TABLE drawn_words AS SELECT row_number() OVER (ORDER BY base, place) - 1 AS slot, word "
        "FROM (SELECT base, unnest(range(len(words))) AS place, unnest(words) AS word FROM source_titles)"
    )
    connection.execute(
        "CREATE TEMP TABLE drawn_bullets AS SELECT row_number() OVER (ORDER BY id, place) - 1 AS slot, bullet "
        "FROM (SELECT id, unnest(range(len(features))) AS place, unnest(features) AS bullet FROM source.products)"
    )
    counts = {
        name: connection.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0]
        for name, table in (("size", "source.products"), ("words", "drawn_words"), ("bullets", "drawn_bullets"))
    }
    for first in range(0, products, _CHUNK):
        report("products", first, products)
        last = min(first + _CHUNK, products)
        connection.execute(_INSERT, {"seed": seed, "first": first, "last": last, "models": _MODELS, **counts})
    report("products", products, products)
    for table in ("source_titles", "drawn_words", "drawn_bullets"):
        connection.execute(f"DROP TABLE {table}")
    connection.execute("DETACH source")


def _finish(
    connection: duckdb.DuckDBPyConnection, source: Manifest, products: int, seed: int, report: Progress
) -> Manifest:
    counts = build_index(connection, report)
    manifest = Manifest(
        shopgraph_version=own_version(),
        duckdb_version=duckdb.__version__,
        sources=[],
        rows_read=products,
        products=products,
        rejected={},
        duplicates=0,
        currency=source.currency,
        facets=counts.facets,
        terms=counts.terms,
        lexicon_surfaces=counts.lexicon_surfaces,
        catalog_sha256=bulk_digest(source.catalog_sha256, products, seed),
    )
    connection.execute("CREATE TABLE manifest(json VARCHAR)")
    connection.execute("INSERT INTO manifest VALUES (?)", [manifest.model_dump_json()])
    connection.execute("CHECKPOINT")
    return manifest
