"""The result of `shopgraph eval understanding` as lines of a table, the two halves side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evals.understanding.intervals import Interval, Score, Share
from evals.understanding.labels import HALVES
from evals.understanding.report import FileScores, ReadingTime, TurnsReport
from evals.understanding.scoring import Miss

NOTHING = "-"
"""Stands where there is nothing to divide by."""


class Table(NamedTuple):
    """Columns and rows of text; the first column names the row."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def score_table(scores: FileScores) -> Table:
    """Return one row a score: labelled facts, precision, recall, F1 and its interval, for each half measured."""
    halves = [(half, scores.halves[half]) for half in HALVES if half in scores.halves]
    columns = [column for half, _ in halves for column in (f"{half}: n", "P", "R", "F1", "95%")]
    names = dict.fromkeys(name for _, half in halves for name in half.scores)
    rows = [(name, *(cell for _, half in halves for cell in _score(half.scores.get(name)))) for name in names]
    return Table(("", *columns), rows)


def share_table(scores: FileScores) -> Table:
    """Return one row a share, for each half measured; no rows when the file has none."""
    halves = [(half, scores.halves[half]) for half in HALVES if half in scores.halves]
    columns = [column for half, _ in halves for column in (f"{half}: rows", "share", "95%")]
    names = dict.fromkeys(name for _, half in halves for name in half.shares)
    rows = [(name, *(cell for _, half in halves for cell in _share(half.shares.get(name)))) for name in names]
    return Table(("", *columns), rows)


def word_table(turns: TurnsReport) -> Table:
    """Return the words that nothing explained, the most frequent first."""
    rows = [(word.word, f"{word.count:,}", "yes" if word.known else "no") for word in turns.words]
    return Table(("word", "turns", "in the catalog"), rows)


def miss_lines(misses: Sequence[Miss]) -> Iterator[str]:
    """Yield the messages that were not read as labelled, each with what is missing and what is too much."""
    for miss in misses:
        yield miss.text
        if miss.missed:
            yield f"    not read: {'; '.join(miss.missed)}"
        if miss.extra:
            yield f"    not labelled: {'; '.join(miss.extra)}"


def time_line(time: ReadingTime) -> str:
    """Return the times of reading in one line."""
    times = (("p50", time.p50_ms), ("p95", time.p95_ms), ("p99", time.p99_ms), ("max", time.max_ms))
    return "reading a message: " + ", ".join(f"{name} {value:.2f} ms" for name, value in times)


def _score(score: Score | None) -> tuple[str, ...]:
    if score is None:
        return (NOTHING,) * 5
    values = (_number(value) for value in (score.precision, score.recall, score.f1))
    return (str(score.gold), *values, _interval(score.f1_interval))


def _share(share: Share | None) -> tuple[str, ...]:
    if share is None:
        return (NOTHING,) * 3
    return (f"{share.count} of {share.of}", _number(share.share), _interval(share.interval))


def _number(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.3f}"


def _interval(ends: Interval) -> str:
    return NOTHING if ends is None else f"{ends[0]:.2f}-{ends[1]:.2f}"
