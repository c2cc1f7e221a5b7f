"""What happened in a conversation, as immutable events, and the belief they fold into.

Events are past participles, are never edited and hold JSON types only. `fold` is pure: the same events give
the same belief, and undo is the belief of a shorter prefix.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from catalog.constraint import Constraint

SourceTier = Literal["structured", "grammar", "lexicon", "paraphrase", "model", "profile"]

DEMOTED_WEIGHT = 0.4
"""Weight of evidence whose preference was replaced: old and new are often both true of the wanted product
(published runs put the best value at .35-.5, and dropping the evidence costs .02-.04)."""

WORDS = "words"
"""What `ConstraintReplaced` names when words that no fact explains take the place of those said before."""

SEEN_PRODUCTS = 30
"""Products of earlier lists that a shopper may still point at ("the black boots, what are they made of?")."""


class Fact(Constraint):
    """A constraint together with the words that stated it.

    `span` is `[start, end)` in characters of the shopper's message, or None for a fact of the profile.
    """

    firm: bool = Field(default=False, description="Said to be past giving up: only, must, nothing else will do.")
    span: tuple[int, int] | None = None
    text: str = Field(default="", description="The verbatim words of the span.")
    quoted: str = Field(default="", description="A catalog's own string that the shopper repeated to state it.")
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


class DescriptionAdded(_Event):
    """A sentence in which the shopper says in other words what no fact holds: evidence by its meaning.

    The words are kept, not what a model makes of them: `tools.sentence_evidence` compares them with the catalog's.
    """

    type: Literal["description_added"] = "description_added"
    text: str
    weight: float = Field(default=1.0, gt=0.0, le=1.0, description="How sure it is that something is wished for.")


class ProductsShown(_Event):
    """These products (`parent_asin`, best first) were recommended."""

    type: Literal["products_shown"] = "products_shown"
    products: list[str]


class ProductsRejected(_Event):
    """The shopper turned these shown products down."""

    type: Literal["products_rejected"] = "products_rejected"
    products: list[str]


class ProductsChosen(_Event):
    """The shopper accepted these shown products: they lead what is shown from now on while they meet what is hard."""

    type: Literal["products_chosen"] = "products_chosen"
    products: list[str]


class ProductsDiscussed(_Event):
    """The shopper asked about these shown products: "it" is one of them until the list changes."""

    type: Literal["products_discussed"] = "products_discussed"
    products: list[str]
    leads: bool = Field(default=False, description="Asked for as the end of the list: it stands first for this answer.")


class AttributeAsked(_Event):
    """The agent asked for this attribute."""

    type: Literal["attribute_asked"] = "attribute_asked"
    attribute: str
    options: list[str] = Field(default_factory=list, description="Values that the question named.")


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
    | DescriptionAdded
    | ProductsShown
    | ProductsRejected
    | ProductsChosen
    | ProductsDiscussed
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


class Description(BaseModel):
    """A sentence of the shopper that is compared with the catalog's own, and the weight of its evidence."""

    model_config = ConfigDict(frozen=True)

    text: str
    turn: int
    weight: float = 1.0


