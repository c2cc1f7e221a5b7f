"""Catalog strings that a shopper quotes word for word become facts, grounded by construction."""

from __future__ import annotations

from catalog.search import ProductIndex, StatementMatch
from graph.events import Fact
from tools.reading import Move, Reading

LEAST_TOKENS = 4
"""Shorter strings are words of the language rather than quotations ("black dress" is many a title)."""


def with_quotations(reading: Reading, message: str, index: ProductIndex) -> Reading:
    """Return the reading with a `contains` fact for each quoted string that no fact explains as well.

    A free-text fact inside a longer quotation gives way to it, since a frame such as "a; b" may have cut the
    catalog's own string in two; a typed fact (a color, a price) that covers the whole quotation stands.
    """
    for match in index.statements(message):
        if match.tokens >= LEAST_TOKENS:
            reading = _add(reading, match, message)
    return reading


def _add(reading: Reading, match: StatementMatch, message: str) -> Reading:
    start, end = match.span
    inside: list[Move] = []
    for move in reading.moves:
        fact = move.fact
        if fact is None or fact.span is None or fact.span[1] <= start or fact.span[0] >= end:
            continue
        if fact.polarity == "negative" or _covers(fact, match.span):
            return reading
        inside.append(move)
    strength = "hard" if any(m.fact and m.fact.strength == "hard" for m in inside) else "soft"
    text = message[start:end]
    fact = Fact(
        attribute="feature",
        op="contains",
        value=" ".join(text.split()).lower(),
        strength="hard" if strength == "hard" else "soft",
        span=match.span,
        text=text,
        source="lexicon",
    )
    dropped = [m for m in inside if m.fact and m.fact.op == "contains"]
    moves = [m for m in reading.moves if m not in dropped]
    replaced = any(move.act == "replace" for move in inside)
    return reading.model_copy(update={"moves": [*moves, Move(act="replace" if replaced else "add", fact=fact)]})


def _covers(fact: Fact, span: tuple[int, int]) -> bool:
    return fact.span is not None and fact.span[0] <= span[0] and fact.span[1] >= span[1]
