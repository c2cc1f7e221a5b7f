"""The phrase tables: they load, compile, and speak the vocabulary of the system."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from catalog.product import ATTRIBUTES, FINER_NAMES
from tools.numbers import LARGEST, parse_number
from tools.phrases import attribute_named, attribute_names, compile_phrases, conversation_words, load_table

_OURS = ["attributes", "conversation", "frames", "moves", "numbers", "polarity", "prices", "sizes", "strength", "units"]


@pytest.mark.parametrize("name", _OURS)
def test_every_phrase_compiles_alone(name):
    def check(value: object) -> None:
        if isinstance(value, dict):
            for item in value.values():
                check(item)
        elif isinstance(value, list):
            for item in value:
                check(item)
        elif isinstance(value, str):
            re.compile(compile_phrases([value.replace("{attribute}", "x").replace("{ordinal}", "x")]).pattern)

    if name not in ("attributes", "conversation", "sizes"):
        check(load_table(name))
    assert load_table(name)


def test_no_table_holds_a_phrase_twice_in_one_list():
    def lists(value: object) -> list[list[str]]:
        if isinstance(value, dict):
            return [found for item in value.values() for found in lists(item)]
        return [value] if isinstance(value, list) and value and isinstance(value[0], str) else []

    doubled = {
        name: [x for found in lists(load_table(name)) for x in set(found) if found.count(x) > 1] for name in _OURS
    }
    assert {name: found for name, found in doubled.items() if found} == {}


def test_names_of_attributes_are_of_the_vocabulary():
    for name, (attribute, detail) in attribute_names().items():
        assert attribute in ATTRIBUTES, name
        assert detail is None or FINER_NAMES[detail] == attribute, name
    assert attribute_named("Neck_Line") is None
    assert attribute_named("neckline") == ("style", "neck")
    assert attribute_named("use_case") == ("use_case", None)


def test_an_apostrophe_may_be_missing_and_a_space_may_be_any():
    pattern = compile_phrases(["don't want"])
    assert pattern.search("i dont  want it")
    assert pattern.search("i don't\twant it")
    assert not pattern.search("i don't wanted")


def test_the_longest_phrase_wins():
    match = compile_phrases(["don't want", "don't want any"]).search("don't want any")
    assert match is not None
    assert match.group() == "don't want any"


def test_conversation_words_are_single_and_lower_case():
    assert all(re.fullmatch(r"[a-z0-9]+", word) for word in conversation_words())


def test_an_unknown_table_is_an_error():
    with pytest.raises(FileNotFoundError):
        load_table("nothing")
    assert resources.files("tools").joinpath("data", "moves.toml").is_file()


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("50", 50),
        ("1,000", 1000),
        ("1,299.99", 1299.99),
        ("25,50", 25.5),
        ("25.5", 25.5),
        ("2k", 2000),
        ("forty", 40),
        ("forty-five", 45),
        ("twenty five", 25),
        ("a hundred", 100),
        ("two hundred and fifty", 250),
        ("two thousand", 2000),
        (str(LARGEST * 10), None),
        ("9" * 30, None),
    ],
)
def test_numbers(text, number):
    assert parse_number(text) == number
