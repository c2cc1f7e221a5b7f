"""`langgraph dev` starts with the project, offline and without a key, and a run through its API answers."""

from __future__ import annotations

import importlib.util
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue
from typing import IO

import pytest

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 120

pytestmark = pytest.mark.skipif(
    not (importlib.util.find_spec("langgraph_cli") and importlib.util.find_spec("langgraph_api")),
    reason="langgraph-cli[inmem] is not installed",
)


@pytest.fixture(scope="module")
def server(sample_catalog: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running server over the sample store."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith(("LANGSMITH_", "OPENAI_"))},
        "SHOPGRAPH_CATALOG": str(sample_catalog),
        "LANGSMITH_TRACING": "false",
        "LANGGRAPH_NO_VERSION_CHECK": "true",
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
    }
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload"),
            *("--port", str(port), "--config", str(ROOT / "langgraph.json")),
        ],
        cwd=tmp_path_factory.mktemp("server"),
        env=environment,
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
        yield _address(lines)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        reader.join(timeout=30)
        process.stdout.close()


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


def test_a_conversation_through_the_api(server: str) -> None:
    from langgraph_sdk import get_sync_client

    with get_sync_client(url=server) as client:
        assert [assistant["graph_id"] for assistant in client.assistants.search()] == ["shopgraph"]
        thread = client.threads.create()["thread_id"]
        first = client.runs.wait(thread, "shopgraph", input={"message": "a dress for women"})
        second = client.runs.wait(thread, "shopgraph", input={"message": "under $60"}, context={"policy": "confident"})
    assert isinstance(first, dict) and isinstance(second, dict)
    assert len(first["recommendations"]) == 10
    assert (first["turn"], second["turn"]) == (1, 2)
    assert 1 <= len(second["recommendations"]) < 10
    assert second["evidence"][second["recommendations"][0]["parent_asin"]]
    assert [message["type"] for message in second["messages"]] == ["human", "ai", "human", "ai"]


def test_a_chat_front_end_may_send_messages(server: str) -> None:
    from langgraph_sdk import get_sync_client

    with get_sync_client(url=server) as client:
        thread = client.threads.create()["thread_id"]
        said = {"messages": [{"role": "human", "content": "leather boots for men"}]}
        answer = client.runs.wait(thread, "shopgraph", input=said)
    assert isinstance(answer, dict)
    assert answer["recommendations"]
    assert [message["type"] for message in answer["messages"]] == ["human", "ai"]