class BeliefState(BaseModel):
    """What the agent believes of the shopper's present intent, folded from events."""

    epoch: int = Field(default=0, description="Counts resets and category switches.")
    entries: list[BeliefEntry] = Field(default_factory=list)
    declined: list[str] = Field(default_factory=list)
    asked: list[tuple[int, str]] = Field(default_factory=list, description="(turn, attribute) of this intent.")
    open_question: str | None = Field(default=None, description="Attribute that the latest answer asked for.")
    options: list[str] = Field(default_factory=list, description="Values that the latest question named.")
    query_texts: list[tuple[int, str]] = Field(default_factory=list, description="(turn, raw words).")
    descriptions: list[Description] = Field(default_factory=list, description="Sentences that no fact explains.")
    withdrawn: list[str] = Field(default_factory=list, description="Words of facts taken back or replaced by name.")
    last_shown: list[str] = Field(default_factory=list, description="The latest list, in the order on screen.")
    shown: dict[str, int] = Field(default_factory=dict, description="Times passed over in this intent.")
    pending: list[str] = Field(default_factory=list, description="Shown last, and nothing new was said since.")
    seen: list[str] = Field(default_factory=list, description="The latest products of lists before, of any intent.")
    rejected: list[str] = Field(default_factory=list)
    discussed: list[str] = Field(default_factory=list, description="What the shopper asked about last.")
    leading: list[str] = Field(
        default_factory=list, description="The cheapest, dearest or best of those, just asked for."
    )
    chosen: list[str] = Field(default_factory=list, description="What the shopper accepted last, in this intent.")
    stated: dict[int, int] = Field(
        default_factory=dict, description="Turn to facts and descriptions stated in it, repeated ones too."
    )
    replaced_at: int | None = Field(default=None, description="Turn of the latest override of this intent.")

    @property
    def constraints(self) -> list[Fact]:
        """What the shopper said that holds now; what a profile prefers is evidence, never a constraint."""
        return [entry.fact for entry in self.entries if entry.active and entry.fact.source != "profile"]

    def of(self, attribute: str) -> list[Fact]:
        """Return the facts that hold now on one attribute."""
        return [fact for fact in self.constraints if fact.attribute == attribute]


def dump(events: Iterable[Event]) -> list[dict[str, Any]]:
    """Return events as compact JSON dicts (defaults dropped, `type` kept) for the state channel."""
    return [{"type": e.type, **e.model_dump(mode="json", exclude_defaults=True)} for e in events]


def load(rows: Iterable[Mapping[str, Any] | Event]) -> list[Event]:
    """Parse stored event dicts; raises `pydantic.ValidationError` on an unknown type or field."""
    return _EVENTS.validate_python([r if isinstance(r, BaseModel) else dict(r) for r in rows])


def fold(events: Iterable[Event]) -> BeliefState:
    """Return the belief that a conversation's events add up to. Pure: no clock, no catalog, no order but theirs.

    Example: folding `[ConstraintAdded(turn=1, fact=navy), TurnUndone(turn=2, undone=1)]` gives an empty belief.
    """
    belief = BeliefState()
    for event in standing(events):
        _apply(belief, event)
    return belief


def standing(events: Iterable[Event]) -> list[Event]:
    """Return the events that still count: those of undone turns and the undoing itself dropped."""
    kept: list[Event] = []
    for event in events:
        if isinstance(event, TurnUndone):
            kept = [e for e in kept if e.turn != event.undone]
        else:
            kept.append(event)
    return kept


def believe(rows: Sequence[Mapping[str, Any]]) -> BeliefState:
    """Fold stored event dicts. The last few results are kept, since every node of a turn asks for the same one.

    Callers must not change the returned belief.
    """
    return _believe(orjson.dumps(rows))


@lru_cache(maxsize=64)
def _believe(serialised: bytes) -> BeliefState:
    return fold(load(orjson.loads(serialised)))


def _apply(belief: BeliefState, event: Event) -> None:
    if not isinstance(event, (ProductsShown, AttributeAsked, ProductsChosen, ProductsDiscussed)):
        _pass_over(belief)
    match event:
        case ConstraintAdded(fact=fact, turn=turn):
            _hold(belief, fact, turn)
        case ConstraintReplaced():
            _replace(belief, event)
        case ConstraintRetracted():
            _retract(belief, event)
        case PreferenceDeclined(attribute=attribute):
            belief.declined = [*dict.fromkeys([*belief.declined, attribute])]
        case QueryTextAdded(text=text, turn=turn):
            belief.query_texts.append((turn, text))
        case DescriptionAdded(text=text, turn=turn, weight=weight):
            belief.stated[turn] = belief.stated.get(turn, 0) + 1
            belief.descriptions.append(Description(text=text, turn=turn, weight=weight))
        case ProductsShown(products=products):
            before = [*belief.last_shown, *belief.seen]
            belief.seen = [p for p in dict.fromkeys(before) if p not in products][:SEEN_PRODUCTS]
            belief.last_shown, belief.pending = list(products), list(products)
            belief.open_question, belief.options = None, []
        case ProductsRejected(products=products):
            belief.rejected = [*dict.fromkeys([*belief.rejected, *products])]
        case ProductsDiscussed(products=products, leads=leads):
            belief.discussed = list(products)
            belief.leading = list(products) if leads else []
        case ProductsChosen(products=products):
            belief.chosen = list(products)
            belief.rejected = [product for product in belief.rejected if product not in products]
        case AttributeAsked(attribute=attribute, turn=turn, options=options):
            belief.asked.append((turn, attribute))
            belief.open_question, belief.options = attribute, list(options)
        case IntentReset(keep=keep):
            _begin_intent(belief, keep)


