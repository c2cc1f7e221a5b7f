"""Import a file without building an index: what the importer tests look at."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import duckdb

from catalog.columns import read_mapping
from catalog.merging import merge_rows
from catalog.product import Product
from catalog.sources import Source
from catalog.staging import RejectLog, Staging


class Imported(NamedTuple):
    products: list[Product]
    rejects: Counter[str]
    notes: Counter[str]
    log: list[dict[str, object]]

    @property
    def by_id(self) -> dict[str, Product]:
        return {product.parent_asin: product for product in self.products}


def import_files(*paths: Path, mapping: Mapping[str, str] | None = None, currency: str = "USD") -> Imported:
    notes: Counter[str] = Counter()
    folder = paths[0].parent
    with RejectLog(folder / "rejects.tmp") as rejects:
        staging = Staging(folder / "staged.tmp", [Source(path) for path in paths], rejects, notes)
        staging.fill(read_mapping(mapping or {}), lambda _stage, _done, _total: None)
        with duckdb.connect() as connection:
            products = [merge_rows(rows, currency, notes) for rows in staging.groups(connection)]
    log = [json.loads(line) for line in (folder / "rejects.tmp").read_text().splitlines()]
    return Imported(products, rejects.counts, notes, log)


def import_text(folder: Path, name: str, text: str | bytes, **options: object) -> Imported:
    path = folder / name
    data = text.encode() if isinstance(text, str) else text
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return import_files(path, **options)  # type: ignore[arg-type]  # passed through as given


def import_rows(folder: Path, rows: list[object], **options: object) -> Imported:
    return import_text(folder, "rows.jsonl", "\n".join(json.dumps(row) for row in rows), **options)
