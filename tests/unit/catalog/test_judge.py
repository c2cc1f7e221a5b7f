from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.constraint import Constraint, Verdict
from catalog.duckdb_index import DuckDBIndex
from catalog.facet_sets import FacetSets
from catalog.judge import judge_all, judge_product
from catalog.open import open_catalog
from catalog.product import Product
from catalog.some_sets import SomeSets, SomeVerdicts
from tests.unit.catalog.small_catalog import build

S, U, V = Verdict.SATISFIED, Verdict.UNKNOWN, Verdict.VIOLATED


def _product(title: str = "Coat", **fields: object) -> Product:
    return Product.model_validate({"parent_asin": "A", "title": title, **fields})


@pytest.mark.parametrize(
    ("op", "value", "verdicts"),
    [
        # of prices 39.99, 40, 50 and none
        ("le", 39.99, (S, V, V, U)),
        ("lt", 40, (S, V, V, U)),
        ("ge", 40, (V, S, S, U)),
        ("gt", 40, (V, V, S, U)),
        ("eq", 40, (V, S, V, U)),
        ("between", [39.99, 45], (S, S, V, U)),
        ("between", [45, 39.99], (S, S, V, U)),
        ("around", 42, (S, S, S, U)),
        ("around", 60, (V, V, S, U)),
    ],
)
def test_budgets(op: str, value: float | list[float], verdicts: tuple[Verdict, ...]) -> None:
    constraint = Constraint.model_validate({"attribute": "budget", "op": op, "value": value})
    prices = (39.99, 40, 50, None)
    assert tuple(judge_product(constraint, _product(price=price)) for price in prices) == verdicts
    opposite = constraint.model_copy(update={"polarity": "negative"})
    assert tuple(-judge_product(opposite, _product(price=price)) for price in prices) == verdicts


def test_a_numeric_wish_without_a_number_says_nothing() -> None:
    assert judge_product(Constraint(attribute="budget", value="cheap"), _product(price=3)) == U


def test_quantity_is_any_of_the_stated_counts() -> None:
    pack = _product(facets={"quantity": ("6", "12", "dozen")})
    verdicts = [judge_product(Constraint(attribute="quantity", value=number), pack) for number in (12, 6, 10)]
    assert verdicts == [S, S, V]


@pytest.mark.parametrize(
    ("colors", "verdict", "negative"),
    [
        (("navy", "blue"), S, V),
        (("blue",), U, U),
        (("royal blue", "blue"), V, S),
        (("red",), V, S),
        (("red", "NAVY"), S, V),
        ((), U, U),
    ],
)
def test_a_finer_color_against_what_is_stated(colors: tuple[str, ...], verdict: Verdict, negative: Verdict) -> None:
    product = _product(facets={"color": colors} if colors else {})
    assert judge_product(Constraint(attribute="color", value="Návy"), product) == verdict
    assert judge_product(Constraint(attribute="color", value="navy", polarity="negative"), product) == negative


@pytest.mark.parametrize(
    ("key", "stated", "value", "verdict"),
    [
        ("category", ("shoes",), "boots", U),
        ("category", ("sneakers", "shoes"), "boots", V),
        ("category", ("boots", "shoes"), "ankle boots", U),
        ("category", ("dresses",), "boots", V),
        ("category", ("boots", "shoes"), "shoes", S),
        ("material", ("wool",), "merino wool", U),
        ("material", ("wool", "cotton"), "merino wool", U),
        ("material", ("wool blend", "wool"), "merino wool", V),
        ("material", ("silk",), "merino wool", V),
        ("size", ("petite",), "m", U),
        ("size", ("one size",), "10.5", U),
        ("size", ("petite", "s"), "m", V),
        ("size", ("2xl",), "plus size", U),
        ("size", ("tall",), "petite", V),
        ("size", ("s",), "m", V),
    ],
)
def test_broader_values_and_ranges_of_sizes_leave_it_open(
    key: str, stated: tuple[str, ...], value: str, verdict: Verdict
) -> None:
    product = _product("Thing", facets={key: stated})
    constraint = Constraint.model_validate({"attribute": key, "value": value})
    assert judge_product(constraint, product) == verdict
    assert judge_product(constraint.model_copy(update={"polarity": "negative"}), product) == -verdict


