"""Protocol P3 on a built catalog: the command line freezes sessions, a run looks at products, a report has personas."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.commands import bound, run
from evals.realistic.session import RealisticSession
from evals.sessions import read_sessions
from graph.cli.app import run as run_command

SESSIONS = 12


@pytest.fixture(scope="module")
def heavy(sample_catalog: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sessions") / "heavy.jsonl"
    arguments = ["eval", "generate", "--catalog", str(sample_catalog), "--protocol", "realistic", "--n", str(SESSIONS)]
    more = ["--level", "heavy", "--half", "test", "--share", "0.5", "--seed", "21", "--out", str(out)]
    assert run_command([*arguments, *more]) == 0
    return out


def test_the_manner_is_recorded_in_every_session(heavy: Path) -> None:
    sessions = read_sessions(heavy, RealisticSession).sessions
    assert len(sessions) == SESSIONS
    assert {(row.manner.level, row.manner.half, row.manner.share) for row in sessions} == {("heavy", "test", 0.5)}


def test_a_run_scores_by_persona_says_the_same_twice_and_has_p1s_bound(
    sample_catalog: Path, heavy: Path, tmp_path: Path
) -> None:
    reports = [run(sample_catalog, heavy, tmp_path / name, agent="keyword", jobs=2) for name in ("one", "two")]
    first, second = reports
    assert first.metrics.overall == second.metrics.overall
    personas = first.metrics.per_group["persona"]
    assert sum(scores.sessions for scores in personas.values()) == SESSIONS
    assert first.bound is not None
    assert first.bound.overall == bound(sample_catalog, heavy, policies=["confident"])[0].overall
    messages = [
        [json.loads(line)["message"] for line in (tmp_path / name / "traces.jsonl").read_text().splitlines()]
        for name in ("one", "two")
    ]
    assert messages[0] == messages[1]
    assert "By persona" in (tmp_path / "one" / "report.html").read_text()
