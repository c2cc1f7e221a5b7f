"""A session of protocol P2 as a file holds it: all that the shopper knows, and every sentence he may say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from evals.natural.facts import Claim, Fact, Slot
from evals.natural.tables import Move
from evals.sessions import LAST_TURN, Session

SWITCH_TURNS = (3, 4)
"""Turns at which a change of mind is stated; the session id draws which."""


class Switch(BaseModel):
    """A change of mind: at `turn` the shopper takes the old preference back and says the new one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    turn: int = Field(ge=2, le=LAST_TURN)
    message: str = Field(min_length=1)


class NaturalSession(Session):
    """A session of P2: an opening, the facts with the words that state them, and the shopper's other sentences."""

    opening: str = Field(min_length=1)
    facts: tuple[Fact, ...] = Field(min_length=1)
    switch: Switch | None = None
    moves: dict[Move, tuple[str, ...]]
    sha256: str = Field(default="", description="Of everything else in the row, so that an edit of it shows.")

    @model_validator(mode="after")
    def _one_mind(self) -> Self:
        if (self.switch is not None) != (self.scenario == "intent_override"):
            raise ValueError("a switch belongs to the scenario intent_override, and to no other")
        return self

    def in_slot(self, *slots: Slot) -> list[Fact]:
        """Return the facts of these slots, in the order of the file."""
        return [fact for fact in self.facts if fact.slot in slots]

    @property
    def signature(self) -> list[Claim]:
        """What is claimed of the target: every fact but an old preference."""
        return [fact.claim for fact in self.facts if fact.slot != "old"]

    @property
    def texts(self) -> Sequence[str]:
        """Everything that an agent may come to read, the profile aside."""
        moves = (text for said in self.moves.values() for text in said)
        switch = [self.switch.message] if self.switch else []
        return [self.opening, *(fact.said for fact in self.facts), *switch, *moves]
