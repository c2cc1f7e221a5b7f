"""The agent's sentences."""

from __future__ import annotations

from collections.abc import Sequence

from catalog.product import Product
from catalog.vocabulary import words
from graph.events import BeliefState
from tools.constants import DialogueConstants
from tools.options import people
from tools.phrases import attribute_names

TITLE_LENGTH = 50

KIND_WORDS = 3
"""Words of a kind of product that a question names."""

TOLD_VALUES = 4
"""Values of an attribute that an answer about a product names."""

NOTHING_FITS = "I have no product that fits; tell me what could give way."

DOUBTS_NAMED = 2
"""Unmet wishes that a reply names, the latest: a long conversation would recite them all, and store it every turn."""


def question_words(
    attribute: str | None,
    options: Sequence[str],
    constants: DialogueConstants,
    times_asked: int = 0,
    kind: str = "it",
) -> str:
    """Return the question for an attribute, naming real options where there are two or more; "" for None.

    A question that is asked again is worded anew, `times_asked` being how often it was asked before; `kind` names what
    is wanted ("the dress", see `wanted_kind`).

    Example: `Which color should the dress be, for example red, navy or black?`
    """
    if attribute is None:
        return ""
    question = constants.questions[attribute]
    named = len(options) > 1 and bool(question.with_options)
    wordings = question.with_options if named else question.wordings
    return wordings[times_asked % len(wordings)].format(it=kind, options=either(options))


def either(options: Sequence[str]) -> str:
    """Return options as a choice: `red, navy or black`."""
    return " or ".join(part for part in (", ".join(options[:-1]), *options[-1:]) if part)


def wanted_kind(belief: BeliefState) -> str:
    """Return the kind of product that the shopper wants as a question names it, "the dress"; "it" when in doubt.

    In doubt is a choice of kinds, a long one, one that names people ("women shoes") or another attribute: the question
    would seem to ask for that.
    """
    values = [value for fact in belief.of("category") if fact.polarity == "positive" for value in fact.values]
    cut = words(values[0]) if len(values) == 1 else []
    plain = 0 < len(cut) <= KIND_WORDS and not any(word in attribute_names() or word in people() for word in cut)
    return f"the {values[0]}" if plain else "it"


def reply_words(
    products: Sequence[Product],
    notices: Sequence[str],
    question: str,
    unconfirmed: Sequence[str] = (),
    gap: str = NOTHING_FITS,
) -> str:
    """Return the whole reply: what must be said, what is shown, what none of it is known to meet, and the question.

    `gap` says why where nothing is shown.
    """
    doubt = _doubt(unconfirmed, len(products))
    return " ".join(part for part in (*notices, _shown(products) if products else gap, doubt, question) if part)


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
