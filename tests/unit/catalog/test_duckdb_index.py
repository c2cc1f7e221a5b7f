from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.constraint import Constraint
from catalog.duckdb_index import DuckDBIndex
from catalog.open import open_catalog
from catalog.product import Product
from tests.unit.catalog.small_catalog import Shelf, build, titled

FILLER = [f"Filler item {number} of plain kind" for number in range(30)]


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    return Shelf(tmp_path_factory.mktemp("shelf"))


def _found(index: DuckDBIndex, query: str, limit: int = 10) -> list[str]:
    return [product.parent_asin for product in index.products(index.search(query, limit).ids)]


@pytest.mark.parametrize(
    ("query", "first"),
    [("860", "A"), ("wranglers 936", "C"), ("wrangler’s 936", "C"), ("WRANGLERS 936", "C"), ("237", "B")],
)
def test_model_numbers_find_their_product(shelf: Shelf, query: str, first: str) -> None:
    index = shelf(titled("Brook Trail 860 runner", "Brook Trail 237 runner", "Wrangler's 936 jeans", *FILLER))
    assert _found(index, query)[0] == first


def test_numerals_have_no_neighbours(shelf: Shelf) -> None:
    index = shelf(titled("601 denim", "605 denim", "Boot size 9", "Boot size 9.5", "Boot size 90", "Boot w32"))
    assert _found(index, "601")[0] == "A"
    assert index.term_ids("601").tolist() == [0]
    assert index.term_ids("9").tolist() == [2]
    assert index.term_ids("9.5").tolist() == [3]
    assert _found(index, "boots size 9")[0] == "C"
    assert index.term_ids("W32").tolist() == [5]


def test_pack_sizes_are_not_found_inside_other_numbers(shelf: Shelf) -> None:
    index = shelf(titled("Towels 8-pack", "Towels 4-pack", "Towels no. 80812", *FILLER))
    assert _found(index, "towels 8-pack")[0] == "A"
    assert _found(index, "towels 8 pack")[0] == "A"
    assert index.term_ids("8").tolist() == [0, 8 + 3]


@pytest.mark.parametrize(
    "query", ["???", "!!!", "👟", "", "   ", "%", "_", "'", '"', "(", "\\", "*", "--", "/", "\0", "ﬀ✂"]
)
def test_a_query_without_words_finds_nothing(shelf: Shelf, query: str) -> None:
    index = shelf(titled("Men's shoes", "Wrangler's jeans"))
    assert _found(index, query) == []


@pytest.mark.parametrize(
    "query", ["boots' OR '1'='1", "boots; drop table products", "men's", "mens", "men’s 100% wool_", "\ud800 men's"]
)
def test_punctuation_is_never_syntax(shelf: Shelf, query: str) -> None:
    index = shelf(titled("Men's boots", "Ladies sandal"))
    assert _found(index, query)[:1] == ["A"]


def test_text_of_another_script_is_found_by_a_word_inside_it(shelf: Shelf) -> None:
    index = shelf(titled("Women's slippers", "Wrangler's jeans", "青いスカート", "Красное пальто"))
    assert _found(index, "スカート") == ["C"]
    assert _found(index, "красное") == ["D"]
    assert _found(index, "コート") in (["C"], [])
    assert _found(index, "帽子") == []


def test_brands_that_are_common_words_are_found(shelf: Shelf) -> None:
    shoes = Product(parent_asin="A", title="On Swift trail shoe", store="On", facets={"brand": ("on",)})
    coat = Product(parent_asin="B", title="First wool coat", store="First", facets={"brand": ("first",)})
    shirt = Product(
        parent_asin="C", title="Under Oath sweatshirt", store="Under Oath", facets={"brand": ("under oath",)}
    )
    scarf = Product(parent_asin="D", title="Teal scarf", facets={"color": ("teal",)})
    index = shelf([shoes, coat, shirt, scarf, *titled(*FILLER)[4:]])
    assert [_found(index, query)[0] for query in ("On shoes", "coat from First", "under oath", "teal")] == list("ABCD")
    assert _found(index, "on")[0] == "A"


def test_grammar_words_do_not_decide(shelf: Shelf) -> None:
    index = shelf(titled("The one for you and me with all of it", "Wool coat", *FILLER))
    assert _found(index, "I need a coat for me with wool")[0] == "B"
    assert _found(index, "for you and me")[0] == "A"


@pytest.mark.parametrize("query", ["t-shirt", "tshirt", "tee shirt", "t shirt", "T SHIRT", "T-Shirts", "t‑shirt"])
def test_every_spelling_of_a_t_shirt_finds_both(shelf: Shelf, query: str) -> None:
    index = shelf(titled("Linen t-shirt", "Linen tshirt", "Dress shirt", *FILLER))
    assert set(_found(index, query)[:2]) == {"A", "B"}


