"""Measure one catalog: turns and retrievals beside other engines, throughput, cold start, memory and rankings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from catalog.duckdb_index import DuckDBIndex
from catalog.open import open_catalog
from evals.errors import EvaluationError
from evals.progress import bar
from evals.speed.building import Build
from evals.speed.paired import System, Timing, interleave, timings
from evals.speed.processes import ColdStart, Throughput, cold_start, throughput
from evals.speed.queries import Query, draw_queries
from evals.speed.rankings import Rankings, compare_rankings, known_item_mrr
from evals.speed.rivals import RIVALS, Rival
from evals.speed.turns import FullTurn
from graph.settings import Policy

WORDS = (8, 3, 20)
"""Words of a query; throughput and cold start are measured with the first."""

_LIMIT = 100
_WARM_UP = 30
_COLD_STARTS = 5
_KNOWN_WORDS = 3


class Engine(BaseModel):
    """The index of one engine."""

    model_config = ConfigDict(frozen=True)

    name: str
    bytes: int
    build_seconds: float | None = Field(description="None when the index was there before.")
    known_item_mrr: float | None = Field(description="Of queries of three title words; None when not measured.")


class SpeedComparison(BaseModel):
    """What was measured of one catalog beside other engines."""

    model_config = ConfigDict(frozen=True)

    catalog_products: int
    seed: int
    build: Build | None = Field(description="How the catalog was made in this run; None when it was there.")
    engines: list[Engine]
    timings: list[Timing]
    throughput: list[Throughput]
    cold_start: ColdStart | None
    rankings: Rankings | None


def compare_speed(
    catalog: Path,
    *,
    policy: Policy = "confident",
    queries: int = 300,
    against: Sequence[str] = (),
    rankings: int = 50,
    processes: bool = True,
    seed: int = 0,
    build: Build | None = None,
) -> SpeedComparison:
    """Measure a catalog on queries drawn from its own products.

    Args:
        catalog: The catalog file; the indexes of other engines are kept beside it.
        policy: That of the full turns.
        queries: Timed queries of each length.
        against: Other engines, some of `RIVALS`.
        rankings: Queries whose ranking is compared with the exact one, and known items that are looked for.
        processes: Whether to measure cold start and the throughput of one and two processes.
        seed: Draws the queries.
        build: How the catalog was made, when it was made for this run.
    """
    if unknown := [name for name in against if name not in RIVALS]:
        raise EvaluationError(f"--against {', '.join(unknown)}: choose among {', '.join(RIVALS)}")
    with _opened(catalog, against) as (index, plain, rivals):
        turn = FullTurn(index, policy)
        systems: dict[str, System] = {"turn": turn, "retrieval": lambda query: index.search(query, _LIMIT)}
        systems["retrieval in SQL"] = lambda query: plain.search(query, _LIMIT)
        for name, rival in rivals.items():
            systems[name] = _searching(rival)
        drawn = {words: draw_queries(index, queries + _WARM_UP, words, seed) for words in WORDS}
        rows = [row for words in WORDS for row in _timed(systems, drawn[words], words, seed)]
        texts = [query.text for query in drawn[WORDS[0]]]
        return SpeedComparison(
            catalog_products=index.size,
            seed=seed,
            build=build,
            engines=_engines(index, rivals, draw_queries(index, rankings * 4, _KNOWN_WORDS, seed + 1)),
            timings=rows,
            throughput=_throughput(catalog, policy, texts) if processes else [],
            cold_start=cold_start(catalog, policy, texts[:_COLD_STARTS]) if processes else None,
            rankings=compare_rankings(index, texts[:rankings], seed) if rankings else None,
        )


@contextmanager
def _opened(catalog: Path, against: Sequence[str]) -> Iterator[tuple[DuckDBIndex, DuckDBIndex, Mapping[str, Rival]]]:
    """Yield the catalog, the same searched inside DuckDB, and the other engines by name."""
    with ExitStack() as stack:
        index = stack.enter_context(closing(open_catalog(catalog)))
        plain = stack.enter_context(closing(open_catalog(catalog, cache_bytes=0)))
        yield index, plain, {name: stack.enter_context(closing(RIVALS[name](index))) for name in against}


def _searching(rival: Rival) -> System:
    return lambda query: rival.search(query, _LIMIT)


def _timed(systems: Mapping[str, System], drawn: Sequence[Query], words: int, seed: int) -> list[Timing]:
    texts = [query.text for query in drawn]
    if len(texts) <= _WARM_UP:
        return []
    with bar(f"{words} words", len(texts) - _WARM_UP) as advance:
        times = interleave(systems, texts[_WARM_UP:], texts[:_WARM_UP], advance)
    return timings(list(systems), times, words, seed)


def _engines(index: DuckDBIndex, rivals: Mapping[str, Rival], known: Sequence[Query]) -> list[Engine]:
    def mrr(search: Callable[[str, int], Sequence[int]]) -> float | None:
        return known_item_mrr(search, known) if known else None

    own = Engine(
        name="shopgraph",
        bytes=index.file.stat().st_size,
        build_seconds=None,
        known_item_mrr=mrr(lambda query, limit: index.search(query, limit).ids.tolist()),
    )
    others = [
        Engine(name=name, bytes=rival.bytes, build_seconds=rival.build_seconds, known_item_mrr=mrr(rival.search))
        for name, rival in rivals.items()
    ]
    return [own, *others]


def _throughput(catalog: Path, policy: Policy, texts: Sequence[str]) -> list[Throughput]:
    return [throughput(catalog, policy, texts, count, whole_turns=whole) for whole in (True, False) for count in (1, 2)]
