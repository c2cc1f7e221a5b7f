"""DuckDB with its full-text extension, loaded from the package that ships the binary (never from the network)."""

# SQL here is assembled from this package's own expressions; values from outside are bound or quoted.
# ruff: noqa: S608

from __future__ import annotations

import importlib.util
import threading
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import duckdb

from catalog.errors import CatalogError

DATABASE = "shop"
"""Name under which a catalog file is attached."""


def extension_file() -> Path:
    """Return the full-text extension built for this DuckDB; raises `CatalogError` when it is not installed."""
    wanted = f"duckdb-extension-fts=={duckdb.__version__}"
    spec = importlib.util.find_spec("duckdb_extension_fts")
    if spec is None or not spec.submodule_search_locations:
        raise CatalogError(f"DuckDB's full-text extension is not installed: run `pip install {wanted}`")
    folder = Path(spec.submodule_search_locations[0]) / "extensions"
    found = folder / f"v{duckdb.__version__}" / "fts.duckdb_extension"
    if not found.is_file():
        there = ", ".join(sorted(path.name for path in folder.glob("v*"))) or "none"
        raise CatalogError(
            f"the installed full-text extension is for DuckDB {there}, this is {duckdb.__version__}: "
            f"run `pip install {wanted}`"
        )
    return found


def load_fts(connection: duckdb.DuckDBPyConnection) -> None:
    """Load the full-text extension into an unlocked connection; cursors of it inherit it."""
    path = extension_file()
    # The engine draws a bar on stdout, terminal or not, when a statement takes more than 2 s: into a command's JSON.
    connection.execute("SET enable_progress_bar = false")
    connection.execute("SET autoinstall_known_extensions = false")
    try:
        connection.execute(f"LOAD '{str(path).replace(chr(39), chr(39) * 2)}'")
    except duckdb.Error as error:
        raise CatalogError(
            f"the full-text extension {path} does not load in DuckDB {duckdb.__version__}: {error}; "
            f"reinstall it with `pip install --force-reinstall duckdb-extension-fts=={duckdb.__version__}`"
        ) from error


def kept_stems() -> dict[str, str]:
    """Return the words whose stem is agreed rather than computed (`catalog/data/stems.toml`)."""
    stems: dict[str, str] = tomllib.loads(files("catalog").joinpath("data/stems.toml").read_text(encoding="utf-8"))[
        "stems"
    ]
    return stems


def stem_sql(word: str) -> str:
    """Return the SQL expression of the stem of a token; a token with a digit is its own stem.

    Numerals must stay exact: the stemmer would turn 80s into 80. Needs the table of `create_kept_stems`.
    """
    return (
        f"CASE WHEN regexp_matches({word}, '[0-9]') THEN {word} "
        f"ELSE coalesce(kept_stems()[{word}], stem({word}, 'english')) END"
    )


def create_kept_stems(connection: duckdb.DuckDBPyConnection) -> None:
    """Define the temporary macro that `stem_sql` uses; each cursor needs its own."""
    entries = ", ".join(f"'{word}': '{stem}'" for word, stem in kept_stems().items())
    connection.execute(f"CREATE OR REPLACE TEMP MACRO kept_stems() AS MAP {{{entries}}}")


class Stemmer:
    """The extension's stemmer for single words, for what is not yet in an index. Safe for threads."""

    def __init__(self) -> None:
        self._connection = duckdb.connect(":memory:", config={"threads": 1})
        load_fts(self._connection)
        create_kept_stems(self._connection)
        self._connection.execute(f"PREPARE stem AS SELECT {stem_sql('w')} FROM (SELECT $1::VARCHAR AS w)")
        self._lock = threading.Lock()

    def stem(self, token: str) -> str:
        """Return the stem of a normalised token (about 0.2 ms; a bound value instead of a literal takes 0.9)."""
        literal = token.replace("'", "''")
        with self._lock:
            row = self._connection.execute(f"EXECUTE stem('{literal}')").fetchone()
        return str(row[0]) if row else token


@lru_cache(maxsize=1)
def _stemmer() -> Stemmer:
    return Stemmer()


