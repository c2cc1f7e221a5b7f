"""What a message says by being near to something: indifference, talk, or what some product says of itself."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal, NamedTuple, get_args

import numpy as np

from catalog.search import ProductIndex
from graph.events import Fact
from tools.constants import SentenceConstants
from tools.mentions import GUESSED
from tools.phrases import load_table
from tools.reading import Move, Question, Reading
from tools.relaxation import SURE_KIND
from tools.semantics import Semantics, semantics_of
from tools.sentence_evidence import gate

Kind = Literal["indifferent", "exhausted", "rejecting", "talk"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_SENTENCE = re.compile(r"(?:[^.;!?\n]|\.(?=\d))+[.;!?]*")

_SHORTEST = 2
"""Words of the shortest sentence that is compared: a single word ("hm") has no meaning to be near to."""

_LONGEST = 20
"""Words of the longest sentence that stands for one of the kinds: longer ones say something of their own."""

GUESSED_KIND = 0.7
"""Confidence of a kind of product named in a sentence that says something in other words: below `SURE_KIND`."""


class Prototypes(NamedTuple):
    """The sentences of `data/nearness.toml`: their texts, the kind of each, and how near is near enough."""

    texts: list[str]
    kinds: list[Kind]
    least: float
    answer: float
    beside: float


@cache
def prototypes() -> Prototypes:
    """Return the prototypes; raises `KeyError` when a kind is missing."""
    table = load_table("nearness")
    rows = [(text, kind) for kind in KINDS for text in table[kind]["sentences"]]
    return Prototypes([text for text, _ in rows], [kind for _, kind in rows], **table["near"])


def kind_of(semantics: Semantics, sentence: str, lead: float) -> Kind | None:
    """Return the kind of the prototype that a sentence is nearest to, None for one that may describe a product.

    `lead` is how much nearer to the prototype than to the catalog's nearest sentence it must be (in cosines).
    """
    if not _SHORTEST <= len(sentence.split()) <= _LONGEST:
        return None
    known = prototypes()
    near = semantics.vectors(known.texts) @ semantics.vector(sentence)
    best = int(np.argmax(near))
    if near[best] < known.least or near[best] < semantics.meaning(sentence).nearest + lead:
        return None
    return known.kinds[best]


def with_meaning(
    reading: Reading, message: str, question: Question, index: ProductIndex, constants: SentenceConstants
) -> Reading:
    """Return the reading with what its unexplained sentences mean; without semantics, without those sentences."""
    silent = not reading.facts and not reading.unmet
    idle = silent and set(reading.acts) <= {"add", "other"} and question.underway
    if not (reading.sentences or idle):
        return reading
    semantics = semantics_of(index)
    if semantics is None:
        return reading.model_copy(update={"sentences": []})
    reading = _with_kinds(reading, message, question, semantics, idle)
    reading = _without_quotations(reading, message, index)
    return _with_wishes(reading, question, index, semantics, constants)


def _without_quotations(reading: Reading, message: str, index: ProductIndex) -> Reading:
    """Return the reading without sentences that say a catalog string whole: what stands around it is only talk."""
    quoted = [message[slice(*match.span)] for match in index.statements(message) if match.whole and match.tokens > 1]
    spoken = [fact.text for fact in reading.facts if fact.source == "structured"]
    kept = [said for said in reading.sentences if not any(" ".join(q.split()) in said for q in [*quoted, *spoken] if q)]
    return reading.model_copy(update={"sentences": kept})


def _with_kinds(reading: Reading, message: str, question: Question, semantics: Semantics, idle: bool) -> Reading:
    """Return the reading without the sentences that wish for nothing, and with the moves that they make instead."""
    said = [match.group().strip() for match in _SENTENCE.finditer(message)] if idle else reading.sentences
    lead = prototypes().answer if idle else prototypes().beside
    kinds = {sentence: kind_of(semantics, sentence, lead) for sentence in said if sentence}
    gone = [sentence.rstrip(".;!?") for sentence, kind in kinds.items() if kind is not None]
    if not gone:
        return reading
    kept = [sentence for sentence in reading.sentences if not any(sentence in idle_one for idle_one in gone)]
    moves = list(reading.moves)
    left = set(" ".join([*kept, *(f.text for f in reading.facts)]).lower().split())
    unsaid = set(" ".join(gone).lower().split()) - left
    query = " ".join(word for word in reading.query_text.split() if word.lower().strip(",") not in unsaid)
    if idle and not kept:
        found = [kind for kind in kinds.values() if kind is not None]
        moves = _moves(found, question) or moves
        return reading.model_copy(update={"sentences": [], "moves": moves, "query_text": ""})
    return reading.model_copy(update={"sentences": kept, "moves": moves, "query_text": query})


def _moves(kinds: list[Kind], question: Question) -> list[Move]:
    if "rejecting" in kinds:
        return [Move(act="negate")]
    if "exhausted" in kinds:
        return [Move(act="no_preference", attribute="all")]
    if "indifferent" in kinds:
        return [Move(act="no_preference", attribute=question.attribute or "all")]
    return [Move(act="other")]


def _with_wishes(
    reading: Reading, question: Question, index: ProductIndex, semantics: Semantics, constants: SentenceConstants
) -> Reading:
    """Return the reading with the sentences of which meaning counts; the words in them count less."""
    gates = {sentence: gate(index, semantics, sentence, constants) for sentence in reading.sentences}
    opened = {text: gate for text, gate in gates.items() if gate > 0 and not _is_quoted(text, reading)}
    moves = [move for move in reading.moves if move.fact is None or not _gives_way(move.fact, opened)]
    moves = [m for move in moves if (m := _softened(move, opened, question)) is not None]
    if opened and not moves:
        moves = [Move(act="add")]
    return reading.model_copy(update={"sentences": list(opened), "moves": moves})


def _is_quoted(sentence: str, reading: Reading) -> bool:
    """Return whether most of a sentence is a catalog string that the shopper repeated."""
    quoted = [f.text for f in reading.facts if f.op == "contains" and f.confidence == 1.0 and f.text in sentence]
    return any(2 * len(text) > len(sentence) for text in quoted)


def _gives_way(fact: Fact, gates: dict[str, float]) -> bool:
    """Return whether a fact is but the words of a sentence whose meaning counts."""
    guessed = fact.op == "contains" and fact.source == "lexicon" and fact.confidence <= GUESSED
    return guessed and any(fact.text in sentence for sentence in gates)


def _softened(move: Move, gates: dict[str, float], question: Question) -> Move | None:
    """Return a value read from a sentence said in other words as a wish: the word may not be meant as that value.

    A kind of thing named in such an answer is a comparison or a use ("what towels are made of"); in an opening it never
    narrows what is looked at. An exclusion of words that name no value rules nothing out.
    """
    fact = move.fact
    if fact is None or fact.source not in ("lexicon", "paraphrase") or fact.firm or not gates:
        return move
    loose = fact.polarity == "negative" and fact.confidence < SURE_KIND
    if not (loose or any(fact.text in sentence for sentence in gates)):
        return move
    kind = fact.attribute == "category" and fact.polarity == "positive"
    if kind and fact.source == "lexicon" and question.underway and question.attribute != "category":
        return None
    sure = min(fact.confidence, GUESSED_KIND) if kind else fact.confidence
    return move.model_copy(update={"fact": fact.model_copy(update={"strength": "soft", "confidence": sure})})
