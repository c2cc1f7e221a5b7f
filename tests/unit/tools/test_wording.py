"""The agent's sentences."""

from __future__ import annotations

import pytest

from catalog.product import Product
from tools.answer import ASKABLE
from tools.constants import dialogue_constants
from tools.wording import TITLE_LENGTH, question_words, reply_words, short_title

DIALOGUE = dialogue_constants()


def products(*titles: str) -> list[Product]:
    return [Product(parent_asin=title, title=title) for title in titles]


@pytest.mark.parametrize("attribute", sorted(ASKABLE))
def test_every_askable_attribute_has_a_question(attribute: str) -> None:
    assert question_words(attribute, [], DIALOGUE).endswith("?")
    assert question_words(attribute, ["a", "b"], DIALOGUE).endswith("?")


def test_a_question_names_real_options_where_there_are_two_or_more() -> None:
    assert "red, navy or black" in question_words("color", ["red", "navy", "black"], DIALOGUE)
    assert "red or navy" in question_words("color", ["red", "navy"], DIALOGUE)
    assert "red" not in question_words("color", ["red"], DIALOGUE)


def test_a_question_asked_again_is_worded_anew() -> None:
    worded = [question_words("other", [], DIALOGUE, times) for times in range(4)]
    assert len(set(worded[:3])) == 3
    assert question_words("other", [], DIALOGUE, 99) == DIALOGUE.questions["other"].again[-1]


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