@lru_cache(maxsize=65_536)
def stem(token: str) -> str:
    """Return the stem of a normalised token, as the index computed it at build.

    Example: `stem("dresses")` is `"dress"`; `stem("10.5")` is `"10.5"`.
    """
    return _stemmer().stem(token)


class ThreadCursors:
    """A cursor for each thread; a connection shared by threads silently answers some with nothing."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, statements: Mapping[str, str]):
        self._connection = connection
        self._statements = statements
        self._local = threading.local()

    def get(self) -> duckdb.DuckDBPyConnection:
        """Return the calling thread's cursor."""
        cursor: duckdb.DuckDBPyConnection | None = getattr(self._local, "cursor", None)
        if cursor is None:
            cursor = self._connection.cursor()
            cursor.execute(f"USE {DATABASE}")
            create_kept_stems(cursor)
            self._local.cursor, self._local.prepared = cursor, set()
        return cursor

    def having(self, statement: str) -> duckdb.DuckDBPyConnection:
        """Return the calling thread's cursor with one of the statements prepared, at its first use."""
        cursor = self.get()
        if statement not in self._local.prepared:
            cursor.execute(f"PREPARE {statement} AS {self._statements[statement]}")
            self._local.prepared.add(statement)
        return cursor

    def extra(self) -> duckdb.DuckDBPyConnection:
        """Return a cursor for one holder that guards it against other threads itself."""
        cursor = self._connection.cursor()
        cursor.execute(f"USE {DATABASE}")
        return cursor

    def close(self) -> None:
        """Close the connection; cursors of other threads fail from then on."""
        cursor: duckdb.DuckDBPyConnection | None = getattr(self._local, "cursor", None)
        if cursor is not None:
            cursor.close()
        self._connection.close()


MOST_MEMORY = 2_000_000_000
"""Bytes that the engine may hold of one catalog; by itself it fills 80% of the memory with blocks of a large file."""

_UNITS = {"bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}


def _bound_memory(connection: duckdb.DuckDBPyConnection, most: int) -> None:
    """Let the engine use `most` bytes, or less where it found less by itself (it knows the limits of a container)."""
    number, unit = connection.execute("SELECT current_setting('memory_limit')").fetchall()[0][0].split()
    if float(number) * _UNITS[unit] > most:
        connection.execute(f"SET memory_limit = '{most}B'")


def connect_read_only(file: Path, *, memory: int = MOST_MEMORY) -> duckdb.DuckDBPyConnection:
    """Attach a database file read-only to a connection of its own, loaded with the extension and then locked.

    Attaching to a private in-memory database rather than connecting to the path: the driver keeps one instance
    a path, and hands out the old file's instance after a rebuilt file was moved over it (measured, 1.5.5).
    One thread a query: two are slower even for a single one. Raises `CatalogError`.
    """
    connection = duckdb.connect(":memory:", config={"threads": 1, "temp_directory": ""})
    try:
        load_fts(connection)
        create_kept_stems(connection)
        _bound_memory(connection, memory)
        connection.execute(f"ATTACH '{str(file).replace(chr(39), chr(39) * 2)}' AS {DATABASE} (READ_ONLY)")
        connection.execute(f"USE {DATABASE}")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET autoload_known_extensions = false")
        connection.execute("SET lock_configuration = true")
    except duckdb.Error as error:
        connection.close()
        raise CatalogError(_attach_problem(file, error)) from error
    except CatalogError:
        connection.close()
        raise
    return connection


def _attach_problem(file: Path, error: duckdb.Error) -> str:
    text = str(error)
    if "lock on file" in text:
        return f"catalog {file} is being written by another process; wait for it, or build to a new file: {text}"
    if "not a valid DuckDB database" in text or "binary" in text.lower():
        return f"{file} is not a DuckDB catalog; build one with `shopgraph catalog build SRC... --out FILE.duckdb`"
    if "Permission denied" in text or "Cannot open file" in text:
        return f"catalog {file} cannot be read: {text}; check its permissions"
    return f"catalog {file} is damaged or of another DuckDB version than {duckdb.__version__} ({text}); build it again"
