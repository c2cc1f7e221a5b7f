"""Judged queries: the file of judgments, two systems side by side, and what was lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.retrieval.paired import compare
from evals.retrieval.qrels import Qrels, QrelsFileError, read_qrels
from evals.retrieval.queries import Ranked, Ranker, lost, score_queries

HEAD = "query\tparent_asin\trating\n"


def _written(folder: Path, text: str) -> Path:
    path = folder / "judged.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def test_judgments_are_read_by_query(tmp_path: Path) -> None:
    qrels = read_qrels(_written(tmp_path, HEAD + 'desk lamp\tP1\t3\nmug 3"\tP2\t0\ndesk lamp\tP2\t1\n'))
    assert qrels.queries == {"desk lamp": {"P1": 3, "P2": 1}, 'mug 3"': {"P2": 0}}
    assert qrels.products() == ["P1", "P2"]
    assert len(qrels.sha256) == 64


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("desk lamp\tP1\t3\n", "the first line is not query parent_asin rating"),
        (HEAD, "there is no judgment"),
        (HEAD + "desk lamp\tP1\n", "line 2: 'desk lamp\\tP1' is not"),
        (HEAD + "desk lamp\tP1\tgood\n", "line 2"),
        (HEAD + "desk lamp\tP1\t-1\n", "line 2"),
        (HEAD + "desk lamp\tP1\t1\ndesk lamp\tP1\t2\n", "line 3: P1 is judged twice for 'desk lamp'"),
    ],
)
def test_a_malformed_file_is_named_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(QrelsFileError, match=r"judged\.tsv") as caught:
        read_qrels(_written(tmp_path, text))
    assert said in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(QrelsFileError, match=r"absent\.tsv: cannot be read"):
        read_qrels(tmp_path / "absent.tsv")


def test_the_ratio_is_that_of_the_means_and_its_interval_covers_it() -> None:
    better = compare([0.9, 0.6, 1.0, 0.5] * 20, [0.6, 0.4, 0.7, 0.3] * 20)
    assert better.ratio == pytest.approx(1.5)
    assert better.low is not None
    assert better.high is not None
    assert 1 < better.low < 1.5 < better.high
    assert better.p < 0.001
    assert (better.better, better.worse) == (80, 0)


def test_systems_that_differ_by_chance_are_not_told_apart() -> None:
    same = compare([0.2, 0.8, 0.5, 0.5], [0.8, 0.2, 0.5, 0.5])
    assert same.ratio == pytest.approx(1)
    assert same.p == 1
    assert (same.better, same.worse) == (1, 1)


def test_nothing_found_has_no_ratio() -> None:
    nothing = compare([0.5], [0.0])
    assert (nothing.ratio, nothing.low, nothing.high) == (None, None, None)
    with pytest.raises(ValueError, match="2 figures beside 1"):
        compare([0.5, 0.5], [0.0])


def _fixed(rankings: dict[str, list[str]]) -> Ranker:
    return lambda query: Ranked(shown=rankings[query][:1], ranking=rankings[query])


def test_each_system_is_scored_on_each_query() -> None:
    qrels = Qrels({"lamp": {"P1": 2, "P2": 1}, "mug": {"P3": 1}, "fork": {"P4": 0}}, "0" * 64)
    good = _fixed({"lamp": ["P1", "P2"], "mug": ["P9"], "fork": ["P4"]})
    stock = _fixed({"lamp": ["P9", "P1"], "mug": ["P3"], "fork": []})
    systems, rows = score_queries(qrels, {"good": good, "stock": stock}, "stock")
    first = 2 / (2 + 1 / 1.5849625)
    assert [row.ndcg_at_10["good"] for row in rows] == pytest.approx([first, 0, 0])
    assert [row.recall_at_100["stock"] for row in rows] == pytest.approx([0.5, 1, 0])
    assert systems["good"].recall_at_100 == pytest.approx(1 / 3)
    assert systems["stock"].ndcg_over is None
    assert systems["good"].ndcg_over is not None
    assert systems["good"].ndcg_over.ratio == pytest.approx(first)
    assert [row.query for row in lost(rows, "good", "stock")] == ["mug"]
