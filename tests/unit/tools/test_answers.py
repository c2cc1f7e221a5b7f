"""Short answers, read against the question."""

from __future__ import annotations

import pytest

from tests.unit.tools.lexicons import brief, read


@pytest.mark.parametrize(
    ("text", "asked", "facts"),
    [
        ("navy", "color", ["color=navy"]),
        ("pink", "brand", ["brand=pink"]),
        ("orange", "color", ["color=orange"]),
        ("slip", "category", ["category=slips"]),
        ("leather please", "material", ["material=leather"]),
        ("mountain gear", "brand", ["brand*mountain gear"]),
        ("cozy", "feature", ["feature*cozy"]),
        ("for hiking", "use_case", ["use_case=hiking"]),
        ("women", "other", ["department=women"]),
    ],
)
def test_answers(text, asked, facts):
    reading = read(text, asked=asked)
    assert brief(reading) == facts


def test_an_answer_is_hard():
    assert read("navy", asked="color").facts[0].strength == "hard"


def test_words_that_only_the_question_makes_a_value_rule_nothing_out():
    assert read("mountain gear", asked="brand").facts[0].strength == "soft"


def test_a_sentence_about_the_listener_is_no_value():
    assert not read("You've got the cozy lot.", asked="feature").facts
    assert read("boots", asked="category").facts[0].strength == "hard"


def test_an_option_that_was_named_is_an_answer():
    assert brief(read("the busy one", asked="style", options=("busy", "plain"))) == ["style=busy"]
    assert brief(read("yes", asked="style", options=("busy",))) == ["style=busy"]


BANDS = ("under $25", "$25 to $60", "over $1,250")


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("the first", "budget<=25"),
        ("the second one", "budget..25,60"),
        ("the last", "budget>=1250"),
        ("under 25", "budget<=25"),
        ("under $30", "budget<=30"),
    ],
)
def test_a_band_of_prices_is_answered_by_its_place_or_its_words(text, fact):
    assert brief(read(text, asked="budget", options=BANDS)) == [fact]


def test_a_value_of_a_finer_name_answers_a_question_on_its_family():
    (fact,) = read("the first", asked="style", options=("crew neck", "v neck")).facts
    assert (fact.attribute, fact.detail, fact.value) == ("style", "neck", "crew neck")


def test_a_brand_is_held_as_the_catalog_holds_it():
    assert brief(read("the second", asked="brand", options=("Lissac", "Harrow & Quill"))) == ["brand=harrow quill"]


@pytest.mark.parametrize("text", ["haha thanks", "hmm", "blorpf", "what do you mean?", "let me think"])
def test_small_talk_and_unknown_words_are_no_answer(text):
    assert brief(read(text, asked="color")) == []
