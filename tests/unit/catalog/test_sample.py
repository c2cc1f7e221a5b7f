"""The sample store: the same bytes everywhere, rows of the catalog's shape, families, sound word lists."""

import gzip
import hashlib
import json
import random
import re
from collections import defaultdict
from itertools import islice
from pathlib import Path

import pytest

from catalog.errors import InputError
from catalog.product import Product
from catalog.sample import sample_rows, write_sample
from catalog.sample_design import Designer, title_case
from catalog.sample_tables import Weighted, level, tables

SMALL_STORE = "041132ac75a55c9527ce12f507d7e8387ec85ac7d085f21c054fb807d288b083"
"""SHA-256 of the store of 300 products, seed 7, sparse; changes only when the word lists or the writer do."""


@pytest.fixture(scope="module")
def rows():
    return list(islice(sample_rows(7), 2000))


def read(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_same_arguments_give_the_same_bytes_on_every_platform(tmp_path):
    write_sample(tmp_path / "a.jsonl", products=300, seed=7)
    assert hashlib.sha256((tmp_path / "a.jsonl").read_bytes()).hexdigest() == SMALL_STORE


def test_another_seed_is_another_store(tmp_path):
    write_sample(tmp_path / "a.jsonl", products=50, seed=1)
    write_sample(tmp_path / "b.jsonl", products=50, seed=2)
    titles = [{row["title"] for row in read(tmp_path / name)} for name in ("a.jsonl", "b.jsonl")]
    assert not titles[0] & titles[1]


def test_gzip_by_extension_holds_the_same_rows_and_no_time(tmp_path):
    write_sample(tmp_path / "a.jsonl", products=60)
    write_sample(tmp_path / "b.jsonl.gz", products=60)
    write_sample(tmp_path / "c.jsonl.gz", products=60)
    assert gzip.decompress((tmp_path / "b.jsonl.gz").read_bytes()) == (tmp_path / "a.jsonl").read_bytes()
    assert (tmp_path / "b.jsonl.gz").read_bytes() == (tmp_path / "c.jsonl.gz").read_bytes()


def test_dense_prices_add_prices_and_change_nothing_else(tmp_path):
    sparse = write_sample(tmp_path / "sparse.jsonl", products=1000, prices="sparse")
    dense = write_sample(tmp_path / "dense.jsonl", products=1000, prices="dense")
    assert 150 <= sparse.priced <= 300
    assert 750 <= dense.priced <= 950
    for one, other in zip(read(tmp_path / "sparse.jsonl"), read(tmp_path / "dense.jsonl"), strict=True):
        if one["price"] is not None:
            assert one["price"] == other["price"]
        assert one | {"price": None} == other | {"price": None}


def test_the_summary_counts_what_was_written(tmp_path):
    summary = write_sample(tmp_path / "a.jsonl", products=301, seed=3)
    written = read(tmp_path / "a.jsonl")
    assert (summary.products, summary.seed, summary.prices) == (301, 3, "sparse")
    assert len(written) == 301
    assert summary.priced == sum(row["price"] is not None for row in written)
    assert summary.with_features == sum(bool(row["features"]) for row in written)


def test_progress_ends_at_the_total(tmp_path):
    seen: list[tuple[str, int, int | None]] = []
    write_sample(tmp_path / "a.jsonl", products=2500, progress=lambda *report: seen.append(report))
    assert seen == [("sample", 1000, 2500), ("sample", 2000, 2500), ("sample", 2500, 2500)]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"products": 0}, "cannot write 0 products"),
        ({"products": 10**9}, "choose between 1 and"),
        ({"prices": "free"}, "choose sparse or dense"),
    ],
)
def test_bad_arguments_are_named_and_nothing_is_written(tmp_path, arguments, problem):
    with pytest.raises(InputError, match=problem):
        write_sample(tmp_path / "a.jsonl", **arguments)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(InputError, match="create it first"):
        write_sample(tmp_path / "nowhere" / "a.jsonl", products=1)


def test_a_folder_in_the_way_is_an_input_error_and_leaves_no_part_behind(tmp_path):
    (tmp_path / "a.jsonl").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        write_sample(tmp_path / "a.jsonl", products=5)
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_rows_are_products_with_ids_of_their_own(rows):
    products = [Product(**row) for row in rows]
    assert len({product.parent_asin for product in products}) == len(products)
    assert all(re.fullmatch(r"S0[0-9A-Z]{8}", product.parent_asin) for product in products)
    assert all(product.title == " ".join(product.title.split()) != "" for product in products)
    assert all(product.average_rating is None or 1 <= product.average_rating <= 5 for product in products)
    assert all(product.price is None or product.price > 0 for product in products)


