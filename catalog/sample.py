"""A synthetic clothing, shoes and jewelry store for demos and tests, the same for the same seed everywhere.

Its statistics are held to those of the reference catalog (see `tests/integration/test_sample_statistics.py`),
so that it is neither easier nor harder to shop in than a real store.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Literal

from catalog.errors import InputError
from catalog.sample_design import Designer
from catalog.sample_rows import RowWriter
from catalog.sample_tables import tables

Progress = Callable[[str, int, int | None], None]
"""Called as progress(stage, done, total)."""

MOST_PRODUCTS = 5_000_000
_REPORT_EVERY = 1000


@dataclass(frozen=True)
class SampleSummary:
    """What was written: the file, its products, and how many of them state a price or anything besides a title."""

    path: Path
    products: int
    priced: int
    with_features: int
    seed: int
    prices: str


def write_sample(
    out: Path,
    products: int = 50_000,
    seed: int = 7,
    prices: Literal["sparse", "dense"] = "sparse",
    progress: Progress | None = None,
) -> SampleSummary:
    """Write a sample store as JSONL (gzip when `out` ends in .gz); the same arguments give the same bytes.

    `prices` tells the price of about a fifth of the products (`sparse`, as the reference catalog does) or of
    most (`dense`). The file appears when it is complete. Raises `InputError` for arguments that make no store.
    """
    if not 1 <= products <= MOST_PRODUCTS:
        raise InputError(f"cannot write {products} products: choose between 1 and {MOST_PRODUCTS}")
    if prices not in ("sparse", "dense"):
        raise InputError(f"unknown prices {prices!r}: choose sparse or dense")
    if out.is_dir():
        raise InputError(f"cannot write {out}: it is a folder; name a file in it")
    if not out.parent.is_dir():
        raise InputError(f"cannot write {out}: the folder {out.parent} does not exist; create it first")
    rows = list(_reported(islice(sample_rows(seed, prices), products), products, progress))
    random.Random(f"{seed}:shelving").shuffle(rows)
    _write(out, rows)
    priced = sum(row["price"] is not None for row in rows)
    return SampleSummary(out, len(rows), priced, sum(bool(row["features"]) for row in rows), seed, prices)


def sample_rows(seed: int, prices: Literal["sparse", "dense"] = "sparse") -> Iterator[dict[str, Any]]:
    """Yield rows without end, family by family, in the shape of the catalog's JSONL."""
    words = tables()
    designer = Designer(words, seed)
    writer = RowWriter(words, designer, seed, prices)
    while True:
        yield from writer.rows(designer.design())


def _reported(rows: Iterable[dict[str, Any]], total: int, progress: Progress | None) -> Iterator[dict[str, Any]]:
    for done, row in enumerate(rows, start=1):
        if progress and (done % _REPORT_EVERY == 0 or done == total):
            progress("sample", done, total)
        yield row


def _write(out: Path, rows: list[dict[str, Any]]) -> None:
    """Write rows beside the target and move them in; a gzip header carries neither name nor time."""
    part = out.with_name(out.name + ".part")
    try:
        with part.open("wb") as raw:
            if out.suffix == ".gz":
                with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
                    _dump(packed, rows)
            else:
                _dump(raw, rows)
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)


def _dump(file: BinaryIO | gzip.GzipFile, rows: list[dict[str, Any]]) -> None:
    for row in rows:
        file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
