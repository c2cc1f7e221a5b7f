"""Protocol P2 on a built catalog: freeze, validate, play."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.commands import run
from evals.errors import EvaluationError, SessionFileError
from evals.session_files import generate, validate
from graph.cli.app import run as shopgraph

SESSIONS = 14


@pytest.fixture(scope="module")
def frozen(sample_catalog: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sessions") / "natural.jsonl"
    generate(sample_catalog, out, protocol="natural", n=SESSIONS, seed=5)
    return out


def rewritten(frozen: Path, tmp_path: Path, line: int, old: str, new: str) -> Path:
    """Return a copy of a session file with one thing in one line changed."""
    lines = frozen.read_text(encoding="utf-8").splitlines()
    assert old in lines[line]
    lines[line] = lines[line].replace(old, new, 1)
    path = tmp_path / "edited.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_generated_file_is_sound(sample_catalog: Path, frozen: Path) -> None:
    assert validate(sample_catalog, frozen).problems == []


def test_the_same_arguments_write_the_same_bytes_and_others_never_replace_them(
    sample_catalog: Path, frozen: Path
) -> None:
    before = frozen.read_bytes()
    generate(sample_catalog, frozen, protocol="natural", n=SESSIONS, seed=5)
    with pytest.raises(SessionFileError, match="holds other sessions"):
        generate(sample_catalog, frozen, protocol="natural", n=SESSIONS, seed=6)
    assert frozen.read_bytes() == before


@pytest.mark.parametrize(
    ("line", "old", "new", "rule"),
    [
        (0, '"seed":5', '"seed":6', "header, sealed"),
        (0, '"draw":"popularity"', '"draw":"uniform"', "header, sealed"),
        (1, '"opening":"', '"opening":"Well. ', "intact"),
        (2, '"average_prior_rating":', '"average_prior_rating":1', "profile"),
    ],
)
def test_an_edited_file_fails_with_the_session_and_the_rule(
    sample_catalog: Path, frozen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    line: int, old: str, new: str, rule: str,
) -> None:  # fmt: skip
    path = rewritten(frozen, tmp_path, line, old, new)
    code = shopgraph(["eval", "validate", "--catalog", str(sample_catalog), "--sessions", str(path)])
    out = capsys.readouterr().out
    assert code == 1
    assert rule in out
    if line:
        assert json.loads(path.read_text(encoding="utf-8").splitlines()[line])["session_id"] in out


def test_a_sound_file_leaves_with_0(sample_catalog: Path, frozen: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert shopgraph(["eval", "validate", "--catalog", str(sample_catalog), "--sessions", str(frozen)]) == 0
    assert "every rule holds" in capsys.readouterr().out


def test_another_catalog_is_refused(sample_catalog: Path, frozen: Path, tmp_path: Path) -> None:
    header = json.loads(frozen.read_text(encoding="utf-8").splitlines()[0])
    path = rewritten(frozen, tmp_path, 0, header["catalog_sha256"], "0" * 64)
    with pytest.raises(SessionFileError, match="another catalog"):
        validate(sample_catalog, path)


def test_a_protocol_without_rules_says_so(sample_catalog: Path, tmp_path: Path) -> None:
    path = tmp_path / "official.jsonl"
    generate(sample_catalog, path, n=5)
    with pytest.raises(EvaluationError, match="no rules to check"):
        validate(sample_catalog, path)


def test_a_run_reports_each_scenario_without_a_bound_and_names_its_references(
    sample_catalog: Path, frozen: Path, tmp_path: Path
) -> None:
    report = run(sample_catalog, frozen, tmp_path / "run", agent="keyword")
    assert set(report.metrics.per_scenario) == {
        "direct_search", "multi_constraint", "profile_hidden", "clarification_required", "negative_constraint",
        "budget_rating", "intent_override",
    }  # fmt: skip
    assert report.bound is None
    assert {reference.hr_at_10 for reference in report.references} == {0.580, 0.770}
