"""Facets are read from a product's own texts, and wrong ones are not."""

from __future__ import annotations

import pytest

from catalog.derive import Deriver
from catalog.paths import path_nodes
from catalog.product import Product

BRANDS = ["Nordvik", "Adidás", "Maple & Moor", "Pink", "Cotton", "The Harbour Company Inc"]


@pytest.fixture(scope="module")
def deriver() -> Deriver:
    return Deriver(BRANDS, ["Home", "Strainers", "Outlet", "Nordvik"])


def product(
    title: str,
    features: tuple[str, ...] = (),
    categories: tuple[str, ...] = (),
    store: str | None = None,
    **details: str,
) -> Product:
    named = {name.replace("_", " "): value for name, value in details.items()}
    return Product(parent_asin="X", title=title, features=features, categories=categories, store=store, details=named)


@pytest.mark.parametrize(
    ("title", "types"),
    [
        ("Women's Casual T-Shirt Blouse Tops", {"t-shirt", "shirt", "blouse", "tops"}),
        ("Silver Charm for Bracelets", {"charm", "jewelry"}),
        ("Enamel Shoe Charms", {"shoe charms", "shoe accessories"}),
        ("Tops for Women Lace Blouse", {"blouse", "tops"}),
        ("Dress with Belt", {"dress"}),
        ("Leather Watch Band", {"watch band"}),
        ("Shirt Dress", {"shirt dress", "dress"}),
        ("Graphic Tee & Shorts", {"t-shirt", "shirt", "tops", "shorts", "bottoms"}),
        ("Gold Ring", {"ring", "jewelry"}),
        ("Solid Pull On Slim Pants", {"pants", "bottoms"}),
        ("12-pack of Crew Socks", {"socks", "hosiery"}),
        ("DuraRack R440 server Xeon 16 GB Rack 550 W", {"server"}),
        ("Laser toner cartridge Black 1 pc(s)", {"toner cartridge", "printer supplies"}),
        ("Steel Mesh Strainer", {"strainers"}),
        ("Sorry To Be Late T-Shirt", {"t-shirt", "shirt", "tops"}),
        ("Carry On Duffle Bag", {"duffel bag", "bag", "luggage"}),
        ("Pajama Set Cami Top", {"pajamas", "sleepwear", "camisole", "tops"}),
    ],
)
def test_the_head_of_a_title_is_its_type(deriver: Deriver, title: str, types: set[str]) -> None:
    assert set(deriver.derive(product(title))["category"]) == types


@pytest.mark.parametrize("title", ["Boat neck", "Spring", "XL-200", "☃", "", "Cream for Shoes"])
def test_a_title_without_a_type_has_no_category(deriver: Deriver, title: str) -> None:
    assert "category" not in deriver.derive(product(title))


def test_a_path_gives_nodes_pairs_and_department(deriver: Deriver) -> None:
    facets = deriver.derive(
        product("X1", categories=("Clothing, Shoes & Jewelry", "Women", "Clothing", "Dresses", "Casual"))
    )
    assert {"dress", "clothing dresses", "women dresses", "dresses casual"} == set(facets["category"])
    assert facets["department"] == ("women",)
    assert facets["style"] == ("casual",)
    assert facets["aisle"] == ("women clothing",)


def test_a_shelf_is_no_type(deriver: Deriver) -> None:
    facets = deriver.derive(product("Gift item", categories=("Fashion", "Outlet")))
    assert "category" not in facets
    assert facets["aisle"] == ("fashion outlet",)


def test_a_weak_word_is_no_type_against_the_shelf(deriver: Deriver) -> None:
    assert deriver.derive(product("Corsaro King Top FG", categories=("Shoes",)))["category"] == ("shoes",)


def test_male_and_female_plugs_are_no_people(deriver: Deriver) -> None:
    assert "department" not in deriver.derive(product("Monitor Cable HD15 Male/Female"))


def test_a_node_that_is_a_brand_is_no_type(deriver: Deriver) -> None:
    assert "category" not in deriver.derive(product("Z9", categories=("Shop", "Nordvik")))