def test_no_slot_is_left_open_in_any_text(rows):
    for row in rows:
        text = " ".join([row["title"], *row["features"], *row["description"]])
        assert not re.search(r"[{}]", text)


def test_the_category_tree_is_three_to_six_deep(rows):
    depths = {len(leaf.path) for leaf in tables().leaves}
    assert depths == {3, 4, 5, 6}
    assert {row["categories"][0] for row in rows if row["categories"]} == {"Clothing, Shoes & Jewelry"}


def test_some_rows_hold_almost_nothing(rows):
    bare = [row for row in rows if not row["categories"]]
    assert 20 <= len(bare) <= 100
    assert not any(row["features"] or row["details"] or row["description"] for row in bare)


def test_families_share_their_bullets_and_differ_in_one_attribute(rows):
    families = defaultdict(list)
    for row in rows:
        if len(row["features"]) >= 4:
            families[row["store"], tuple(row["features"][1:])].append(row)
    kin = [family for family in families.values() if len(family) > 1]
    assert len(kin) >= 20
    for family in kin:
        assert len({tuple(row["categories"]) for row in family}) == 1
        assert len({row["title"] for row in family}) == len(family)
        best = family[0]["rating_number"]
        assert all(row["rating_number"] <= best for row in family)


def test_a_material_variant_rewrites_what_is_said_of_the_material():
    words = tables()
    designer = Designer(words, seed=5)
    designs = (designer.design() for _ in range(500))
    design = next(one for one in designs if one.amount == "mixed" and "cotton" in str(designer.bullets(one, "cotton")))
    in_cotton, in_wool = designer.bullets(design, "cotton"), designer.bullets(design, "wool")
    assert designer.bullets(design, "cotton") == in_cotton
    assert len(in_cotton) == len(in_wool)
    assert "wool" in str(in_wool).lower()


def test_styles_of_one_look_do_not_contradict_each_other():
    words = tables()
    designer = Designer(words, seed=9)
    for _ in range(300):
        design = designer.design()
        for group in words.structured.style_groups:
            assert sum(group in style.lower() for style in design.styles) <= (0 if group in design.noun else 1)


def test_every_kind_names_entries_that_exist():
    words = tables()
    for name, kind in words.kinds.items():
        assert set(kind.materials.words) <= {*words.materials, "none"}, name
        assert set(kind.traits.words) <= set(words.trait), name
        assert set(kind.topics) <= set(words.topic), name
        assert kind.sizes in words.sizes, name
        assert kind.price[0] < kind.price[1] < kind.price[2], name
    assert {leaf.kind for leaf in words.leaves} == set(words.kinds)
    assert {leaf.department for leaf in words.leaves} == set(words.departments)


def test_prose_names_no_colour_so_that_colour_is_the_product_s_own():
    said = [text for passage in (*tables().topic.values(), *tables().trait.values()) for text in passage.says]
    said += [word for words in tables().fill.values() for word in words]
    colours = r"\b(?:black|white|blue|red|pink|green|brown|gr[ae]y|purple|yellow|orange)\b"
    assert [text for text in said if re.search(colours, text, re.IGNORECASE)] == []


def test_brands_are_all_different():
    designer = Designer(tables(), seed=7)
    brands = {designer.design().brand for _ in range(3000)}
    assert len(brands) > 500


def test_title_case_leaves_small_words_small():
    assert title_case("two piece suit with vest") == "Two Piece Suit with Vest"
    assert title_case("T-shirt") == "T-shirt"


@pytest.mark.parametrize(("x", "y"), [(-1, 2), (0, 2), (5, 3), (10, 4), (15, 7), (20, 10), (99, 10)])
def test_a_curve_is_read_between_its_knots(x, y):
    assert level(((0, 2), (10, 4), (20, 10)), x) == y


def test_words_are_drawn_by_weight():
    words = Weighted.parse(["often:9", "a: b:1", "never:0"])
    rng = random.Random(4)
    drawn = [words.draw(rng) for _ in range(2000)]
    assert 1700 < drawn.count("often") < 1900
    assert set(drawn) == {"often", "a: b"}


def test_distinct_words_are_distinct_and_an_empty_list_is_refused():
    assert sorted(Weighted.parse(["a:1", "b:1"]).draw_distinct(random.Random(1), 5)) == ["a", "b"]
    with pytest.raises(ValueError, match="at least one word"):
        Weighted([], [])
