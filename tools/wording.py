"""The agent's sentences."""

from __future__ import annotations

from collections.abc import Sequence

from catalog.product import Product
from tools.constants import DialogueConstants

TITLE_LENGTH = 50

TOLD_VALUES = 4
"""Values of an attribute that an answer about a product names."""

DOUBTS_NAMED = 2
"""Unmet wishes that a reply names, the latest: a long conversation would recite them all, and store it every turn."""


def question_words(
    attribute: str | None, options: Sequence[str], constants: DialogueConstants, times_asked: int = 0
) -> str:
    """Return the question for an attribute, naming real options where there are two or more; "" for None.

    A question that is asked again is worded anew, `times_asked` being how often it was asked in this intent.
    """
    if attribute is None:
        return ""
    question = constants.questions[attribute]
    if times_asked and question.again:
        return question.again[min(times_asked, len(question.again)) - 1]
    if len(options) < 2 or not question.wording_with_options:
        return question.wording
    named = ", ".join(options[:-1]) + f" or {options[-1]}"
    return question.wording_with_options.format(options="for example " + named)


def reply_words(
    products: Sequence[Product], notices: Sequence[str], question: str, unconfirmed: Sequence[str] = ()
) -> str:
    """Return the whole reply: what must be said, what is shown, what none of it is known to meet, and the question."""
    doubt = _doubt(unconfirmed, len(products))
    return " ".join(part for part in (*notices, _shown(products), doubt, question) if part)


def short_title(product: Product) -> str:
    """Return a title cut at a word, at most 50 characters."""
    title = product.title
    return title if len(title) <= TITLE_LENGTH else title[:TITLE_LENGTH].rsplit(" ", 1)[0].rstrip(" ,;:-|") + "…"


def told(product: Product, asked: str | None) -> str:
    """Return a product in words with its price, and the value of the attribute that was asked about.

    Example: `Lissac red kettle, $22.00; material: plastic`.
    """
    words = f"{product.title}, " + (f"${product.price:,.2f}" if product.price else "price unknown")
    if asked in (None, "budget", "category"):
        return words
    name = str(asked).replace("_", " ")
    if asked == "rating" and product.average_rating is not None:
        return f"{words}; {product.average_rating:g} stars from {product.rating_number or 0:,} ratings"
    values = list(product.facets.get(str(asked), ()))
    if asked == "brand" and product.store:
        values = [product.store]
    return f"{words}; {name}: {', '.join(values[:TOLD_VALUES])}" if values else f"{words}; its {name} is not stated"


def _shown(products: Sequence[Product]) -> str:
    if not products:
        return "I have no product that fits; tell me what could give way."
    if len(products) == 1:
        return f"My best match: {short_title(products[0])}."
    return f"Here are {len(products)} products, the best match first: {short_title(products[0])}."


def _doubt(unconfirmed: Sequence[str], count: int) -> str:
    if not unconfirmed:
        return ""
    subject = "It is not" if count == 1 else "None of them is"
    rest = len(unconfirmed) - DOUBTS_NAMED
    more = f" and {rest} more" if rest > 0 else ""
    return f"{subject} known to meet: {', '.join(unconfirmed[-DOUBTS_NAMED:])}{more}."
