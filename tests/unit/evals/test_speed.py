"""Queries, pairing, other engines and ranking checks of `eval speed`, on a small catalog."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from catalog.duckdb_index import DuckDBIndex
from catalog.open import open_catalog
from catalog.product import Product
from catalog.query import function_words
from evals.errors import EvaluationError
from evals.speed.building import bulk_catalog
from evals.speed.measure import compare_speed
from evals.speed.paired import interleave, ratio, timings
from evals.speed.queries import Query, draw_queries
from evals.speed.rankings import ExactBM25F, compare_rankings, known_item_mrr
from evals.speed.rivals import Fts5
from tests.unit.catalog.small_catalog import build

NOUNS = ["coat", "boots", "scarf", "mitten", "shirt", "hat", "socks", "jacket"]
WORDS = ["wool", "linen", "navy", "red", "slim", "trail", "hooded", "501", "kids", "crew-neck", "striped", "long"]


def _products() -> list[Product]:
    draw = random.Random(9)
    return [
        Product(
            parent_asin=f"P{number}",
            title=" ".join((*draw.sample(WORDS, 4), "for", draw.choice(NOUNS), str(number))),
            features=(" ".join(draw.choices(WORDS, k=8)), "Warm and soft"),
            store=draw.choice(["Ash", "Birch"]),
            facets={"color": (draw.choice(["navy", "red"]),)},
        )
        for number in range(150)
    ]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("speed") / "shop.duckdb", _products())


@pytest.fixture(scope="module")
def index(file: Path) -> DuckDBIndex:
    return open_catalog(file)


def test_queries_have_the_words_of_their_product(index: DuckDBIndex) -> None:
    for words in (3, 8):
        drawn = draw_queries(index, 40, words, seed=3)
        assert len(drawn) == 40
        for query in drawn:
            product = index.products([query.product])[0]
            found = query.text.split()
            assert len(set(found)) == words
            assert not function_words() & set(found)
            text = f"{product.title} {' '.join(product.features)}".lower().replace("-", "")
            assert all(word in text for word in found)
        assert drawn == draw_queries(index, 40, words, seed=3) != draw_queries(index, 40, words, seed=4)
    assert draw_queries(index, 5, 30, seed=3) == []


def test_each_query_is_put_to_every_system_in_rotating_order() -> None:
    put: list[str] = []
    systems = {name: lambda query, name=name: put.append(f"{name}{query}") for name in "ab"}
    times = interleave(systems, ["1", "2"], ["w"])
    assert put == ["aw", "bw", "a1", "b1", "b2", "a2"]
    assert times.shape == (2, 2, 2)
    assert (times >= 0).all()


def test_ratios_are_of_medians_with_the_interval_around() -> None:
    base = np.linspace(1.0, 2.0, 101)
    found = ratio(3 * base, base, seed=0)
    assert found.value == pytest.approx(3)
    assert found.low < 3 < found.high
    clock = np.stack([base, base / 2, base * 4])
    rows = timings(["turn", "retrieval", "other"], np.stack([clock, clock]), 8, seed=0)
    assert [row.of_turn.value for row in rows] == pytest.approx([1, 0.5, 4])
    assert [row.of_retrieval.value for row in rows] == pytest.approx([2, 1, 8])
    assert rows[0].p50_ms == rows[0].cpu_p50_ms == pytest.approx(1500)


def test_the_exact_ranking_is_that_of_the_index(index: DuckDBIndex) -> None:
    queries = [query.text for query in draw_queries(index, 10, 3, seed=1)]
    exact = ExactBM25F(index, queries)
    for query in queries:
        hits = index.search(query, 150)
        assert hits.scores == pytest.approx(exact.scores(query)[hits.ids], abs=0.003)
    found = compare_rankings(index, queries, seed=1)
    assert found.overlap_at_100 > 0.99
    assert found.filtered > 100
    assert found.violations == 0


def test_a_filter_that_is_not_kept_is_seen(index: DuckDBIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    queries = [query.text for query in draw_queries(index, 10, 3, seed=1)]
    search = DuckDBIndex.search
    monkeypatch.setattr(DuckDBIndex, "search", lambda self, query, limit, within=None: search(self, query, limit))
    assert compare_rankings(index, queries, seed=1).violations > 0


def test_known_items_count_by_their_rank() -> None:
    queries = [Query("a", 7), Query("b", 7), Query("c", 7)]
    found = {"a": [7], "b": [1, 7], "c": []}
    assert known_item_mrr(lambda query, _limit: found[query], queries) == pytest.approx(0.5)


def test_fts5_finds_the_product_and_is_built_once(index: DuckDBIndex) -> None:
    first = Fts5(index)
    assert first.build_seconds is not None
    assert first.search("the 42 for", 5) == [42]
    first.close()
    again = Fts5(index)
    assert again.build_seconds is None
    assert again.bytes == first.bytes > 0
    again.close()


def test_a_catalog_is_compared_with_other_engines(file: Path) -> None:
    found = compare_speed(file, queries=4, against=["fts5", "stock"], rankings=3, processes=False)
    assert {row.system for row in found.timings} == {"turn", "retrieval", "retrieval in SQL", "fts5", "stock"}
    assert {row.words for row in found.timings} == {3, 8}  # no product says 20 different words
    assert [engine.name for engine in found.engines] == ["shopgraph", "fts5", "stock"]
    assert all(engine.known_item_mrr is not None and engine.known_item_mrr > 0.1 for engine in found.engines)
    assert found.rankings is not None
    with pytest.raises(EvaluationError, match="lucene: choose among stock, fts5, tantivy"):
        compare_speed(file, queries=4, against=["lucene"])


def test_a_made_catalog_is_made_once(file: Path) -> None:
    made, how = bulk_catalog(file, 60, seed=0)
    assert made.name == "shop-60.duckdb"
    assert how is not None
    assert how.products == 60
    assert bulk_catalog(file, 60, seed=0) == (made, None)
    assert open_catalog(made).size == 60