def test_words_in_the_text_save_a_closed_facet_from_violation() -> None:
    product = _product("Wool coat", description=("with trims of leather",), facets={"material": ("wool",)})
    assert judge_product(Constraint(attribute="material", value="leather"), product) == U
    assert judge_product(Constraint(attribute="material", value="silk"), product) == V


def test_an_open_facet_is_satisfied_by_title_or_bullets_and_never_violated_by_silence() -> None:
    product = _product(
        "Coat", features=("Machine washable",), description=("reflective",), facets={"feature": ("warm",)}
    )
    asked = [
        Constraint(attribute="feature", value=value)
        for value in ("machine washables", "reflective", "windproof", "warm")
    ]
    assert [judge_product(constraint, product) for constraint in asked] == [S, U, U, S]
    unwanted = [constraint.model_copy(update={"polarity": "negative"}) for constraint in asked]
    assert [judge_product(constraint, product) for constraint in unwanted] == [V, U, S, V]


def test_exclusion_covers_the_forms_of_a_word() -> None:
    unwanted = Constraint(attribute="theme", value="stripes", polarity="negative")
    assert judge_product(unwanted, _product("Striped oxford shirt", facets={"theme": ("sea",)})) == V
    assert judge_product(unwanted, _product("Plain shirt", facets={"theme": ("sea",)})) == S


def test_a_brand_is_also_the_store_and_the_start_of_the_title() -> None:
    wanted = Constraint(attribute="brand", value="north harbor")
    assert judge_product(wanted, _product("North Harbor fleece")) == S
    assert judge_product(wanted, _product("Fleece", store="NORTH HARBOR")) == S
    assert judge_product(wanted, _product("Fleece", store="Elmwood")) == V
    assert judge_product(wanted, _product("Fleece like north harbor", store="Elmwood")) == U
    assert judge_product(wanted.model_copy(update={"polarity": "negative"}), _product("Fleece", store="Elmwood")) == S


def test_any_of_several_values_will_do() -> None:
    wanted = Constraint(attribute="size", op="one_of", value=["m", "l"])
    sizes: list[dict[str, object]] = [{"size": ("l",)}, {"size": ("s",)}, {}]
    assert [judge_product(wanted, _product(facets=facets)) for facets in sizes] == [S, V, U]


def test_a_finer_name_is_judged_by_its_own_facet() -> None:
    wanted = Constraint(attribute="style", detail="sleeve", value="long sleeve")
    assert judge_product(wanted, _product(facets={"sleeve": ("short sleeve",), "style": ("casual",)})) == V


VALUES = {
    "color": ["navy", "blue", "Royal Blue", "red", "cream", "white"],
    "category": ["shoes", "boots", "ankle boots", "sneakers", "dresses"],
    "material": ["wool", "merino wool", "leather", "cotton"],
    "brand": ["elm", "Oak Row", "nobody"],
    "feature": ["machine wash", "waterproof", "Warm"],
    "sleeve": ["long sleeve", "sleeveless"],
    "quantity": ["2", "12", "many"],
    "size": ["m", "10", "10.5", "petite", "one size"],
}
WORDS = [
    *("navy", "blue", "wool", "leather", "elm", "oak", "row", "machine", "washable", "waterproof", "warm", "long"),
    *("sleeve", "sleeves", "coat", "m", "10", "red"),
]


def _text() -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)


def _facets() -> st.SearchStrategy[dict[str, list[str]]]:
    return st.fixed_dictionaries(
        {}, optional={key: st.lists(st.sampled_from(values), min_size=1, max_size=2) for key, values in VALUES.items()}
    )


