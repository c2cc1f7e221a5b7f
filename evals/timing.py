"""How long an agent takes to answer, and where a turn's time goes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from evals.official.generate import generate_sessions
from evals.official.shopper import OfficialSession, OfficialShopper
from evals.process import AgentSpec
from evals.progress import bar
from evals.runner import Exist, play_all
from evals.scoring import Latency, latency
from evals.sessions import Session
from evals.store import all_products, existence, open_store
from evals.traces import TurnTrace
from graph.settings import Policy


class NodeTime(BaseModel):
    """The time of one node of the graph over all turns."""

    model_config = ConfigDict(frozen=True)

    node: str
    p50_ms: float
    p95_ms: float
    share: float = Field(description="Part of the time of all nodes together.")


class Speed(BaseModel):
    """Times of `respond` on one catalog, over the turns of P1 sessions played on one worker."""

    model_config = ConfigDict(frozen=True)

    catalog_products: int
    policy: Policy
    sessions: int
    respond: Latency = Field(description="Measured without diagnostics, in the agent's process.")
    nodes: list[NodeTime] = Field(description="Measured in a second run, with diagnostics; longest first.")


def measure_speed(
    catalog: Path, *, agent: str = "shopgraph", policy: Policy = "confident", n: int = 40, seed: int = 0
) -> Speed:
    """Time `agent` on `n` popularity-drawn P1 sessions of a catalog.

    The first session of each worker is played once before it is timed, since it pays for cold caches.
    """
    index = open_store(catalog)
    try:
        sessions = generate_sessions(all_products(index), n, "popularity", seed)
        spec = AgentSpec(agent=agent, catalog=catalog, policy=policy)
        plain = _turns(spec.model_copy(update={"diagnostics": False}), sessions, existence(index))
        told = _turns(spec, sessions, existence(index))
        products = index.size
    finally:
        index.close()
    times = latency(turn.latency_ms for turn in plain if turn.latency_ms is not None)
    return Speed(catalog_products=products, policy=policy, sessions=n, respond=times, nodes=node_times(told))


def node_times(turns: Sequence[TurnTrace]) -> list[NodeTime]:
    """Summarise the node times of turns; empty when the agent reports none."""
    by_node: dict[str, list[float]] = defaultdict(list)
    for turn in turns:
        for node, milliseconds in turn.node_ms.items():
            by_node[node].append(milliseconds)
    total = sum(sum(times) for times in by_node.values()) or 1.0
    rows = [
        NodeTime(
            node=node,
            p50_ms=float(np.percentile(times, 50)),
            p95_ms=float(np.percentile(times, 95)),
            share=sum(times) / total,
        )
        for node, times in by_node.items()
    ]
    return sorted(rows, key=lambda row: -row.share)


def _turns(spec: AgentSpec, sessions: Sequence[OfficialSession], exist: Exist) -> list[TurnTrace]:
    """Play the sessions on one worker and return their turns, without those of the warm-up session."""
    warm_up = sessions[0].model_copy(update={"session_id": f"{sessions[0].session_id}-warm-up"})
    label = "with diagnostics" if spec.diagnostics else "timing"
    with bar(label, len(sessions) + 1) as advance:
        traces = play_all(spec, [warm_up, *sessions], _shopper, exist, advance=advance)
    return [turn for trace in traces[1:] for turn in trace.turns]


def _shopper(session: Session) -> OfficialShopper:
    if not isinstance(session, OfficialSession):
        raise TypeError(f"not a session of P1: {session!r}")
    return OfficialShopper(session)
