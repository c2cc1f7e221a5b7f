from __future__ import annotations

import re

import pytest

from catalog.product import Product
from evals.realistic.bank import bank
from evals.realistic.facts import Fact, read_fact, reword
from evals.realistic.moves import cheaper_than, referred_place
from evals.realistic.numbers import cardinal
from evals.realistic.typos import with_typos
from evals.realistic.untrue import literal_values, untrue_values
from tests.unit.evals.realistic_shelf import shelf

WORDS = bank("train").words


@pytest.mark.parametrize(
    ("card", "keyed", "expected"),
    [
        ("color: navy", False, ("color", "navy")),
        ("Metal: Sterling Silver", False, ("material", "Sterling Silver")),
        ("Hem: ribbed", True, ("detail", "ribbed")),
        ("budget around $40", False, ("budget", "$40")),
        ("Department: Womens", True, ("department", "Womens")),
        ("100% Cotton", False, ("material", "100% Cotton")),
        ("Long Sleeve", False, ("style", "Long Sleeve")),
        ("WARM: Thick fleece inside, for cold walks", False, ("feature", "WARM: Thick fleece inside, for cold walks")),
        ("Cosy in winter and easy to pack", False, ("feature", "Cosy in winter and easy to pack")),
    ],
)  # fmt: skip
def test_the_kind_and_the_value_of_a_card_value(card: str, keyed: bool, expected: tuple[str, str]) -> None:
    fact = read_fact(card, keyed)
    assert (fact.kind, fact.value) == expected


@pytest.mark.parametrize(
    ("card", "others"),
    [
        ("color: black", WORDS.color["black"]),
        ("Color: Navy Blue", WORDS.color["navy"]),
        ("80% Cotton", WORDS.material["cotton"]),
        ("Machine Washable", WORDS.feature["machine wash"]),
        ("FRESH: A breathable weave that lets you walk all day", WORDS.feature["breathable"]),
        ("Slip-On design", WORDS.style["slip on"]),
        ("Department: Womens", WORDS.department["women"]),
    ],
)
def test_a_fact_is_said_by_another_name(card: str, others: tuple[str, ...]) -> None:
    assert reword(read_fact(card, False), WORDS, "s").value in others


@pytest.mark.parametrize(
    "card",
    [
        "color: light blue", "Faux Leather", "Made in USA or Imported", "Not waterproof", "Wool free", "Without stretch"
    ],
)  # fmt: skip
def test_what_is_only_nearly_the_thing_keeps_its_own_name(card: str) -> None:
    assert reword(read_fact(card, False), WORDS, "s").value == read_fact(card, False).value.lower()


def test_sums_are_spelled_out_and_rounded() -> None:
    said = {
        reword(Fact("b", "budget", "", f"${price}"), WORDS, "s").value.rpartition(" ")[0] for price in ("39.99", "40")
    }
    assert said == {"forty"}
    assert reword(Fact("b", "budget", "", "$124.1"), WORDS, "s").value.startswith("one hundred and twenty-five ")
    assert [cardinal(number) for number in (0, 19, 45, 300, 1250)] == [
        "zero", "nineteen", "forty-five", "three hundred", "one thousand two hundred and fifty"
    ]  # fmt: skip


def test_a_long_text_is_cut_to_its_first_telling_clause() -> None:
    card = "COZY: Brushed lace on both cuffs, sewn twice by people who have done so for years"
    assert reword(read_fact(card, False), WORDS, "s").value == "brushed lace on both cuffs"
    longer = "Sewn from brushed lace by two people for the ones who ask nicely and wait"
    assert reword(read_fact(longer, False), WORDS, "s").value == "sewn from brushed lace by two people"


def test_typos_leave_numbers_codes_and_braces_alone() -> None:
    text = "something warm in {value} like the AB12x or WXYZ for 45.50 dollars"
    slipped = {with_typos(text, 1.0, seed) for seed in range(20)}
    assert len(slipped) > 10
    for typed in slipped:
        assert all(code in typed for code in ("{value}", "AB12x", "WXYZ", "45.50"))
        assert "something" not in typed and "dollars" not in typed
    assert with_typos(text, 0.0, 1) == text


def test_untrue_values_are_true_of_others_and_false_of_the_target() -> None:
    product, others = shelf()[0], shelf()[1:80]
    untrue = untrue_values(product, ("cotton", "color: black", "budget around $18"), others, "s")
    assert set(untrue) == {"color", "material", "budget", "brand", "feature"}
    assert "black" not in untrue["color"] and "cotton" not in untrue["material"]
    assert untrue["brand"] == ("Tarn House",)
    assert set(untrue["feature"]) == {"hand wash only", "dry clean only"}
    assert all(float(price[1:]) >= 18 * 1.4 for price in untrue["budget"])


def test_a_family_of_colours_is_not_denied_of_its_member() -> None:
    navy = Product(parent_asin="N1", title="Navy jumper", features=("merino",), details={"Color": "Navy"})
    blue = Product(parent_asin="B1", title="Blue jumper", features=("wool",))
    untrue = untrue_values(navy, ("Color: Navy", "wool"), [blue], "s")
    assert "color" not in untrue and "material" not in untrue


def test_a_material_that_the_text_turns_round_is_said_as_it_stands() -> None:
    bag = Product(parent_asin="B1", title="Tote in vegan leather with cotton lining")
    assert literal_values(bag, ("leather", "cotton")) == ("leather",)


def test_a_reference_needs_the_same_thing_in_another_colour() -> None:
    same = [product for product in shelf() if re.search("Cardigans", product.text) and "silk" in product.text]
    target, other = same[0], same[1]
    color = read_fact("color: " + re.search(r"in (\w+) silk", target.title).group(1), False)  # type: ignore[union-attr] - each title has one
    jumper = next(product for product in shelf() if "Jumpers" in product.text)
    assert referred_place(color, target, [jumper, other], [read_fact("silk", False)]) == 1
    assert referred_place(color, target, [jumper, other], [read_fact("wool", False)]) is None
    assert referred_place(color, target, [target], []) is None
    assert referred_place(read_fact("Hem: ribbed", True), target, [other], []) is None


def test_cheaper_is_wished_only_where_every_price_shown_is_higher() -> None:
    cheap, dear = shelf()[0], shelf()[90]
    assert cheaper_than(cheap, [dear])
    assert not cheaper_than(dear, [cheap])
    assert not cheaper_than(cheap, [dear, cheap])
    assert not cheaper_than(cheap, [dear, dear.model_copy(update={"price": None})])
    assert not cheaper_than(cheap, [])