def _pass_over(belief: BeliefState) -> None:
    """Count the last list as passed over: the shopper went on to say something new.

    A question about a product, thanks or an undo passes nothing over, so that the list on screen stays.
    """
    belief.leading = []
    for product in belief.pending:
        belief.shown[product] = belief.shown.get(product, 0) + 1
    belief.pending = []


def _hold(belief: BeliefState, fact: Fact, turn: int) -> None:
    """Add a fact. A repeated one keeps its first turn; the opposite of a held one takes its place."""
    first = turn
    belief.stated[turn] = belief.stated.get(turn, 0) + 1
    kept = []
    for entry in belief.entries:
        if _same_value(entry.fact, fact):
            if entry.fact.polarity == fact.polarity and entry.active:
                first = entry.turn
                strength = "hard" if "hard" in (entry.fact.strength, fact.strength) else "soft"
                surest = max(entry.fact.confidence, fact.confidence)
                quoted = fact.quoted or entry.fact.quoted
                fact = fact.model_copy(update={"strength": strength, "confidence": surest, "quoted": quoted})
            continue
        kept.append(entry)
    belief.entries = [*kept, BeliefEntry(fact=fact, turn=first)]


def _retract(belief: BeliefState, event: ConstraintRetracted) -> None:
    gone = [e for e in belief.entries if _concerns(e.fact, event.attribute, event.detail, event.value)]
    belief.withdrawn += [_words(entry.fact) for entry in gone]
    belief.entries = [e for e in belief.entries if e not in gone]


def _words(fact: Fact) -> str:
    return " ".join((fact.text, *fact.values))


def _replace(belief: BeliefState, event: ConstraintReplaced) -> None:
    """Demote what the event names, start the lists of the intent anew, and hold the new fact."""
    if event.attribute is not None:
        belief.withdrawn += [_words(e.fact) for e in belief.entries if _replaced(e, event)]
    belief.entries = [
        e.model_copy(update={"weight": DEMOTED_WEIGHT}) if _replaced(e, event) else e for e in belief.entries
    ]
    belief.shown, belief.asked, belief.declined = {}, [], []
    if event.attribute in (None, WORDS):
        belief.replaced_at, belief.rejected = event.turn, []
        belief.descriptions = [
            d.model_copy(update={"weight": d.weight * DEMOTED_WEIGHT}) if d.turn < event.turn else d
            for d in belief.descriptions
        ]
    if event.fact is not None:
        _hold(belief, event.fact, event.turn)


def _replaced(entry: BeliefEntry, event: ConstraintReplaced) -> bool:
    if not entry.active or entry.fact.polarity == "negative" or entry.turn == event.turn:
        return False
    if event.attribute is None:
        # What kind of thing is wanted is not one of the preferences that "ignore what I said" takes back.
        return entry.fact.attribute not in ("category", "department")
    return _concerns(entry.fact, event.attribute, event.detail, None)


def _begin_intent(belief: BeliefState, keep: Sequence[str]) -> None:
    belief.epoch, belief.replaced_at = belief.epoch + 1, None
    belief.entries = [e for e in belief.entries if e.active and e.fact.attribute in keep]
    belief.query_texts, belief.asked, belief.declined, belief.rejected = [], [], [], []
    belief.shown, belief.withdrawn, belief.chosen, belief.descriptions = {}, [], [], []


def _concerns(fact: Fact, attribute: str, detail: str | None, value: str | None) -> bool:
    if fact.attribute != attribute or (detail is not None and fact.detail != detail):
        return False
    return value is None or value in fact.values


def _same_value(one: Fact, other: Fact) -> bool:
    return one.facet_key == other.facet_key and one.op == other.op and one.value == other.value
