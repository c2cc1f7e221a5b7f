from __future__ import annotations

import math
import random
from collections import Counter
from pathlib import Path

import duckdb
import numpy as np
import pytest

from catalog.engine import stem
from catalog.fields import FIELD_SQL, load_fields
from catalog.open import open_catalog
from catalog.product import Product
from catalog.text import compounds, tokens
from tests.unit.catalog.small_catalog import build, titled

WORDS = [
    *("wool", "cotton", "linen", "silk", "navy", "red", "black", "green", "coat", "dress", "shirt"),
    *("jeans", "boot", "sandal", "scarf", "hat", "warm", "soft", "light", "slim", "loose", "classic"),
    *("vintage", "striped", "floral", "plain", "pocket", "zip", "button", "hood", "collar", "long"),
    *("short", "501", "505", "10.5", "10", "100", "2xl", "m", "women", "men", "long-sleeve", "t-shirt"),
    *("crew-neck", "machine", "washable", "evening", "even", "organic", "brand", "made", "of", "the"),
    *("and", "with", "for", "on"),
]


def _generated(count: int, seed: int) -> list[Product]:
    rng = random.Random(seed)
    weights = [1 / (rank + 1) for rank in range(len(WORDS))]

    def words(low: int, high: int) -> str:
        return " ".join(rng.choices(WORDS, weights, k=rng.randint(low, high)))

    return [
        Product(
            parent_asin=f"P{number}",
            title=words(3, 9),
            features=tuple(words(3, 12) for _ in range(rng.randint(0, 4))),
            description=(words(0, 60),),
            categories=("clothing", words(1, 2)),
            details={"Fabric": words(1, 3)} if rng.random() < 0.5 else {},
            store=words(1, 2) if rng.random() < 0.7 else None,
        )
        for number in range(count)
    ]


def _texts(product: Product) -> dict[str, str]:
    return {
        "title": product.title,
        "category": "\n".join(product.categories),
        "features": "\n".join(product.features),
        "store": product.store or "",
        "details": "\n".join(f"{key}: {value}" for key, value in product.details.items()),
        "description": "\n".join(product.description),
    }


class BruteForce:
    """BM25F in floating point, one product after the other, from the products' texts."""

    def __init__(self, products: list[Product]) -> None:
        cut = [{name: tokens(text) for name, text in _texts(product).items()} for product in products]
        joined = [{name: compounds(text) for name, text in _texts(product).items()} for product in products]
        self.parameters = load_fields()
        self.mean = {}
        for name in FIELD_SQL:
            lengths = [len(texts[name]) for texts in cut if texts[name]]
            self.mean[name] = self.parameters.mean_length(sum(lengths) / len(lengths))
        self.weighted: list[Counter[str]] = []
        for texts, extra in zip(cut, joined, strict=True):
            weighted: Counter[str] = Counter()
            for name, field in self.parameters.fields.items():
                norm = 1 - field.b + field.b * len(texts[name]) / self.mean[name]
                for word in (*texts[name], *extra[name]):
                    weighted[stem(word)] += field.weight / norm
            self.weighted.append(weighted)
        self.df = Counter(word for weighted in self.weighted for word in weighted)

    def scores(self, stems: set[str]) -> np.ndarray:
        size = len(self.weighted)
        totals = np.zeros(size)
        for word in stems:
            idf = math.log(1 + (size - self.df[word] + 0.5) / (self.df[word] + 0.5))
            for number, weighted in enumerate(self.weighted):
                totals[number] += idf * self.parameters.weigh(weighted[word])
        return totals


def test_scores_are_bm25f_of_a_brute_force_count(tmp_path: Path) -> None:
    products = _generated(1_500, seed=5)
    brute = BruteForce(products)
    index = open_catalog(build(tmp_path / "c.duckdb", products))
    rng = random.Random(8)
    content = [
        word for word in WORDS if len(tokens(word)) == 1 and word not in ("the", "and", "of", "with", "for", "on")
    ]
    overlaps = []
    for _ in range(40):
        chosen = rng.sample(content, 4)
        exact = brute.scores({stem(tokens(word)[0]) for word in chosen})
        hits = index.search(" ,, ".join(chosen), 100)
        best = np.argsort(-exact, kind="stable")[: len(hits.ids)]
        overlaps.append(len(set(best.tolist()) & set(hits.ids.tolist())) / len(best))
        assert np.allclose(hits.scores, exact[hits.ids], atol=0.003)
    assert np.mean(overlaps) >= 0.99


