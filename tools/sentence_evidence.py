"""Evidence by meaning: how near a shopper's sentence is to what each product says of itself.

A product speaks through its titles, bullets, descriptions and details; the nearest of its sentences counts. Nearness is
standardised over the catalog, since a vague sentence is near to everything. Where the catalog has the shopper's very
words, words decide and this term is silent: the gate opens as the share of the words that some product holds falls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from catalog.search import Ids, ProductIndex
from catalog.text import tokens
from graph.events import BeliefState
from tools.constants import SentenceConstants
from tools.phrases import is_spoken
from tools.semantics import Meaning, Semantics, semantics_of

Floats = NDArray[np.float32]


class Sentence(NamedTuple):
    """A sentence of the shopper that counts: how far, its weight with that, and whether it opened the intent."""

    text: str
    turn: int
    gate: float
    weight: float
    opening: bool


def sentences_of(index: ProductIndex, belief: BeliefState, constants: SentenceConstants) -> list[Sentence]:
    """Return the sentences that evidence by meaning is drawn from; none without semantics or where words suffice."""
    semantics = semantics_of(index) if belief.descriptions else None
    if semantics is None:
        return []
    opens = min([belief.descriptions[0].turn, *(turn for turn, _ in belief.query_texts)])
    found = []
    for said in belief.descriptions:
        opened = gate(index, semantics, said.text, constants)
        if opened > 0:
            found.append(Sentence(said.text, said.turn, opened, said.weight * opened, said.turn == opens))
    return found


def sentence_units(
    index: ProductIndex, belief: BeliefState, ids: Ids, constants: SentenceConstants
) -> dict[str, Floats]:
    """Return what the shopper's sentences say of each candidate, unweighted, shape (k,), by the weight's name."""
    near, titled = np.zeros(len(ids), np.float32), np.zeros(len(ids), np.float32)
    for sentence, meaning in _meant(index, sentences_of(index, belief, constants)):
        near += sentence.weight * _clipped(meaning.best[ids], constants)
        if sentence.opening:
            titled += sentence.weight * _clipped(meaning.title[ids], constants)
    return {"sentence.weight": near, "sentence.title": titled}


def _meant(index: ProductIndex, sentences: Sequence[Sentence]) -> list[tuple[Sentence, Meaning]]:
    semantics = semantics_of(index) if sentences else None
    return [] if semantics is None else [(sentence, semantics.meaning(sentence.text)) for sentence in sentences]


class Beside(NamedTuple):
    """What is left of the evidence of words beside that of meaning."""

    text: float
    record: float
    turns: dict[int, float]
    """How far meaning counts for what was said in a turn, 0 to 1."""
    others: float
    """And in a turn without such a sentence: who says one thing in other words says the next so too."""

    def left(self, turn: int, share: float) -> float:
        """Return the factor of evidence of a turn of which `share` is left where meaning counts in full."""
        return 1 - (1 - share) * self.turns.get(turn, self.others)


def beside(index: ProductIndex, belief: BeliefState, constants: SentenceConstants) -> Beside:
    """Return what is left of the evidence of words where sentences count by their meaning."""
    turns: dict[int, float] = {}
    for sentence in sentences_of(index, belief, constants):
        turns[sentence.turn] = max(turns.get(sentence.turn, 0.0), sentence.gate)
    surest = max(turns.values(), default=0.0)
    return Beside(
        1 - (1 - constants.text) * surest, 1 - (1 - constants.record) * surest, turns, constants.others * surest
    )


def temperature(index: ProductIndex, belief: BeliefState, constants: SentenceConstants) -> float:
    """Return what the temperature of the posterior is multiplied by: evidence by meaning is less sure than it looks."""
    surest = max((sentence.weight for sentence in sentences_of(index, belief, constants)), default=0.0)
    return 1.0 + constants.doubt * min(surest, 1.0)


def nearest_ids(index: ProductIndex, belief: BeliefState, constants: SentenceConstants) -> Ids:
    """Return the products that are nearest to the shopper's sentences, `constants.pool` at most, ascending."""
    sentences = sentences_of(index, belief, constants)
    if not sentences:
        return np.empty(0, np.int32)
    every = np.arange(index.size, dtype=np.int32)
    units = sentence_units(index, belief, every, constants)
    total = constants.weight * units["sentence.weight"] + constants.title * units["sentence.title"]
    limit = min(constants.pool, index.size)
    return np.sort(np.argpartition(-total, limit - 1)[:limit]).astype(np.int32)


def _clipped(standardised: Floats, constants: SentenceConstants) -> Floats:
    return np.clip(standardised, constants.lowest, constants.highest)


def gate(index: ProductIndex, semantics: Semantics, text: str, constants: SentenceConstants) -> float:
    """Return how far the catalog lacks the words of a sentence, 0 (words suffice) to 1."""
    share = semantics.coverages.get(text)
    if share is None:
        share = coverage(index, text)
        semantics.coverages.put(text, share)
    return float(np.clip((constants.silent - share) / (constants.silent - constants.full), 0.0, 1.0))


def coverage(index: ProductIndex, text: str) -> float:
    """Return the share by idf of the content words of a sentence that the product with most of them holds, 0 to 1.

    Numbers do not count: prices and sizes are compared, not looked up as words.
    """
    words = [word for word in dict.fromkeys(tokens(text)) if not is_spoken(word) and len(word) > 1]
    words = [word for word in words if not word.replace(".", "").isdigit()]
    total = 0.0
    held = np.zeros(index.size, np.float32)
    for word in words:
        posting = index.term_ids(word)
        weight = np.float32(np.log((index.size + 1) / max(len(posting), 1)))
        total += float(weight)
        if len(posting):
            held[posting] += weight
    return float(held.max()) / total if total > 0 else 1.0
