"""Stock full-text search (`match_bm25`) over the same products: the second `ProductIndex`, to compare with."""

# SQL here is assembled from this package's own expressions; values from outside are bound or quoted.
# ruff: noqa: S608

from __future__ import annotations

import tempfile
from pathlib import Path

import duckdb
import numpy as np

from catalog.duckdb_index import DuckDBIndex
from catalog.engine import ThreadCursors, connect_read_only, load_fts
from catalog.errors import CatalogError
from catalog.fields import FIELD_SQL
from catalog.open import open_file
from catalog.postings import DEFAULT_CACHE_BYTES, EMPTY_IDS
from catalog.search import Hits, Ids
from catalog.text import tokens

_SCORED = "(SELECT id, fts_main_docs.match_bm25(id, $1) AS score FROM docs)"
_SEARCH = f"SELECT id, score FROM {_SCORED} WHERE score IS NOT NULL ORDER BY score DESC, id LIMIT $2"
_SEARCH_WITHIN = (
    f"SELECT id, score FROM {_SCORED} SEMI JOIN (SELECT unnest(string_split($3, ' ')::INTEGER[]) AS id) USING (id) "
    "WHERE score IS NOT NULL ORDER BY score DESC, id LIMIT $2"
)


_STOCK_MEMORY = 8_000_000_000
"""Bytes for a stock search: it joins all postings of the query's words with all products."""


class StockIndex(DuckDBIndex):
    """A catalog whose `search` is the extension's own; everything else is that of `DuckDBIndex`.

    The stock index lives in a file of its own beside the catalog (`X.stock.duckdb`), built at first use and again when
    the catalog's content changes: it takes 10 s to build for 67,000 products and gigabytes for 500,000, so neither
    every catalog nor every process should pay for it.
    """

    def __init__(self, path: str | Path, sidecar: Path | None = None):
        connection, manifest, file = open_file(path)
        super().__init__(connection, manifest, file, cache_bytes=DEFAULT_CACHE_BYTES)
        self._sidecar = sidecar or file.with_suffix(".stock.duckdb")
        if _digest_of(self._sidecar) != manifest.catalog_sha256:
            _build_sidecar(file, self._sidecar, manifest.catalog_sha256)
        self._stock = ThreadCursors(connect_read_only(self._sidecar, memory=_STOCK_MEMORY), {})

    def search(self, query: str, limit: int = 100, *, within: Ids | None = None) -> Hits:
        """Return the best `limit` products by stock BM25 over all fields as one text."""
        if not tokens(query) or limit < 1 or (within is not None and not len(within)):
            return Hits(EMPTY_IDS, np.empty(0, dtype=np.float32))
        clean = query.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
        if within is None:
            columns = self._stock.get().execute(_SEARCH, [clean, limit]).fetchnumpy()
        else:
            allowed = " ".join(map(str, within.tolist()))
            columns = self._stock.get().execute(_SEARCH_WITHIN, [clean, limit, allowed]).fetchnumpy()
        return Hits(np.asarray(columns["id"], dtype=np.int32), np.asarray(columns["score"], dtype=np.float32))

    def close(self) -> None:
        """Release both files."""
        self._stock.close()
        super().close()


def _digest_of(sidecar: Path) -> str | None:
    """Return the digest of the products that a sidecar was built from; None when it has to be built."""
    if not sidecar.is_file():
        return None
    try:
        connection = connect_read_only(sidecar)
        row = connection.execute("SELECT catalog_sha256 FROM source").fetchone()
        connection.close()
    except (CatalogError, duckdb.Error):
        return None
    return str(row[0]) if row else None


def _build_sidecar(file: Path, sidecar: Path, digest: str) -> None:
    texts = ", ".join(f"coalesce({sql}, '') AS {name}" for name, sql in FIELD_SQL.items())
    with tempfile.TemporaryDirectory(prefix=f".{sidecar.stem}-", dir=sidecar.parent) as folder:
        draft = Path(folder) / "stock.duckdb"
        connection = duckdb.connect(str(draft))
        try:
            load_fts(connection)
            connection.execute(f"ATTACH '{str(file).replace(chr(39), chr(39) * 2)}' AS shop (READ_ONLY)")
            connection.execute(f"CREATE TABLE docs AS SELECT id, {texts} FROM shop.products ORDER BY id")
            connection.execute(f"PRAGMA create_fts_index('docs', 'id', {', '.join(repr(name) for name in FIELD_SQL)})")
            connection.execute("CREATE TABLE source AS SELECT $1::VARCHAR AS catalog_sha256", [digest])
        finally:
            connection.close()
        draft.replace(sidecar)
