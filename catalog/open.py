"""Open a catalog file: read-only, for many processes at once, with a clear error for whatever is wrong with it."""

from __future__ import annotations

from pathlib import Path

import duckdb
from pydantic import ValidationError

from catalog.duckdb_index import DuckDBIndex
from catalog.engine import connect_read_only
from catalog.errors import CatalogError
from catalog.manifest import SCHEMA_VERSION, Manifest
from catalog.postings import DEFAULT_CACHE_BYTES

_TABLES = ("products", "facet_lists", "brands", "lexicon", "lex", "terms", "pl", "mentions", "statements", "text_stats")
_HEADERS = 3 * 4096
"""Bytes of a DuckDB file before its first block."""

_REBUILD = "build it again with `shopgraph catalog build SRC... --out FILE.duckdb`"


def open_catalog(path: str | Path, *, cache_bytes: int = DEFAULT_CACHE_BYTES) -> DuckDBIndex:
    """Open a built catalog; close the index when done.

    `cache_bytes` bounds the decoded lists kept in memory; with 0 every search runs inside DuckDB.
    Raises `CatalogError` when the file is missing, a folder, not a catalog, damaged, or of another version.
    """
    opened = open_file(path)
    return DuckDBIndex(*opened, cache_bytes=cache_bytes)


def open_file(path: str | Path) -> tuple[duckdb.DuckDBPyConnection, Manifest, Path]:
    """Return a locked read-only connection to a checked catalog file, its manifest and its full path."""
    file = _existing_file(path)
    connection = connect_read_only(file)
    try:
        _check_size(connection, file)
        manifest = _read_manifest(connection, file)
        _check_versions(manifest, file)
        _check_tables(connection, manifest, file)
    except duckdb.Error as error:
        connection.close()
        raise CatalogError(f"catalog {file} is damaged ({error}); {_REBUILD}") from error
    except CatalogError:
        connection.close()
        raise
    return connection, manifest, file


def _existing_file(path: str | Path) -> Path:
    file = Path(path)
    if file.is_dir():
        raise CatalogError(f"catalog {file} is a folder; name the .duckdb file in it")
    if not file.exists():
        raise CatalogError(f"catalog {file} does not exist; {_REBUILD}")
    return file.resolve()


def _check_size(connection: duckdb.DuckDBPyConnection, file: Path) -> None:
    """Raise `CatalogError` for a file that lost its end: the engine itself notices only what it happens to read."""
    row = connection.execute(
        "SELECT block_size * total_blocks FROM pragma_database_size() WHERE database_name = current_database()"
    ).fetchone()
    needed, there = _HEADERS + (row[0] if row else 0), file.stat().st_size
    if there < needed:
        raise CatalogError(f"catalog {file} is cut short: {there:,} of {needed:,} bytes are there; {_REBUILD}")


def _read_manifest(connection: duckdb.DuckDBPyConnection, file: Path) -> Manifest:
    try:
        row = connection.execute("SELECT json FROM manifest").fetchone()
    except duckdb.CatalogException as error:
        raise CatalogError(f"{file} is a DuckDB file but not a catalog: it has no manifest; {_REBUILD}") from error
    if row is None or row[0] is None:
        raise CatalogError(f"catalog {file} was not finished: its manifest is empty; {_REBUILD}")
    try:
        return Manifest.model_validate_json(row[0])
    except ValidationError as error:
        raise CatalogError(f"the manifest of catalog {file} cannot be read ({_first(error)}); {_REBUILD}") from error


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    return ": ".join(filter(None, (".".join(map(str, first["loc"])), first["msg"])))


def _check_versions(manifest: Manifest, file: Path) -> None:
    if manifest.schema_version != SCHEMA_VERSION:
        raise CatalogError(
            f"catalog {file} has schema version {manifest.schema_version}, this shopgraph reads {SCHEMA_VERSION}; "
            f"{_REBUILD}"
        )
    if manifest.duckdb_version != duckdb.__version__:
        raise CatalogError(
            f"catalog {file} was built with DuckDB {manifest.duckdb_version}, installed is {duckdb.__version__}; "
            f"{_REBUILD}, or install duckdb=={manifest.duckdb_version}"
        )


def _check_tables(connection: duckdb.DuckDBPyConnection, manifest: Manifest, file: Path) -> None:
    rows = connection.execute(
        "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database()"
    ).fetchall()
    missing = sorted(set(_TABLES) - {name for (name,) in rows})
    if missing:
        raise CatalogError(f"catalog {file} lacks the tables {', '.join(missing)}; {_REBUILD}")
    count = connection.execute("SELECT count(*) FROM products").fetchone()
    if count is None or count[0] != manifest.products:
        raise CatalogError(
            f"catalog {file} is damaged: its manifest counts {manifest.products} products, the table holds "
            f"{count[0] if count else 0}; {_REBUILD}"
        )
