"""Which attribute is worth asking about, if any."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catalog.product import Product
from graph.events import BeliefState
from tools.constants import DialogueConstants

OPEN = "other"
"""The open question: anything that matters."""

NAMED_BY = {
    "style": ("style", "fit", "sleeve", "neck", "closure", "pattern"),
    "use_case": ("use_case", "occasion", "season"),
}
"""Facet keys that a question's attribute covers where they are more than its own name."""


class Choice(NamedTuple):
    """The attribute to ask about (None: no question is worth a turn) and why.

    `worth` of each attribute that was weighed is the chance that it is answered times `splits`, the chance that the
    answer tells leaders apart.
    """

    attribute: str | None
    reason: str
    splits: dict[str, float]
    worth: dict[str, float]


def posterior(scores: Sequence[float] | NDArray[np.floating[Any]], temperature: float) -> NDArray[np.float64]:
    """Return the probability of each candidate of being the wanted one: softmax of scores in nats, shape (k,)."""
    values = np.asarray(scores, dtype=np.float64)
    if not len(values):
        return values
    weights = np.exp((values - values.max()) / temperature)
    return np.asarray(weights / weights.sum())


def answers(belief: BeliefState) -> list[tuple[str, int]]:
    """Return each question of this intent that was answered, and how many new facts the answer brought."""
    gained = Counter([entry.turn for entry in belief.entries] + [said.turn for said in belief.descriptions])
    return [(attribute, gained[turn + 1]) for turn, attribute in belief.asked]


def choose(
    belief: BeliefState, leaders: Sequence[Product], chances: NDArray[np.float64], constants: DialogueConstants
) -> Choice:
    """Choose the attribute to ask about, or none when no question is worth a turn.

    Never one that is held, declined or was asked in this intent, nor one whose answer cannot split the leaders. The
    open question comes first and again while it brings `open_yield` facts an answer: it reveals any class of fact, and
    no entropy formula beat it where that was measured. Who declined it after telling something, or declined
    everything, is asked no more; who declined it before is asked it again once he has begun to tell. `chances` has
    shape (len(leaders),).
    """
    if has_nothing_to_add(belief):
        return Choice(None, "the shopper has nothing to add", {}, {})
    asked = {attribute for _, attribute in belief.asked}
    if OPEN not in asked:
        return Choice(OPEN, "the open question comes first", {}, {})
    if OPEN in belief.declined and any(gain for _, gain in answers(belief)):
        return Choice(OPEN, "the shopper has begun to tell", {}, {})
    if _is_yielding(belief, constants):
        return Choice(OPEN, "the open question brought several facts", {}, {})
    splits: dict[str, float] = {}
    for attribute in constants.questions:
        barred = attribute in asked or attribute in belief.declined or bool(belief.of(attribute))
        if attribute != OPEN and not barred:
            splits[attribute] = split(attribute, leaders, chances)
    worth = {attribute: constants.questions[attribute].answerable * part for attribute, part in splits.items()}
    if belief.query_texts and "category" in worth:
        worth["category"] *= constants.spoken_kind
    best = max(worth, key=worth.__getitem__, default=None)
    if best is None or not worth[best] > 0:
        return Choice(None, "no answer would split the leaders", splits, worth)
    return Choice(best, "", splits, worth)


def has_nothing_to_add(belief: BeliefState) -> bool:
    """Return whether the shopper declined everything, or the open question after telling something.

    Who shrugs at the open question before he has told anything may still answer a plainer one.
    """
    if "all" in belief.declined or OPEN not in belief.declined:
        return "all" in belief.declined
    last = max((turn for turn, attribute in belief.asked if attribute == OPEN), default=None)
    gains = zip(belief.asked, answers(belief), strict=True)
    return any(gain for (turn, _), (_, gain) in gains if last is None or turn <= last)


def answer_chance(attribute: str | None, belief: BeliefState, constants: DialogueConstants) -> float:
    """Return the chance that the next answer says something new.

    That of the attribute, less after each answer in a row that brought nothing.
    """
    if attribute is None:
        return 0.0
    return constants.questions[attribute].answerable * constants.fatigue ** empty_answers(belief)


def empty_answers(belief: BeliefState) -> int:
    """Return how many answers in a row, up to the latest, stated nothing."""
    empty = 0
    for turn, _ in reversed(belief.asked):
        if belief.stated.get(turn + 1, 0):
            break
        empty += 1
    return empty


def _is_yielding(belief: BeliefState, constants: DialogueConstants) -> bool:
    """Return whether the latest question was the open one and its answer said something new, and not only one thing.

    A shopper who names a single thing when asked for anything has probably nothing more.
    """
    turn, attribute = belief.asked[-1]
    named = belief.stated.get(turn + 1, 0)
    gains = [gain for _, gain in answers(belief)[-2:]]
    return attribute == OPEN and named >= constants.open_yield and any(gains)


def split(attribute: str, leaders: Sequence[Product], chances: NDArray[np.float64]) -> float:
    """Return the chance, 0 to 1, that an answer tells two of the leaders apart (the Gini impurity of their values).

    Bounded on purpose: entropy would always ask for the brand, of which there are most, and few shoppers have one in
    mind. Products that say nothing answer nothing; prices differ at a ratio of about 1.35.
    """
    mass: dict[str, float] = defaultdict(float)
    for product, chance in zip(leaders, chances, strict=True):
        values = _values(attribute, product)
        for value in values:
            mass[value] += float(chance) / len(values)
    silent = 1 - sum(mass.values())
    return max(0.0, 1 - silent - sum(m * m for m in mass.values()))


def _values(attribute: str, product: Product) -> list[str]:
    if attribute == "budget":
        return [] if not product.price else [str(round(log(product.price) / 0.3))]
    keys = NAMED_BY.get(attribute, (attribute,))
    return [value for key in keys for value in product.facets.get(key, ())]
