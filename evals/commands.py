"""What the command line calls: plain functions with typed results and `ShopgraphError` for everything expected."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from catalog.product import Product
from catalog.search import ProductIndex
from evals.checkpoints import CheckpointGrowth, measure_checkpoints
from evals.errors import EvaluationError
from evals.page import render
from evals.process import AgentSpec
from evals.progress import bar
from evals.protocols import EvalProtocol, references
from evals.report import Bound, RunConfig, RunReport, write_run
from evals.retrieval.qrels import read_qrels
from evals.retrieval.queries import QueryReport, Ranker, agent_ranker, index_ranker, score_queries, stock_ranker
from evals.revision import code_revision
from evals.runner import TURN_TIMEOUT, play_all
from evals.scoring import bootstrap, hit_curve, score, score_scenarios
from evals.session_files import frozen_sessions
from evals.sessions import Session, SessionSet
from evals.speed.building import bulk_catalog
from evals.speed.measure import SpeedComparison, compare_speed
from evals.store import all_products, existence, open_store, sight
from evals.timing import Speed, measure_speed
from evals.traces import SessionTrace, measure
from evals.understanding.labels import HALVES, Half, read_labels
from evals.understanding.measure import measure_labels, measure_turns, reader_without
from evals.understanding.report import UnderstandingReport
from graph.settings import Policy


def bound(catalog: Path, sessions: Path, *, policies: Sequence[Policy] = ("full", "confident")) -> list[Bound]:
    """Return the bound of a session file under each of `policies`.

    Raises `EvaluationError` when the file's protocol has no bound, `SessionFileError` when the file belongs to
    another catalog.
    """
    index = open_store(catalog)
    try:
        kind, frozen = frozen_sessions(index, sessions)
        return _bounds(kind, all_products(index), frozen, policies)
    finally:
        index.close()


def _spec(agent: str, catalog: Path, policy: Policy, environment: Sequence[str], without: Sequence[str]) -> AgentSpec:
    if without and agent != "shopgraph":
        raise EvaluationError(f"--without names tiers of shopgraph's reader; the agent is {agent!r}: leave one out")
    return AgentSpec(
        agent=agent, catalog=catalog, policy=policy, environment=tuple(environment), without=tuple(without)
    )


def run(
    catalog: Path,
    sessions: Path,
    out: Path,
    *,
    protocol: str | None = None,
    agent: str = "shopgraph",
    policy: Policy = "confident",
    jobs: int = 1,
    seed: int = 0,
    turn_timeout: float = TURN_TIMEOUT,
    environment: Sequence[str] = (),
    without: Sequence[str] = (),
    with_bound: bool = True,
) -> RunReport:
    """Play a session file against an agent and write report.json, traces.jsonl and report.html into `out`.

    `protocol` is checked against the file when given; `seed` draws the bootstrap; `environment` names the
    variables that the worker inherits. Raises `AgentUnavailableError` when the agent cannot be loaded.
    """
    spec = _spec(agent, catalog, policy, environment, without)
    if jobs < 1:
        raise EvaluationError(f"--jobs is {jobs}; use 1 or more")
    index = open_store(catalog)
    try:
        kind, frozen = frozen_sessions(index, sessions, protocol)
        begun = time.monotonic()
        traces = _play(spec, index, kind, frozen.sessions, jobs, turn_timeout)
        seconds = time.monotonic() - begun
        wanted = with_bound and kind.bound is not None
        bounds = _bounds(kind, all_products(index), frozen, [policy]) if wanted else []
        report = RunReport(
            config=RunConfig(
                protocol=kind.name,
                agent=agent,
                policy=policy,
                jobs=jobs,
                turn_timeout_s=turn_timeout,
                catalog=catalog.name,
                sessions=sessions.name,
                environment=tuple(environment),
                without=tuple(without),
            ),
            revision=code_revision(),
            catalog_sha256=index.manifest.catalog_sha256,
            catalog_products=index.size,
            sessions_sha256=frozen.sha256,
            session_file=frozen.header,
            seeds={"sessions": frozen.header.seed, "bootstrap": seed},
            seconds=seconds,
            metrics=measure(traces, seed),
            bound=bounds[0] if bounds else None,
            references=[reference for reference in references() if reference.protocol == kind.name],
        )
        write_run(out, report, traces, render(report, traces, frozen.sessions, index))
    finally:
        index.close()
    return report


class SpeedReport(BaseModel):
    """What `eval speed` prints: times of a turn, what a long conversation stores, and other engines beside."""

    model_config = ConfigDict(frozen=True)

    speed: Speed | None
    checkpoints: CheckpointGrowth | None
    comparison: SpeedComparison | None


MOST_PLAYED = 200_000
"""Products up to which sessions are drawn, which reads all of them."""


def speed(
    catalog: Path,
    *,
    policy: Policy = "confident",
    n: int = 40,
    turns: int = 40,
    seed: int = 0,
    products: int | None = None,
    queries: int = 0,
    against: Sequence[str] = (),
    rankings: int = 0,
    processes: bool = False,
) -> SpeedReport:
    """Measure `respond` over `n` sessions, checkpoint growth over `turns` turns, and `queries` beside other engines.

    What is 0 is left out; so are sessions and checkpoints of more than `MOST_PLAYED` products. With `products` a
    catalog of so many is made from this one and measured in its place.
    """
    build = None
    if products is not None:
        catalog, build = bulk_catalog(catalog, products, seed)
    index = open_store(catalog)
    played = index.size <= MOST_PLAYED
    index.close()
    comparison = None
    if queries:
        comparison = compare_speed(
            catalog,
            policy=policy,
            queries=queries,
            against=against,
            rankings=rankings,
            processes=processes,
            seed=seed,
            build=build,
        )
    return SpeedReport(
        speed=measure_speed(catalog, policy=policy, n=n, seed=seed) if n and played else None,
        checkpoints=measure_checkpoints(catalog, turns=turns, seed=seed) if turns and played else None,
        comparison=comparison,
    )


def queries(catalog: Path, qrels: Path, *, against: str | None = "stock", seed: int = 0) -> QueryReport:
    """Rank judged queries by retrieval alone and by a conversation's first answer, beside stock full-text search.

    `against` is `stock` or None. Raises `QrelsFileError` for a file that holds no judgments and `EvaluationError` when
    the stock index, which is built beside the catalog at first use, cannot be written.
    """
    if against not in ("stock", None):
        raise EvaluationError(f"unknown system {against!r} to compare with; choose stock")
    judged = read_qrels(qrels)
    index = open_store(catalog)
    release: list[Callable[[], None]] = [index.close]
    try:
        systems: dict[str, Ranker] = {"retrieval": index_ranker(index), "first answer": agent_ranker(index)}
        if against:
            systems[against], close = stock_ranker(catalog)
            release.append(close)
        scores, rows = score_queries(judged, systems, against, seed)
        known = index.ids(judged.products())
        return QueryReport(
            revision=code_revision(),
            catalog=catalog.name,
            catalog_sha256=index.manifest.catalog_sha256,
            catalog_products=index.size,
            qrels=qrels.name,
            qrels_sha256=judged.sha256,
            queries=len(rows),
            answerable=sum(row.relevant > 0 for row in rows),
            judged=len(known),
            missing=known.count(None),
            seed=seed,
            against=against,
            systems=scores,
            per_query=rows,
        )
    finally:
        for close in reversed(release):
            close()


def understanding(
    catalog: Path,
    labels: Sequence[Path],
    *,
    turns: Path | None = None,
    halves: Sequence[Half] = HALVES,
    misses: Sequence[Half] = ("tuned",),
    without: frozenset[str] = frozenset(),
    words: int = 100,
    seed: int = 0,
) -> UnderstandingReport:
    """Score how the rules read labelled messages, and what they make of unlabelled `turns`.

    Raises `InputError` for a file that is none of these. Rows of halves outside `misses` are scored, never named.
    """
    labelled = [read_labels(path) for path in labels]
    index = open_store(catalog)
    try:
        reader = reader_without(index.lexicon, without)
        files, times = measure_labels(index, reader, labelled, halves=halves, misses=misses, seed=seed)
        return UnderstandingReport(
            revision=code_revision(),
            catalog=catalog.name,
            catalog_sha256=index.manifest.catalog_sha256,
            catalog_products=index.size,
            without=sorted(without),
            seed=seed,
            files=files,
            time=times if labelled else None,
            turns=measure_turns(reader, index.lexicon, turns, words) if turns else None,
        )
    finally:
        index.close()


def _bounds(
    kind: EvalProtocol, products: Sequence[Product], frozen: SessionSet[Session], policies: Sequence[Policy]
) -> list[Bound]:
    if kind.bound is None:
        raise EvaluationError(f"protocol {kind.name!r} has no bound; use a session file of 'official'")
    played = kind.bound(products, frozen.sessions, policies, frozen.header.clean)
    return [
        Bound(
            policy=policy,
            overall=score(outcomes),
            interval=bootstrap(outcomes),
            per_scenario=score_scenarios(outcomes),
            hit_curve=hit_curve(outcomes),
        )
        for policy, outcomes in played.items()
    ]


def _play(
    spec: AgentSpec, index: ProductIndex, kind: EvalProtocol, sessions: Sequence[Session], jobs: int, timeout: float
) -> list[SessionTrace]:
    shopper = partial(kind.shopper, look=sight(index)) if kind.looks else kind.shopper
    with bar(f"{kind.name} {spec.agent}", len(sessions)) as advance:
        return play_all(
            spec, sessions, shopper, existence(index), jobs=jobs, timeout=timeout, advance=advance
        )  # fmt: skip
