"""What an evaluation needs of a catalog file: its products, its digest, and which ids exist."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from catalog.open import open_catalog
from catalog.product import Product
from catalog.search import ProductIndex
from evals.runner import Exist


def open_store(path: Path) -> ProductIndex:
    """Open a catalog file; raises `CatalogError` when it is missing, damaged or of another version."""
    return open_catalog(path)


def all_products(index: ProductIndex) -> list[Product]:
    """Return every product in id order."""
    return index.products(range(index.size))


def existence(index: ProductIndex) -> Exist:
    """Return the test of whether ids are in the catalog."""

    def exist(parent_asins: Sequence[str]) -> list[bool]:
        return [number is not None for number in index.ids(parent_asins)]

    return exist


def sight(index: ProductIndex) -> Callable[[Sequence[str]], list[Product]]:
    """Return what a person sees of the products that ids name, in their order; unknown ids are left out."""

    def look(parent_asins: Sequence[str]) -> list[Product]:
        return index.products([number for number in index.ids(parent_asins) if number is not None])

    return look
