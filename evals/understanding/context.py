"""What was said before a message, as one row of a file tells it: the shopper's previous words and the other side's."""

from __future__ import annotations

import re
from typing import NamedTuple

from catalog.search import ProductIndex
from graph.events import BeliefState, fold
from graph.state import clean_text
from tools.language import Reader
from tools.phrases import attribute_named, spoken_attribute_pattern
from tools.reading import Question, Reading
from tools.tracking import Tracker

_LOOKING = re.compile(r"\b(?:looking at|viewing|on screen)\b")
"""What the other side says when one product is on screen and the shopper tells how the wanted one differs."""


class Before(NamedTuple):
    """The light that a message is read in: the question it may answer, and what is held."""

    question: Question
    belief: BeliefState


def before(reader: Reader, index: ProductIndex, *, prev_user: str = "", prev_system: str = "") -> Before:
    """Return what is asked and held after the previous turn; blank text means that there was none."""
    question = _question(clean_text(prev_system)).model_copy(
        update={
            "underway": bool(prev_user.strip() or prev_system.strip()),
            "looking": _LOOKING.search(prev_system.lower()) is not None,
        }
    )
    return Before(question, _belief(reader, index, clean_text(prev_user)))


def read_message(reader: Reader, text: str, earlier: Before) -> Reading:
    """Return the reading of a message in the light of what stands before it."""
    return reader.read(clean_text(text), earlier.question, earlier.belief)


def _belief(reader: Reader, index: ProductIndex, said: str) -> BeliefState:
    if not said.strip():
        return BeliefState()
    tracker = Tracker(BeliefState(), [], 1, index)
    tracker.message(reader.read(said, Question(), BeliefState()))
    return fold(tracker.events)


def _question(said: str) -> Question:
    """Return what the other side asked about: the attribute that its last question names, if any."""
    questions = re.findall(r"[^.?!]*\?", said)
    names = re.findall(rf"\b{spoken_attribute_pattern()}\b", questions[-1].lower()) if questions else []
    found = attribute_named(names[-1]) if names else None
    return Question(attribute=found[1] or found[0]) if found else Question()
