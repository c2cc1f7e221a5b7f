from __future__ import annotations

from pathlib import Path

import pytest

from catalog.bulk import build_bulk
from catalog.errors import InputError
from catalog.open import open_catalog
from catalog.product import Product
from tests.unit.catalog.small_catalog import build

SOURCE = [
    Product(
        parent_asin=f"S{number}",
        title=f"Alder wool {kind} in two colors with pockets",
        features=(f"Warm {kind}", "Machine wash"),
        price=20.0 if number % 2 else None,
        store="Alder",
        facets={"category": (kind,)},
    )
    for number, kind in enumerate(("coat", "scarf", "hat", "mitten"))
]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("bulk") / "small.duckdb", SOURCE)


def test_made_products_carry_what_the_source_carries(source: Path, tmp_path: Path) -> None:
    manifest = build_bulk(source, tmp_path / "big.duckdb", 90)
    index = open_catalog(tmp_path / "big.duckdb")
    products = index.products(range(90))
    assert manifest.products == index.size == 90
    assert len({product.title for product in products}) > 80
    words = {word for product in SOURCE for word in product.title.split()}
    assert {word for product in products for word in product.title.split()[:-1]} <= words
    assert {bullet for product in products for bullet in product.features} <= {b for p in SOURCE for b in p.features}
    assert all(product.price is None or 15 <= product.price <= 25 for product in products)
    assert index.facet_ids("category", "hat").tolist() == [
        number for number, product in enumerate(products) if product.facets["category"] == ("hat",)
    ]
    assert index.search(products[7].title, 1).ids.tolist() == [7]


def test_the_same_seed_makes_the_same_products(source: Path, tmp_path: Path) -> None:
    titles = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        build_bulk(source, tmp_path / f"{name}.duckdb", 20, seed=seed)
        titles.append([product.title for product in open_catalog(tmp_path / f"{name}.duckdb").products(range(20))])
    assert titles[0] == titles[1] != titles[2]


def test_a_number_that_makes_no_catalog_is_refused(source: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="between 1 and"):
        build_bulk(source, tmp_path / "none.duckdb", 0)
    with pytest.raises(InputError, match="does not exist"):
        build_bulk(source, tmp_path / "missing" / "none.duckdb", 5)
