"""The evaluation's commands on a built catalog: freeze, bound, run, report."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from catalog.errors import CatalogError, ShopgraphError
from catalog.open import open_catalog
from catalog.product import Product
from evals.commands import bound, run, speed
from evals.errors import EvaluationError, SessionFileError
from evals.official.bound import bound_outcomes
from evals.official.generate import generate_sessions
from evals.report import RunReport
from evals.scoring import Interval, bootstrap, score
from evals.session_files import generate
from evals.sessions import Draw
from evals.store import existence
from graph.settings import Policy
from tests.paths import shared_data

SESSIONS = 20

Load = Callable[[str], Sequence[Product]]


@pytest.fixture(scope="module")
def frozen(sample_catalog: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sessions") / "popular.jsonl"
    generate(sample_catalog, out, n=SESSIONS, seed=11)
    return out


@pytest.fixture(scope="module")
def keyword(sample_catalog: Path, frozen: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[RunReport, Path]:
    out = tmp_path_factory.mktemp("runs") / "keyword"
    return run(sample_catalog, frozen, out, agent="keyword", jobs=2), out


class TestGenerate:
    def test_a_second_time_gives_the_same_bytes_and_is_accepted(self, sample_catalog: Path, frozen: Path) -> None:
        before = frozen.read_bytes()
        made = generate(sample_catalog, frozen, n=SESSIONS, seed=11)
        assert frozen.read_bytes() == before
        assert made.header.catalog_sha256
        assert sum(made.scenarios.values()) == SESSIONS

    def test_a_frozen_file_is_never_replaced_by_other_sessions(self, sample_catalog: Path, frozen: Path) -> None:
        before = frozen.read_bytes()
        with pytest.raises(SessionFileError, match="holds other sessions"):
            generate(sample_catalog, frozen, n=SESSIONS, seed=12)
        assert frozen.read_bytes() == before

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"protocol": "nope"}, "unknown protocol"),
            ({"draw": "alphabetical"}, "unknown draw"),
            ({"n": 0}, "n is 0"),
            ({"n": 10**6}, "ask for n <="),
        ],
    )
    def test_bad_input_is_named(
        self, sample_catalog: Path, tmp_path: Path, change: dict[str, object], words: str
    ) -> None:
        with pytest.raises(EvaluationError, match=words):
            generate(sample_catalog, tmp_path / "s.jsonl", **change)
        assert list(tmp_path.iterdir()) == []

    def test_a_missing_catalog_and_an_unwritable_folder_are_errors(self, sample_catalog: Path, tmp_path: Path) -> None:
        with pytest.raises(CatalogError):
            generate(tmp_path / "none.duckdb", tmp_path / "s.jsonl", n=5)
        (tmp_path / "file").write_text("")
        with pytest.raises(SessionFileError, match="cannot be written"):
            generate(sample_catalog, tmp_path / "file" / "s.jsonl", n=5)


class TestRun:
    def test_the_keyword_agent_shows_ten_asks_nothing_and_scores_below_the_bound(
        self, keyword: tuple[RunReport, Path]
    ) -> None:
        report, _ = keyword
        assert report.metrics.overall.sessions == SESSIONS
        assert report.metrics.faults == []
        assert report.metrics.tokens.total == 0
        assert report.bound is not None
        assert report.metrics.overall.technical_score < report.bound.overall.technical_score
        assert report.metrics.interval.low <= report.metrics.overall.technical_score <= report.metrics.interval.high
        assert set(report.metrics.per_scenario) == {"buying", "browsing", "intent_override", "boundary"}

    def test_the_report_names_what_it_measured(self, keyword: tuple[RunReport, Path], frozen: Path) -> None:
        report, out = keyword
        assert RunReport.model_validate_json((out / "report.json").read_text()) == report
        assert report.sessions_sha256 == hashlib.sha256(frozen.read_bytes()).hexdigest()
        assert report.catalog_sha256 == report.session_file.catalog_sha256
        assert report.seeds == {"sessions": 11, "bootstrap": 0}
        assert (out / "report.html").read_text().startswith("<!doctype html>")

    def test_traces_hold_a_row_a_turn_and_only_real_distinct_ids(
        self, keyword: tuple[RunReport, Path], sample_catalog: Path
    ) -> None:
        report, out = keyword
        rows = [json.loads(line) for line in (out / "traces.jsonl").read_text().splitlines()]
        assert len(rows) == report.metrics.latency.turns
        index = open_catalog(sample_catalog)
        exist = existence(index)
        for row in rows:
            assert len(row["shown"]) == len(set(row["shown"])) <= 10
            assert all(exist(row["shown"]))
            assert row["question"] is None
        index.close()

    def test_one_worker_and_two_score_the_same(
        self, keyword: tuple[RunReport, Path], sample_catalog: Path, frozen: Path, tmp_path: Path
    ) -> None:
        alone = run(sample_catalog, frozen, tmp_path / "alone", agent="keyword", with_bound=False)
        assert alone.metrics.overall == keyword[0].metrics.overall
        assert alone.bound is None

    def test_shopgraph_answers_every_turn_and_beats_the_keyword_agent(
        self, keyword: tuple[RunReport, Path], sample_catalog: Path, frozen: Path, tmp_path: Path
    ) -> None:
        report = run(sample_catalog, frozen, tmp_path / "own", policy="full")
        assert report.metrics.faults == []
        assert report.metrics.overall.technical_score > keyword[0].metrics.overall.technical_score
        rows = [json.loads(line) for line in (tmp_path / "own" / "traces.jsonl").read_text().splitlines()]
        assert {"retrieved", "filtered", "ranked", "shown"} == set(rows[0]["stage_ranks"])
        assert rows[0]["node_ms"]
        found = report.metrics.recall
        assert found is not None
        assert found.turns[0].sessions == SESSIONS
        assert found.overall.stages["retrieved"].anywhere > 0.9
        assert keyword[0].metrics.recall is None

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"protocol": "natural"}, "not of 'natural'"),
            ({"jobs": 0}, "use 1 or more"),
            ({"agent": "nobody"}, "does not start"),
            ({"agent": "tests.unit.evals.agents:Unloadable"}, "the model file is missing"),
        ],
    )
    def test_bad_input_is_named(
        self, sample_catalog: Path, frozen: Path, tmp_path: Path, change: dict[str, object], words: str
    ) -> None:
        with pytest.raises(ShopgraphError, match=words):
            run(sample_catalog, frozen, tmp_path / "out", **change)

    def test_sessions_of_another_catalog_are_refused(self, sample_catalog: Path, frozen: Path, tmp_path: Path) -> None:
        header, rest = frozen.read_text().split("\n", 1)
        foreign = tmp_path / "foreign.jsonl"
        changed = json.loads(header) | {"catalog_sha256": "0" * 64}
        foreign.write_text(json.dumps(changed) + "\n" + rest)
        with pytest.raises(SessionFileError, match="another catalog"):
            run(sample_catalog, foreign, tmp_path / "out")
        with pytest.raises(SessionFileError, match="another catalog"):
            bound(sample_catalog, foreign)


def test_bounds_of_a_file_stand_in_the_order_asked(sample_catalog: Path, frozen: Path) -> None:
    full, confident = bound(sample_catalog, frozen)
    assert (full.policy, confident.policy) == ("full", "confident")
    assert bound(sample_catalog, frozen, policies=("confident",)) == [confident]
    assert 0.5 < full.overall.technical_score < 0.993  # the ceiling by arithmetic is .992
    assert full.hit_curve[-1] == full.overall.hr_at_10


def test_speed_times_turns_and_weighs_checkpoints(sample_catalog: Path) -> None:
    report = speed(sample_catalog, n=3, turns=6)
    assert report.speed.respond.turns > 0
    assert sum(node.share for node in report.speed.nodes) == pytest.approx(1)
    assert len(report.checkpoints.bytes_per_turn) == 6
    assert min(report.checkpoints.bytes_per_turn) > 0


def test_ids_that_no_catalog_holds_do_not_exist(sample_catalog: Path) -> None:
    index = open_catalog(sample_catalog)
    real = index.products([0])[0].parent_asin
    assert existence(index)([real, "", "nul\x00", "x" * 5000, "é" * 3]) == [True, False, False, False, False]
    assert existence(index)([]) == []
    index.close()


class TestReferencePoints:
    """The bounds published for two real catalogs, whose seeds are unknown: ours must agree within both intervals.

    Two sets of 200 sessions differ by up to the sum of two half widths, so that sum is allowed.
    """

    @pytest.mark.parametrize(
        ("name", "draw", "published"),
        [
            ("fashion", "popularity", {"full": 0.887, "confident": 0.967}),
            ("fashion", "uniform", {"full": 0.695, "confident": 0.709}),
            ("amazon-reviews-2023-fashion", "popularity", {"full": 0.923, "confident": 0.971}),
        ],
    )
    def test_bound(self, real_products: Load, name: str, draw: Draw, published: dict[Policy, float]) -> None:
        products = real_products(name)
        played = bound_outcomes(products, generate_sessions(products, 200, draw, 11), list(published))
        for policy, outcomes in played.items():
            assert abs(score(outcomes).technical_score - published[policy]) <= _width(bootstrap(outcomes))


@pytest.fixture(scope="module")
def real_products() -> Load:
    """Load a real catalog's rows once, or skip where the data is absent."""

    @cache
    def load(name: str) -> Sequence[Product]:
        with gzip.open(shared_data() / "catalogs" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            return [Product.model_validate(json.loads(line)) for line in lines]

    return load


def _width(interval: Interval) -> float:
    return interval.high - interval.low
