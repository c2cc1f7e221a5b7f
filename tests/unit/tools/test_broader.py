"""Shades and fibres that a catalog does not know become the colours and families that it does."""

from __future__ import annotations

import pytest

from catalog.vocabulary import load_table
from tests.unit.tools.test_paraphrase import FullLexicon
from tools.broader import kinds_of, read_broader, table_rows
from tools.mentions import Claims, Mention
from tools.words import read_text

_BASES = {"black", "white", "gray", "red", "pink", "orange", "yellow", "gold", "green", "blue", "purple", "brown"}
_BASES |= {"beige", "silver", "multicolor"}
PLAIN = FullLexicon(*(row.value for row in load_table("colors") if row.value not in _BASES))
"""A shop that knows base colours only."""


def broader(text: str, lexicon: FullLexicon = PLAIN, read: tuple[Mention, ...] = (), asked: str | None = None) -> list:
    """Return the values read, each a string or (any of several) a list."""
    cut = read_text(text)
    return [m.value for m in read_broader(cut, Claims(len(cut.low)), lexicon, list(read), asked)]


def thing(text: str, name: str) -> Mention:
    start = text.index(name)
    return Mention("category", name, start, start + len(name))


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("crimson", ["red"]),
        ("something in teal", [["blue", "green"]]),
        ("burnt orange, please", ["orange"]),
        ("a reddish one", ["red"]),
        ("a greige wall", [["beige", "gray"]]),
        ("british racing green", ["green"]),
        ("midnight colored", ["blue"]),
        ("the shade is moss", ["green"]),
        ("a sand tone", ["beige"]),
        ("dusty moss", ["green"]),
    ],
)
def test_a_shade_is_read_as_its_base_colours(said, values):
    assert broader(said) == values


@pytest.mark.parametrize(
    "said",
    [
        "a glass of wine",
        "walking on sand",
        "a walk in the forest at midnight",
        "the sky is the limit",
        "stone cold",
        "it will rot",
        "blueberry pie",
        "kelly said so",
        "less reddish",
    ],
)
def test_a_thing_is_no_shade(said):
    assert broader(said) == []


def test_a_weak_shade_counts_before_a_kind_of_thing_when_it_is_said_so_of_clothes():
    said = "an aubergine dress"
    assert broader(said, read=(thing(said, "dress"),)) == ["purple"]
    said = "pumpkin costume"
    assert broader(said, read=(thing(said, "costume"),)) == []


def test_a_weak_shade_counts_after_a_kind_of_thing_and_in():
    said = "sweater in moss"
    assert broader(said, read=(thing(said, "sweater"),)) == ["green"]
    said = "boots to walk in sand"
    assert broader(said, read=(thing(said, "boots"),)) == []


def test_a_weak_shade_counts_beside_a_colour_and_as_an_answer():
    black = Mention("color", "black", 0, 5)
    assert broader("black or sand", read=(black,)) == ["beige"]
    assert broader("sand", asked="color") == ["beige"]
    assert broader("sand") == []


def test_a_shade_that_the_catalog_knows_is_left_to_it():
    assert broader("crimson", FullLexicon()) == []


@pytest.mark.parametrize(
    ("said", "unknown", "values"),
    [
        ("a mohair scarf", ("mohair",), ["wool"]),
        ("viscose", ("viscose",), ["rayon"]),
        ("rayon", ("rayon",), ["viscose"]),
        ("vegan leather", ("faux leather",), ["polyurethane"]),
        ("nappa gloves", (), ["genuine leather"]),
        ("nappa gloves", ("genuine leather",), ["leather"]),
        ("a wallet made of hide", (), ["leather"]),
        ("hide the zip", (), []),
        ("chambray", ("chambray",), ["cotton"]),
        ("natural fibres", ("silk",), [["cotton", "linen", "wool"]]),
        ("lycra", ("spandex",), []),
    ],
)
def test_a_fibre_is_read_as_its_synonym_or_family(said, unknown, values):
    assert broader(said, FullLexicon(*unknown)) == values


def test_what_is_read_is_soft_and_claims_its_words():
    cut = read_text("a crimson hat")
    claims = Claims(len(cut.low))
    (mention,) = read_broader(cut, claims, PLAIN, [], None)
    assert (mention.source, mention.strength, mention.confidence) == ("paraphrase", "soft", 0.6)
    assert not claims.free(2, 9)
    assert read_broader(cut, claims, PLAIN, [], None) == []


@pytest.mark.parametrize(("name", "table"), [("color_words", "colors"), ("material_words", "materials")])
def test_every_row_names_values_of_the_vocabulary(name, table):
    values = {row.value for row in load_table(table)}
    rows = list(table_rows(name))
    assert {value for _, targets, _ in rows for target in targets for value in target.split("+")} <= values
    assert len({word for word, _, _ in rows}) == len(rows)
    assert all(kind.targets for kind in kinds_of("color").values() if kind.context == "before")


@pytest.mark.parametrize(
    "text", ["", "dark", "in", "light light", "sand " * 700, "in a " * 700, "dark blue green " * 200]
)
def test_any_text_is_read(text):
    assert isinstance(broader(text), list)
