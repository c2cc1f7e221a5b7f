"""Times of several systems on the same queries, interleaved, and how many times as long one takes as another."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

RESAMPLES = 2_000
LEVEL = 0.95

System = Callable[[str], object]


class Ratio(BaseModel):
    """How many times as long another system takes: the ratio of medians, with its bootstrap percentile interval."""

    model_config = ConfigDict(frozen=True)

    value: float
    low: float
    high: float


class Timing(BaseModel):
    """Times of one system over the queries of one length."""

    model_config = ConfigDict(frozen=True)

    system: str
    words: int
    queries: int
    p50_ms: float
    p95_ms: float
    cpu_p50_ms: float = Field(description="Processor time: what else the machine does hardly adds to it.")
    of_retrieval: Ratio = Field(description="Its time in those of this product's retrieval.")
    of_turn: Ratio = Field(description="Its time in those of this product's full turn.")


def interleave(
    systems: Mapping[str, System],
    queries: Sequence[str],
    warm_up: Sequence[str],
    advance: Callable[[], None] = lambda: None,
) -> NDArray[np.float64]:
    """Return seconds by the clock and of the processor, shape (2, systems, queries).

    Each query is put to every system in turn, in rotating order, so that whatever else the machine does falls on all of
    them alike. `warm_up` queries are put first, untimed; `advance` is called after each query.
    """
    runs = list(systems.values())
    for query in warm_up:
        for run in runs:
            run(query)
    times = np.empty((2, len(runs), len(queries)))
    for number, query in enumerate(queries):
        for turn in range(len(runs)):
            row = (number + turn) % len(runs)
            started, busy = time.perf_counter(), time.process_time()
            runs[row](query)
            times[:, row, number] = time.perf_counter() - started, time.process_time() - busy
        advance()
    return times


def ratio(times: NDArray[np.float64], base: NDArray[np.float64], seed: int) -> Ratio:
    """Return the ratio of two systems' median times over the same queries, resampling queries for the interval."""
    drawn = np.random.default_rng(seed).integers(0, len(times), (RESAMPLES, len(times)))
    resampled = np.median(times[drawn], axis=1) / np.median(base[drawn], axis=1)
    low, high = np.quantile(resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Ratio(value=float(np.median(times) / np.median(base)), low=float(low), high=float(high))


def timings(names: Sequence[str], times: NDArray[np.float64], words: int, seed: int) -> list[Timing]:
    """Summarise the times that `interleave` returns, of this product's full turn first, its retrieval second."""
    clock, cpu = times
    turn, retrieval = clock[0], clock[1]
    return [
        Timing(
            system=name,
            words=words,
            queries=len(row),
            p50_ms=float(np.median(row) * 1e3),
            p95_ms=float(np.quantile(row, 0.95) * 1e3),
            cpu_p50_ms=float(np.median(busy) * 1e3),
            of_retrieval=ratio(row, retrieval, seed),
            of_turn=ratio(row, turn, seed),
        )
        for name, row, busy in zip(names, clock, cpu, strict=True)
    ]
