"""Catalog strings that a shopper quotes word for word become facts, grounded by construction."""

from __future__ import annotations

from itertools import takewhile

from catalog.constraint import Verdict
from catalog.search import ProductIndex, StatementMatch
from catalog.text import token_spans, tokens
from graph.events import Fact
from tools.polarity import ends_in_negation
from tools.reading import Move, Reading

CUE_WINDOW = 40
"""Characters before a quotation in which a negation of it may stand."""

LEAST_TOKENS = 4
"""Shorter strings are words of the language rather than quotations ("black dress" is many a title)."""


EXPLAINING_TOKENS = 6
"""A quotation this long explains every word in it: what it excludes or names in passing is not the shopper's wish."""


def with_quotations(reading: Reading, message: str, index: ProductIndex) -> Reading:
    """Return the reading with a `contains` fact for each quoted string that no fact explains as well.

    A free-text fact inside a longer quotation gives way to it, since a frame such as "a; b" may have cut the
    catalog's own string in two; so does an exclusion ("holds warmth without bulk" is a bullet), and inside a long
    quotation any fact. A typed fact (a color, a price) that covers the whole quotation stands. What is quoted to be
    excluded ("no leather upper with rubber sole") is no wish: its words are left to the reader.
    """
    for found in index.statements(message):
        match = found if found.whole else _to_its_end(found, message, index)
        start = match.span[0]
        if any(first < match.span[1] and start < last for first, last in reading.described):
            continue
        reading = _mark(_without_misread(reading, match, message, index), match, message)
        if match.tokens >= LEAST_TOKENS and not ends_in_negation(message[max(0, start - CUE_WINDOW) : start]):
            reading = _add(reading, match, message)
    return reading


def _to_its_end(match: StatementMatch, message: str, index: ProductIndex) -> StatementMatch:
    """Return a quotation that was recognised by its beginning with all the words in which it goes on."""
    start = match.span[0]
    said = [token for token in token_spans(message) if token.start >= start]
    longest = match.tokens
    for product in index.products(match.ids[:1]):
        strings = (product.title, *product.features, *(f"{key}: {value}" for key, value in product.details.items()))
        for words in map(tokens, strings):
            pairs = zip((token.text for token in said), words, strict=False)
            longest = max(longest, sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs)))
    return match._replace(span=(start, said[longest - 1].end), tokens=longest)


def _without_misread(reading: Reading, match: StatementMatch, message: str, index: ProductIndex) -> Reading:
    """Return the reading without what was read into a quotation that the products which say it contradict.

    In "Child Medium Size 8-10" on a costume for grown-ups neither the child nor the size is a wish; "Non-Slippery"
    excludes none of the products that say so of themselves: there the quotation itself is the wish.
    """
    moves = []
    for move in reading.moves:
        if move.fact is None or not _is_misread(move.fact, match, message, index):
            moves.append(move)
        elif move.fact.polarity == "negative":
            moves.append(Move(act="add", fact=_quotation(match, message, hard=move.fact.strength == "hard")))
    return reading.model_copy(update={"moves": moves})


def _is_misread(fact: Fact, match: StatementMatch, message: str, index: ProductIndex) -> bool:
    if not match.whole or fact.span is None or not _inside(fact, match.span):
        return False
    if fact.polarity == "negative" and not ends_in_negation(message[match.span[0] : fact.span[0]]):
        return False
    if fact.polarity == "positive" and fact.op == "contains":
        return False
    verdicts = index.judge(fact, match.ids)
    return 2 * int((verdicts == Verdict.VIOLATED).sum()) > len(verdicts)


def _mark(reading: Reading, match: StatementMatch, message: str) -> Reading:
    """Note on a structured fact that it was said in the catalog's own words, key and all ("Color: Green")."""
    start, end = match.span
    moves = [
        move.model_copy(update={"fact": move.fact.model_copy(update={"quoted": message[start:end]})})
        if move.fact is not None and move.fact.source == "structured" and _ends_with(match, move.fact)
        else move
        for move in reading.moves
    ]
    return reading.model_copy(update={"moves": moves})


def _ends_with(match: StatementMatch, fact: Fact) -> bool:
    return fact.span is not None and match.span[0] <= fact.span[0] < match.span[1] == fact.span[1]


def _add(reading: Reading, match: StatementMatch, message: str) -> Reading:
    inside = [move for move in reading.moves if move.fact is not None and _overlaps(move.fact, match.span)]
    if any(move.fact and _covers(move.fact, match.span) for move in inside):
        return reading
    hard = any(move.fact and move.fact.strength == "hard" for move in inside)
    fact = _quotation(match, message, hard)
    moves = [move for move in reading.moves if move not in inside or _stands(move, match)]
    replacing = next((move for move in inside if move.act == "replace"), Move(act="add"))
    return reading.model_copy(update={"moves": [*moves, replacing.model_copy(update={"fact": fact})]})


def _quotation(match: StatementMatch, message: str, hard: bool) -> Fact:
    words = message[match.span[0] : match.span[1]]
    return Fact(
        attribute="feature",
        op="contains",
        value=" ".join(words.split()).lower(),
        strength="hard" if hard else "soft",
        span=match.span,
        text=words,
    )


def _stands(move: Move, match: StatementMatch) -> bool:
    fact = move.fact
    if fact is None or fact.op == "contains" or fact.polarity == "negative":
        return fact is None
    return match.tokens < EXPLAINING_TOKENS or not _inside(fact, match.span)


def _overlaps(fact: Fact, span: tuple[int, int]) -> bool:
    return fact.span is not None and fact.span[0] < span[1] and fact.span[1] > span[0]


def _inside(fact: Fact, span: tuple[int, int]) -> bool:
    return fact.span is not None and span[0] <= fact.span[0] and fact.span[1] <= span[1]


def _covers(fact: Fact, span: tuple[int, int]) -> bool:
    return fact.span is not None and fact.span[0] <= span[0] and fact.span[1] >= span[1]
