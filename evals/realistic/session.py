"""A session of protocol P3: P1's hidden card, and how and by whom it is spoken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from catalog.product import Product
from evals.official.shopper import OfficialSession
from evals.realistic.bank import Half, Kind, PersonaName

Level = Literal["light", "heavy"]

HEAVY_SHARE = 0.7
"""Share of the facts that a `heavy` session says in other words."""

Look = Callable[[Sequence[str]], Sequence[Product]]
"""What a person sees of the products that ids name; ids that no product has are left out."""


class Manner(BaseModel):
    """How the sessions of a file are spoken.

    `light` says facts in the record's own words inside other sentences; `heavy` says a share of them in other words.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    level: Level = "light"
    half: Half = "train"
    share: float = Field(default=HEAVY_SHARE, ge=0, le=1)


class RealisticSession(OfficialSession):
    """The hidden card of a target, the persona who holds it, and what she may deny or get wrong."""

    manner: Manner
    bank: str = Field(description="SHA-256 of the sentences that the session was made to be spoken in.")
    persona: PersonaName
    keyed: tuple[str, ...] = Field(description="Card values that are details of the record: a key and its value.")
    literal: tuple[str, ...] = Field(description="Card values that other words would get wrong: `leather` of a fake.")
    untrue: dict[Kind, tuple[str, ...]] = Field(description="Values of other products, each false of the target.")

    @property
    def groups(self) -> dict[str, str]:
        """The persona."""
        return {"persona": self.persona}
