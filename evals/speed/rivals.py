"""Other full-text engines over the same products and fields: what a catalog's own search is compared with.

Each keeps its index in a file beside the catalog, built at first use and again when the catalog's content changes.
"""

# SQL here is assembled from this package's own expressions; values from outside are bound or quoted.
# ruff: noqa: S608

from __future__ import annotations

import importlib
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

from catalog.duckdb_index import DuckDBIndex
from catalog.fields import FIELD_SQL, load_fields
from catalog.open import open_file
from catalog.query import function_words
from catalog.stock import StockIndex
from catalog.text import tokens
from evals.errors import EvaluationError

MOST_STOCK = 1_000_000
"""Products up to which the stock index is built: building that of 500,000 takes 5.6 GB."""

_BATCH = 5_000


class Rival(Protocol):
    """An engine to compare with."""

    build_seconds: float | None
    """How long its index took to build; None when it was there."""

    bytes: int

    def search(self, query: str, limit: int) -> list[int]:
        """Return the best ids for the words of a query, best first."""
        ...

    def close(self) -> None:
        """Release its files."""
        ...


def texts(index: DuckDBIndex) -> Iterator[list[tuple[Any, ...]]]:
    """Yield batches of rows `(id, field texts in the order of FIELD_SQL)`."""
    columns = ", ".join(f"coalesce({sql}, '')" for sql in FIELD_SQL.values())
    connection, _, _ = open_file(index.file)
    cursor = connection.execute(f"SELECT id, {columns} FROM products ORDER BY id")
    while rows := cursor.fetchmany(_BATCH):
        yield rows
    connection.close()


def _weights() -> str:
    fields = load_fields().fields
    return ", ".join(str(fields[name].weight) for name in FIELD_SQL)


def _content(query: str) -> list[str]:
    words = list(dict.fromkeys(tokens(query)))
    return [word for word in words if word not in function_words()] or words


class Fts5:
    """SQLite's FTS5 with the same field weights; stop words of the query removed."""

    def __init__(self, index: DuckDBIndex) -> None:
        """Open the index beside the catalog, building it when it is missing or of other content."""
        path = index.file.with_suffix(".fts5.sqlite")
        started = time.perf_counter()
        built = not self._is_of(path, index.manifest.catalog_sha256)
        if built:
            self._build(path, index)
        self.build_seconds = time.perf_counter() - started if built else None
        self.bytes = path.stat().st_size
        self._connection = sqlite3.connect(path)
        self._connection.execute(f"PRAGMA mmap_size = {1 << 36}")

    @staticmethod
    def _is_of(path: Path, digest: str) -> bool:
        if not path.is_file():
            return False
        connection = sqlite3.connect(path)
        try:
            found: list[tuple[str]] = connection.execute("SELECT digest FROM source").fetchall()
        except sqlite3.Error:
            return False
        finally:
            connection.close()
        return found == [(digest,)]

    @staticmethod
    def _build(path: Path, index: DuckDBIndex) -> None:
        path.unlink(missing_ok=True)
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        names = ", ".join(FIELD_SQL)
        connection.execute(
            f"CREATE VIRTUAL TABLE docs USING fts5({names}, content = '', tokenize = 'porter unicode61')"
        )
        places = ", ".join("?" * (len(FIELD_SQL) + 1))
        for rows in texts(index):
            connection.executemany(f"INSERT INTO docs(rowid, {names}) VALUES ({places})", rows)
        connection.execute("INSERT INTO docs(docs) VALUES ('optimize')")
        connection.execute("CREATE TABLE source(digest TEXT)")
        connection.execute("INSERT INTO source VALUES (?)", [index.manifest.catalog_sha256])
        connection.commit()
        connection.close()

    def search(self, query: str, limit: int) -> list[int]:
        """Return the best ids by `bm25()`."""
        match = " OR ".join(f'"{word}"' for word in _content(query))
        # `ORDER BY rank` with the weights configured takes 1.5 times as long for many words.
        sql = f"SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY bm25(docs, {_weights()}) LIMIT ?"
        return [row for (row,) in self._connection.execute(sql, (match, limit))]

    def close(self) -> None:
        """Release the file."""
        self._connection.close()


class Stock:
    """The stock full-text search of DuckDB over the same database."""

    def __init__(self, index: DuckDBIndex) -> None:
        """Open the index beside the catalog, building it when it is missing or of other content."""
        if index.size > MOST_STOCK:
            raise EvaluationError(
                f"--against stock: the stock index of {index.size:,} products does not fit in memory when it is built; "
                f"compare with it up to {MOST_STOCK:,}"
            )
        path = index.file.with_suffix(".stock.duckdb")
        before = path.stat().st_mtime if path.exists() else None
        started = time.perf_counter()
        self._index = StockIndex(index.file)
        built = path.stat().st_mtime != before
        self.build_seconds = time.perf_counter() - started if built else None
        self.bytes = path.stat().st_size

    def search(self, query: str, limit: int) -> list[int]:
        """Return the best ids by `match_bm25`."""
        found: list[int] = self._index.search(query, limit).ids.tolist()
        return found

    def close(self) -> None:
        """Release the file."""
        self._index.close()


class Tantivy:
    """Tantivy with one boosted query for each field and word, if the package is installed."""

    def __init__(self, index: DuckDBIndex) -> None:
        """Open the index beside the catalog, building it when it is missing or of other content."""
        try:
            self._tantivy: Any = importlib.import_module("tantivy")
        except ImportError as error:
            raise EvaluationError("--against tantivy: it is not installed; run `pip install tantivy`") from error
        folder = index.file.with_suffix(".tantivy")
        mark = folder / "catalog.sha256"
        started = time.perf_counter()
        built = not mark.is_file() or mark.read_text() != index.manifest.catalog_sha256
        if built:
            self._build(folder, index)
            mark.write_text(index.manifest.catalog_sha256)
        self.build_seconds = time.perf_counter() - started if built else None
        self.bytes = sum(file.stat().st_size for file in folder.iterdir())
        self._index = self._tantivy.Index.open(str(folder))
        self._searcher = self._index.searcher()
        self._boosts = {name: field.weight for name, field in load_fields().fields.items()}

    def _build(self, folder: Path, index: DuckDBIndex) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        schema = self._tantivy.SchemaBuilder().add_integer_field("id", stored=True, fast=True)
        for name in FIELD_SQL:
            schema = schema.add_text_field(name, tokenizer_name="en_stem", index_option="position")
        made = self._tantivy.Index(schema.build(), path=str(folder))
        writer = made.writer(200_000_000, 1)
        for rows in texts(index):
            for number, *fields in rows:
                document = self._tantivy.Document(id=number, **dict(zip(FIELD_SQL, fields, strict=True)))
                writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()

    def search(self, query: str, limit: int) -> list[int]:
        """Return the best ids by the sum of boosted field scores."""
        parsed = self._index.parse_query(" ".join(_content(query)), list(FIELD_SQL), field_boosts=self._boosts)
        hits = self._searcher.search(parsed, limit).hits
        return [self._searcher.doc(address)["id"][0] for _, address in hits]

    def close(self) -> None:
        """Release nothing: its files are mapped."""


RIVALS: dict[str, Callable[[DuckDBIndex], Rival]] = {"stock": Stock, "fts5": Fts5, "tantivy": Tantivy}
"""The engines that `--against` may name."""
