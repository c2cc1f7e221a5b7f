"""What needs a process of its own: cold start, memory when answering, and the throughput of one or two processes."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from graph.settings import Policy

_STATUS = Path("/proc/self/status")

_COLD = """
import json, sys, time
begun = time.perf_counter()
from evals.speed.turns import FullTurn
imported = time.perf_counter()
turn = FullTurn.of_file(sys.argv[1], sys.argv[2])
opened = time.perf_counter()
turn(sys.argv[3])
print(json.dumps([imported - begun, opened - imported, time.perf_counter() - opened]), flush=True)
"""


class ColdStart(BaseModel):
    """Medians over fresh processes, the files being in the system's cache."""

    model_config = ConfigDict(frozen=True)

    processes: int
    total_s: float = Field(description="From starting the interpreter to the first answer.")
    import_s: float
    open_s: float
    first_turn_s: float


class Memory(BaseModel):
    """Resident memory of a process in bytes; None where the system does not tell."""

    model_config = ConfigDict(frozen=True)

    resident: int | None
    own: int | None = Field(description="Without the pages of files, which the system can take back at any time.")
    highest: int | None


class Throughput(BaseModel):
    """Turns (or retrievals) a second of some processes that answer at the same time."""

    model_config = ConfigDict(frozen=True)

    kind: str
    processes: int
    per_second: float
    memory: Memory = Field(description="Of the first process, after its turns.")


def cold_start(catalog: Path, policy: Policy, messages: Sequence[str]) -> ColdStart:
    """Start a fresh process for each message and time it to its first answer."""
    rows = []
    for message in messages:
        command = [sys.executable, "-c", _COLD, str(catalog), policy, message]
        started = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own code
            line = process.stdout.readline() if process.stdout else ""
            total = time.perf_counter() - started
        rows.append([total, *json.loads(line)])
    medians = np.median(np.array(rows), axis=0).tolist()
    return ColdStart(
        processes=len(rows), total_s=medians[0], import_s=medians[1], open_s=medians[2], first_turn_s=medians[3]
    )


def throughput(
    catalog: Path, policy: Policy, queries: Sequence[str], processes: int, *, whole_turns: bool
) -> Throughput:
    """Let `processes` processes put all queries at the same time, each to a catalog it opened, after a warm-up."""
    context = get_context("spawn")
    barrier, answers = context.Barrier(processes), context.Queue()
    started = [
        context.Process(
            target=_answer, args=(catalog, policy, [*queries[number::2], *queries], whole_turns, barrier, answers)
        )
        for number in range(processes)
    ]
    for process in started:
        process.start()
    rows = [answers.get() for _ in started]
    for process in started:
        process.join()
    seconds = max(end for _, end, _ in rows) - min(begin for begin, _, _ in rows)
    kind = "turns" if whole_turns else "retrievals"
    return Throughput(
        kind=kind, processes=processes, per_second=processes * len(queries) / seconds, memory=Memory(**rows[0][2])
    )


def _answer(
    catalog: Path,
    policy: Policy,
    queries: Sequence[str],
    whole_turns: bool,
    barrier: Barrier,
    answers: Queue[tuple[float, float, dict[str, int | None]]],
) -> None:
    """Put the queries: the first third is the warm-up, the rest is timed from when all processes are ready."""
    from evals.speed.turns import FullTurn

    turn = FullTurn.of_file(str(catalog), policy)
    run: Callable[[str], object] = turn if whole_turns else turn.index.search
    warm_up = len(queries) // 3
    for query in queries[:warm_up]:
        run(query)
    barrier.wait()
    begin = time.monotonic()
    for query in queries[warm_up:]:
        run(query)
    answers.put((begin, time.monotonic(), memory()))


def memory() -> dict[str, int | None]:
    """Return this process's resident memory, as the fields of `Memory`."""
    kinds = {"resident": "VmRSS", "own": "RssAnon", "highest": "VmHWM"}
    if not _STATUS.exists():
        return dict.fromkeys(kinds)
    lines = dict(line.split(":", 1) for line in _STATUS.read_text().splitlines() if ":" in line)
    return {name: int(lines[key].split()[0]) * 1024 if key in lines else None for name, key in kinds.items()}
