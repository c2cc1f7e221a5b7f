"""Builds a small catalog file from a few products written in a test."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from catalog.duckdb_index import DuckDBIndex
from catalog.indexing import build_index
from catalog.manifest import Manifest
from catalog.open import open_catalog
from catalog.product import Product

_PRODUCTS = """
CREATE TABLE products(
    id INTEGER PRIMARY KEY, parent_asin VARCHAR UNIQUE, title VARCHAR, features VARCHAR[], description VARCHAR[],
    price DOUBLE, categories VARCHAR[], details VARCHAR, average_rating DOUBLE, rating_number BIGINT, store VARCHAR,
    facets VARCHAR)
"""


def build(path: Path, products: Sequence[Product], claimed: Mapping[str, Any] | None = None) -> Path:
    """Write `products` as a catalog file; `claimed` replaces fields of its manifest."""
    with duckdb.connect(str(path)) as connection:
        connection.execute(_PRODUCTS)
        for number, product in enumerate(products):
            connection.execute("INSERT INTO products VALUES (" + ", ".join("?" * 12) + ")", _row(number, product))
        counts = build_index(connection)
        stated = {
            "shopgraph_version": "0",
            "duckdb_version": duckdb.__version__,
            "sources": [],
            "rows_read": len(products),
            "products": len(products),
            "rejected": {},
            "duplicates": 0,
            "terms": counts.terms,
            "facets": counts.facets,
            "catalog_sha256": "-".join(product.title for product in products),
        } | dict(claimed or {})
        connection.execute("CREATE TABLE manifest(json VARCHAR)")
        connection.execute("INSERT INTO manifest VALUES (?)", [Manifest.model_validate(stated).model_dump_json()])
    return path


def titled(*titles: str, **shared: Any) -> list[Product]:
    """Return products A, B, C... of these titles; keyword arguments are fields that all share."""
    return [Product(parent_asin=chr(65 + number), title=title, **shared) for number, title in enumerate(titles)]


def _row(number: int, product: Product) -> list[Any]:
    facets: Mapping[str, Sequence[str]] = {key: list(values) for key, values in product.facets.items()}
    return [
        number,
        product.parent_asin,
        product.title,
        list(product.features),
        list(product.description),
        product.price,
        list(product.categories),
        json.dumps(product.details),
        product.average_rating,
        product.rating_number,
        product.store,
        json.dumps(facets),
    ]


class Shelf:
    """Builds and opens catalogs for the tests of a module; the same products are built once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._opened: dict[str, DuckDBIndex] = {}

    def __call__(self, products: Sequence[Product]) -> DuckDBIndex:
        """Return the open index of a catalog of these products."""
        key = "\n".join(product.model_dump_json() for product in products)
        if key not in self._opened:
            self._opened[key] = open_catalog(build(self._folder / f"{len(self._opened)}.duckdb", products))
        return self._opened[key]