PRODUCTS = st.builds(
    Product,
    parent_asin=st.just("A"),
    title=_text(),
    features=st.lists(_text(), max_size=2).map(tuple),
    description=st.lists(_text(), max_size=1).map(tuple),
    price=st.none() | st.sampled_from([9.99, 10.0, 12.0, 39.99]),
    average_rating=st.none() | st.sampled_from([3.9, 4.0]),
    rating_number=st.none() | st.sampled_from([0, 10]),
    store=st.none() | st.sampled_from(["Elm", "oak row", "Other"]),
    facets=_facets(),
)
TEXT_CONSTRAINTS = st.sampled_from(sorted(VALUES)).flatmap(
    lambda key: st.builds(
        Constraint,
        attribute=st.just("style" if key == "sleeve" else key),
        detail=st.just("sleeve" if key == "sleeve" else None),
        op=st.sampled_from(["eq", "contains", "one_of"]),
        value=st.sampled_from([*VALUES[key], "", "odd thing"]) | st.lists(st.sampled_from(VALUES[key]), max_size=2),
        polarity=st.sampled_from(["positive", "negative"]),
    )
)
NUMBER_CONSTRAINTS = st.builds(
    Constraint,
    attribute=st.sampled_from(["budget", "rating", "review_count", "quantity", "size"]),
    op=st.sampled_from(["eq", "lt", "le", "gt", "ge", "between", "around"]),
    value=st.sampled_from([0.0, 4.0, 9.99, 10.0, 12.0])
    | st.lists(st.sampled_from([2.0, 10.0, 40.0]), min_size=2, max_size=2),
    polarity=st.sampled_from(["positive", "negative"]),
)


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> tuple[DuckDBIndex, list[Product]]:
    """A catalog of products drawn once (their texts and facets need not agree), with its products."""
    drawn: list[Product] = []

    @settings(max_examples=250, database=None)
    @given(PRODUCTS)
    def draw(product: Product) -> None:
        drawn.append(product.model_copy(update={"parent_asin": f"P{len(drawn)}"}))

    draw()
    return open_catalog(build(tmp_path_factory.mktemp("judged") / "c.duckdb", drawn)), drawn


@settings(max_examples=150)
@given(constraint=TEXT_CONSTRAINTS | NUMBER_CONSTRAINTS)
def test_a_whole_catalog_is_judged_as_each_product_is(
    judged: tuple[DuckDBIndex, list[Product]], constraint: Constraint
) -> None:
    index, products = judged
    verdicts = index.judge(constraint, np.arange(len(products), dtype=np.int32))
    assert verdicts.dtype == np.int8
    assert verdicts.tolist() == [int(judge_product(constraint, product)) for product in products]


@settings(max_examples=150)
@given(constraint=TEXT_CONSTRAINTS | NUMBER_CONSTRAINTS, places=st.lists(st.integers(0, 199), max_size=12))
def test_some_products_are_judged_as_in_the_whole_catalog(
    judged: tuple[DuckDBIndex, list[Product]], constraint: Constraint, places: list[int]
) -> None:
    index, products = judged
    ids = np.asarray(places, dtype=np.int32)
    verdicts = judge_all(constraint, SomeSets(FacetSets(index), ids))
    assert verdicts.dtype == np.int8
    assert verdicts.tolist() == [int(judge_product(constraint, products[place])) for place in places]


def test_few_products_of_a_catalog_are_judged_alone(judged: tuple[DuckDBIndex, list[Product]]) -> None:
    index, products = judged
    wanted = Constraint(attribute="color", value="navy", scope="boots")
    alone = [int(index.judge(wanted, np.array([row], np.int32))[0]) for row in range(len(products))]
    assert alone == index.judge(wanted, np.arange(len(products), dtype=np.int32)).tolist()
    assert len(set(alone)) > 1


@given(first=st.sets(st.integers(0, 199), min_size=1), second=st.lists(st.integers(0, 199), max_size=9))
def test_verdicts_that_were_kept_are_those_of_the_asked_products(
    judged: tuple[DuckDBIndex, list[Product]], first: set[int], second: list[int]
) -> None:
    index, products = judged
    some = SomeVerdicts(FacetSets(index))
    wanted = Constraint(attribute="color", value="navy")
    for places in (sorted(first), second, sorted(first)[::2], []):
        verdicts = some.of("navy", wanted, np.array(places, np.int32))
        assert verdicts.tolist() == [int(judge_product(wanted, products[place])) for place in places]