@pytest.mark.parametrize("query", ["crew neck", "crew-neck", "crewneck"])
def test_joined_and_parted_spellings_find_each_other(shelf: Shelf, query: str) -> None:
    index = shelf(titled("Crew-neck jumper", "Crewneck jumper", "Turtle jumper", *FILLER))
    assert set(_found(index, query)[:2]) == {"A", "B"}


def test_a_joined_spelling_counts_for_no_more_than_its_parts(shelf: Shelf) -> None:
    pads = [f"Pad {number}" for number in range(6)] + [f"Mouse {number}" for number in range(6)]
    titles = ("Gaming mouse pad", "Foam mousepad", "Gaming mouse", "Mouse pad and mousepad")
    index = shelf([*titled(*titles), *titled(*FILLER, *pads)[len(titles) :]])
    assert _found(index, "gaming mouse pad")[0] == "A"
    assert set(_found(index, "mouse pad")[:3]) == {"A", "B", "D"}
    parted, joined, one = index.score("mouse pad", np.arange(3, dtype=np.int32))
    assert one < 0.7 * joined
    assert joined == pytest.approx(parted, rel=0.15)


def test_sizes_of_one_letter_are_words(shelf: Shelf) -> None:
    index = shelf(titled("Wool coat size S", "Wool coat size M", "Wool coat size L"))
    assert [_found(index, f"wool coat {size}")[0] for size in "sml"] == ["A", "B", "C"]


def test_one_word_of_a_field_counts_alike_whatever_else_is_said(shelf: Shelf) -> None:
    index = shelf([*titled("one"), Product(parent_asin="X", title="", description=("warm fleece",))])
    assert _found(index, "warm fleece") == ["X"]
    twins = [
        Product(parent_asin=name, title="hello", description=(text,)) for name, text in (("A", "moon"), ("B", "sun"))
    ]
    index = shelf(twins)
    hits = index.search("sun moon")
    assert hits.scores[0] == hits.scores[1]
    assert hits.ids.tolist() == [0, 1]


WORDS = [
    *("wool", "linen", "coat", "hat", "red", "blue", "m", "l", "501", "10.5", "the", "for", "women"),
    *("woolcoat", "redcoat", "bluehat"),
]


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[DuckDBIndex, DuckDBIndex]:
    """The same catalog twice: lists kept in memory, and every search inside the engine."""
    rng = np.random.default_rng(4)
    titles = [" ".join(rng.choice(WORDS, size=rng.integers(1, 6))) for _ in range(300)]
    products = [Product(parent_asin=f"P{number}", title=title) for number, title in enumerate(titles)]
    path = build(tmp_path_factory.mktemp("pair") / "c.duckdb", products)
    return open_catalog(path), open_catalog(path, cache_bytes=0)


@settings(max_examples=40)
@given(
    words=st.lists(st.sampled_from([*WORDS, "unknownword"]), max_size=8),
    limit=st.integers(0, 40),
    within=st.none() | st.lists(st.integers(0, 299), unique=True, max_size=120).map(sorted),
)
def test_memory_and_engine_rank_alike(
    pair: tuple[DuckDBIndex, DuckDBIndex], words: list[str], limit: int, within: list[int] | None
) -> None:
    query, allowed = " ".join(words), None if within is None else np.array(within, dtype=np.int32)
    first, second = (index.search(query, limit, within=allowed) for index in pair)
    assert first.ids.tolist() == second.ids.tolist()
    assert np.allclose(first.scores, second.scores)
    assert len(first.ids) <= limit
    assert within is None or set(first.ids.tolist()) <= set(within)
    assert np.allclose(pair[0].score(query, first.ids), first.scores, rtol=1e-5)
    order = list(zip((-first.scores).tolist(), first.ids.tolist(), strict=True))
    assert order == sorted(order)


def test_a_long_text_is_searched_by_its_rarest_words(pair: tuple[DuckDBIndex, DuckDBIndex]) -> None:
    text = "linen 501 " + " ".join(f"word{number}" for number in range(20_000))
    for index in pair:
        assert len(index.search(text, 5).ids) == 5
        assert [match.span for match in index.statements(text) if match.span[0] > 9] == []


def test_score_is_zero_where_no_word_matches(shelf: Shelf) -> None:
    index = shelf(titled("wool coat", "linen hat"))
    scores = index.score("coat nothing", np.array([1, 0], dtype=np.int32))
    assert scores[0] == 0
    assert scores[1] > 0
    assert index.score("", np.array([0, 1], dtype=np.int32)).tolist() == [0, 0]
    assert index.score("coat", np.array([], dtype=np.int32)).tolist() == []


