"""What was understood of one message: the shared result of every tier of the language layer."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from graph.events import Fact

Act = Literal[
    "add",
    "remove",
    "replace",
    "negate",
    "no_preference",
    "relax",
    "refer",
    "compare",
    "ask_info",
    "reset",
    "undo",
    "other",
]


class Move(BaseModel):
    """One thing that the shopper does in a message, in the vocabulary of `Act`.

    `fact` for `add`, `negate` and `replace`; `attribute`/`detail`/`value` for `remove`, `no_preference`,
    `relax` and for a `replace` that names what goes (attribute None: everything said earlier); `ordinals`
    for `refer`, `ask_info`, `compare` and the rejection of shown products (a `negate` without a fact), 1-based
    in the order last shown, -1 the last; empty ordinals on such a rejection mean all shown.
    """

    act: Act
    fact: Fact | None = None
    attribute: str | None = None
    detail: str | None = None
    value: str | None = None
    ordinals: list[int] = Field(default_factory=list)
    products: list[str] = Field(default_factory=list, description="Products of earlier lists that are pointed at.")
    accepted: bool = Field(default=False, description="A `refer` that chooses the product.")
    leads: bool = Field(default=False, description="Points at the cheapest, dearest or best rated of those shown.")
    widens: bool = Field(default=False, description="An `add` that would do as well as the value held.")


class Reading(BaseModel):
    """A message understood: what the shopper does, the facts stated, and how sure the reading is.

    `query_text` holds every word of the message that belongs in a retrieval query: all of it but
    conversation words (greetings, question words, the frames of structured forms) and excluded values.
    """

    moves: list[Move] = Field(default_factory=list)
    query_text: str = ""
    confidence: float = Field(default=1.0, ge=0.0, le=1.0)
    unexplained: list[str] = Field(default_factory=list, description="Content words that no tier explained.")
    sentences: list[str] = Field(
        default_factory=list, description="Sentences with a wish in words that no tier explained, as written."
    )
    unmet: bool = Field(default=False, description="A wish was read that no fact can hold, such as 'longer'.")
    described: list[tuple[int, int]] = Field(
        default_factory=list, description="Spans that point at a product or ask about one: no wish is stated there."
    )

    @property
    def acts(self) -> list[str]:
        """The acts of the message, in order, each once."""
        return list(dict.fromkeys(move.act for move in self.moves)) or ["other"]

    @property
    def facts(self) -> list[Fact]:
        """The facts of the message, in the order of their words."""
        return [move.fact for move in self.moves if move.fact is not None]


class Question(BaseModel):
    """The question that the shopper may be answering: what the agent last asked, with the options it named."""

    attribute: str | None = None
    options: list[str] = Field(default_factory=list)
    underway: bool = Field(default=False, description="Something was said before, whatever is held of it.")
    looking: bool = Field(
        default=False, description="One product is looked at, and its look is what a new wish replaces."
    )
