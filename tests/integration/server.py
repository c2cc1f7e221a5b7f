"""A real `langgraph dev` server for tests: offline, without a key, over stores of invented products."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from typing import IO, Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOOPBACK = Path(__file__).resolve().parent / "loopback"
START_SECONDS = 120
PRIVATE = ("LANGSMITH_", "LANGCHAIN_", "OPENAI_", "SHOPGRAPH_")
"""What a reader's own environment may hold and a server under test must not see."""


class Server(NamedTuple):
    """A running server: its address, and the file that lists its attempts to reach another machine."""

    url: str
    attempts: Path


@contextmanager
def serve(folder: Path, catalog: Path, catalogs: Mapping[str, Path]) -> Iterator[Server]:
    """Run a server in `folder` over a default catalog and further ones by name, until the block ends."""
    attempts = folder / "attempts.txt"
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload", "--n-jobs-per-worker", "4"),
            *("--port", str(_free_port()), "--config", str(ROOT / "langgraph.json")),
        ],
        cwd=folder,
        env=_environment(attempts, catalog, catalogs),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    lines: Queue[str | None] = Queue()
    reader = threading.Thread(target=_pump, args=(process.stdout, lines), daemon=True)
    reader.start()
    try:
        yield Server(_address(lines), attempts)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        reader.join(timeout=30)
        process.stdout.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _environment(attempts: Path, catalog: Path, catalogs: Mapping[str, Path]) -> dict[str, str]:
    """Return the quiet settings of `make studio`, with this machine alone to be reached."""
    return {
        **{key: value for key, value in os.environ.items() if not key.startswith(PRIVATE)},
        **_exports(),
        "SHOPGRAPH_CATALOG": str(catalog),
        "SHOPGRAPH_CATALOGS": json.dumps({name: str(path) for name, path in catalogs.items()}),
        "LOOPBACK_LOG": str(attempts),
        "PYTHONPATH": os.pathsep.join([str(LOOPBACK), str(ROOT)]),
        "PYTHONUNBUFFERED": "1",
    }


def _exports() -> dict[str, str]:
    """Return what the Makefile exports: the settings under which nothing but package installs use the network."""
    return dict(re.findall(r"^export (\w+) := (\w+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def _pump(stream: IO[str], lines: Queue[str | None]) -> None:
    for line in stream:
        lines.put(line)
    lines.put(None)


def _address(lines: Queue[str | None]) -> str:
    """Read the printed address: the server takes another port in silence when the wished one is busy."""
    seen: list[str] = []
    address = None
    while True:
        try:
            line = lines.get(timeout=START_SECONDS)
        except Empty:
            line = None
        if line is None:
            pytest.fail("the server did not start:\n" + "".join(seen))
        seen.append(line)
        found = re.search(r"API: .*?(http://[\w.:-]+)", line)
        address = found.group(1) if found else address
        if address and "Application started up" in line:
            return address


def thread_of(client: Any) -> str:
    """Open a conversation and return its id."""
    return str(client.threads.create()["thread_id"])


def say(client: Any, thread: str, message: str, assistant: str = "shopgraph", **options: Any) -> dict[str, Any]:
    """Send a message, wait for the answer and return it."""
    answer = client.runs.wait(thread, assistant, input={"message": message}, **options)
    assert isinstance(answer, dict)
    return answer


def shown(answer: Mapping[str, Any]) -> list[str]:
    """Return the product ids of an answer, best first."""
    return [row["parent_asin"] for row in answer["recommendations"]]