def test_a_node_of_two_types_gives_only_what_they_share(deriver: Deriver) -> None:
    facets = deriver.derive(product("Z9", categories=("Women", "Sandals & Boots")))
    assert "shoes" in facets["category"]
    assert {"sandals", "boots"}.isdisjoint(facets["category"])


def test_a_node_with_commas_is_several() -> None:
    assert path_nodes(("Clothing, Shoes & Jewelry", "Luggage, Bags")) == ["luggage", "bags"]


@pytest.mark.parametrize(
    ("text", "department"),
    [
        ("Women's", {"women"}),
        ("womens", {"women"}),
        ("Unisex-Adult", {"unisex", "women", "men"}),
        ("Men, Women", {"men", "women"}),
        ("Baby Girls", {"baby girls", "baby", "girls", "kids"}),
        ("Boys", {"boys", "kids"}),
        ("unisex-child", {"kids"}),
    ],
)
def test_departments_of_a_field(deriver: Deriver, text: str, department: set[str]) -> None:
    assert set(deriver.derive(product("Cap", Department=text))["department"]) == department


def test_a_bare_person_in_a_title_does_not_contradict_the_field(deriver: Deriver) -> None:
    facets = deriver.derive(product("Best Dad Mug Print Tee", Department="Womens"))
    assert facets["department"] == ("women",)


def test_maternity_is_no_baby(deriver: Deriver) -> None:
    assert "department" not in deriver.derive(product("Wrap Dress", categories=("Baby & Maternity",)))


@pytest.mark.parametrize("name", ["adidas", "ADIDAS", "Adidás", "Visit the Adidas Store"])
def test_a_brand_has_one_spelling(deriver: Deriver, name: str) -> None:
    assert deriver.derive(product("Cap", store=name))["brand"] == ("adidas",)


@pytest.mark.parametrize("name", ["", "  ", "Generic", "N/A", "Unbranded"])
def test_an_empty_brand_is_none(deriver: Deriver, name: str) -> None:
    assert "brand" not in deriver.derive(product("Cap", store=name))


def test_a_detail_names_the_brand_when_the_store_is_silent(deriver: Deriver) -> None:
    assert deriver.derive(product("Cap", Manufacturer="Nordvik"))["brand"] == ("nordvik",)


def test_a_distinctive_brand_is_read_at_the_start_of_a_title(deriver: Deriver) -> None:
    assert deriver.derive(product("Nordvik Women's Parka"))["brand"] == ("nordvik",)
    assert "brand" not in deriver.derive(product("Parka by the sea, Nordvik style"))


@pytest.mark.parametrize("title", ["Pink Dress", "Cotton Shirt"])
def test_a_brand_of_plain_words_is_not_read_in_titles(deriver: Deriver, title: str) -> None:
    assert "brand" not in deriver.derive(product(title))


def test_the_words_of_the_own_brand_are_no_facets(deriver: Deriver) -> None:
    facets = deriver.derive(product("Pink Hoodie, Black", store="Pink"))
    assert facets["color"] == ("black",)


@pytest.mark.parametrize(
    ("text", "colors"),
    [
        ("Navy", {"navy", "blue"}),
        ("001-hot pink", {"hot pink", "pink"}),
        ("Off White", {"off white", "white"}),
        ("Black/White", {"black", "white"}),
        ("Grey", {"gray"}),
        ("Purple#1", {"purple"}),
        ("A-Wine", {"wine", "red"}),
    ],
)
def test_colours_of_a_field(deriver: Deriver, text: str, colors: set[str]) -> None:
    assert set(deriver.derive(product("Cap", Color=text))["color"]) == colors


@pytest.mark.parametrize("text", ["Medium", "One Star", "True", "Style 3"])
def test_a_colour_field_without_a_colour(deriver: Deriver, text: str) -> None:
    assert "color" not in deriver.derive(product("Cap", Color=text))


