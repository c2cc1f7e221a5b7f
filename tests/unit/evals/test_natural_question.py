from __future__ import annotations

from typing import Any

import pytest

from evals.answer import Answer
from evals.natural.question import read_question


def asked(message: str, attribute: str | None) -> Any:
    return read_question(Answer.model_validate({"message": message, "ask_attribute": attribute, "recommendations": []}))


@pytest.mark.parametrize(
    ("message", "attribute"),
    [
        ("Here are ten. Which shade do you like?", "color"),
        ("What colour should it be?", "color"),
        ("What fabric do you like best?", "material"),
        ("Would you rather have leather, suede or canvas?", "material"),
        ("How much would you like to spend?", "budget"),
        ("What is your budget: under $30, $30 to $60 or more?", "budget"),
        ("Which size should it be, for example 9 or 9.5?", "size"),
        ("Tell me which brand you trust.", "brand"),
        ("When will you wear it?", "use_case"),
        ("Which neckline suits you?", "style"),
        ("Is there a feature that it must have?", "feature"),
        ("What size do you take?", "size"),
        ("What kind of item are you after?", "category"),
    ],
)
def test_a_question_whose_sentence_and_field_agree_is_about_the_field(message: str, attribute: str) -> None:
    question = asked(message, attribute)
    assert (question.reading, question.attribute) == ("asked", attribute)


@pytest.mark.parametrize(
    ("message", "attribute"),
    [
        ("Which color do you like?", "budget"),
        ("Here are ten products.", "color"),
        ("Which color do you like?", None),
        ("Do you like it?", "material"),
        ("What color should it be?", "other"),
    ],
)
def test_a_question_whose_sentence_and_field_disagree_is_unclear(message: str, attribute: str | None) -> None:
    assert asked(message, attribute).reading == "unclear"


def test_a_sentence_may_ask_for_what_the_field_cannot_name() -> None:
    assert asked("Who is it for?", "other").kinds == ("department",)
    assert asked("How many stars should it have at least?", "other").kinds == ("rating",)


def test_a_question_about_everything_is_broad() -> None:
    assert asked("Anything else that matters to you?", "other").reading == "broad"


def test_a_question_about_no_product_is_irrelevant() -> None:
    assert asked("What is your email?", "other").reading == "irrelevant"


def test_no_question_is_none() -> None:
    assert asked("Here are ten products.", None).reading == "none"
    assert read_question(None).reading == "none"
