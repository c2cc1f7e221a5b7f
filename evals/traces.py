"""One row for each turn of a run: what was said, what was understood, where the target stood."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from evals.recall import StageRow, recall
from evals.scoring import (
    Latency,
    Metrics,
    Outcome,
    Tokens,
    TurnFault,
    bootstrap,
    hit_curve,
    latency,
    score,
    score_groups,
    score_scenarios,
)
from evals.stages import StageRanks


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True)


class TurnTrace(_Row):
    """One turn. What only diagnostics can tell is empty for an agent without them."""

    session_id: str
    scenario: str
    turn: int
    message: str
    acts: list[Any] = Field(default_factory=list)
    facts: list[Any] = Field(default_factory=list)
    constraints: list[Any] = Field(default_factory=list, description="Active constraints after the turn.")
    query: str | None = None
    stage_ranks: StageRanks
    dropped_by: str | None = Field(default=None, description="What the filter dropped the target for.")
    question: str | None = Field(default=None, description="The attribute asked for.")
    reply: str | None = None
    shown: list[str] = Field(default_factory=list, description="The recommendations that counted, best first.")
    counts: bool = Field(description="Whether a hit at this turn counts.")
    latency_ms: float | None = None
    node_ms: dict[str, float] = Field(default_factory=dict)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    faults: list[TurnFault] = Field(default_factory=list)


class SessionTrace(_Row):
    """A session played to its end."""

    outcome: Outcome
    turns: list[TurnTrace]
    reset_fault: TurnFault | None = None


def measure(traces: Sequence[SessionTrace], seed: int = 0) -> Metrics:
    """Score a run from its traces; `seed` draws the bootstrap."""
    outcomes = [trace.outcome for trace in traces]
    turns = [turn for trace in traces for turn in trace.turns]
    return Metrics(
        overall=score(outcomes),
        interval=bootstrap(outcomes, seed),
        per_scenario=score_scenarios(outcomes),
        per_group=score_groups(outcomes),
        hit_curve=hit_curve(outcomes),
        latency=_latency(turns),
        tokens=Tokens(
            prompt=sum(turn.prompt_tokens for turn in turns), completion=sum(turn.completion_tokens for turn in turns)
        ),
        faults=[fault for trace in traces for fault in _faults(trace)],
        recall=recall(StageRow.model_validate(turn.model_dump(include=set(StageRow.model_fields))) for turn in turns),
    )


def worst(traces: Sequence[SessionTrace], count: int) -> list[SessionTrace]:
    """Return the sessions that cost the most, misses first; all of them score below a perfect first turn."""
    by_cost = sorted(traces, key=lambda trace: trace.outcome.contribution)
    return [trace for trace in by_cost[:count] if trace.outcome.contribution < 1]


def _latency(turns: Sequence[TurnTrace]) -> Latency:
    return latency(turn.latency_ms for turn in turns if turn.latency_ms is not None)


def _faults(trace: SessionTrace) -> list[TurnFault]:
    own = [trace.reset_fault] if trace.reset_fault else []
    return own + [fault for turn in trace.turns for fault in turn.faults]
