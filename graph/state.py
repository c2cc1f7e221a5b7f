"""The channels of the graph: what comes in, what a turn works on, what goes out.

Channels hold JSON types only, so that a checkpoint names no class of ours and loads under strict msgpack; ids and
small numbers only, never product bodies, never a belief, which is folded from `events` when needed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from langchain_core.messages import AnyMessage
from langgraph.channels import UntrackedValue
from langgraph.graph.message import add_messages
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model

from graph.channels import EventLog
from graph.settings import Policy

MESSAGE_LIMIT = 100_000
"""Characters of a message that are kept; the rest is cut and said so."""

BASIS = "basis"
"""Key under which a node hands over the numbers behind its decision: `graph.watching` words them, no channel holds."""

STARTING_NODE = "route"
"""The node whose record begins those of a turn."""

_UNSTORABLE = re.compile("[\\ud800-\\udfff\\x00]")


def clean_text(text: str, limit: int = MESSAGE_LIMIT) -> str:
    """Return text that every store can hold: lone surrogates and NUL become U+FFFD, length is bounded."""
    return _UNSTORABLE.sub("\ufffd", text[:limit])


def clean_json(value: Any) -> Any:
    """Return a JSON value with text cleaned and integers beyond 64 bits turned into floats."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, bool) or value is None or isinstance(value, float):
        return value
    if isinstance(value, int):
        return value if -(2**63) <= value < 2**63 else float(max(min(value, 10**300), -(10**300)))
    if isinstance(value, dict):
        return {clean_text(str(key)): clean_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [clean_json(item) for item in value]
    return clean_text(str(value))


def gather_steps(kept: list[dict[str, Any]], new: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add the records of a node to those of its turn; that of the starting node begins a turn's anew."""
    begins = bool(new) and new[0].get("node") == STARTING_NODE
    return list(new) if begins else [*kept, *new]


def gather_times(kept: dict[str, float], new: dict[str, float]) -> dict[str, float]:
    """Add the time of a node to those of its turn; that of the starting node begins a turn's anew."""
    return dict(new) if STARTING_NODE in new else {**kept, **new}


def _clean_message(value: Any) -> Any:
    # One character more than is kept, so that `route` can say that it cut.
    return clean_text(value, MESSAGE_LIMIT + 1) if isinstance(value, str) else value


def _clean_profile(value: Any) -> Any:
    return clean_json(value) if isinstance(value, dict) else value


Message = Annotated[str, BeforeValidator(_clean_message)]
Profile = Annotated[dict[str, Any], BeforeValidator(_clean_profile)]


class Context(BaseModel):
    """What may differ from run to run without being part of the conversation."""

    model_config = ConfigDict(extra="forbid")

    policy: Policy = Field(
        default="full", description="`full` always shows ten; `confident` shows what the evidence supports."
    )
    model_mode: Literal["off", "rules_first", "model_first"] = Field(
        default="off", description="Whether a chat model may translate the message."
    )
    catalog: str = Field(default="default", description="Name of a configured catalog, never a path.")


def configured_context(policy: Policy, catalogs: Sequence[str]) -> type[Context]:
    """Return the context of one configuration: its defaults are the settings', its form offers the catalogs by name."""
    named = Context.model_fields["catalog"].description
    return create_model(
        "Context",
        __base__=Context,
        __doc__=Context.__doc__,
        policy=(Policy, Field(default=policy, description=Context.model_fields["policy"].description)),
        catalog=(str, Field(default="default", description=named, json_schema_extra={"enum": [*catalogs]})),
    )


PROFILE_FORM: dict[str, Any] = {
    "preference_tags": {
        "type": "array",
        "items": {"type": "string"},
        "description": "Words for what the shopper likes, as `casual` or `linen`: weak preferences, never demands.",
    },
    "purchase_frequency": {"type": "string", "description": "How often the shopper buys. Kept, not used."},
    "average_prior_rating": {"type": ["number", "null"], "description": "Stars given on average. Kept, not used."},
    "rating_style": {"type": "string", "description": "How the shopper rates. Kept, not used."},
    "summary": {"type": "string", "description": "The profile in a sentence. Kept, not used."},
}
"""Fields of a profile that a form shows; any other JSON is kept too."""


class ShopperInput(BaseModel):
    """One message of the shopper: `message`, or the last human message of `messages`."""

    message: str = Field(default="", description="What the shopper says.", examples=["a rain jacket under $60"])
    user_profile: dict[str, Any] = Field(
        default={},
        description="Anonymous and optional: what this shopper prefers. Read on the first turn.",
        json_schema_extra={"properties": PROFILE_FORM},
    )
    messages: Annotated[list[AnyMessage], add_messages] = Field(
        default=[], description="The chat view: a human message here is read when `message` is blank."
    )


class Translating(BaseModel):
    """What the edges around `translate` read."""

    translation: dict[str, Any] = Field(default_factory=dict)


class TurnState(BaseModel):
    """What the nodes of a turn read and write; all but `events` and `turn` is cleared when a turn starts."""

    message: Message = Field(default="", description="What the shopper says; blank once it is answered.")
    user_profile: Profile = Field(default_factory=dict, description="The shopper's anonymous profile.")
    turn: int = Field(default=0, ge=0, le=2**31, description="Turns answered so far, the present one included.")
    events: Annotated[list[dict[str, Any]], EventLog] = Field(
        default_factory=list, description="All that happened, append-only; `graph.events.fold` gives the belief."
    )

    mode: Literal["buying", "browsing", "control"] = Field(default="buying", description="What the message is about.")
    reading: dict[str, Any] = Field(default_factory=dict, description="`tools.reading.Reading` of the message.")
    translation: dict[str, Any] = Field(default_factory=dict, description="Outcome of the model's translation.")
    query: str = Field(default="", description="Words of the retrieval query.")
    candidates: list[int] = Field(default_factory=list, description="Products, as row numbers of this catalog.")
    relaxed: list[dict[str, Any]] = Field(default_factory=list, description="Constraints given up this turn.")
    scores: list[float] = Field(default_factory=list, description="Evidence score of each candidate, best first.")
    rest: float = Field(default=0.0, description="Probability of all candidates that were ranked and not kept.")
    ask_attribute: str | None = Field(default=None, description="What the answer asks about, if anything.")
    options: list[str] = Field(default_factory=list, description="Values that the question names.")
    commit: int = Field(default=10, ge=0, le=10, description="How many products the answer shows.")
    notices: list[str] = Field(default_factory=list, description="Sentences that the answer must say.")
    reply: str = Field(
        default="", description="What the agent says. Written before `respond`, it is said as it stands."
    )
    recommendations: list[dict[str, Any]] = Field(
        default_factory=list, description="`parent_asin` and `score` of each product shown, best first."
    )
    usage: dict[str, int] = Field(default_factory=dict, description="Tokens that a model used this turn.")


Evidence = dict[str, list[dict[str, Any]]]
"""`parent_asin` to one row a fact; see `tools.explanation.evidence_of`."""


Steps = Annotated[list[dict[str, Any]], gather_steps]
"""The decision records of one turn, in the order of its nodes; see `graph.watching`."""


class State(TurnState):
    """All channels: those of the turn, the evidence of its answer, and the chat view.

    Evidence goes out but is not stored: it grows with the facts of a conversation (30 KB at turn 40, against 10 KB for
    everything else) and follows from belief and catalog at any time.
    """

    evidence: Annotated[Evidence, UntrackedValue(dict)] = Field(default_factory=dict)
    messages: Annotated[list[AnyMessage], add_messages] = Field(default_factory=list)
    heard: str = Field(default="", description="Id of the last of `messages` when the latest turn began.")
    steps: Steps = Field(
        default_factory=list, description="What each node of the turn decided: `node`, `in`, `decided`, `why`."
    )
    took_ms: Annotated[dict[str, float], gather_times] = Field(
        default_factory=dict, description="Milliseconds of each node of the turn; apart, since no two runs agree on it."
    )
    served: dict[str, str] = Field(
        default_factory=dict,
        description="What answered the latest turn: policy, model mode, catalog (name and digest of its rows).",
    )


class ShopperOutput(BaseModel):
    """The answer of a turn, with the evidence behind it."""

    turn: int = Field(default=0, description="Number of this turn.")
    reply: str = Field(default="", description="What the agent says.")
    ask_attribute: str | None = Field(default=None, description="What it asks about, if anything.")
    options: list[str] = Field(default_factory=list, description="Values that the question names.")
    recommendations: list[dict[str, Any]] = Field(
        default_factory=list, description="`parent_asin` and `score` of each product shown, best first."
    )
    evidence: Annotated[Evidence, UntrackedValue(dict)] = Field(
        default_factory=dict, description="For each product shown, what is known of each wish, and where it says so."
    )
    relaxed: list[dict[str, Any]] = Field(default_factory=list, description="Constraints given up this turn.")
    reading: dict[str, Any] = Field(default_factory=dict, description="What was understood of the message.")
    usage: dict[str, int] = Field(default_factory=dict, description="Tokens that a model used this turn.")
    steps: Steps = Field(
        default_factory=list, description="What each node of the turn decided: `node`, `in`, `decided`, `why`."
    )
    messages: Annotated[list[AnyMessage], add_messages] = Field(default_factory=list)
