"""Files as people really have them import: each with its counts, within bounds; skipped where there are none."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from catalog.build import build_catalog
from tests.paths import shared_data
from tests.unit.catalog.importing import import_files


class Expected(NamedTuple):
    """Rows in, products out, and the share of products that must state a price and a category or store."""

    rows: int
    products: int
    priced: float
    stored: float
    currency: str = "USD"
    mapping: dict[str, str] = {}  # noqa: RUF012  # a NamedTuple's default, never changed


FILES = {
    "amazon_subset_0512.csv.gz": Expected(1008, 1008, 0.34, 0.97),
    "myntra_products_catalog.csv.gz": Expected(12491, 12491, 0.99, 0.99, "INR"),
    "nike_data_2022_09.csv.gz": Expected(112, 112, 0.99, 0.99),
    "products.json.gz": Expected(194, 194, 0.99, 0.52),
    "shein-products.csv.gz": Expected(1000, 1000, 0.99, 0.99),
    "subset_productos_por_categoria_10_total_863_productos.csv.gz": Expected(863, 863, 0.8, 0.99),
    "test_sample_1000.csv.gz": Expected(1000, 1000, 0.99, 0.0),
    "test_sample_500.jsonl.gz": Expected(500, 500, 0.99, 0.9),
    "us-shein-shoes-4381.csv.gz": Expected(4380, 4252, 0.99, 0.0),
}


@pytest.mark.parametrize("name", FILES)
def test_a_raw_file_imports_without_a_mapping(name: str, tmp_path: Path) -> None:
    path = shared_data() / "raw" / name
    if not path.exists():
        pytest.skip(f"no file {path.name}")
    expected = FILES[name]
    (tmp_path / name).symlink_to(path)
    found = import_files(tmp_path / name, currency=expected.currency)
    products = found.products
    assert found.rejects.total() <= expected.rows * 0.001
    assert abs(len(products) - expected.products) <= expected.products * 0.005
    assert len({product.parent_asin for product in products}) == len(products)
    assert sum(product.price is not None for product in products) >= expected.priced * len(products)
    assert sum(product.store is not None for product in products) >= expected.stored * len(products)
    assert found.notes["price unreadable"] <= 4
    text = "\n".join(product.text for product in products)
    for debris in ("<br", "</p>", "</li>", "&amp;", "&nbsp;", "\u200b", "\x00", "{'name'", '{"name"'):
        assert debris not in text, debris


def test_every_raw_file_is_expected() -> None:
    assert {path.name for path in (shared_data() / "raw").iterdir()} <= set(FILES)


def test_catalogs_in_the_reference_shape_lose_nothing(tmp_path: Path) -> None:
    folder = shared_data() / "catalogs"
    for name, products in {"amazon-reviews-2023-fashion.jsonl.gz": 6279, "dummyjson.jsonl.gz": 194}.items():
        (tmp_path / name).symlink_to(folder / name)
        found = import_files(tmp_path / name)
        assert (len(found.products), found.rejects.total()) == (products, 0)


def test_a_real_catalog_builds_whole(tmp_path: Path) -> None:
    source = shared_data() / "raw" / "nike_data_2022_09.csv.gz"
    manifest = build_catalog([source], tmp_path / "x.duckdb")
    assert (manifest.products, manifest.currency, manifest.rejected) == (112, "USD", {})
    assert {"brand", "color", "size"} <= set(manifest.facets)