def test_sets_are_sorted_and_cannot_be_written(shelf: Shelf) -> None:
    products = [
        Product(
            parent_asin="A",
            title="wool coat",
            price=10,
            average_rating=4.5,
            rating_number=3,
            facets={"color": ("red",)},
        ),
        Product(parent_asin="B", title="wool hat", facets={"color": ("it's",)}),
    ]
    index = shelf(products)
    sets = [
        *(index.facet_ids("color", "red"), index.known_ids("color"), index.term_ids("wool"), index.known_ids("budget")),
        *(index.price(), index.rating(), index.rating_count(), index.mention_ids("wool"), index.search("wool").ids),
    ]
    assert [ids.tolist() for ids in sets[:4]] == [[0], [0, 1], [0, 1], [0]]
    assert index.facet_ids("color", "it's").tolist() == [1]
    assert index.facet_ids("color", "green").tolist() == []
    assert index.facet_ids("nothing", "").tolist() == []
    assert index.price()[0] == 10
    assert np.isnan(index.price()[1])
    assert index.rating_count().tolist() == [3, 0]
    assert index.known_ids("review_count").tolist() == [0]
    for array in sets[:-1]:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_products_come_in_the_order_asked(shelf: Shelf) -> None:
    products = [
        Product(parent_asin=f"P{number}", title=f"Item {number}", details={"Care": "Wash"}, facets={"size": ("m",)})
        for number in range(120)
    ]
    index = shelf(products)
    wanted = [7, 3, 119, 3, *range(60, 118)]
    assert index.products(wanted) == [products[number] for number in wanted]
    assert index.ids(["P3", "no", "P0", "it's"]) == [3, None, 0, None]
    assert index.ids([]) == []
    with pytest.raises(KeyError, match="ids 0 to 119"):
        index.products([120])
    with pytest.raises(KeyError):
        index.products([-1])


def test_facets_come_most_frequent_first(shelf: Shelf) -> None:
    products = [
        Product(parent_asin=str(n), title="x", facets={"color": ("red", "blue") if n else ("red",)}) for n in range(3)
    ]
    index = shelf(products)
    assert [(facet.value, facet.count) for facet in index.facets("color")] == [("red", 3), ("blue", 2)]
    assert len(index.facets("color", 1)) == 1


SPOKEN = Product(
    parent_asin="A",
    title="Harbour Lane quilted jacket",
    features=("Two-way zip", "Imported", " ".join(f"word{number}" for number in range(30)), "Crème brûlée lining"),
    details={"Sole material": "Natural crepe rubber"},
)


@pytest.mark.parametrize(
    ("text", "quoted", "whole"),
    [
        ("please: two-way zip", "two-way zip", True),
        ("TWO WAY ZIP!", "TWO WAY ZIP", True),
        ("it must have sole material: natural crepe rubber.", "sole material: natural crepe rubber", True),
        ("I like natural crepe rubber", "natural crepe rubber", True),
        ("a Harbour Lane quilted jacket, maybe", "Harbour Lane quilted jacket", True),
        ("creme brulee lining", "creme brulee lining", True),
        (" ".join(f"word{number}" for number in range(12)), " ".join(f"word{number}" for number in range(8)), False),
        ("so word0 " + " ".join(f"word{number}" for number in range(1, 20)), None, False),
    ],
)
def test_quoted_strings_are_recognised(shelf: Shelf, text: str, quoted: str | None, whole: bool) -> None:
    index = shelf([SPOKEN, *titled(*FILLER)[1:]])
    (match,) = index.statements(text)
    assert text[slice(*match.span)] == (quoted or " ".join(f"word{number}" for number in range(16)))
    assert (match.ids.tolist(), match.whole) == ([0], whole)


def test_quotes_do_not_overlap_and_the_longest_comes_first(shelf: Shelf) -> None:
    products = titled("soft wool", "soft wool scarf", "scarf with fringe", "deep pockets")
    index = shelf(products)
    matches = index.statements("deep pockets and a soft wool scarf with fringe")
    assert [(match.tokens, match.ids.tolist()) for match in matches] == [(3, [1]), (2, [3])]
    assert index.statements("imported") == []
    assert index.statements("pockets deep") == []


def test_a_string_of_several_products_names_them_all(shelf: Shelf) -> None:
    products = [Product(parent_asin=str(n), title=f"thing {n}", features=("Machine wash cold",)) for n in range(4)]
    (match,) = shelf(products).statements("machine wash cold please")
    assert match.ids.tolist() == [0, 1, 2, 3]


def test_judging_is_remembered_without_the_strength(shelf: Shelf) -> None:
    index = shelf([Product(parent_asin="A", title="coat", price=20), *titled("x", "y")[1:]])
    ids = np.array([1, 0], dtype=np.int32)
    for strength in ("hard", "soft", "hard"):
        constraint = Constraint(attribute="budget", op="le", value=30, strength=strength)
        assert index.judge(constraint, ids).tolist() == [0, 1]
