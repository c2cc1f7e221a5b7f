"""What an agent asks: read from the structured field and from the sentence, which must agree."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal, NamedTuple

from evals.answer import Answer
from evals.natural.tables import Kind, tables
from evals.natural.words import holds, plain, spellings

Reading = Literal["none", "unclear", "irrelevant", "broad", "asked"]
"""No question; one that cannot be told; about no product; about everything; about `kinds`."""

_SENTENCE = re.compile(r".+?(?:[.!?…]+(?=\s|$)|\n|$)", re.DOTALL)


class Question(NamedTuple):
    """A question as the shopper reads it: `Question("asked", "color", ("color",))`."""

    reading: Reading
    attribute: str | None = None
    """How it is called in a reply: an attribute, or the finer kind that the sentence names."""
    kinds: tuple[Kind, ...] = ()
    """The kinds of facts that answer it."""


def read_question(answer: Answer | None) -> Question:
    """Read an agent's question; an agent that failed asks none.

    Example: `ask_attribute` "color" with "Which shade do you like?" is read as asking for `color`; with "How much may
    it cost?" or with no question at all it is unclear.
    """
    if answer is None:
        return Question("none")
    asked, sentences = answer.ask_attribute, _questions(answer.message)
    topics = {topic for sentence in sentences for topic in _topics(sentence)}
    if asked is None:
        return Question("unclear" if topics else "none")
    if not sentences:
        return Question("unclear")
    if any(holds(sentence, _listed("irrelevant")) for sentence in sentences) and not topics:
        return Question("irrelevant", asked)
    if asked != "other":
        return Question("asked", asked, _kinds(asked)) if asked in topics else Question("unclear")
    finer = sorted(topics & {"department", "rating", "reviews", "word"})
    if finer:
        return Question("asked", finer[0], tuple(kind for kind in _finer_kinds() if kind in finer))
    broad = any(holds(sentence, _listed("broad")) for sentence in sentences)
    return Question("broad" if broad and not topics else "unclear", "other")


def _questions(message: str) -> list[str]:
    """Return the sentences that ask or request something, as plain words."""
    sentences = [text for text in _SENTENCE.findall(message) if text.strip()]
    return [plain(text) for text in sentences if text.rstrip().endswith("?") or holds(plain(text), _listed("request"))]


def _topics(sentence: str) -> set[str]:
    """Return what a question is about by its words; by the values it offers when no word names an attribute."""
    named = {topic for topic, words in _about().items() if holds(sentence, words)}
    if named or holds(sentence, _listed("broad")):
        return named
    offered: set[str] = set()
    for kind, names in tables().vocabulary.items():
        words = tuple(spelling for listed in names.values() for word in listed for spelling in spellings(word))
        if holds(sentence, words):
            offered.add("department" if kind == "department" else tables().kind[kind].asked)
    return offered


def _kinds(asked: str) -> tuple[Kind, ...]:
    return tuple(kind for kind, words in tables().kind.items() if words.asked == asked)


def _finer_kinds() -> tuple[Kind, ...]:
    return ("department", "rating", "reviews", "word")


@cache
def _about() -> dict[str, tuple[str, ...]]:
    return {topic: _spelled(words) for topic, words in tables().question.about.items()}


@cache
def _listed(name: Literal["request", "broad", "irrelevant"]) -> tuple[str, ...]:
    return _spelled(getattr(tables().question, name))


def _spelled(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(spelling for word in words for spelling in spellings(word))
