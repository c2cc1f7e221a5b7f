"""What happened in a conversation, as immutable events, and the belief they fold into.

Events are past participles, are never edited and hold JSON types only. `fold` is pure: the same events give
the same belief, and undo is the belief of a shorter prefix.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from catalog.constraint import Constraint

SourceTier = Literal["structured", "grammar", "lexicon", "paraphrase", "model", "profile"]

DEMOTED_WEIGHT = 0.4
"""Weight of evidence whose preference was replaced: old and new are often both true of the wanted product
(published runs put the best value at .35-.5, and dropping the evidence costs .02-.04)."""


class Fact(Constraint):
    """A constraint together with the words that stated it.

    `span` is `[start, end)` in characters of the shopper's message, or None for a fact of the profile.
    """

    span: tuple[int, int] | None = None
    text: str = Field(default="", description="The verbatim words of the span.")
    source: SourceTier = "lexicon"
    confidence: float = Field(default=1.0, ge=0.0, le=1.0)


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    turn: int = Field(ge=0, description="Turn that produced the event; 0 is before the first message.")


class ConstraintAdded(_Event):
    """The shopper stated a new fact."""

    type: Literal["constraint_added"] = "constraint_added"
    fact: Fact


class ConstraintReplaced(_Event):
    """The shopper changed a preference: the old facts of that key are demoted, not erased.

    `attribute` and `detail` name what is replaced; `attribute` None demotes every positive preference (an
    "ignore my earlier preference" without a name). `fact` is the new one, None when none was given.
    """

    type: Literal["constraint_replaced"] = "constraint_replaced"
    attribute: str | None = None
    detail: str | None = None
    fact: Fact | None = None


class ConstraintRetracted(_Event):
    """The shopper withdrew a preference; with `value`, only that value of the attribute."""

    type: Literal["constraint_retracted"] = "constraint_retracted"
    attribute: str
    detail: str | None = None
    value: str | None = None


class PreferenceDeclined(_Event):
    """The shopper has no preference on an attribute; `attribute` "all" means on anything more."""

    type: Literal["preference_declined"] = "preference_declined"
    attribute: str


class QueryTextAdded(_Event):
    """Raw words of the shopper that the retrieval query keeps."""

    type: Literal["query_text_added"] = "query_text_added"
    text: str


class ProductsShown(_Event):
    """These products (`parent_asin`, best first) were recommended."""

    type: Literal["products_shown"] = "products_shown"
    products: list[str]


class ProductsRejected(_Event):
    """The shopper turned these shown products down."""

    type: Literal["products_rejected"] = "products_rejected"
    products: list[str]


class AttributeAsked(_Event):
    """The agent asked for this attribute."""

    type: Literal["attribute_asked"] = "attribute_asked"
    attribute: str


class IntentReset(_Event):
    """A new intent begins. `keep` names attributes that travel with the shopper (budget, department)."""

    type: Literal["intent_reset"] = "intent_reset"
    keep: list[str] = Field(default_factory=list)


class TurnUndone(_Event):
    """The shopper took back the last turn that was not yet undone; its events no longer count."""

    type: Literal["turn_undone"] = "turn_undone"
    undone: int = Field(ge=0, description="Turn whose events are void.")


Event = Annotated[
    ConstraintAdded
    | ConstraintReplaced
    | ConstraintRetracted
    | PreferenceDeclined
    | QueryTextAdded
    | ProductsShown
    | ProductsRejected
    | AttributeAsked
    | IntentReset
    | TurnUndone,
    Field(discriminator="type"),
]

_EVENTS: TypeAdapter[list[Event]] = TypeAdapter(list[Event])


class BeliefEntry(BaseModel):
    """One held preference, with the turn that stated it and the weight of its evidence."""

    model_config = ConfigDict(frozen=True)

    fact: Fact
    turn: int
    weight: float = 1.0

    @property
    def active(self) -> bool:
        """Whether the preference still holds (a demoted one is evidence, not a constraint)."""
        return self.weight >= 1.0


class BeliefState(BaseModel):
    """What the agent believes of the shopper's present intent, folded from events."""

    epoch: int = Field(default=0, description="Counts resets and category switches.")
    entries: list[BeliefEntry] = Field(default_factory=list)
    declined: list[str] = Field(default_factory=list)
    asked: list[tuple[int, str]] = Field(default_factory=list, description="(turn, attribute) of this intent.")
    query_texts: list[tuple[int, str]] = Field(default_factory=list, description="(turn, raw words).")
    last_shown: list[str] = Field(default_factory=list, description="The latest list, in the order on screen.")
    shown: dict[str, int] = Field(default_factory=dict, description="Times shown in this intent.")
    rejected: list[str] = Field(default_factory=list)
    replaced_at: int | None = Field(default=None, description="Turn of the latest override of this intent.")

    @property
    def constraints(self) -> list[Fact]:
        """The facts that hold now."""
        return [entry.fact for entry in self.entries if entry.active]

    def of(self, attribute: str) -> list[Fact]:
        """Return the facts that hold now on one attribute."""
        return [fact for fact in self.constraints if fact.attribute == attribute]


def dump(events: Iterable[Event]) -> list[dict[str, Any]]:
    """Return events as compact JSON dicts (defaults dropped, `type` kept) for the state channel."""
    return [{"type": e.type, **e.model_dump(mode="json", exclude_defaults=True)} for e in events]


def load(rows: Iterable[Mapping[str, Any] | Event]) -> list[Event]:
    """Parse stored event dicts; raises `pydantic.ValidationError` on an unknown type or field."""
    return _EVENTS.validate_python([r if isinstance(r, BaseModel) else dict(r) for r in rows])
