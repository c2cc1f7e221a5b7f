from __future__ import annotations

import random
import shutil
from pathlib import Path

import duckdb
import pytest

from catalog import mapping
from catalog.duckdb_index import DuckDBIndex
from catalog.mapping import lists_folder, write_lists
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


@pytest.fixture(scope="module", params=["arrays", "mapped", "lists as they are asked for", "in the engine"])
def index(file: Path, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> DuckDBIndex:
    """Return the same catalog on each of the four paths."""
    few_bytes = 8_000
    if request.param == "mapped":
        copied = Path(shutil.copy(file, tmp_path_factory.mktemp("mapped")))
        with duckdb.connect(str(copied)) as connection:
            write_lists(connection, lists_folder(copied))
        return open_catalog(copied, cache_bytes=few_bytes)
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


def test_quoted_strings_are_found_alike(index: DuckDBIndex, plain: DuckDBIndex) -> None:
    bullet = _products()[5].features[0]
    found = index.statements(f"I want {bullet} in red")
    assert [(match.span, match.ids.tolist(), match.whole) for match in found] == [
        (match.span, match.ids.tolist(), match.whole) for match in plain.statements(f"I want {bullet} in red")
    ]
    assert found[0].ids.tolist() == [5]


def test_lists_of_another_build_are_not_mapped(file: Path, tmp_path: Path) -> None:
    other = build(tmp_path / "other.duckdb", _products()[:100])
    with duckdb.connect(str(other)) as connection:
        write_lists(connection, lists_folder(other))
    shutil.copy(file, tmp_path / "shop.duckdb")
    lists_folder(other).rename(tmp_path / "shop.lists")
    index = open_catalog(tmp_path / "shop.duckdb")
    assert index._lists._mapped is None
    assert index.search("wool", 200).ids.tolist() == open_catalog(file).search("wool", 200).ids.tolist()
    (tmp_path / "shop.lists" / "pl.ids.npy").unlink()
    assert open_catalog(tmp_path / "shop.duckdb").search("wool").ids.size


def test_only_the_lists_of_large_catalogs_are_written(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built, target = Path(shutil.copy(file, tmp_path / "built.duckdb")), tmp_path / "target.duckdb"
    with duckdb.connect(str(built)) as connection:
        mapping.store_lists(connection, built)
        assert not lists_folder(built).exists()
        monkeypatch.setattr(mapping, "DEFAULT_CACHE_BYTES", 1_000)
        mapping.store_lists(connection, built)
    mapping.move_lists(built, target)
    assert (lists_folder(target) / "pl.ids.npy").exists()
    assert not lists_folder(built).exists()
    mapping.move_lists(built, target)
    assert not lists_folder(target).exists()
