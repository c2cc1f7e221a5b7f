"""The tables of protocol P2, read once from `evals/data/natural.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict

from evals.answer import AskedAttribute

Kind = Literal[
    "category", "department", "brand", "color", "material", "size", "pattern", "sleeve", "neck", "fit", "closure",
    "style", "quality", "part", "use", "season", "word", "budget", "rating", "reviews",
]  # fmt: skip
"""What a fact is about; finer than what an agent can ask for."""

KINDS: tuple[Kind, ...] = get_args(Kind)

NUMBERS: frozenset[Kind] = frozenset({"budget", "rating", "reviews"})
"""Kinds whose value is a limit: a ceiling for `budget`, a floor for the others."""

Move = Literal[
    "already_told", "in_profile", "too_broad", "no_preference", "irrelevant", "exhausted", "unclear", "not_right",
]  # fmt: skip
"""What a shopper says who reveals nothing new."""

MOVES: tuple[Move, ...] = get_args(Move)


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class KindWords(_Table):
    """How facts of a kind are asked for, how late they are drawn (0 to 1), and whether one session may hold several."""

    asked: AskedAttribute
    late: float
    several: bool = False


class Forms(_Table):
    """Ways to state a fact: within the opening, as a sentence of its own, as a profile's tag."""

    clause: tuple[str, ...]
    sentence: tuple[str, ...]
    tag: tuple[str, ...] = ()


class AvoidForms(_Table):
    """Ways to reject a value, and the words one of which a rejection holds."""

    clause: tuple[str, ...]
    sentence: tuple[str, ...]
    cues: tuple[str, ...]


class BoundCues(_Table):
    """Words one of which says on which side of a number the wish lies."""

    upper: tuple[str, ...]
    lower: tuple[str, ...]


class QuestionWords(_Table):
    """Words by which a question is read."""

    request: tuple[str, ...]
    broad: tuple[str, ...]
    irrelevant: tuple[str, ...]
    about: dict[str, tuple[str, ...]]


class Messages(_Table):
    """Whole messages with a place for what is filled in."""

    message: tuple[str, ...]


class Summaries(_Table):
    """Summaries of a profile that carries facts."""

    summary: tuple[str, ...]


class Tables(_Table):
    """Everything in the data file of P2."""

    scenarios: dict[str, int]
    details: dict[Kind, tuple[str, ...]]
    kind: dict[Kind, KindWords]
    vocabulary: dict[Kind, dict[str, tuple[str, ...]]]
    small_words: tuple[str, ...]
    family: dict[Kind, dict[str, tuple[str, ...]]]
    say: dict[Kind, Forms]
    avoid: AvoidForms
    bounds: BoundCues
    opening: dict[str, tuple[str, ...]]
    switch: Messages
    moves: dict[Move, tuple[str, ...]]
    profile: Summaries
    attribute_names: dict[str, str]
    question: QuestionWords


@cache
def tables() -> Tables:
    """Return the tables of P2; raises `pydantic.ValidationError` when the data file is malformed."""
    text = files("evals").joinpath("data/natural.toml").read_text(encoding="utf-8")
    return Tables.model_validate(tomllib.loads(text))
