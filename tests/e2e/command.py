"""Runs the `shopgraph` command as its user does: another process, text in, text and an exit code out."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]


class Result(NamedTuple):
    """What a command left: its exit code and what it printed."""

    code: int
    out: str
    err: str


def environment(state: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return an environment without a reader's own settings, whose conversations go to `state`."""
    own = ("SHOPGRAPH_", "LANGSMITH_", "OTEL_")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(own)}
    return {**kept, "SHOPGRAPH_STATE": str(state), "PYTHONPATH": str(ROOT), **(extra or {})}


def shopgraph(
    *arguments: str | bytes | Path,
    state: Path,
    stdin: str | bytes = b"",
    extra: Mapping[str, str] | None = None,
    program: Sequence[str] = ("-m", "graph.cli"),
) -> Result:
    """Run one command in the state folder; its output must be UTF-8."""
    state.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [sys.executable, *program, *arguments],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        cwd=state,
        env=environment(state, extra),
        timeout=300,
    )
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())
