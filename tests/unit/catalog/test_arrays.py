from __future__ import annotations

import random
from pathlib import Path

import pytest

from catalog.duckdb_index import DuckDBIndex
from catalog.open import open_catalog
from catalog.postings import DEFAULT_CACHE_BYTES
from catalog.product import Product
from tests.unit.catalog.small_catalog import build

WORDS = ["wool", "linen", "boots", "coat", "shirt", "trail", "slim", "navy", "red", "hooded", "501", "kids", "for"]


def _products() -> list[Product]:
    draw = random.Random(4)
    return [
        Product(
            parent_asin=f"P{number}",
            title=" ".join(draw.choices(WORDS, weights=range(len(WORDS), 0, -1), k=5)),
            features=(" ".join(draw.choices(WORDS, k=6)),),
            store=draw.choice(["Ash & Oak", "Birch", None]),
            facets={"color": (draw.choice(["navy", "red"]),)} if number % 3 else {},
        )
        for number in range(120)
    ]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("arrays") / "shop.duckdb", _products())


@pytest.fixture(scope="module", params=["arrays", "lists as they are asked for", "in the engine"])
def index(file: Path, request: pytest.FixtureRequest) -> DuckDBIndex:
    """Return the same catalog on each of the three paths."""
    few_bytes = 8_000
    return open_catalog(
        file, cache_bytes={"arrays": DEFAULT_CACHE_BYTES, "in the engine": 0}.get(request.param, few_bytes)
    )


@pytest.fixture(scope="module")
def plain(file: Path) -> DuckDBIndex:
    return open_catalog(file, cache_bytes=0)


@pytest.mark.parametrize(
    "query", ["red wool coat", "kids 501", "hooded", "shirt shirt boots for trail", "nothing", " ".join(WORDS)]
)
def test_every_path_ranks_alike(index: DuckDBIndex, plain: DuckDBIndex, query: str) -> None:
    for limit in (1, 10, 200):
        for within in (None, plain.facet_ids("color", "red")):
            here, there = index.search(query, limit, within=within), plain.search(query, limit, within=within)
            assert here.ids.tolist() == there.ids.tolist()
            assert here.scores.tolist() == pytest.approx(there.scores.tolist())


def test_every_path_lists_alike(index: DuckDBIndex, plain: DuckDBIndex) -> None:
    red = [number for number, product in enumerate(_products()) if product.facets.get("color") == ("red",)]
    assert index.facet_ids("color", "red").tolist() == red
    assert index.facet_ids("color", "teal").tolist() == []
    assert index.stored_ids("brand", "birch").tolist() == plain.stored_ids("brand", "birch").tolist() != []
    for word in WORDS:
        assert index.term_ids(word).tolist() == plain.term_ids(word).tolist()
        assert index.mention_ids(word).tolist() == plain.mention_ids(word).tolist()
    assert index.mention_ids("birch").tolist() == []  # of stores only: no title or bullet holds it
    assert index.mention_ids("red wool coat").tolist() == plain.mention_ids("red wool coat").tolist() != []


def test_arrays_are_read_only(index: DuckDBIndex) -> None:
    for ids in (index.facet_ids("color", "red"), index.mention_ids("wool"), index.term_ids("wool")):
        with pytest.raises(ValueError, match="read-only"):
            ids[0] = 1


def test_words_of_no_list_are_asked_of_no_array(file: Path) -> None:
    index = open_catalog(file)
    assert index._lists.arrays is not None
    assert index._lists.arrays.postings.posting(10**6) is None
    assert index._lists.arrays.mentions.row(10**6).tolist() == []
    assert index._lists.arrays.brands.row(None).tolist() == []
