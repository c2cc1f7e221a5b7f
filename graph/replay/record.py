"""One answered turn as it was: what a stored conversation is read into, and what an export holds, line by line."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from catalog.errors import InputError
from graph.events import BeliefState, Fact, believe
from graph.settings import Policy
from tools.explanation import describe
from tools.reading import Reading

FORMAT: Literal[1] = 1
"""Number of the exported shape; it changes when a program that reads the old one would be wrong about the new one."""

STATED = ("attribute", "detail", "op", "value", "polarity", "strength", "firm", "scope")
"""Fields of a fact that say what is wanted; the others say how it was read."""


class NodeState(NamedTuple):
    """What stood in the channels of a turn after one node, where a checkpoint was stored after each."""

    node: str
    channels: dict[str, Any]


class _Row(BaseModel):
    """A part of an export: keys that a later version adds are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Served(_Row):
    """What answered a turn; empty for conversations stored before it was kept."""

    policy: Policy | None = None
    model_mode: Literal["off", "rules_first", "model_first"] | None = None
    catalog: str | None = None
    catalog_sha256: str | None = None


class Belief(_Row):
    """What was believed of the shopper's present intent when the turn ended."""

    epoch: int = 0
    constraints: list[dict[str, Any]] = Field(default_factory=list)
    replaced: list[dict[str, Any]] = Field(default_factory=list)
    declined: list[str] = Field(default_factory=list)
    rejected: list[str] = Field(default_factory=list)
    chosen: list[str] = Field(default_factory=list)


class ShownRow(_Row):
    """A product of the answer."""

    parent_asin: str
    score: float


class TurnRecord(_Row):
    """One answered turn. Every field is described in docs/replay.md, which a test compares with this class.

    `took_ms` and `nodes` are not exported: no two runs take the same time, and the channels after every node are large.
    """

    format: Literal[1] = FORMAT
    conversation: str
    turn: int = Field(ge=1)
    message: str
    user_profile: dict[str, Any] = Field(default_factory=dict)
    served: Served = Field(default_factory=Served)
    acts: list[str]
    facts: list[dict[str, Any]]
    belief: Belief
    query: str = ""
    relaxed: list[dict[str, Any]] = Field(default_factory=list)
    ask_attribute: str | None
    options: list[str] = Field(default_factory=list)
    products: list[ShownRow]
    reply: str = Field(min_length=1)
    steps: list[dict[str, Any]] = Field(default_factory=list)
    events: list[dict[str, Any]]
    before: list[dict[str, Any]] | None = None
    took_ms: dict[str, float] = Field(default_factory=dict, exclude=True)
    nodes: list[NodeState] = Field(default_factory=list, exclude=True)


def record_of(
    conversation: str,
    message: str,
    values: Mapping[str, Any],
    running: Sequence[dict[str, Any]],
    nodes: list[NodeState],
) -> TurnRecord:
    """Return the record of a turn.

    Args:
        conversation: The id that the turn is stored under.
        message: What the shopper said.
        values: The channels at the end of the turn.
        running: The events that the turns before add up to; `before` holds the real ones where they are others.
        nodes: What stood in the channels after each node, if that was stored.
    """
    turn, events = values["turn"], values.get("events", [])
    earlier = events_before(events, turn)
    reading = Reading.model_validate(values.get("reading", {}))
    return TurnRecord(
        conversation=conversation,
        turn=turn,
        message=message,
        user_profile=values.get("user_profile") or {},
        served=Served.model_validate(values.get("served") or {}),
        acts=list(reading.acts),
        facts=[
            {**stated(fact), "span": fact.span and list(fact.span), "source": fact.source} for fact in reading.facts
        ],
        belief=belief_of(believe(events)),
        query=values.get("query", ""),
        relaxed=values.get("relaxed", []),
        ask_attribute=values.get("ask_attribute"),
        options=values.get("options", []),
        products=[ShownRow(parent_asin=r["parent_asin"], score=r["score"]) for r in values.get("recommendations", [])],
        reply=values["reply"],
        steps=values.get("steps", []),
        events=[row for row in events if turn == 1 or row["turn"] >= turn],
        before=None if earlier == list(running) else earlier,
        took_ms=values.get("took_ms", {}),
        nodes=nodes,
    )


def events_before(events: Sequence[dict[str, Any]], turn: int) -> list[dict[str, Any]]:
    """Return what had happened when a turn began; the events of the profile (turn 0) are written by the first."""
    return [] if turn == 1 else [row for row in events if row["turn"] < turn]


def stated(fact: Fact) -> dict[str, Any]:
    """Return what a fact wants, in words and field by field."""
    return {"words": describe(fact), **fact.model_dump(mode="json", include=set(STATED))}


def belief_of(belief: BeliefState) -> Belief:
    """Return the parts of a belief that a record keeps: what a profile prefers is evidence, no constraint."""
    said = [({**stated(e.fact), "turn": e.turn}, e.active) for e in belief.entries if e.fact.source != "profile"]
    return Belief(
        epoch=belief.epoch,
        constraints=[row for row, active in said if active],
        replaced=[row for row, active in said if not active],
        declined=belief.declined,
        rejected=belief.rejected,
        chosen=belief.chosen,
    )


def write_export(turns: Sequence[TurnRecord], path: Path) -> None:
    """Write one JSON object a turn; the file appears when it is whole. Raises `OSError`."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(b"".join(orjson.dumps(turn.model_dump(mode="json")) + b"\n" for turn in turns))
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def read_export(path: Path) -> list[TurnRecord]:
    """Read an exported conversation; raises `InputError` that names the line that cannot be used."""
    if not path.is_file():
        raise InputError(f"There is no exported conversation at {path}. {_REMEDY}")
    turns: list[TurnRecord] = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        try:
            turn = TurnRecord.model_validate(orjson.loads(line))
        except ValidationError as error:
            raise InputError(f"{path}, line {number}: {_reason(error)} {_REMEDY}") from error
        except orjson.JSONDecodeError as error:
            raise InputError(f"{path}, line {number} is not JSON ({error}). {_REMEDY}") from error
        if turns and (turn.conversation, turn.turn) != (turns[0].conversation, turns[-1].turn + 1):
            follows = f"turn {turns[-1].turn + 1} of {turns[0].conversation!r}"
            raise InputError(f"{path}, line {number} does not hold {follows}, which comes next. {_REMEDY}")
        turns.append(turn)
    if not turns:
        raise InputError(f"{path} holds no turn. {_REMEDY}")
    return turns


_REMEDY = "Write the file with `shopgraph replay THREAD --export F.jsonl`."


def _reason(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"])) or "the row"
    if place == "format":
        return f"it has format {first['input']!r}, and this version reads format {FORMAT}."
    return f"{place}: {first['msg']}."
