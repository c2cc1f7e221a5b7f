"""The lists of a large catalog as files beside it, mapped into memory: `X.lists/` for `X.duckdb`."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from catalog.arrays import BYTES_PER_POSTING, IdArrays, ListArrays, PostingArrays, read_lists, read_statements
from catalog.postings import DEFAULT_CACHE_BYTES
from catalog.quotes import Statements
from catalog.sentence_arrays import SentenceArrays, has_sentences, read_sentences, read_space

_MARK = "catalog"


def lists_folder(catalog: Path) -> Path:
    """Return where the lists of a catalog file are kept."""
    return catalog.with_suffix(".lists")


def write_lists(connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Write the lists of the catalog on a connection as arrays; `folder` appears when it is complete."""
    with tempfile.TemporaryDirectory(prefix=f".{folder.stem}-", dir=folder.parent) as name:
        part = Path(name) / "lists"
        part.mkdir()

        def in_file(array: str, length: int, kind: Any) -> NDArray[Any]:
            path = str(part / f"{array}.npy")
            if not length:  # a file of no bytes cannot be mapped
                np.save(path, np.empty(0, dtype=kind))
                return np.empty(0, dtype=kind)
            return np.lib.format.open_memmap(path, "w+", kind, (length,))

        read_lists(connection, in_file)
        read_statements(connection, in_file)
        if has_sentences(connection):
            read_sentences(connection, in_file)
        (part / _MARK).write_text(_mark(connection), encoding="ascii")
        shutil.rmtree(folder, ignore_errors=True)
        part.replace(folder)


def store_lists(connection: duckdb.DuckDBPyConnection, catalog: Path) -> None:
    """Write the lists of a catalog beside its file if they are more than is read into memory."""
    postings = connection.execute("SELECT sum(df) FROM terms").fetchall()[0][0] or 0
    if postings * BYTES_PER_POSTING > DEFAULT_CACHE_BYTES:
        write_lists(connection, lists_folder(catalog))


def move_lists(built: Path, target: Path) -> None:
    """Put the lists of a built catalog beside its final place, and remove those of an earlier one."""
    shutil.rmtree(lists_folder(target), ignore_errors=True)
    if lists_folder(built).exists():
        lists_folder(built).replace(lists_folder(target))


def map_lists(connection: duckdb.DuckDBPyConnection, folder: Path) -> tuple[ListArrays, Statements] | None:
    """Map the lists of the catalog on a connection; None when there are none of exactly this catalog."""
    mark = folder / _MARK
    try:
        if mark.read_text(encoding="ascii") != _mark(connection):
            return None

        lists = ListArrays(
            PostingArrays(*(_mapped(folder, f"pl.{name}") for name in PostingArrays._fields)),
            *(
                IdArrays(_mapped(folder, f"{table}.offsets"), _mapped(folder, f"{table}.ids"))
                for table in ("mentions", "facet_lists", "brands")
            ),
        )
        return lists, Statements(*(_mapped(folder, f"statements.{name}") for name in Statements._fields))
    except (OSError, ValueError):
        return None


def map_sentences(connection: duckdb.DuckDBPyConnection, folder: Path) -> SentenceArrays | None:
    """Map the sentences of the catalog on a connection; None when there are none of exactly this catalog."""
    try:
        if (folder / _MARK).read_text(encoding="ascii") != _mark(connection):
            return None
        mean, scale = read_space(connection)
        vectors = _mapped(folder, "sentences.vectors").reshape(-1, len(mean))
        return SentenceArrays(
            _mapped(folder, "sentences.offsets"), _mapped(folder, "sentences.texts"), vectors, mean, scale
        )
    except (OSError, ValueError):
        return None


def _mapped(folder: Path, array: str) -> NDArray[Any]:
    # A plain array: each slice of a `memmap` costs 5 µs.
    plain: NDArray[Any] = np.load(folder / f"{array}.npy", mmap_mode="r").view(np.ndarray)
    return plain


def _mark(connection: duckdb.DuckDBPyConnection) -> str:
    """Return what tells one build of a catalog from another: its manifest, its scale and some impacts."""
    rows = connection.execute(
        "SELECT (SELECT json FROM manifest), (SELECT scale FROM text_stats), "
        "(SELECT string_agg(imps[1:4]::VARCHAR, ' ' ORDER BY termid) FROM pl WHERE termid < 50)"
    ).fetchall()
    return hashlib.sha256(repr(rows).encode()).hexdigest()
