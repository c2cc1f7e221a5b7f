"""The tables of protocol P1, read once from `evals/data/official.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, Field


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CardWords(_Table):
    """Words that decide what stands on a hidden card."""

    materials: tuple[str, ...]
    colors: tuple[str, ...]
    root: tuple[str, ...]
    no_category: str
    bookkeeping: tuple[str, ...]


class ValueClass(_Table):
    """An askable attribute and the words by which a card value belongs to it."""

    name: str
    words: tuple[str, ...]


class ReplyWords(_Table):
    """The shopper's answers; braces are filled in."""

    override: str
    no_preference: str
    not_right: str
    reveal: str
    exhausted: str


class ProfileWords(_Table):
    """Values that anonymous profiles are drawn from."""

    purchase_frequency: tuple[str, ...]
    rating_style: tuple[str, ...]
    preference_tags: tuple[str, ...]


class Tables(_Table):
    """Everything in the data file of P1."""

    card: CardWords
    classes: tuple[ValueClass, ...] = Field(alias="class")
    opening: dict[str, tuple[str, ...]]
    reply: ReplyWords
    attribute_names: dict[str, str]
    scenarios: dict[str, int] = Field(description="Percent of each scenario, in the order of the table.")
    profile: ProfileWords


@cache
def tables() -> Tables:
    """Return the tables of P1; raises `pydantic.ValidationError` when the data file is malformed."""
    text = files("evals").joinpath("data/official.toml").read_text(encoding="utf-8")
    return Tables.model_validate(tomllib.loads(text))
