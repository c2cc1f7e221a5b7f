"""What is said when nothing has all that is hard: what gave way and what is shown instead, or why nothing is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from catalog.brands import brand_text
from catalog.constraint import Constraint
from catalog.product import CLOSED_FACETS, Product
from catalog.vocabulary import words
from graph.events import BeliefState, Fact
from tools.explanation import describe
from tools.options import people, written
from tools.phrases import load_table
from tools.relaxation import Nearest, instead, narrows
from tools.wording import either, short_title, wanted_kind

HELD_NAMED = 2
"""Wishes that hold and that the sentence names beside those that gave way: a long one would recite them all."""

MOST_VALUES = 2
"""Values of what is shown instead that a sentence names."""

_ORDER = ("category", "pattern", "style", "fit", "material", "color", "size", "brand", "department", "budget")


class Offer(NamedTuple):
    """The nearest alternative, as a question: its attribute, the words, and the value that "yes" accepts."""

    attribute: str
    question: str
    value: str


def concession(belief: BeliefState, relaxed: Sequence[Mapping[str, Any]], products: Sequence[Product]) -> str:
    """Return what gave way, and what is true of all that is shown instead; "" when nothing gave way.

    `relaxed` are rows of `tools.relaxation.narrow`.
    Example: `I found no dress in red for at most $10; these cost at most $15.`
    """
    given_up = [(fact, row) for row in relaxed if (fact := _fact_of(belief, row)) is not None]
    if not given_up or not products:
        return ""
    found = _nothing(belief, [fact for fact, _ in given_up])
    shown = [_shown(fact, row.get("instead"), products) for fact, row in given_up]
    subject, closest = ("this one", "comes closest") if len(products) == 1 else ("these", "come closest")
    return f"{found}; {subject} {' and '.join(part for part in shown if part) or closest}."


def refusal(belief: BeliefState, nearest: Nearest, product: Product) -> str:
    """Return why nothing is shown although something comes near: what must be, or all that fits was shown before."""
    price = "" if product.price is None else f", ${product.price:,.2f}"
    named = f"{short_title(product)}{price}"
    if nearest.seen:
        return f"The nearest beyond is {named}."
    why = ", and you said that it must be so" if any(fact.firm for fact in nearest.broken) else ""
    return f"{_nothing(belief, nearest.broken)}{why}. The nearest is {named}."


def offer(nearest: Nearest, product: Product) -> Offer | None:
    """Return the question whether what the nearest product lacks may give way, a must first; None if unnameable."""
    for fact in sorted(nearest.broken, key=lambda fact: not fact.firm):
        value = _had(fact, product)
        if value:
            frames = load_table("concession")["offer"]
            frame = frames.get(fact.facet_key) or frames.get(fact.attribute) or frames["default"]
            if fact.polarity == "negative":
                frame = frame.replace(" instead", " after all")
            return Offer(fact.attribute, frame.format(value=value), value)
    return None


def seen_words(seen: int, policy: str) -> str:
    """Return that all that fits was shown before, and passed over or turned down."""
    done = "turned down" if policy == "full" else "seen"
    return f"You have {done} the only product that fits." if seen == 1 else f"You have {done} all {seen} that fit."


def price_words(belief: BeliefState, fact: Fact, nearest_price: float) -> str:
    """Return that no product is known to keep to a budget, and the nearest price that is known.

    Example: `I know of no dress for at most $2; the nearest known price is $6.99.`
    """
    kind = wanted_kind(belief).removeprefix("the ")
    noun = "nothing" if kind == "it" else f"no {kind}"
    return f"I know of {noun} {phrase(fact)}; the nearest known price is ${nearest_price:,.2f}."


def phrase(fact: Fact) -> str:
    """Return a wish as it follows a noun: `in red`, `for at most $50`, `not made of leather`."""
    table = load_table("concession")
    key = fact.facet_key
    value = _bound_words(fact) if fact.numbers else either([_said(fact, value) for value in fact.values])
    positive = str(table["wish"].get(key, table["wish"]["default"])).format(value=value)
    if fact.polarity == "positive":
        return positive
    if key in table["exclusion"]["not"]:
        return f"not {positive}"
    return str(table["exclusion"]["default"]).format(value=value)


def _said(fact: Fact, value: str) -> str:
    """Return a value as the shopper wrote it where it is a brand ("Harrow & Quill"), else as it is written."""
    return fact.text if brand_text(fact.text) == value else written(fact.attribute, value, ())


def _bound_words(fact: Constraint) -> str:
    """Return a bound without the attribute's name: `at most $50`, `at least 4.5`."""
    told = describe(Fact.model_validate({**fact.model_dump(include=set(Constraint.model_fields)), "scope": None}))
    return told.removeprefix("not ").removeprefix(f"{fact.attribute.replace('_', ' ')} ")


