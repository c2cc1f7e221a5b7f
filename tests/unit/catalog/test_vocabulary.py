"""The vocabulary tables are well formed, and surfaces are found in words."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from catalog import vocabulary
from catalog.product import ATTRIBUTES, FINER_NAMES
from catalog.vocabulary import (
    TABLES,
    Vocabulary,
    broader_values,
    full_vocabulary,
    joined_spellings,
    load_table,
    plural,
    singular,
    spelled_surfaces,
    word_lists,
    words,
)

UNIQUE = [*TABLES, "roots", "detail_fields", "parts"]


@pytest.mark.parametrize("name", UNIQUE)
def test_no_surface_stands_twice_in_a_table(name: str) -> None:
    surfaces = Counter(tuple(words(surface)) for row in load_table(name) for surface in (row.value, *row.surfaces))
    assert [surface for surface, times in surfaces.items() if times > 1] == []


@pytest.mark.parametrize("name", [*UNIQUE, "brands", "context"])
def test_entries_are_normalised(name: str) -> None:
    for row in load_table(name):
        for surface in (row.value, *row.surfaces):
            assert surface == surface.lower().strip()
            assert words(surface), f"{name}: {surface!r} has no word"


@pytest.mark.parametrize("name", TABLES)
def test_broader_values_are_rows_of_the_same_table(name: str) -> None:
    values = [row.value for row in load_table(name)]
    assert len(values) == len(set(values))
    assert {parent for row in load_table(name) for parent in row.broader} <= set(values)


@pytest.mark.parametrize("name", TABLES)
def test_no_value_is_broader_than_itself(name: str) -> None:
    for value, parents in broader_values(name).items():
        for parent in parents:
            assert value not in broader_values(name)[parent], f"{value} and {parent} are each other's kind"


def test_each_table_feeds_a_known_facet_key() -> None:
    assert {key for key in TABLES.values() if key != "idiom"} <= {*ATTRIBUTES, *FINER_NAMES}


def test_detail_fields_feed_known_facet_keys() -> None:
    assert {row.value for row in load_table("detail_fields")} <= {*ATTRIBUTES, *FINER_NAMES}


def test_each_table_names_its_source() -> None:
    for name in [*UNIQUE, "brands", "context"]:
        text = (vocabulary.files("catalog") / "data" / f"{name}.csv").read_text(encoding="utf-8")
        assert "Source" in "".join(line for line in text.splitlines() if line.startswith("#")), name


def test_a_malformed_row_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "shades.csv").write_text(
        "# Source: test\nvalue,broader,surfaces,note\nteal,blue\n", encoding="utf-8"
    )
    monkeypatch.setattr(vocabulary, "files", lambda _package: tmp_path)
    with pytest.raises(ValueError, match=r"shades\.csv: bad row \['teal', 'blue'\]"):
        load_table("shades")


@pytest.mark.parametrize(
    ("value", "base"),
    [("navy", "blue"), ("off white", "white"), ("rose gold", "pink"), ("burgundy", "red"), ("teal", "green")],
)
def test_a_shade_has_its_base_colour_one_way(value: str, base: str) -> None:
    assert base in broader_values("colors")[value]
    assert value not in broader_values("colors")[base]


@pytest.mark.parametrize(
    ("value", "family"),
    [("merino wool", "wool"), ("lyocell", "rayon"), ("genuine leather", "leather"), ("sterling silver", "metal")],
)
def test_a_trade_name_has_its_family(value: str, family: str) -> None:
    assert family in broader_values("materials")[value]


def test_imitations_have_no_family() -> None:
    for row in load_table("materials"):
        if row.value.startswith("faux") or row.value.endswith("plated"):
            assert {"leather", "fur", "gold", "silver", "suede"}.isdisjoint(row.broader), row


@pytest.mark.parametrize(
    ("word", "many"), [("dress", "dresses"), ("watch", "watches"), ("jersey", "jerseys"), ("berry", "berries")]
)
def test_plural_and_singular_are_inverse(word: str, many: str) -> None:
    assert plural(word) == many
    assert singular(many) == word


def test_joined_spellings_leave_numbers_apart() -> None:
    assert joined_spellings(("long", "sleeve")) == [("longsleeve",)]
    assert ("kneehigh", "boots") in joined_spellings(("knee", "high", "boots"))
    assert joined_spellings(("2", "piece")) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("tank tops", "tank top"),
        ("tanktop", "tank top"),
        ("T-Shirts", "t-shirt"),
        ("Dresses", "dress"),
        ("sneaker", "sneakers"),
        ("running shoe", "running shoes"),
    ],
)
def test_types_are_met_in_every_number_and_spelling(text: str, value: str) -> None:
    assert [term.value for term in full_vocabulary().terms(words(text)) if term.key == "category"] == [value]


def test_single_words_of_a_weak_value_are_weak_and_longer_surfaces_are_not() -> None:
    surfaces = spelled_surfaces("colors")
    assert surfaces[("wine",)].weak
    assert not surfaces[("wine", "red")].weak
    assert not surfaces[("brickred",)].weak
    assert surfaces[("brick",)].weak


def test_a_surface_marked_with_a_tilde_is_weak_alone() -> None:
    assert spelled_surfaces("patterns")[("print",)].weak
    assert not spelled_surfaces("patterns")[("printed",)].weak


def test_the_longest_surface_wins_and_mentions_do_not_overlap() -> None:
    found = full_vocabulary().mentions(words("navy blue running shoes for men"))
    assert [(mention.start, mention.end) for mention in found] == [(0, 2), (2, 4), (5, 6)]
    assert [mention.terms[0].value for mention in found] == ["navy", "running shoes", "men"]


def test_a_surface_cut_off_at_the_end_is_not_met() -> None:
    term = full_vocabulary().terms(["navy"])[0]
    small = Vocabulary([(("navy", "blue"), term)])
    assert small.mentions(["navy"]) == []
    assert small.mentions(["dark", "navy", "blue"])[0][:2] == (1, 3)


def test_words_fold_case_accents_and_apostrophes() -> None:
    assert words("Women’s Décor V-Neck 10.5oz") == ["womens", "decor", "v", "neck", "10.5", "oz"]


def test_word_lists_join_words_by_one_space() -> None:
    assert "n a" in word_lists("context")["empty"]
    assert "generic" in word_lists("brands")["nameless"]
