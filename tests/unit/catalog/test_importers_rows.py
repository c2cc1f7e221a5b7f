"""From columns to products: known names, mappings, variants, duplicates, currencies. Content is invented."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from catalog.columns import FIELD_NAMES, label, normal_name, plan_columns, read_mapping
from catalog.errors import ImportFailedError
from catalog.rows import category_path
from tests.unit.catalog.importing import import_files, import_rows, import_text

SHOPIFY = """\
Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Price,Image Src
fern-tee,Fern Tee,<p>Soft.</p><ul><li>Cotton</li></ul>,Mossy,T-Shirts,"green, leaf",TRUE,Size,S,F1,10.00,https://x/1.png
fern-tee,,,,,,,,M,F2,10.00,
fern-tee,,,,,,,,L,F3,12.00,
fern-tee,,,,,,,,,,,https://x/2.png
gift-card,Gift Card,,Mossy,,,TRUE,Title,Default Title,G1,25.00,
"""


def test_the_reference_shape_is_taken_as_it_is(tmp_path: Path) -> None:
    row = {
        "parent_asin": "P1", "title": "Wool coat", "features": ["Warm", "Lined"], "description": ["A coat."],
        "price": 99.5, "categories": ["Women", "Coats"],
        "details": {"Color": "navy", "Ranks": {"Coats": 3}, "New": True},
        "average_rating": 4.5, "rating_number": 12, "store": "Bramble",
    }  # fmt: skip
    (product,) = import_rows(tmp_path, [row]).products
    assert product.model_dump(exclude={"facets", "details"}) == {
        "parent_asin": "P1", "title": "Wool coat", "features": ("Warm", "Lined"), "description": ("A coat.",),
        "price": 99.5, "categories": ("Women", "Coats"), "average_rating": 4.5, "rating_number": 12, "store": "Bramble",
    }  # fmt: skip
    assert product.details == {"Color": "navy", "Ranks": "Coats 3", "New": "True"}


def test_variants_of_one_handle_are_one_product(tmp_path: Path) -> None:
    found = import_text(tmp_path, "shop.csv", SHOPIFY)
    tee, card = found.products
    assert (tee.parent_asin, tee.title, tee.price, tee.store) == ("fern-tee", "Fern Tee", 10.0, "Mossy")
    assert tee.details["Size"] == "S, M, L"
    assert tee.details["Variants"] == "S: 10.00; M: 10.00; L: 12.00"
    assert tee.details["Price Range"] == "10.00 - 12.00"
    assert tee.description == ("Soft.", "Cotton")
    assert tee.categories == ("T-Shirts",)
    assert card.price == 25.0
    assert "Title" not in card.details
    assert not found.rejects


def test_nested_variants_are_read_too(tmp_path: Path) -> None:
    row = {
        "id": 5, "title": "Fern Tee", "body_html": "<b>Soft</b>", "vendor": "Mossy",
        "options": [{"name": "Size", "values": ["S", "M"]}],
        "variants": [{"title": "S", "price": "12.00"}, {"title": "M", "price": "11.00"}],
    }  # fmt: skip
    (product,) = import_rows(tmp_path, [row]).products
    assert product.price == 11.0
    assert product.details["Size"] == "S, M"
    assert product.details["Variants"] == "S: 12.00; M: 11.00"


def test_rows_of_one_id_merge_by_the_stated_rule(tmp_path: Path) -> None:
    rows: list[object] = [
        {"id": "A", "title": "Clog", "price": 40, "category": "Sale", "rating": 3.0, "rating_count": 2},
        {"id": "B", "title": "Mug", "price": 5},
        {"id": "A", "title": "Clog, garden", "price": 35, "category": "Shoes > Garden", "brand": "Bramble",
         "color": "green", "rating": 4.0, "rating_count": 9},
        {"id": "A", "color": "red", "material": "rubber", "Heel": "flat"},
    ]  # fmt: skip
    found = import_rows(tmp_path, rows)
    clog, mug = found.products
    assert (clog.parent_asin, mug.parent_asin) == ("A", "B")
    assert clog.title == "Clog, garden"  # the fuller row wins a field
    assert clog.price == 35.0
    assert clog.categories == ("Shoes", "Garden")
    assert (clog.average_rating, clog.rating_number) == (4.0, 9)
    assert clog.details == {
        "Color": "green, red", "Material": "rubber", "Heel": "flat", "Other Categories": "Sale",
        "Price Range": "35.00 - 40.00",
    }  # fmt: skip
    assert found.notes == {"conflicting prices, lowest taken": 1}


def test_equal_rows_keep_the_first(tmp_path: Path) -> None:
    found = import_rows(tmp_path, [{"id": "A", "title": "first"}, {"id": "A", "title": "second"}])
    assert [product.title for product in found.products] == ["first"]


def test_currencies_are_kept_apart(tmp_path: Path) -> None:
    rows: list[object] = [
        {"id": "A", "title": "a", "price": "15.00 USD"}, {"id": "B", "title": "b", "price": "26.00 EUR"},
        {"id": "C", "title": "c", "price": "15.00"}, {"id": "D", "title": "d", "price": "20 - 30", "currency": "GBP"},
    ]  # fmt: skip
    found = import_rows(tmp_path, rows)
    assert [product.price for product in found.products] == [15.0, None, 15.0, None]
    assert found.by_id["B"].details == {"Native Price": "26.00 EUR"}
    assert found.by_id["D"].details == {"Native Price": "20.00 - 30.00 GBP"}
    assert found.notes["price in EUR, kept as a detail"] == 1


def test_a_header_may_state_the_currency(tmp_path: Path) -> None:
    found = import_text(tmp_path, "a.csv", "SKU,Name,Price (INR)\nA,Kurta,799\n", currency="INR")
    assert found.products[0].price == 799.0
    assert import_text(tmp_path, "b.csv", "SKU,Name,Price (INR)\nA,Kurta,799\n").products[0].price is None


def test_attribute_lists_become_details(tmp_path: Path) -> None:
    attributes = [{"name": "Color", "value": "Navy"}, {"name": "Closure", "value": "Zip"}]
    found = import_rows(tmp_path, [{"id": "A", "title": "Bag", "attributes": attributes}])
    text = import_text(
        tmp_path, "a.csv", 'id,title,attributes\nA,Bag,"' + json.dumps(attributes).replace('"', '""') + '"\n'
    )
    assert found.products[0].details == text.products[0].details == {"Color": "Navy", "Closure": "Zip"}


def test_blank_brands_and_colours_are_nothing(tmp_path: Path) -> None:
    rows: list[object] = [
        {"id": n, "title": "Tee", "brand": brand, "color": color}
        for n, (brand, color) in enumerate([("moss", "Navy"), ("MOSS ", "navy "), ("", "N/A"), (None, None)])
    ]
    found = import_rows(tmp_path, rows)
    assert [product.store for product in found.products] == ["moss", "MOSS", None, None]
    assert [product.details for product in found.products] == [{"Color": "Navy"}, {"Color": "navy"}, {}, {}]


def test_same_named_leaves_keep_their_own_paths(tmp_path: Path) -> None:
    rows: list[object] = [
        {"id": "A", "title": "Coat", "category": "Men > Jackets"},
        {"id": "B", "title": "Coat", "category": "Women > Jackets"},
    ]
    found = import_rows(tmp_path, rows)
    assert [product.categories for product in found.products] == [("Men", "Jackets"), ("Women", "Jackets")]


@pytest.mark.parametrize(
    ("cell", "path"),
    [
        ("Home > Lamps", ["Home", "Lamps"]), ("Skates, Boards & More | Boards", ["Skates, Boards & More", "Boards"]),
        ('["Home", "Lamps"]', ["Home", "Lamps"]), ("['Home', 'Lamps']", ["Home", "Lamps"]),
        ([["Home"], ["Home", "Lamps"]], ["Home", "Lamps"]), ('[{"name": "Home", "url": "x"}]', ["Home"]),
        ("1604", []), (None, []), ("Tops &amp; Tees", ["Tops & Tees"]), ([], []), ([[]], []),
    ],
)  # fmt: skip
def test_category_cells(cell: object, path: list[str]) -> None:
    assert category_path(cell) == path


def test_category_levels_in_columns_of_their_own(tmp_path: Path) -> None:
    found = import_rows(
        tmp_path,
        [
            {"id": 1, "title": "a", "main_category": "Toys", "category": "Trains", "subcategory_1": "Tracks"},
            {"id": 2, "title": "b", "main_category": "Toys"},
        ],
    )
    assert [product.categories for product in found.products] == [("Toys", "Trains", "Tracks"), ()]


def test_ratings_and_counts(tmp_path: Path) -> None:
    rows: list[object] = [
        {"id": "A", "title": "a", "rating": 0, "review_count": "Only 2 left in stock"},
        {"id": "B", "title": "b", "rating": "4.5 out of 5", "review_count": "1,204 ratings"},
        {"id": "C", "title": "c", "rating": {"rate": 3.9, "count": 120}},
        {"id": "D", "title": "d", "rating": 4.0, "review_count": 0},
        {"id": "E", "title": "e", "rating": 4.0, "review_count": 2**70},
    ]
    found = import_rows(tmp_path, rows)
    assert [(p.average_rating, p.rating_number) for p in found.products] == [
        (None, None), (4.5, 1204), (3.9, 120), (None, 0), (4.0, None)
    ]  # fmt: skip
    assert found.notes == {"rating count unreadable": 1, "rating count out of range": 1}


def test_text_is_bounded(tmp_path: Path) -> None:
    row = {
        "id": "A", "title": "t" * 5_000, "features": ["f" * 12_000] * 150, "details": {"d" * 500: "v" * 9_000},
        "categories": ["c" * 500] * 500, "brand": "b" * 500,
    }  # fmt: skip
    (product,) = import_rows(tmp_path, [row]).products
    assert len(product.title) == 1_000
    assert (len(product.features), len(product.features[0])) == (10, 10_000)
    assert [(len(name), len(value)) for name, value in product.details.items()] == [(100, 2_000)]
    assert len(product.store or "") == 100


def test_damaged_characters_are_gone_everywhere(tmp_path: Path) -> None:
    line = '{"id":"A\\u0000","title":"M\\ud800ug\\u200b","features":["x\\u0000"],"details":{"k\\udfff":"v\\u0000"}}'
    (product,) = import_text(tmp_path, "a.jsonl", line).products
    assert (product.parent_asin, product.title, product.features) == ("A", "Mug", ("x",))
    assert product.details == {"k": "v"}


def test_rows_of_a_source_without_ids_get_stable_ones(tmp_path: Path) -> None:
    text = "name,price\nMug,5\nCup,6\nMug,5\n"
    first, again = import_text(tmp_path, "a.csv", text), import_text(tmp_path, "b.csv", "price,name\n6,Cup\n5,Mug\n")
    assert len(first.products) == 2  # the repeated row is the same product
    assert {p.title: p.parent_asin for p in first.products} == {p.title: p.parent_asin for p in again.products}
    assert first.notes["id derived from the row's content"] == 3


def test_a_mapping_may_ask_for_derived_ids(tmp_path: Path) -> None:
    rows: list[object] = [{"id": 1, "title": "Mug", "price": 5}, {"id": 2, "title": "Cup", "price": 6}]
    found = import_rows(tmp_path, rows, mapping={"parent_asin": "@hash"})
    assert all(product.parent_asin.startswith("row-") for product in found.products)


def test_a_mapping_names_columns_joins_them_and_fills_details(tmp_path: Path) -> None:
    text = "nr;bezeichnung;art;farbe;preis;intern\n1;Luna;Lampe;rot;12,50 €;x\n"
    mapping = {
        "parent_asin": "NR", "title": "bezeichnung+art", "price": "preis", "details.Color": "farbe", "ignore": "intern"
    }  # fmt: skip
    (product,) = import_text(tmp_path, "a.csv", text, mapping=mapping, currency="EUR").products
    assert (product.parent_asin, product.title, product.price) == ("1", "Luna Lampe", 12.5)
    assert product.details == {"Color": "rot"}


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ({"colour": "c"}, "no such field"), ({"title": ""}, "names no column"),
        ({"title": "nom"}, "no source has such a column. Columns found: id, title"),
        ({"title": "title+nom"}, "no source has such a column"),
    ],
)  # fmt: skip
def test_bad_mappings_are_named(tmp_path: Path, mapping: dict[str, str], message: str) -> None:
    with pytest.raises(ImportFailedError, match=message):
        import_text(tmp_path, "a.csv", "id,title\nA,Mug\n", mapping=mapping)


def test_a_mapped_column_needs_to_be_in_one_source_only(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,nom\nA,Tasse\n")
    (tmp_path / "b.csv").write_text("id,title\nB,Mug\n")
    found = import_files(tmp_path / "a.csv", tmp_path / "b.csv", mapping={"title": "nom"})
    assert [product.title for product in found.products] == ["Tasse", "Mug"]


def test_columns_about_stock_pictures_and_reviewers_are_left_out(tmp_path: Path) -> None:
    row = {
        "id": 1, "title": "Mug", "image_url": "https://x/1.png", "stock": 4, "user_id": "u1", "text": "Nice mug!",
        "landing": "https://x/mug", "warrantyInformation": "2 years", "": 0, "Unnamed: 0": 0, "empty": "N/A",
    }  # fmt: skip
    (product,) = import_rows(tmp_path, [row]).products
    assert product.details == {"Warranty Information": "2 years"}


def test_names_are_compared_without_case_signs_and_remarks() -> None:
    assert normal_name("Body (HTML)") == "body"
    assert normal_name("Product_ID") == normal_name("ProductID") == "productid"
    assert normal_name("(only)") == "only"
    assert label("primary_colour") == "Primary Colour"
    assert label("EAN") == "EAN"


def test_the_table_of_names_gives_each_name_one_field() -> None:
    names = [name for known in FIELD_NAMES.values() for name in known]
    assert len(names) == len(set(names))
    plan = plan_columns(["sku", "asin", "sale_price", "price"], read_mapping({}))
    assert plan.fields["parent_asin"] == (("asin",), ("sku",))
    assert plan.fields["price"] == (("sale_price",), ("price",))