@pytest.mark.parametrize(
    ("title", "colors"),
    [
        ("Wine Dress", {"wine", "red"}),
        ("Tote Bag (Coral)", {"coral", "pink", "orange"}),
        ("Sneakers with Red Laces", None),
        ("Dress with Pockets Black L", {"black"}),
        ("Boston Red Sox Cap", None),
        ("Sea Stone Necklace", None),
    ],
)
def test_colours_of_a_title(deriver: Deriver, title: str, colors: set[str] | None) -> None:
    found = deriver.derive(product(title)).get("color")
    assert (set(found) if found else None) == colors


@pytest.mark.parametrize(
    ("bullet", "materials"),
    [
        ("100% Cotton", {"cotton"}),
        ("60% Cotton, 40% Polyester", {"cotton", "polyester"}),
        ("95% Modal / 5% Elastane", {"modal", "rayon", "spandex"}),
        ("Shell 100% Wool; lining 100% polyester", {"wool"}),
        ("Genuine Leather", {"genuine leather", "leather"}),
        ("Faux leather", {"faux leather"}),
        ("Fabric: Linen", {"linen"}),
    ],
)
def test_materials_of_a_bullet(deriver: Deriver, bullet: str, materials: set[str]) -> None:
    assert set(deriver.derive(product("Thing", (bullet,)))["material"]) == materials


@pytest.mark.parametrize(
    "text", ["Rubber sole", "Leather-free", "Non leather", "No leather used", "Feels like silk", "Fleece lined"]
)
def test_a_material_that_is_denied_or_of_a_part(deriver: Deriver, text: str) -> None:
    assert "material" not in deriver.derive(product("Thing", (text,)))


def test_silver_sandals_are_a_colour_and_silver_earrings_a_material_too(deriver: Deriver) -> None:
    assert "material" not in deriver.derive(product("Silver Sandals"))
    assert "silver" in deriver.derive(product("Sterling Silver Earrings"))["material"]


@pytest.mark.parametrize(
    ("bullet", "key", "value"),
    [
        ("Machine Wash", "feature", "machine wash"),
        ("Hand Wash Only", "feature", "hand wash only"),
        ("Imported", "feature", "imported"),
        ("Pull On closure", "closure", "pull on"),
        ("Zipper closure", "closure", "zipper"),
        ("V-neck", "neck", "v neck"),
        ("Moisture-wicking fabric keeps you dry", "feature", "moisture wicking"),
        ("Non-slip sole", "feature", "non slip"),
        ("Perfect for hiking and camping trips", "use_case", "hiking"),
        ("Sleeve Length: Long Sleeve", "sleeve", "long sleeve"),
    ],
)
def test_bullets_state_functions_and_style(deriver: Deriver, bullet: str, key: str, value: str) -> None:
    assert value in deriver.derive(product("Thing", (bullet,)))[key]


@pytest.mark.parametrize(
    ("bullet", "key", "value"),
    [
        ("No zipper", "closure", "zipper"),
        ("Not waterproof", "feature", "waterproof"),
        ("The collar of this long shirt goes with a v-neck sweater or a crew neck", "neck", "crew neck"),
        ("It won't fall off", "season", "fall"),
    ],
)
def test_bullets_that_take_back_or_only_mention(deriver: Deriver, bullet: str, key: str, value: str) -> None:
    assert value not in deriver.derive(product("Thing", (bullet,))).get(key, ())


def test_title_and_details_come_before_bullets_for_closed_keys(deriver: Deriver) -> None:
    facets = deriver.derive(product("Long Sleeve Henley", ("Short sleeve",)))
    assert facets["sleeve"] == ("long sleeve",)


def test_packs_sizes_and_bookkeeping(deriver: Deriver) -> None:
    facets = deriver.derive(product("Ankle Socks 6 Pairs, Large", ASIN="B1", Item_Weight="3 ounces", Size="10 ml"))
    assert facets["quantity"] == ("6",)
    assert facets["size"] == ("l",)


def test_the_same_product_gives_the_same_facets_in_the_same_order() -> None:
    item = product("Navy Wool Coat, Black", ("Dry clean only", "Zipper closure"), Color="Navy/Red")
    assert Deriver(BRANDS, []).derive(item) == Deriver(reversed(BRANDS), []).derive(item)
    assert list(Deriver([], []).derive(item)) == sorted(Deriver([], []).derive(item))
