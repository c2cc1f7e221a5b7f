"""Negation: scoped to its words, and never found in product words."""

from __future__ import annotations

import pytest

from tests.unit.tools.lexicons import brief, read
from tools.polarity import ends_in_negation


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("not suede, canvas would be better", ["-material=suede", "material=canvas"]),
        ("boots from Clarks that aren't suede", ["category=boots", "brand=clarks", "-material=suede"]),
        ("boots from Clarks that arent suede", ["category=boots", "brand=clarks", "-material=suede"]),
        ("no fur, hood a must", ["-material=fur", "style=hooded"]),
        ("black, not navy", ["color=black", "-color=navy"]),
        ("black not navy", ["color=black", "-color=navy"]),
        ("anything but Nike", ["-brand=nike"]),
        ("everything but suede", ["-material=suede"]),
        ("runners -nike", ["-brand=nike"]),
        ("BLACK BOOTS UNDER $50 NOT NIKE", ["color=black", "category=boots", "budget<=50", "-brand=nike"]),
        ("a shirt without stripes", ["category=shirts", "-pattern=striped"]),
        ("a shirt, just no stripes or busy pattern please", ["category=shirts", "-pattern=striped", "-feature*busy"]),
        ("dress without sleeves", ["category=dresses", "sleeve=sleeveless"]),
        ("dress with no sleeves", ["category=dresses", "sleeve=sleeveless"]),
        ("case without ring", ["category=cases", "-feature*ring"]),
        ("case with ring", ["category=cases"]),
        ("belt without a zipper", ["category=belts", "-feature*zipper"]),
        ("jeans with a button and not a zipper", ["category=jeans", "closure=button", "-closure=zipper"]),
        ("no leather, suede or fur", ["-material=leather", "-material=suede", "-material=fur"]),
        ("no leather or suede", ["-material=leather", "-material=suede"]),
        ("neither black nor navy", ["-color=black", "-color=navy"]),
        ("I hate pink", ["-color=pink"]),
        ("I don't like wool", ["-material=wool"]),
        ("I dont want polyester", ["-material=polyester"]),
        ("I'm allergic to wool", ["-material=wool"]),
        ("nothing in black", ["-color=black"]),
        ("other than black", ["-color=black"]),
        ("except Nike", ["-brand=nike"]),
        ("avoid polyester please", ["-material=polyester"]),
        ("I don't want black boots", ["-color=black", "category=boots"]),
        ("no skinny jeans", ["-feature*skinny", "category=jeans"]),
        ("no boots", ["-category=boots"]),
        ("not from Nike", ["-brand=nike"]),
        ("it can't be leather", ["-material=leather"]),
        ("no pink and no orange", ["-color=pink", "-color=orange"]),
        ("no leather with a zipper", ["-material=leather", "closure=zipper"]),
        ("a shirt with no pattern", ["category=shirts", "pattern=solid"]),
        ("I don't want to spend more than 30 usd", ["budget<=30"]),
    ],
)
def test_what_is_excluded(text, facts):
    assert sorted(brief(read(text))) == sorted(facts)


@pytest.mark.parametrize(
    "text",
    [
        "no-show socks",
        "non-slip shoes",
        "non slip shoes",
        "no slip sneakers",
        "no-iron shirt",
        "no iron shirt",
        "sugar-free gum",
        "not your mother's shampoo",
        "wireless mouse",
        "bite not collar",
        "ban cars not bikes",
        "no problem, black boots",
        "no worries, navy then",
        "not sure, maybe navy",
        "not only black",
        "I don't mind leather",
        "I don't hate black",
        "why not leather",
        "no thanks, black boots",
        "no more than $50",
        "never mind, red",
        "no doubt leather",
        "whether or not leather",
        "an 8 no. sandal",
        "no closure cardigan",
        "shirt that won't shrink, cotton",
        "do not bleach, cotton shirt",
        "can't wait, red boots",
        "no, the black boots",
        "not necessarily leather",
    ],
)
def test_product_words_and_idioms_exclude_nothing(text):
    assert [line for line in brief(read(text)) if line.startswith("-")] == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I don't want a dress without pockets", "feature=pockets"),
        ("nothing that isn't waterproof", "feature=waterproof"),
        ("not without a zipper", "closure=zipper"),
    ],
)
def test_two_negatives_are_a_demand(text, wanted):
    reading = read(text)
    assert wanted in brief(reading)
    assert not [fact for fact in reading.facts if fact.polarity == "negative"]
    assert next(f for f in reading.facts if f.value == wanted.split("=")[1]).strength == "hard"


def test_excluded_words_stay_out_of_the_query():
    assert read("boots from Clarks that aren't suede").query_text == "boots Clarks"
    assert read("case without ring").query_text == "case"


def test_a_negation_is_hard():
    assert all(fact.strength == "hard" for fact in read("maybe boots, not suede").facts if fact.polarity == "negative")


@pytest.mark.parametrize(
    ("before", "negated"),
    [
        ("I want no ", True),
        ("please not the ones with ", True),
        ("without any ", True),
        ("no leather but ", False),
        ("", False),
        ("I want ", False),
        ("nothing but ", False),
    ],
)
def test_a_text_that_ends_in_a_negation_excludes_what_follows(before: str, negated: bool) -> None:
    assert ends_in_negation(before) is negated
