from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import pytest
from pydantic import ValidationError

from evals.realistic.bank import KINDS, PERSONAS, Bank, Half, bank, bank_sha256
from evals.realistic.speech import mentions, speech


def raw(half: str = "train") -> dict[str, Any]:
    return tomllib.loads(files("evals").joinpath(f"data/realistic/{half}.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("half", ["train", "test"])
def test_both_halves_load_with_forms_for_every_kind_move_and_persona(half: Half) -> None:
    read = bank(half)
    assert all(len(getattr(read.fact, kind)) >= 8 for kind in KINDS)
    assert all(len(forms) >= 8 for _, forms in read.move)
    assert all(getattr(read.persona, name).swaps for name in PERSONAS)
    assert read.joined.two and read.joined.three


def test_the_halves_share_few_sentences() -> None:
    def forms(half: Half) -> set[str]:
        read = bank(half)
        tables = (read.opening, read.fact, read.negation, read.move)
        return {form.lower() for table in tables for _, group in table for form in group if " " in form}

    # Counted first, so that a failure prints no sentence of the test half.
    share = len(forms("train") & forms("test")) / len(forms("train"))
    assert share < 0.08
    assert bank_sha256("train") != bank_sha256("test")


@pytest.mark.parametrize(
    ("table", "name", "form", "message"),
    [
        ("fact", "color", "in some shade", "expected"),
        ("fact", "color", "{value} in {size}", "expected"),
        ("fact", "detail", "with {value}", "expected"),
        ("opening", "buying", "looking for {category}", "expected"),
        ("opening", "browsing", "some {category} {fact}", "expected"),
        ("move", "correction", "it is {value}", "expected"),
        ("move", "exhausted", "no more {attribute}", "expected"),
        ("move", "cheaper", "   ", "blank"),
        ("joined", "two", "{a}, {b}, {c}", "expected"),
        ("fact", "size", "a {value", "come in pairs"),
        ("fact", "size", "a {value!r}", "nothing else"),
    ],
)
def test_a_form_with_other_braces_is_refused(table: str, name: str, form: str, message: str) -> None:
    broken = raw()
    broken[table][name].append(form)
    with pytest.raises(ValidationError, match=message):
        Bank.model_validate(broken)


def test_a_table_of_another_name_is_refused() -> None:
    broken = raw()
    broken["fact"]["weight"] = ["{value} grams"]
    with pytest.raises(ValidationError, match="Extra inputs"):
        Bank.model_validate(broken)


def test_the_shared_table_has_braces_and_rates_for_every_kind_and_persona() -> None:
    assert all("{value}" in form for kind in KINDS for form in getattr(speech().inside, kind))
    assert all("{key}" in form for form in speech().inside.detail)
    assert set(speech().rates.framing) == set(PERSONAS)
    assert speech().kind_of_key(" Colour ") == "color"
    assert speech().kind_of_key("Hem") == "detail"


def test_names_are_found_as_whole_words_and_plurals() -> None:
    assert mentions("Slip-On clogs, navys too", ["slip on"])
    assert mentions("two wools", ["wool"])
    assert not mentions("a woollen coat", ["wool"])
