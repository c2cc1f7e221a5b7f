"""Small stores of invented products, imported and indexed by the real build; the same rows are built once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from filelock import FileLock

from catalog.build import build_catalog
from catalog.duckdb_index import DuckDBIndex
from catalog.open import open_catalog

Row = dict[str, Any]
"""A product as a source file states it: `parent_asin`, `title` and whatever else it says."""


class Stores:
    """Builds and opens catalogs in one folder, which may be shared by the workers of a parallel run."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._opened: dict[Path, DuckDBIndex] = {}

    def path(self, rows: Sequence[Row]) -> Path:
        """Return the catalog file of these rows (about a second when it is new)."""
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        catalog = self._folder / f"{hashlib.sha256(lines.encode()).hexdigest()[:16]}.duckdb"
        with FileLock(catalog.with_suffix(".lock")):
            if not catalog.exists():
                source = catalog.with_suffix(".jsonl")
                source.write_text(lines, encoding="utf-8")
                build_catalog([source], catalog)
        return catalog

    def index(self, rows: Sequence[Row]) -> DuckDBIndex:
        """Return the open catalog of these rows; one object a process."""
        path = self.path(rows)
        if path not in self._opened:
            self._opened[path] = open_catalog(path)
        return self._opened[path]


def item(parent_asin: str, title: str, price: float | None = None, reviews: int = 10, **details: str) -> Row:
    """Return a product row; keyword arguments are details (`Color="navy"`), `categories` and `store` fields."""
    row: Row = {"parent_asin": parent_asin, "title": title, "rating_number": reviews, "average_rating": 4.0}
    if price is not None:
        row["price"] = price
    store, path = details.pop("store", None), details.pop("categories", None)
    if store:
        row["store"] = store
    if path:
        row["categories"] = path.split(" > ")
    features = details.pop("features", None)
    if features:
        row["features"] = features.split(" | ")
    return {**row, "details": {key.replace("_", " "): value for key, value in details.items()}}


def _boots() -> list[Row]:
    """Boots in four colours and three sizes, from $30 to $140."""
    colors, sizes = ("black", "navy", "red", "brown"), ("7", "9", "11")
    return [
        item(
            f"BOOT{number:02}",
            f"Corvane {color.title()} Leather Ankle Boots Size {size}",
            30.0 + 10 * number,
            5 + 3 * number,
            Color=color,
            Size=size,
            Material="leather",
            Department="womens",
            store="Corvane",
            categories="Clothing, Shoes & Jewelry > Women > Shoes > Boots",
        )
        for number, (color, size) in enumerate((c, s) for c in colors for s in sizes)
    ]


def _backpacks() -> list[Row]:
    """Backpacks in four colours, from $20 to $120."""
    colors = ("black", "navy", "red", "green")
    return [
        item(
            f"PACK{number:02}",
            f"Tarnholt {color.title()} {cloth.title()} Backpack",
            20.0 + 13 * number,
            7 + 5 * number,
            Color=color,
            Material=cloth,
            Department="womens",
            store="Tarnholt",
            categories="Clothing, Shoes & Jewelry > Women > Bags > Backpacks",
        )
        for number, (color, cloth) in enumerate((c, m) for c in colors for m in ("canvas", "nylon"))
    ]


def _dresses() -> list[Row]:
    """Dresses that differ in sleeve, fibre and maker; a third of them state no price."""
    makers = ("Ilvera", "Brandis Row", "Old Harrow")
    return [
        item(
            f"DRES{number:02}",
            f"{makers[number % 3]} Women's {color.title()} {cloth.title()} {sleeve.title()} Dress",
            None if number % 3 == 2 else 25.0 + 7 * number,
            40 - number,
            Color=color,
            Material=cloth,
            Department="womens",
            store=makers[number % 3],
            categories="Clothing, Shoes & Jewelry > Women > Clothing > Dresses",
            features="Machine wash | Imported" if number % 2 else "Hand wash only | Side pockets",
        )
        for number, (color, cloth, sleeve) in enumerate(
            (c, m, s)
            for c in ("red", "blue", "white")
            for m in ("cotton", "linen")
            for s in ("sleeveless", "long sleeve")
        )
    ]


TOWN: list[Row] = [*_boots(), *_backpacks(), *_dresses()]
"""A general store for conversations: 12 boots, 8 backpacks and 12 dresses."""
