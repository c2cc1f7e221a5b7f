from __future__ import annotations

import json
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest

from evals.chart import hit_curve_svg
from evals.errors import EvaluationError
from evals.official.bound import bound_outcomes
from evals.official.shopper import OfficialSession
from evals.page import render
from evals.protocols import protocol_named, references
from evals.report import Bound, RunConfig, RunReport, write_run
from evals.revision import UNKNOWN, code_revision
from evals.scoring import Outcome, TurnFault, bootstrap, hit_curve, score, score_scenarios
from evals.sessions import Header, Session
from evals.traces import SessionTrace, TurnTrace, measure
from tests.unit.evals.shelf import ShelfIndex, session, sessions, shelf

HOSTILE = "<script>alert('x')</script> & \"quotes\""
VOID = {"meta", "br", "line", "polyline"}


class Tags(HTMLParser):
    """Collects the tags of a page and checks that they are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def turn(wanted: Session, number: int, **more: object) -> TurnTrace:
    known = {
        "session_id": wanted.session_id,
        "scenario": wanted.scenario,
        "turn": number,
        "message": HOSTILE,
        "reply": HOSTILE,
        "stage_ranks": {"retrieved": 3, "filtered": None, "ranked": None, "shown": None},
        "shown": [HOSTILE],
        "counts": True,
        "constraints": ["color is plum"],
        "latency_ms": 12.5,
    }
    return TurnTrace.model_validate(known | more)


def traces(played: Sequence[OfficialSession]) -> list[SessionTrace]:
    """The first session hits at once, the second misses with a fault, the rest hit at turn 2."""
    made = []
    for number, wanted in enumerate(played):
        fault = TurnFault(session_id=wanted.session_id, turn=1, kind="exception", text=HOSTILE)
        ended = (1, 1) if number == 0 else (None, None) if number == 1 else (2, 4)
        outcome = Outcome(session_id=wanted.session_id, scenario=wanted.scenario, turn=ended[0], rank=ended[1])
        turns = [turn(wanted, n, faults=[fault] if number == 1 else []) for n in range(1, (ended[0] or 10) + 1)]
        made.append(SessionTrace(outcome=outcome, turns=turns))
    return made


def report(played: Sequence[OfficialSession], made: Sequence[SessionTrace]) -> RunReport:
    outcomes = bound_outcomes(shelf(), played, ["confident"])["confident"]
    return RunReport(
        config=RunConfig(
            protocol="official",
            agent=HOSTILE,
            policy="confident",
            jobs=2,
            turn_timeout_s=10,
            catalog="shelf.duckdb",
            sessions="s.jsonl",
        ),
        revision="abc",
        catalog_sha256="cd" * 32,
        catalog_products=48,
        sessions_sha256="ef" * 32,
        session_file=Header(
            protocol="official", catalog_sha256="cd" * 32, products=48, draw="uniform", seed=1, sessions=len(played)
        ),
        seeds={"sessions": 1, "bootstrap": 0},
        seconds=1.5,
        metrics=measure(made),
        bound=Bound(
            policy="confident",
            overall=score(outcomes),
            interval=bootstrap(outcomes),
            per_scenario=score_scenarios(outcomes),
            hit_curve=hit_curve(outcomes),
        ),
        references=references(),
    )


@pytest.fixture
def page() -> str:
    played = list(sessions(8))
    made = traces(played)
    return render(report(played, made), made, played, ShelfIndex(shelf()))


def test_the_page_is_well_formed_escaped_and_needs_no_network(page: str) -> None:
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert tags.links == []
    assert "script" not in tags.seen
    assert {"svg", "table", "details"} <= tags.seen
    assert "url(" not in page
    assert 'name="viewport"' in page


def test_the_page_shows_other_groupings_where_there_are_any(page: str) -> None:
    assert "By persona" not in page
    played = list(sessions(8))
    made = [
        trace.model_copy(update={"outcome": trace.outcome.model_copy(update={"groups": {"persona": "terse"}})})
        for trace in traces(played)
    ]
    shown = render(report(played, made), made, played, ShelfIndex(shelf()))
    assert "By persona" in shown
    assert "terse (8)" in shown


def test_the_page_shows_scores_beside_bound_and_references(page: str) -> None:
    for text in ("technical score", "bound, confident", "stateless BM25 starter", "0.107", "By scenario", "browsing ("):
        assert text in page


def test_the_page_tells_where_misses_were_lost_and_shows_costly_sessions_only(page: str) -> None:
    assert "First stage without the target, at the last turn of the 1 missed sessions" in page
    assert "<td>filtered</td><td>1</td>" in page
    assert page.count("<details>") == 8  # one of the eight hit at turn 1 in first place; the losses are another
    assert page.count("missed</span>") == 1
    assert "retrieved 3 → filtered –" in page
    assert "holds: color is plum" in page


def test_the_page_lists_recall_and_every_turn_that_lost_the_target(page: str) -> None:
    assert "<td>all</td><td>23</td><td>1.000</td>" in page
    assert "23 turns lost the target" in page
    assert "<td>turn 1: filtered (retrieved 3)</td>" in page


def test_a_perfect_run_without_diagnostics_or_bound_has_a_page_too() -> None:
    played = [session("buying")]
    outcome = Outcome(session_id="s1", scenario="buying", turn=1, rank=1)
    made = [SessionTrace(outcome=outcome, turns=[turn(played[0], 1, stage_ranks={"shown": 1}, latency_ms=None)])]
    text = render(report(played, made).model_copy(update={"bound": None}), made, played, ShelfIndex(shelf()))
    assert "No session missed" in text
    assert "Every session hit" in text


def test_a_run_is_written_as_json_traces_and_page(tmp_path: Path) -> None:
    played = list(sessions(8))
    made = traces(played)
    folder = tmp_path / "new" / "run"
    written = report(played, made)
    write_run(folder, written, made, "<html></html>")
    assert RunReport.model_validate_json((folder / "report.json").read_text()) == written
    rows = [json.loads(line) for line in (folder / "traces.jsonl").read_text().splitlines()]
    assert len(rows) == sum(len(trace.turns) for trace in made)
    assert {"message", "acts", "facts", "constraints", "query", "stage_ranks", "question", "reply"} <= set(rows[0])


def test_a_folder_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    played = [session()]
    made = traces(played)
    with pytest.raises(EvaluationError, match="choose another --out"):
        write_run(tmp_path / "file" / "run", report(played, made), made, "")


def test_an_unknown_protocol_is_refused_with_the_names() -> None:
    with pytest.raises(EvaluationError, match=r"unknown protocol 'nope'; choose one of: official"):
        protocol_named("nope")


def test_references_name_protocols_that_exist() -> None:
    assert references()
    for reference in references():
        assert protocol_named(reference.protocol)


def test_the_curve_rises_from_left_to_right() -> None:
    svg = hit_curve_svg([("run & co", "red", [0.0, 0.5, 1.0])])
    points = [tuple(map(float, pair.split(","))) for pair in svg.split('points="')[1].split('"')[0].split()]
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    assert [y for _, y in points] == sorted((y for _, y in points), reverse=True)
    assert "run &amp; co" in svg


def test_a_folder_without_git_has_no_revision(tmp_path: Path) -> None:
    assert code_revision(tmp_path) == UNKNOWN