def test_a_list_of_properties_says_less_of_each_than_a_title(tmp_path: Path) -> None:
    listed = {f"part {number}": "card slot hub" for number in range(60)}
    products = [
        Product(parent_asin="A", title="machine", details={**listed, "port": "lantern"}),
        Product(parent_asin="B", title="gadget", details={**listed, "slot": "lantern"}),
        Product(parent_asin="C", title="lantern"),
    ]
    scores = open_catalog(build(tmp_path / "c.duckdb", products)).score("lantern", np.arange(3, dtype=np.int32))
    assert scores[0] == scores[1]
    # Of their own field these lists are as long as all others, which alone would make each property count in full.
    assert 0 < scores[0] < 0.6 * scores[2]


def test_a_product_with_all_the_words_stands_before_one_that_repeats_some(tmp_path: Path) -> None:
    padding = " ".join(f"pad{number}" for number in range(19))
    products = titled(
        "amber lamp amber lamp amber lamp",
        f"{padding} amber {padding} lamp {padding} shade {padding}",
        f"oak shade {padding}",
        *[f"oak chair {padding}"] * 8,
    )
    index = open_catalog(build(tmp_path / "c.duckdb", products))
    assert index.search("amber lamp shade").ids[:2].tolist() == [1, 0]


def test_numerals_keep_their_own_stems_and_surfaces_share_one(tmp_path: Path) -> None:
    index = open_catalog(build(tmp_path / "c.duckdb", titled("80s dresses", "80 dress", "evening", "even")))
    assert index.term_ids("80").tolist() == [1]
    assert index.term_ids("dressing").tolist() == [0, 1]
    assert index.term_ids("evening").tolist() == [2]


def test_facet_lists_hold_each_value_and_all_that_state_the_key(tmp_path: Path) -> None:
    products = [
        Product(parent_asin="A", title="coat", facets={"color": ("navy", "blue")}),
        Product(parent_asin="B", title="hat", facets={"color": ("blue",), "size": ("m",)}),
        Product(parent_asin="C", title="bag"),
    ]
    path = build(tmp_path / "c.duckdb", products)
    with duckdb.connect(str(path), read_only=True) as connection:
        rows = connection.execute("SELECT key, value, count, ids FROM facet_lists ORDER BY ALL").fetchall()
    assert rows == [
        *(("color", "", 2, [0, 1]), ("color", "blue", 2, [0, 1]), ("color", "navy", 1, [0])),
        *(("size", "", 1, [1]), ("size", "m", 1, [1])),
    ]


def test_lists_hold_every_word_of_every_field(tmp_path: Path) -> None:
    product = Product(
        parent_asin="A",
        title="alpha",
        features=("bravo", "charlie"),
        description=("delta",),
        categories=("echo",),
        details={"foxtrot": "golf"},
        store="hotel",
    )
    index = open_catalog(build(tmp_path / "c.duckdb", [product]))
    for word in ("alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel"):
        assert index.term_ids(word).tolist() == [0]
    assert index.mention_ids("alpha charlie").tolist() == [0]
    assert index.mention_ids("delta").tolist() == []


@pytest.mark.parametrize("products", [[], titled("")])
def test_a_catalog_of_nothing_can_be_built_and_searched(tmp_path: Path, products: list[Product]) -> None:
    index = open_catalog(build(tmp_path / "c.duckdb", products))
    assert index.search("coat").ids.tolist() == []
    assert index.statements("a warm coat") == []
    assert index.facets("color") == []


def test_progress_names_the_stages(tmp_path: Path) -> None:
    from catalog.indexing import build_index

    path = build(tmp_path / "c.duckdb", titled("wool coat"))
    stages = []
    with duckdb.connect(str(path)) as connection:
        build_index(connection, lambda stage, _done, _total: stages.append(stage))
    assert {"facets", "words", "text lists", "statements", "lexicon"} <= set(stages)
