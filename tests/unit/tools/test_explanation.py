"""Why a product is shown: verdicts, and the words that decide them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from catalog.product import ATTRIBUTES, FINER_NAMES, NUMERIC_ATTRIBUTES
from catalog.sample import write_sample
from catalog.search import ProductIndex
from graph.events import Fact
from tests.stores import Stores, item
from tools.explanation import describe, evidence_of, unconfirmed
from tools.spans import field_text

SHELF = [
    item(
        "FULL",
        "Women's Navy V-Neck Tunic",
        39.5,
        1234,
        Material="wool blend",
        store="Halvor",
        features="Pull-on closure | Hand wash only",
        categories="Clothing > Women > Tunics",
    ),
    item("BARE", "Something"),
]


@pytest.fixture(scope="module")
def index(stores: Stores) -> ProductIndex:
    return stores.index(SHELF)


def fact(attribute: str, value: Any, **extra: Any) -> Fact:
    return Fact.model_validate({"attribute": attribute, "value": value, **extra})


def row(index: ProductIndex, wish: Fact, asin: str = "FULL", relaxed: Any = ()) -> dict[str, Any]:
    ((found,),) = evidence_of(index, np.asarray(index.ids([asin]), np.int32), [wish], list(relaxed))
    return found


def test_a_satisfied_fact_quotes_its_field(index: ProductIndex) -> None:
    assert row(index, fact("color", "navy")) == {
        "attribute": "color",
        "op": "eq",
        "value": "navy",
        "polarity": "positive",
        "verdict": "satisfied",
        "fact": "color navy",
        "field": "title",
        "words": "Navy",
        "span": [8, 12],
    }


@pytest.mark.parametrize(
    ("wish", "field", "words"),
    [
        (fact("material", "wool"), "details.Material", "wool"),
        (fact("style", "v neck", detail="neck"), "title", "V-Neck"),
        (fact("feature", "hand wash"), "features[2]", "Hand wash"),
        (fact("brand", "halvor"), "store", "Halvor"),
        (fact("category", "tunics"), "categories", "Tunics"),
        (fact("department", "womens"), "title", "Women's"),
        (fact("color", "blue"), "title", "Navy"),
        (fact("color", "red", polarity="negative"), "title", "Navy"),
        (fact("category", "tops"), "title", "Tunic"),
        (fact("budget", 40.0, op="le"), "price", "$39.50"),
        (fact("rating", 4.0, op="ge"), "average_rating", "4"),
        (fact("review_count", 100.0, op="ge"), "rating_number", "1,234"),
    ],
)
def test_the_words_that_decide_are_found_where_they_stand(
    index: ProductIndex, wish: Fact, field: str, words: str
) -> None:
    found = row(index, wish)
    assert (found["field"], found["words"]) == (field, words)


@pytest.mark.parametrize(
    "wish", [fact("color", "navy"), fact("budget", 40.0, op="le"), fact("quantity", 2.0), fact("feature", "!?")]
)
def test_what_is_not_known_quotes_nothing(index: ProductIndex, wish: Fact) -> None:
    found = row(index, wish, "BARE")
    assert found["verdict"] == "unknown"
    assert "field" not in found


def test_a_word_inside_another_is_not_quoted(index: ProductIndex) -> None:
    assert "field" not in row(index, fact("feature", "unic"))


@pytest.mark.parametrize(
    ("wish", "field", "words"),
    [
        (fact("color", "red"), "title", "Navy"),
        (fact("brand", "lissac"), "store", "Halvor"),
        (fact("color", "navy", polarity="negative"), "title", "Navy"),
        (fact("budget", 10.0, op="le"), "price", "$39.50"),
    ],
)
def test_what_is_violated_quotes_what_the_product_says_instead(
    index: ProductIndex, wish: Fact, field: str, words: str
) -> None:
    found = row(index, wish)
    assert (found["verdict"], found["field"], found["words"]) == ("violated", field, words)


def test_a_product_is_read_once_for_a_fact(index: ProductIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    wish = fact("material", "wool", text="only here")
    first = row(index, wish)
    monkeypatch.setattr(type(index), "products", None)
    assert row(index, wish) == first


@pytest.fixture(scope="module")
def shelves(stores: Stores, tmp_path_factory: pytest.TempPathFactory) -> ProductIndex:
    source = tmp_path_factory.mktemp("sample") / "sample.jsonl"
    write_sample(source, products=250, seed=5)
    return stores.index([json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()])


def _says_so(index: ProductIndex, wish: Fact, ids: Any) -> None:
    for product, (found,) in zip(index.products(ids), evidence_of(index, ids, [wish], []), strict=True):
        if found["verdict"] == "satisfied":
            assert "field" in found, (wish, product)
        if "field" in found:
            start, end = found["span"]
            assert field_text(product, found["field"])[start:end] == found["words"] != "", (wish, found)


@pytest.mark.parametrize("polarity", ["positive", "negative"])
@pytest.mark.parametrize(
    "key",
    [a for a in ATTRIBUTES if a not in NUMERIC_ATTRIBUTES] + [name for name in FINER_NAMES if name != "aisle"],
)
def test_what_is_satisfied_says_where_and_the_span_is_the_words(shelves: ProductIndex, key: str, polarity: str) -> None:
    attribute, detail = FINER_NAMES.get(key, key), key if key in FINER_NAMES else None
    ids = np.arange(shelves.size, dtype=np.int32)
    for facet in shelves.facets(key, 60):
        _says_so(shelves, fact(attribute, facet.value, detail=detail, polarity=polarity), ids)


@pytest.mark.parametrize(
    "wish",
    [
        fact("budget", 40.0, op="le"),
        fact("budget", 40.0, op="le", polarity="negative"),
        fact("rating", 4.0, op="ge"),
        fact("review_count", 50.0, op="ge"),
        fact("quantity", 3.0),
        fact("quantity", 3.0, polarity="negative"),
        fact("color", ["red", "blue"], op="one_of"),
        fact("feature", "soft cotton comfortable", op="contains"),
        fact("feature", "dry machine", op="contains"),
    ],
)
def test_numbers_choices_and_sentences_say_where_too(shelves: ProductIndex, wish: Fact) -> None:
    _says_so(shelves, wish, np.arange(shelves.size, dtype=np.int32))


def test_what_was_given_up_is_relaxed_and_not_violated(index: ProductIndex) -> None:
    cheap = fact("budget", 10.0, op="le")
    assert row(index, cheap)["verdict"] == "violated"
    given_up = [{"attribute": "budget", "value": 10.0}]
    assert row(index, cheap, relaxed=given_up)["verdict"] == "relaxed"
    assert row(index, fact("budget", 40.0, op="le"), relaxed=given_up)["verdict"] == "satisfied"


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        (fact("color", "navy"), "color navy"),
        (fact("material", "leather", polarity="negative"), "not material leather"),
        (fact("style", "long sleeve", detail="sleeve"), "sleeve long sleeve"),
        (fact("use_case", "office"), "use case office"),
        (fact("color", ["red", "blue"], op="one_of"), "color red, blue"),
        (fact("feature", "pull-on closure", op="contains"), "pull-on closure"),
        (fact("budget", 50.0, op="lt"), "under $50"),
        (fact("budget", 1234.5, op="le"), "at most $1,234.50"),
        (fact("budget", 20.0, op="gt"), "over $20"),
        (fact("budget", 20.0, op="around"), "around $20"),
        (fact("budget", [20.0, 40.0], op="between"), "$20 to $40"),
        (fact("rating", 4.5, op="ge"), "rating at least 4.5"),
        (fact("quantity", 2.0), "quantity 2"),
    ],
)
def test_a_fact_in_words(wish: Fact, words: str) -> None:
    assert describe(wish) == words


def test_a_long_fact_is_cut() -> None:
    words = describe(fact("feature", "word " * 40, op="contains"))
    assert len(words) <= 60
    assert words.endswith("...")


def test_a_wish_that_nothing_shown_is_known_to_meet_is_unconfirmed(index: ProductIndex) -> None:
    soft = {"strength": "soft"}
    facts = [
        fact("color", "navy"),
        fact("size", "9"),
        fact("feature", "waterproof", **soft),
        fact("category", "boots", **soft),
        fact("material", "silk", polarity="negative"),
        fact("brand", "nobody", source="profile"),
    ]
    ids = np.asarray(index.ids(["FULL", "BARE"]), np.int32)
    assert unconfirmed(facts, evidence_of(index, ids, facts, [])) == ["size 9", "category boots"]
    assert unconfirmed(facts, []) == []
    assert unconfirmed([], evidence_of(index, ids, [], [])) == []