def _fact_of(belief: BeliefState, row: Mapping[str, Any]) -> Fact | None:
    """Return the held fact that a row of `relaxed` is about; None when an edit took it away."""
    return next(
        (fact for fact in belief.constraints if fact.attribute == row["attribute"] and describe(fact) == row["fact"]),
        None,
    )


def _nothing(belief: BeliefState, given_up: Sequence[Fact]) -> str:
    """Return that nothing has all of some wishes, with those that hold beside them: `I found no boots in red`."""
    kind = wanted_kind(belief).removeprefix("the ")
    noun = f"no {kind}" if kind != "it" else "nothing"
    held = [fact for fact in belief.constraints if _rules_out(fact) and fact not in given_up]
    named = [*given_up, *[fact for fact in held if fact.attribute != "category"][:HELD_NAMED]]
    if kind != "it":
        named = [fact for fact in named if fact.attribute != "category" or fact.polarity == "negative"]
    named.sort(key=lambda fact: _ORDER.index(fact.facet_key) if fact.facet_key in _ORDER else len(_ORDER))
    return " ".join(("I found", noun, *dict.fromkeys(_joined(fact, named) for fact in named)))


def _joined(fact: Fact, named: Sequence[Fact]) -> str:
    """Return the wish of a fact together with those of the same facet: `made of leather and canvas`."""
    alike = [f for f in named if f.facet_key == fact.facet_key and f.polarity == fact.polarity and f.op == fact.op]
    if fact.numbers or any(len(other.values) > 1 for other in alike):
        return phrase(fact)
    return phrase(fact.model_copy(update={"value": " and ".join(value for other in alike for value in other.values)}))


def _rules_out(fact: Fact) -> bool:
    """Return whether a held fact can rule products out: of open facets like features silence rules out nothing."""
    closed = fact.facet_key in CLOSED_FACETS or bool(fact.numbers) or fact.polarity == "negative"
    return closed and narrows(fact) and not fact.scope


def _shown(fact: Fact, moved: str | None, products: Sequence[Product]) -> str:
    """Return what is true of all products shown where a wish gave way: `cost at most $15`; "" when nothing can be."""
    value = moved.removeprefix(f"{fact.attribute.replace('_', ' ')} ") if moved else either(_common(fact, products))
    table = load_table("concession")
    frame = str(table["shown"].get(fact.facet_key, table["shown"]["default"]))
    if not value:
        frame = str(table["others"].get(fact.facet_key, "")) if fact.polarity == "positive" else ""
    single = len(products) == 1
    verbs = {"are": "is", "have": "has", "cost": "costs"} if single else {"are": "are", "have": "have", "cost": "cost"}
    return frame.format(value=value, **verbs)


def _common(fact: Fact, products: Sequence[Product]) -> list[str]:
    """Return one or two values of which each product has one, the commonest first; empty when there are none such.

    Of an exclusion, the excluded values that they have.
    """
    held = [
        [
            v
            for v in product.facets.get(fact.facet_key, ())
            if people().isdisjoint(words(v)) or fact.attribute == "department"
        ]
        for product in products
    ]
    if fact.polarity == "negative":
        held = [[value for value in values if value in fact.values] for values in held]
    named: list[str] = []
    left = held
    while left and len(named) < MOST_VALUES:
        counts = Counter(value for values in left for value in dict.fromkeys(values))
        if not counts:
            return []
        best = max(counts, key=counts.__getitem__)  # of equals the first: a product states the finer value first
        named.append(best)
        left = [values for values in left if best not in values]
    return [] if left else [written(fact.attribute, value, products) for value in named]


def _had(fact: Fact, product: Product) -> str:
    """Return what a product has where a wish is not met, as a question names it; "" when it is not known."""
    number = {"budget": product.price, "rating": product.average_rating, "review_count": product.rating_number}.get(
        fact.attribute
    )
    if fact.numbers and number is not None and fact.polarity == "positive":
        moved = instead(fact, float(number))
        return "" if moved is None else _bound_words(moved)
    return either(_common(fact, [product]))
