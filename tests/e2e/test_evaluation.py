"""The evaluation commands, from a catalog to a report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.command import shopgraph


@pytest.fixture(scope="module")
def folder(sample_catalog: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with six sessions of the sample store, which is its default catalog."""
    folder = tmp_path_factory.mktemp("evaluation")
    (folder / "sample.duckdb").symlink_to(sample_catalog)
    made = shopgraph(
        "eval", "generate", "--n", "6", "--seed", "5", "--draw", "uniform", "--out", "p1.jsonl", state=folder
    )
    assert (made.code, made.err) == (0, "")
    assert made.out.startswith("Wrote 6 sessions (")
    return folder


@pytest.mark.parametrize("agent", ["shopgraph", "keyword"])
def test_a_run_is_scored_beside_its_bound(folder: Path, agent: str) -> None:
    played = shopgraph("eval", "run", "--sessions", "p1.jsonl", "--out", agent, "--agent", agent, state=folder)
    assert (played.code, played.err) == (0, "")
    assert f"official · {agent} · confident · 2,000 products" in played.out
    assert {"all", "bound"} <= {line.split()[0] for line in played.out.splitlines()}
    report = json.loads((folder / agent / "report.json").read_text(encoding="utf-8"))
    assert report["metrics"]["overall"]["sessions"] == 6
    assert {"report.html", "traces.jsonl"} <= {path.name for path in (folder / agent).iterdir()}


def test_the_bound_of_both_policies(folder: Path) -> None:
    bound = shopgraph("eval", "bound", "--sessions", "p1.jsonl", "--json", state=folder)
    assert [row["policy"] for row in json.loads(bound.out)] == ["full", "confident"]
    assert "bound, confident: " in shopgraph("eval", "bound", "--sessions", "p1.jsonl", state=folder).out


def test_speed_names_every_node(folder: Path) -> None:
    options = ("--queries", "5", "--rankings", "5")
    speed = shopgraph("eval", "speed", "--n", "2", "--turns", "4", *options, state=folder)
    assert (speed.code, speed.err) == (0, "")
    assert {"route", "canonicalize", "retrieve", "rank", "respond"} <= {
        line.split()[0] for line in speed.out.splitlines()
    }
    assert "checkpoints: " in speed.out
    assert "\nfts5 " in speed.out
    assert "cold start: " in speed.out
    assert " 0 of " in speed.out  # no filtered result violates its filter


def test_a_frozen_session_file_is_never_replaced(folder: Path) -> None:
    again = shopgraph("eval", "generate", "--n", "7", "--out", "p1.jsonl", state=folder)
    assert again.code == 1
    assert "p1.jsonl" in again.err


def test_an_agent_that_does_not_exist(folder: Path) -> None:
    run = shopgraph("eval", "run", "--sessions", "p1.jsonl", "--out", "none", "--agent", "no.such:Agent", state=folder)
    assert run.code == 1
    assert "no.such:Agent" in run.err
    assert "Traceback (most recent call last)" not in run.err.splitlines()[0]
