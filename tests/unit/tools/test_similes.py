"""Similes: a thing names a colour or a material only inside a comparison, and never what its words mean alone."""

from __future__ import annotations

import pytest

from catalog.text import tokens
from tests.unit.tools.test_paraphrase import FULL
from tools import similes
from tools.mentions import Claims, Mention
from tools.similes import read_similes, table_rows
from tools.words import read_text


def named(text: str, asked: str | None = None, values: list[Mention] | None = None) -> list[str]:
    """Return the facts of the comparisons in a text as `key=value|value`."""
    cut = read_text(text)
    found = read_similes(cut, Claims(len(cut.low)), FULL, [] if values is None else values, asked)
    return [f"{m.key}={'|'.join(m.values)}" for m in found]


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        ("the colour of a stop sign", ["color=red"]),
        ("dark as soot", ["color=black"]),
        ("as dark as they come, like liquorice", ["color=black"]),
        ("like a goldfish", ["color=orange"]),
        ("like a carrot or a clementine", ["color=orange"]),
        ("the same shade as wet stone", ["color=gray"]),
        ("frog coloured", ["color=green"]),
        ("a lake kind of tone", ["color=blue"]),
        ("the stuff bath towels are made of", ["material=cotton"]),
        ("that cloth tents are made from", ["material=nylon"]),
        ("the same as undershirts", ["material=cotton"]),
    ],
)
def test_a_comparison_names_a_value(said, facts):
    assert named(said) == facts


@pytest.mark.parametrize(
    "said",
    [
        "boots for the snow",
        "i'd like milk with that",
        "a mug for coffee",
        "what jeans are in stock",
        "a tent for the beach",
        "it doesn't look like snow",
        "a shirt with a frog on it",
        "the fire engine is late",
        "shoes like my friend has for the desert",
        "an orange and a lemon",
    ],
)
def test_a_thing_is_just_a_thing_elsewhere(said):
    assert named(said) == []


def test_an_answer_about_colour_needs_no_cue_but_like():
    assert named("something like coffee") == []
    assert named("something like coffee", asked="color") == ["color=brown"]


def test_words_of_a_comparison_mean_nothing_alone():
    text = "the color of a school bus"
    values = [Mention("use_case", "school", 15, 21)]
    assert named(text, values=values) == ["color=yellow"]
    assert values == []


def test_a_colour_said_outright_stands():
    values = [Mention("color", "red", 0, 3)]
    assert named("red like a fire engine", values=values) == []
    assert (values[0].start, values[0].end) == (0, 22)
    values = [Mention("color", "olive", 0, 5)]
    assert named("olive colored pants", values=values) == []


def test_every_target_is_a_value_of_the_vocabulary():
    for things, key, targets in table_rows():
        values = [value for target in targets for value in target.split("+")]
        read = [any(e.key == key for e in FULL.readings(tokens(value))) for value in values]
        assert sum(read) >= len(values) - 1 and any(read), (things, key, values)


@pytest.mark.parametrize("row", ["snow,colour,white,own", "snow,color,,own", "snow,color"])
def test_a_bad_row_is_named(monkeypatch, tmp_path, row):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "similes.csv").write_text(f"{','.join(similes.COLUMNS)}\n{row}\n")
    monkeypatch.setattr(similes.resources, "files", lambda _: tmp_path)
    with pytest.raises(ValueError, match=r"similes\.csv: bad row"):
        list(table_rows())
