"""What is said when wishes gave way, and what is offered when nothing may."""

from __future__ import annotations

from typing import Any

import pytest

from catalog.product import Product
from graph.events import BeliefState, ConstraintAdded, Fact, fold
from tools.answer import ASKABLE
from tools.concession import concession, offer, phrase, price_words, refusal, seen_words
from tools.explanation import describe
from tools.relaxation import Nearest


def fact(attribute: str, value: Any, **extra: Any) -> Fact:
    return Fact.model_validate({"attribute": attribute, "value": value, **extra})


DRESS, RED, CHEAP = fact("category", "dress"), fact("color", "red"), fact("budget", 10.0, op="le")


def believing(*facts: Fact) -> BeliefState:
    return fold(ConstraintAdded(turn=1, fact=f) for f in facts)


def product(price: float | None = None, **facets: str) -> Product:
    return Product(
        parent_asin="P", title="Thing", price=price, facets={key: tuple(v.split("|")) for key, v in facets.items()}
    )


def row(given_up: Fact, **extra: Any) -> dict[str, Any]:
    return {**given_up.model_dump(include={"attribute", "op", "value"}), "fact": describe(given_up), **extra}


NAVY, GREEN, BLACK = product(color="navy"), product(color="green"), product(color="black")


@pytest.mark.parametrize(
    ("held", "rows", "shown", "said"),
    [
        (
            [DRESS, RED, CHEAP],
            [row(CHEAP, instead="at most $15")],
            [NAVY, GREEN],
            "I found no dress in red for at most $10; these cost at most $15.",
        ),
        ([RED], [row(RED)], [NAVY], "I found nothing in red; this one is in navy."),
        ([RED], [row(RED)], [NAVY, GREEN], "I found nothing in red; these are in navy or green."),
        ([RED], [row(RED)], [NAVY, GREEN, BLACK], "I found nothing in red; these are in other colors."),
        ([RED], [row(RED)], [product(), NAVY], "I found nothing in red; these are in other colors."),
        (
            [DRESS, fact("rating", 4.5, op="ge"), RED],
            [row(RED), row(fact("rating", 4.5, op="ge"), instead="rating at least 4.2")],
            [NAVY, NAVY],
            "I found no dress in red with a rating of at least 4.5; these are in navy and have "
            "a rating of at least 4.2.",
        ),
        (
            [fact("material", "leather", polarity="negative")],
            [row(fact("material", "leather", polarity="negative"))],
            [product(material="leather|rubber")],
            "I found nothing not made of leather; this one is made of leather.",
        ),
        (
            [DRESS, fact("feature", "pockets"), RED],
            [row(RED)],
            [product(neck="v neck")],
            "I found no dress in red; this one is in other colors.",
        ),
        (
            [RED, fact("material", "silk"), fact("material", "wool")],
            [row(RED)],
            [NAVY],
            "I found nothing made of silk and wool in red; this one is in navy.",
        ),
        ([DRESS, RED], [row(DRESS)], [product(category="tunic")], "I found no dress in red; this one is tunic."),
        ([RED], [], [NAVY], ""),
        ([RED], [row(RED)], [], ""),
        ([DRESS], [row(RED)], [NAVY], ""),
    ],
)
def test_what_gave_way_is_said_with_what_is_true_of_all_that_is_shown(
    held: list[Fact], rows: list[dict[str, Any]], shown: list[Product], said: str
) -> None:
    assert concession(believing(*held), rows, shown) == said


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        (RED, "in red"),
        (CHEAP, "for at most $10"),
        (fact("brand", "halvor"), "by Halvor"),
        (fact("brand", "harrow quill", text="Harrow & Quill"), "by Harrow & Quill"),
        (fact("size", "xl"), "in size XL"),
        (fact("color", ["red", "blue"], op="one_of"), "in red or blue"),
        (fact("style", "long sleeve", detail="sleeve"), "with long sleeve"),
        (fact("style", "zipper", detail="closure", polarity="negative"), "without zipper"),
        (fact("color", "red", polarity="negative"), "not in red"),
        (fact("review_count", 100.0, op="ge"), "with at least 100 reviews"),
        (fact("budget", 10.0, op="le", polarity="negative"), "not for at most $10"),
    ],
)
def test_a_wish_follows_a_noun(wish: Fact, words: str) -> None:
    assert phrase(wish) == words


def test_what_must_be_is_refused_with_the_nearest_named() -> None:
    must = CHEAP.model_copy(update={"firm": True})
    near = Nearest(0, [must])
    assert refusal(believing(DRESS, must), near, product(12.0)) == (
        "I found no dress for at most $10, and you said that it must be so. The nearest is Thing, $12.00."
    )
    assert refusal(believing(DRESS, CHEAP), Nearest(0, [CHEAP], seen=3), product()) == "The nearest beyond is Thing."


@pytest.mark.parametrize(
    ("broken", "had", "question", "value"),
    [
        (CHEAP, product(12.0), "Would a price of at most $15 do?", "at most $15"),
        (RED, NAVY, "Could the color be navy instead?", "navy"),
        (
            fact("material", "leather", polarity="negative"),
            product(material="leather"),
            "Could the material be leather after all?",
            "leather",
        ),
        (fact("department", "men"), product(department="women"), "Could it be for women instead?", "women"),
        (
            fact("style", "long sleeve", detail="sleeve"),
            product(sleeve="short sleeve"),
            "Could the style be short sleeve instead?",
            "short sleeve",
        ),
        (DRESS, product(category="tunic"), "Would another kind of product do, tunic for example?", "tunic"),
    ],
)
def test_the_nearest_alternative_is_offered(broken: Fact, had: Product, question: str, value: str) -> None:
    offered = offer(Nearest(0, [broken]), had)
    assert offered is not None
    assert (offered.question, offered.value, offered.attribute) == (question, value, broken.attribute)
    assert offered.attribute in ASKABLE | {"department"}


def test_nothing_is_offered_that_is_not_known() -> None:
    assert offer(Nearest(0, [RED]), product()) is None


def test_the_rest_in_words() -> None:
    assert price_words(believing(DRESS), CHEAP, 23.5) == (
        "I know of no dress for at most $10; the nearest known price is $23.50."
    )
    assert price_words(believing(), CHEAP, 23.5).startswith("I know of nothing for at most $10;")
    assert seen_words(1, "confident") == "You have seen the only product that fits."
    assert seen_words(4, "full") == "You have turned down all 4 that fit."
