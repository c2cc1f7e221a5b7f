"""Which facts that were read are those that a person labelled: attribute and polarity strictly, values leniently.

The rules are those of the labelling guide: families of attributes are merged (`evals/data/understanding.toml`); a value
is right when it is the same after folding case and plurals, or when both were read from overlapping words.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from evals.understanding.folding import fold_value
from evals.understanding.labels import GoldFact
from graph.events import Fact

_Span = tuple[int, int]
_AMOUNT = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_AMOUNTS = ("budget", "rating", "review_count")
"""Families whose values are amounts with a direction."""


@cache
def _table() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(files("evals").joinpath("data/understanding.toml").read_text(encoding="utf-8"))


@cache
def _inverted(section: str) -> dict[str, str]:
    return {name: key for key, names in _table()[section].items() for name in names}


def family(attribute: str) -> str:
    """Return the name under which an attribute is scored: `sleeve` and `closure` are both `style`."""
    return _inverted("families").get(attribute, attribute)


class Pair(NamedTuple):
    """A labelled fact and the one that was read of it."""

    gold: GoldFact
    read: Fact


@dataclass(frozen=True)
class Matched:
    """The facts of one message: those that agree, those not found, and those read that nobody labelled."""

    pairs: list[Pair]
    missed: list[GoldFact]
    extra: list[Fact]


def match_facts(text: str, gold: Sequence[GoldFact], read: Sequence[Fact]) -> Matched:
    """Pair as many labelled facts with facts read as can be, each fact once.

    A choice ("black or navy" read as one fact) may stand for as many labelled facts as it has values. An activity read
    out of a product type ("running" of running shoes) is neither right nor wrong, as the guide has it.
    """
    copies = [fact for fact in read for _ in range(max(1, len(fact.values) if fact.op == "one_of" else 1))]
    edges = [_candidates(text, fact, copies) for fact in gold]
    owner = _pairing(edges, len(copies))
    pairs = [Pair(gold[label], copies[place]) for place, label in enumerate(owner) if label is not None]
    found = {label for label in owner if label is not None}
    used = {id(pair.read) for pair in pairs}
    missed = [fact for label, fact in enumerate(gold) if label not in found]
    extra = [fact for fact in read if id(fact) not in used and not _activity_inside(text, fact, gold)]
    return Matched(pairs, missed, extra)


def _candidates(text: str, gold: GoldFact, read: Sequence[Fact]) -> list[int]:
    """Return the places of the facts that may be the labelled one, the likeliest first."""
    spans = spans_of(text, gold.span)
    scored = [(_agreement(gold, spans, fact), place) for place, fact in enumerate(read)]
    return [place for score, place in sorted(scored, key=lambda pair: (-pair[0], pair[1])) if score > 0]


def _agreement(gold: GoldFact, spans: list[_Span], fact: Fact) -> float:
    """Return 0 for another fact, else a number that grows with the agreement of values and words."""
    if family(gold.attribute) != family(fact.attribute) or gold.polarity != fact.polarity:
        return 0.0
    overlap = max((_overlap(span, fact.span) for span in spans), default=0)
    if family(gold.attribute) in _AMOUNTS:
        same = _same_direction(gold, fact) and (_same_amount(gold, fact) or overlap > 0)
        return 1.0 + overlap if same else 0.0
    same = bool({fold_value(text) for text in gold.texts} & {fold_value(text) for text in _texts(fact)})
    return 1000.0 * same + overlap


def _texts(fact: Fact) -> list[str]:
    return [*fact.values, *(f"{number:g}" for number in fact.numbers)]


def _same_direction(gold: GoldFact, fact: Fact) -> bool:
    """Return whether two bounds point the same way; a label without a direction fits any."""
    direction = _inverted("directions").get(gold.op or "")
    return direction is None or direction == _inverted("directions").get(fact.op)


def _same_amount(gold: GoldFact, fact: Fact) -> bool:
    amounts = {float(n.replace(",", "")) for text in gold.texts for n in _AMOUNT.findall(text)}
    return bool(amounts) and amounts == set(fact.numbers)


def spans_of(text: str, words: str) -> list[_Span]:
    """Return the places where the words stand in the text, in any case; within other words only when nowhere else."""
    if not words.strip():
        return []
    source = re.escape(words)
    whole = [match.span() for match in re.finditer(rf"(?<!\w){source}(?!\w)", text, re.IGNORECASE)]
    return whole or [match.span() for match in re.finditer(source, text, re.IGNORECASE)]


def _overlap(one: _Span, other: _Span | None) -> int:
    return max(0, min(one[1], other[1]) - max(one[0], other[0])) if other else 0


def _activity_inside(text: str, fact: Fact, gold: Sequence[GoldFact]) -> bool:
    if family(fact.attribute) != "use_case" or fact.span is None or fact.polarity == "negative":
        return False
    kinds = (span for label in gold if label.attribute == "category" for span in spans_of(text, label.span))
    return any(start <= fact.span[0] and fact.span[1] <= end for start, end in kinds)


def _pairing(edges: Sequence[Sequence[int]], places: int) -> list[int | None]:
    """Return for each place the label that takes it, so that as many labels as possible have one.

    Kuhn's algorithm: a label takes its likeliest place and may push the label that holds it to its next one.
    """
    owner: list[int | None] = [None] * places

    def settle(label: int, tried: set[int]) -> bool:
        for place in edges[label]:
            if place in tried:
                continue
            tried.add(place)
            holder = owner[place]
            if holder is None or settle(holder, tried):
                owner[place] = label
                return True
        return False

    for label in range(len(edges)):
        settle(label, set())
    return owner


def described(facts: Sequence[GoldFact] | Sequence[Fact]) -> Iterator[str]:
    """Yield facts as `attribute=value`, an excluded one as `-attribute=value`."""
    for fact in facts:
        texts = fact.texts if isinstance(fact, GoldFact) else _texts(fact)
        sign = "-" if fact.polarity == "negative" else ""
        key = fact.attribute if isinstance(fact, GoldFact) else fact.facet_key
        op = "=" if fact.op in (None, "=", "eq", "or", "one_of") else f" {fact.op} "
        yield f"{sign}{key}{op}{'|'.join(texts)}"
