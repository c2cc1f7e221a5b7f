"""What both halves of protocol P3 share: kinds of facts, phrases inside a sentence, what rules out what, rates."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

from evals.realistic.bank import Facts, Forms, Kind, PersonaName


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Money(_Table):
    """How a sum is said; `{amount}` is a number in words."""

    forms: Forms


class Ordinals(_Table):
    """Places of a list, first first."""

    names: Forms


class Rates(_Table):
    """Chances: of a move in a session that could have it, of a swap and a typo in each word, of a frame by persona."""

    negation: float
    correction: float
    later_correction: float
    refer: float
    cheaper: float
    swap: float
    typo: float
    framing: dict[PersonaName, float]


class Denied(_Table):
    """Words that turn a value round."""

    before: Forms
    after: Forms


class Cut(_Table):
    """Words that a text which is cut short does not end with."""

    words: Forms


class Speech(_Table):
    """Everything in the data file."""

    keys: dict[Kind, Forms]
    inside: Facts
    money: Money
    ordinals: Ordinals
    rates: Rates
    same: dict[str, Forms]
    contrary: dict[str, Forms]
    cut: Cut
    denied: Denied

    def kind_of_key(self, key: str) -> Kind:
        """Return the kind of fact that a record's key states; `detail` when the value needs its key."""
        wanted = key.strip().lower()
        return next((kind for kind, keys in self.keys.items() if wanted in keys), "detail")

    def names(self, value: str) -> tuple[str, ...]:
        """Return the names of the thing that a value names, itself included."""
        return (value.lower(), *self.same.get(value.lower(), ()))


@cache
def speech() -> Speech:
    """Return the shared table; raises `pydantic.ValidationError` when the data file is malformed."""
    text = files("evals").joinpath("data/realistic/speech.toml").read_text(encoding="utf-8")
    return Speech.model_validate(tomllib.loads(text))


def plain(text: str) -> str:
    """Return lower-case text in which hyphens are spaces, so that `Slip-On` is `slip on`."""
    return " ".join(text.lower().replace("-", " ").split())


def mentions(text: str, names: Iterable[str]) -> bool:
    """Return whether any of `names` stands in `text` as a word of its own, its plural included."""
    alternatives = "|".join(re.escape(plain(name)) for name in names)
    return re.search(rf"(?<!\w)(?:{alternatives})(?:s|es)?(?!\w)", plain(text)) is not None
