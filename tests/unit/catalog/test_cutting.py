"""Words are cut once for the text lists, the statements and the lexicon: run by run, as if all at once."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog import cutting, indexing, quotes
from catalog.indexing import build_index
from catalog.product import Product
from catalog.text import tokens
from tests.unit.catalog.small_catalog import build

WORDS = st.sampled_from(
    ["navy", "blue", "long", "sleeve", "dress", "t", "shirt", "10.5", "Crew-Neck", "Größe", "赤い", ","]
)
TEXTS = st.lists(WORDS, max_size=5).map(" ".join)
FACETS = {
    "color": ["navy", "navy blue", "blue"],
    "sleeve": ["long sleeve"],
    "category": ["dress", "t-shirt", "blue dress"],
}
PRODUCTS = st.builds(
    Product,
    parent_asin=st.just("A"),
    title=TEXTS,
    features=st.lists(TEXTS, max_size=3).map(tuple),
    description=st.lists(TEXTS, max_size=2).map(tuple),
    categories=st.lists(TEXTS, max_size=2).map(tuple),
    details=st.dictionaries(st.sampled_from(["Color", "Long"]), TEXTS, max_size=2),
    store=st.none() | TEXTS,
    facets=st.fixed_dictionaries(
        {}, optional={key: st.lists(st.sampled_from(values), min_size=1, unique=True) for key, values in FACETS.items()}
    ),
)
TABLES = ("facet_lists", "brands", "lex", "terms", "pl", "mentions", "statements", "lexicon")


def _numbered(products: list[Product]) -> list[Product]:
    return [product.model_copy(update={"parent_asin": f"P{number}"}) for number, product in enumerate(products)]


def _shares(connection: duckdb.DuckDBPyConnection) -> dict[tuple[str, str, str], float]:
    rows = connection.execute("SELECT surface, key, value, share FROM lexicon").fetchall()
    return {(surface, key, value): share for surface, key, value, share in rows}


def _holds(text: tuple[str, ...], surface: tuple[str, ...]) -> bool:
    return any(text[at : at + len(surface)] == surface for at in range(len(text)))


@settings(max_examples=15, deadline=None)
@given(st.lists(PRODUCTS, min_size=1, max_size=7).map(_numbered))
def test_shares_are_those_of_counting_product_by_product(
    tmp_path_factory: pytest.TempPathFactory, products: list[Product]
) -> None:
    path = build(tmp_path_factory.mktemp("shares") / "c.duckdb", products)
    texts = []
    for product in products:
        details = (part for pair in product.details.items() for part in pair)
        parts = (product.title, *product.features, *product.description, *product.categories, *details)
        texts.append(tokens(" | ".join((*parts, product.store or ""))))
    with duckdb.connect(str(path), read_only=True) as connection:
        found = _shares(connection)
    for (surface, key, value), share in found.items():
        holding = [at for at, text in enumerate(texts) if _holds(text, tuple(surface.split()))]
        carrying = [at for at in holding if value in products[at].facets.get(key, ())]
        assert share == (round(len(carrying) / len(holding), 4) if holding else 1.0), surface


def test_a_catalog_cut_in_many_runs_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bullets = ["Soft navy blue wool", "Long sleeve", "Imported", "Size 10.5 fits as stated in the chart below, see it"]
    products = [
        Product(
            parent_asin=f"P{n}",
            title=f"Bramble {'navy' if n % 2 else 'blue'} dress {n % 3}",
            features=(bullets[n % 4], bullets[(n + 1) % 4]),
            details={"Color": "Navy" if n % 2 else "Blue", "Style": 'Crew "Neck"'},
            store="Bramble" if n % 3 else None,
            facets={"color": ("navy", "blue") if n % 2 else ("blue",), "brand": ("bramble",)},
        )
        for n in range(11)
    ]
    path = build(tmp_path / "c.duckdb", products)
    with duckdb.connect(str(path)) as connection:
        at_once = {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES}
        monkeypatch.setattr(cutting, "CHUNK", 3)
        monkeypatch.setattr(indexing, "_BATCH", 7)
        monkeypatch.setattr(indexing, "_FACET_CHUNK", 2)
        monkeypatch.setattr(quotes, "_MOST_GROUPED", 5)
        build_index(connection)
        for table, rows in at_once.items():
            assert connection.execute(f"SELECT * FROM {table}").fetchall() == rows, table
