"""The agent's sentences."""

from __future__ import annotations

from typing import Any

import pytest

from catalog.product import Product
from catalog.vocabulary import words
from graph.events import BeliefState, ConstraintAdded, Fact, fold
from tools.answer import ASKABLE
from tools.constants import dialogue_constants
from tools.phrases import attribute_names
from tools.wording import TITLE_LENGTH, question_words, reply_words, short_title, wanted_kind

DIALOGUE = dialogue_constants()


def products(*titles: str) -> list[Product]:
    return [Product(parent_asin=title, title=title) for title in titles]


READ_AS = {
    "category": "category kind kinds type types sort item product",
    "brand": "brand brands maker make label manufacturer store",
    "color": "color colors colour shade hue",
    "material": "material materials fabric cloth made composition textile",
    "size": "size sizes sizing big large small length width",
    "budget": "budget price prices cost spend pay money dollars cheap expensive",
    "feature": "feature features detail details function",
    "style": "style styles look cut design pattern fit neckline sleeve closure",
    "use_case": "use occasion event activity sport season purpose wear when where",
    "department": "women men kids gender who department age",
    "rating": "rating stars reviews",
}
"""Words that a reader of a question takes for an attribute: plain ones, beside those of `attribute_names`."""


def read_as(question: str) -> set[str]:
    """Return the attributes that the words of a question name."""
    named = {word: attribute for attribute, listed in READ_AS.items() for word in listed.split()}
    named |= {name: attribute for name, (attribute, _) in attribute_names().items()}
    found = {named[word] for word in words(question) if word in named}
    return found | {named[name] for name in named if " " in name and name in question.lower()}


WORDINGS = [
    pytest.param(attribute, options, times, kind, id=f"{attribute}-{len(options)}-{times}-{kind}")
    for attribute in sorted(ASKABLE)
    for options in ([], ["alpha", "beta", "gamma"])
    for times in range(max(len(DIALOGUE.questions[attribute].wordings), 2))
    for kind in ("it", "the dress")
]


@pytest.mark.parametrize(("attribute", "options", "times", "kind"), WORDINGS)
def test_a_reader_of_the_question_finds_the_attribute_asked_for_and_no_other(
    attribute: str, options: list[str], times: int, kind: str
) -> None:
    question = question_words(attribute, options, DIALOGUE, times, kind)
    assert read_as(question) == (set() if attribute == "other" else {attribute}), question
    assert question.endswith("?")
    assert question.count("?") == 1
    assert question[0].isupper()
    assert "{" not in question


@pytest.mark.parametrize("attribute", sorted(ASKABLE))
def test_a_question_is_not_repeated_in_the_same_words(attribute: str) -> None:
    question = DIALOGUE.questions[attribute]
    asked = [question_words(attribute, [], DIALOGUE, times) for times in range(len(question.wordings))]
    assert len(set(asked)) == len(asked) >= (12 if attribute == "other" else 2)
    assert question_words(attribute, [], DIALOGUE, len(asked)) == asked[0]
    assert attribute == "other" or len(question.with_options) == len(question.wordings)


def test_a_question_names_real_options_where_there_are_two_or_more() -> None:
    assert "red, navy or black" in question_words("color", ["red", "navy", "black"], DIALOGUE)
    assert "red or navy" in question_words("color", ["red", "navy"], DIALOGUE)
    assert "red" not in question_words("color", ["red"], DIALOGUE)
    assert question_words("other", ["red", "navy"], DIALOGUE) == "What matters most to you?"


def wanting(*kinds: Any, **extra: Any) -> BeliefState:
    facts = [Fact.model_validate({"attribute": "category", "value": kind, **extra}) for kind in kinds]
    return fold(ConstraintAdded(turn=1, fact=fact) for fact in facts)


@pytest.mark.parametrize(
    ("belief", "kind"),
    [
        (wanting("dress"), "the dress"),
        (wanting("ankle boots"), "the ankle boots"),
        (wanting("boots", "sandals"), "it"),
        (wanting(["boots", "sandals"], op="one_of"), "it"),
        (wanting("women shoes"), "it"),
        (wanting("color pencils"), "it"),
        (wanting("a very long name of something"), "it"),
        (wanting("dress", polarity="negative"), "it"),
        (wanting(), "it"),
    ],
)
def test_a_question_speaks_of_the_kind_that_is_wanted(belief: BeliefState, kind: str) -> None:
    assert wanted_kind(belief) == kind


def test_no_attribute_is_no_question() -> None:
    assert question_words(None, ["a", "b"], DIALOGUE) == ""


def test_a_reply_says_notices_products_doubts_and_the_question_in_this_order() -> None:
    reply = reply_words(products("Boot", "Shoe"), ["I cut it."], "Which size?", ["size 13", "at most $10"])
    assert reply == (
        "I cut it. Here are 2 products, the best match first: Boot. "
        "None of them is known to meet: size 13, at most $10. Which size?"
    )


def test_one_product_and_none_are_said_as_such() -> None:
    assert reply_words(products("Boot"), [], "", ["red"]) == "My best match: Boot. It is not known to meet: red."
    assert reply_words([], [], "") == "I have no product that fits; tell me what could give way."


def test_a_long_title_is_cut_at_a_word() -> None:
    title = "Corvane " + "very " * 30 + "long boots"
    (short,) = [short_title(product) for product in products(title)]
    assert len(short) <= TITLE_LENGTH + 1
    assert short.endswith("very…")
    assert [short_title(product) for product in products("Boots")] == ["Boots"]
