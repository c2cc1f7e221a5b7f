"""Without a network and without the model client, the answers are the same."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.command import ROOT, shopgraph

OFFLINE = {"PYTHONPATH": os.pathsep.join([str(ROOT / "tests" / "e2e" / "offline"), str(ROOT)])}

TIMES = ("latency_ms", "node_ms")


def test_the_block_holds(tmp_path: Path) -> None:
    attempt = "import socket; socket.create_connection(('127.0.0.1', 9))"
    assert "lets nobody use the network" in shopgraph(state=tmp_path, extra=OFFLINE, program=("-c", attempt)).err
    attempt = "import langchain_openai"
    assert "is taken away by this test" in shopgraph(state=tmp_path, extra=OFFLINE, program=("-c", attempt)).err


def test_the_demo_is_the_same_offline(sample_catalog: Path, tmp_path: Path) -> None:
    here = shopgraph("demo", "--catalog", sample_catalog, state=tmp_path, extra=OFFLINE)
    assert (here.code, here.err) == (0, "")
    assert here.out == shopgraph("demo", "--catalog", sample_catalog, state=tmp_path).out


@pytest.fixture(scope="module")
def sessions(sample_catalog: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sessions")
    made = shopgraph(
        "eval", "generate", "--catalog", sample_catalog, "--n", "20", "--seed", "3", "--out", "p1.jsonl", state=folder
    )
    assert (made.code, made.err) == (0, "")
    return folder / "p1.jsonl"


def _turns(catalog: Path, sessions: Path, out: Path, agent: str, extra: dict[str, str]) -> list[dict[str, Any]]:
    played = shopgraph(
        *("eval", "run", "--catalog", catalog, "--sessions", sessions, "--out", out, "--agent", agent),
        state=out.parent,
        extra=extra,
    )
    assert (played.code, played.err) == (0, "")
    rows = [json.loads(line) for line in (out / "traces.jsonl").read_text(encoding="utf-8").splitlines()]
    assert not [fault for row in rows for fault in row["faults"]]
    return [{key: value for key, value in row.items() if key not in TIMES} for row in rows]


def test_twenty_sessions_are_the_same_offline(sample_catalog: Path, sessions: Path, tmp_path: Path) -> None:
    online = _turns(sample_catalog, sessions, tmp_path / "online", "shopgraph", {})
    offline = _turns(sample_catalog, sessions, tmp_path / "offline", "tests.e2e.offline_agent:OfflineAgent", OFFLINE)
    assert len({row["session_id"] for row in online}) == 20
    assert offline == online
