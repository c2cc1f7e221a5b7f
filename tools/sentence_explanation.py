"""Which sentence of a product comes nearest to what the shopper said in other words."""

from __future__ import annotations

from typing import Any

from catalog.search import Ids, ProductIndex
from graph.events import BeliefState
from tools.constants import SentenceConstants
from tools.semantics import Semantics, semantics_of
from tools.sentence_evidence import sentences_of

NEAR = "near"
"""Verdict of a product that has a sentence near to the shopper's: it may be what is meant, no value says so."""

_LONGEST = 80
"""Characters of a sentence that an explanation names."""


def sentence_rows(
    index: ProductIndex, belief: BeliefState, ids: Ids, constants: SentenceConstants
) -> list[list[dict[str, Any]]]:
    """Return for each product one row a sentence of the shopper that a sentence of the product comes near to.

    Rows are as those of `tools.explanation.evidence_of`: `field`, `words` and `span` are the product's sentence.

    Example row: `{"attribute": "feature", "op": "like", "value": "keeps the drizzle off me", "polarity": "positive",
    "verdict": "near", "fact": '"keeps the drizzle off me"', "field": "features[2]", "words": "Sheds light rain",
    "span": [0, 16], "nearness": 3.1}`.
    """
    semantics = semantics_of(index) if belief.descriptions else None
    rows: list[list[dict[str, Any]]] = [[] for _ in ids]
    if semantics is None:
        return rows
    for sentence in sentences_of(index, belief, constants):
        meaning = semantics.meaning(sentence.text)
        for place, product in enumerate(ids.tolist()):
            if meaning.best[product] >= constants.told:
                found = _place(semantics, int(meaning.unit[product]))
                rows[place].append(_row(sentence.text, round(float(meaning.best[product]), 2), found))
    return rows


def _row(said: str, nearness: float, found: tuple[str, str, list[int]]) -> dict[str, Any]:
    field, words, span = found
    short = said if len(said) <= _LONGEST else f"{said[: _LONGEST - 3].rstrip()}..."
    return {
        "attribute": "feature",
        "op": "like",
        "value": said,
        "polarity": "positive",
        "verdict": NEAR,
        "fact": f'"{short}"',
        "field": field,
        "words": words,
        "span": span,
        "nearness": nearness,
    }


def _place(semantics: Semantics, unit: int) -> tuple[str, str, list[int]]:
    """Return the field, words and span of a catalog sentence as `tools.spans` names them."""
    sentence = semantics.sentence(unit)
    name, _, place = sentence.field.partition(".")
    if name != "details":
        return (f"{name}[{int(place) + 1}]" if place else name), sentence.text, [sentence.start, sentence.end]
    ahead = len(place) + 2
    words = sentence.text[max(ahead - sentence.start, 0) :]
    return sentence.field, words, [max(sentence.start - ahead, 0), max(sentence.end - ahead, 0)]
