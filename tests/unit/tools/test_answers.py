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
    assert read("boots", asked="category").facts[0].strength == "hard"


def test_an_option_that_was_named_is_an_answer():
    assert brief(read("the busy one", asked="style", options=("busy", "plain"))) == ["style=busy"]
    assert brief(read("yes", asked="style", options=("busy",))) == ["style=busy"]


@pytest.mark.parametrize("text", ["haha thanks", "hmm", "blorpf", "what do you mean?", "let me think"])
def test_small_talk_and_unknown_words_are_no_answer(text):
    assert brief(read(text, asked="color")) == []
