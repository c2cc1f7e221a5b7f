"""Umbrella values: what stands for a whole family is served by any of its members."""

from __future__ import annotations

import pytest

from catalog.text import tokens
from tests.unit.tools.test_paraphrase import FULL
from tools import umbrellas
from tools.mentions import Mention
from tools.umbrellas import families, widen
from tools.words import read_text


def widened(text: str) -> Mention:
    start = text.index("synthetic")
    values = [Mention("material", "synthetic", start, start + len("synthetic"))]
    widen(read_text(text), FULL, values)
    return values[0]


def test_synthetic_is_any_fibre_made_by_people():
    mention = widened("something synthetic, please")
    assert mention.op == "one_of" and {"polyester", "nylon", "synthetic"} <= set(mention.values)
    assert (mention.source, mention.strength) == ("paraphrase", "soft")


@pytest.mark.parametrize("said", ["boots with a synthetic sole", "a synthetic leather bag", "a synthetic fur collar"])
def test_a_word_behind_it_makes_it_something_else(said):
    assert widened(said).value == "synthetic"


def test_every_member_is_a_value_of_the_vocabulary():
    for (key, _), family in families().items():
        assert all(any(e.key == key for e in FULL.readings(tokens(m))) for m in family.members.split("+"))


def test_a_bad_row_is_named(monkeypatch, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "umbrellas.csv").write_text(f"{','.join(umbrellas.COLUMNS)}\nmaterial,synthetic,,,own\n")
    monkeypatch.setattr(umbrellas.resources, "files", lambda _: tmp_path)
    families.cache_clear()
    with pytest.raises(ValueError, match=r"umbrellas\.csv: bad row"):
        families()
    families.cache_clear()
