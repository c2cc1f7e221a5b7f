"""A fact in the making: what one tier found in a message, before polarity, strength and moves are settled."""

from __future__ import annotations

from dataclasses import dataclass

from catalog.constraint import Op, Polarity, Strength, Value
from catalog.product import Attribute
from graph.events import Fact, SourceTier

GUESSED = 0.5
"""Confidence of words that are taken for a value only because they answer a question."""


@dataclass(slots=True)
class Mention:
    """A value of an attribute, mentioned at `[start, end)`.

    `strength` None means that no cue decided yet. `weak` mentions give way to a longer catalog surface
    ("small" before "small business"). `free` mentions hold verbatim text rather than a known value. `opposite` ones
    were said by what is absent ("no sleeves"): their words retrieve the wrong products, their value the right ones.
    `relative` ones compare with what is shown ("less flashy"): an addition even where the value is unwanted.
    `scope` is the kind of thing that it is said of, `firm` whether it may never be given up. `widens` ones would do as
    well as the value held.
    """

    attribute: Attribute
    value: Value
    start: int
    end: int
    op: Op = "eq"
    detail: str | None = None
    source: SourceTier = "lexicon"
    confidence: float = 1.0
    polarity: Polarity = "positive"
    strength: Strength | None = None
    weak: bool = False
    free: bool = False
    replaces: bool = False
    opposite: bool = False
    relative: bool = False
    widens: bool = False
    scope: str | None = None
    firm: bool = False

    @property
    def guessed(self) -> bool:
        """Whether the words were taken for a value only because they answer a question."""
        return self.free and self.source == "lexicon" and self.confidence <= GUESSED

    @property
    def key(self) -> str:
        """The facet key: the finer name where there is one."""
        return self.detail or self.attribute

    @property
    def values(self) -> list[str]:
        """The value as text, or each of several."""
        return [str(value) for value in self.value] if isinstance(self.value, list) else [str(self.value)]

    def overlaps(self, start: int, end: int) -> bool:
        """Return whether the mention shares a character with `[start, end)`."""
        return self.start < end and start < self.end

    def fact(self, raw: str) -> Fact:
        """Return the fact, its words taken from `raw`; an undecided strength is hard (a plain statement)."""
        return Fact(
            attribute=self.attribute,
            op=self.op,
            value=self.value,
            polarity=self.polarity,
            strength=self.strength or "hard",
            detail=self.detail,
            scope=self.scope,
            firm=self.firm and (self.strength or "hard") == "hard",
            span=(self.start, self.end),
            text=raw[self.start : self.end],
            source=self.source,
            confidence=round(self.confidence, 3),
        )


class Claims:
    """Which characters of a message are explained already."""

    def __init__(self, length: int) -> None:
        self._taken = bytearray(length + 1)

    def take(self, start: int, end: int) -> None:
        """Mark `[start, end)` as explained."""
        self._taken[start:end] = b"\x01" * (min(end, len(self._taken)) - start)

    def free(self, start: int, end: int) -> bool:
        """Return whether nothing of `[start, end)` is explained."""
        return self._taken.find(1, start, end) < 0
