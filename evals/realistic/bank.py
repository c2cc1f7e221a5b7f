"""What shoppers of protocol P3 say: the banks of sentences, a train half and a test half written apart."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Annotated, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

Half = Literal["train", "test"]
PersonaName = Literal["terse", "chatty", "hesitant", "non_native", "typo_prone", "demanding"]
PERSONAS: tuple[PersonaName, ...] = get_args(PersonaName)

Kind = Literal[
    "color", "material", "size", "brand", "budget", "department", "style", "use_case", "feature", "detail"
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)

Forms = Annotated[tuple[str, ...], Field(min_length=1)]
Words = dict[str, Forms]
"""What a record says, in lower case, and other words for it."""


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Openings(_Table):
    """First messages by scenario: `{category}`, and `{fact}` where the scenario opens with one."""

    buying: Forms
    intent_override: Forms
    browsing: Forms
    boundary: Forms


class Facts(_Table):
    """Statements of a fact by its kind: `{value}`; a detail has its `{key}` too."""

    color: Forms
    material: Forms
    size: Forms
    brand: Forms
    budget: Forms
    department: Forms
    style: Forms
    use_case: Forms
    feature: Forms
    detail: Forms


class Negations(_Table):
    """Statements that something is not wanted: `{value}`."""

    color: Forms
    material: Forms
    brand: Forms
    feature: Forms


class Moves(_Table):
    """What is said beside facts; `no_preference` may name the `{attribute}`."""

    no_preference: Forms
    exhausted: Forms
    not_right: Forms
    override: Forms
    correction: Forms
    refer: Forms
    cheaper: Forms
    unclear: Forms


class Joined(_Table):
    """Two or three statements in one message."""

    two: Forms
    three: Forms


class Persona(_Table):
    """A way of speaking: what a message starts and ends with, and words said instead of others."""

    before: Forms
    after: Forms
    swaps: dict[str, str]


class Personas(_Table):
    """The six."""

    terse: Persona
    chatty: Persona
    hesitant: Persona
    non_native: Persona
    typo_prone: Persona
    demanding: Persona


class OtherWords(_Table):
    """Other words for what records say, by kind of fact."""

    color: Words
    material: Words
    style: Words
    feature: Words
    use_case: Words
    department: Words
    size: Words


class Bank(_Table):
    """One half of the sentences.

    Raises `ValidationError` when a sentence lacks one of its braces, has another one, or is blank.
    """

    opening: Openings
    fact: Facts
    negation: Negations
    move: Moves
    joined: Joined
    persona: Personas
    words: OtherWords

    @model_validator(mode="after")
    def _braces(self) -> Self:
        for name, forms, needed, allowed in self._expected():
            for form in forms:
                found = _braces_of(name, form)
                if not needed <= found <= needed | allowed:
                    raise ValueError(f"{name}: {form!r} has the braces {sorted(found)}, expected {sorted(needed)}")
                if not form.strip() and not name.startswith("persona"):
                    raise ValueError(f"{name}: a form is blank; write one or take it out")
        return self

    def _expected(self) -> Iterator[tuple[str, Sequence[str], set[str], set[str]]]:
        """Yield each list of forms with the braces that each must have, and those that it may."""
        stating = {"buying", "intent_override"}
        for scenario, forms in self.opening:
            yield f"opening.{scenario}", forms, {"category"} | ({"fact"} if scenario in stating else set()), set()
        for kind, forms in self.fact:
            yield f"fact.{kind}", forms, {"key", "value"} if kind == "detail" else {"value"}, set()
        for kind, forms in self.negation:
            yield f"negation.{kind}", forms, {"value"}, set()
        needs = {"override": {"fact"}, "correction": {"value", "old"}, "refer": {"ordinal", "value"}}
        for move, forms in self.move:
            yield f"move.{move}", forms, needs.get(move, set()), {"attribute"} if move == "no_preference" else set()
        yield "joined.two", self.joined.two, {"a", "b"}, set()
        yield "joined.three", self.joined.three, {"a", "b", "c"}, set()
        for name, persona in self.persona:
            swaps = [*persona.swaps, *persona.swaps.values()]
            yield f"persona.{name}", (*persona.before, *persona.after, *swaps), set(), set()
        for kind, words in self.words:
            for key, forms in words.items():
                yield f"words.{kind}.{key}", (key, *forms), set(), set()


@cache
def bank(half: Half) -> Bank:
    """Return a half of the sentences; raises `pydantic.ValidationError` when its file is malformed."""
    return Bank.model_validate(tomllib.loads(_data(half).decode()))


@cache
def bank_sha256(half: Half) -> str:
    """Return the SHA-256 of what a half's sessions are spoken from: its sentences and what both halves share."""
    return hashlib.sha256(_data(half) + _data("speech")).hexdigest()


def _data(name: str) -> bytes:
    return files("evals").joinpath(f"data/realistic/{name}.toml").read_bytes()


def _braces_of(name: str, form: str) -> set[str]:
    try:
        parsed = list(Formatter().parse(form))
    except ValueError as error:
        raise ValueError(f"{name}: {form!r}: {error}; braces come in pairs around a name") from error
    if any(spec or conversion for _, _, spec, conversion in parsed):
        raise ValueError(f"{name}: {form!r}: a brace holds a name and nothing else")
    return {field for _, field, _, _ in parsed if field is not None}
