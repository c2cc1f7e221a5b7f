"""Reads labelled messages and unlabelled turns with the rules of one catalog, and measures what comes of it."""

from __future__ import annotations

import gzip
import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from catalog.errors import InputError
from catalog.lexicon import Lexicon
from catalog.search import ProductIndex
from catalog.text import tokens
from evals.progress import bar
from evals.understanding.context import before, read_message
from evals.understanding.labels import HALVES, Half, LabelFile, Row
from evals.understanding.report import FileScores, ReadingTime, TurnsReport, UnknownWord
from evals.understanding.scoring import RowResult, score_row, score_rows
from graph.events import BeliefState
from graph.state import clean_text
from tools.language import TIERS, Reader
from tools.reading import Question, Reading

WARM_UP = 100
"""Messages read before times are taken: the first ones pay for tables and patterns that are made when first needed."""

NAMED_ERRORS = 20
"""Failed turns that a report names: one is too many already."""


def reader_without(lexicon: Lexicon, without: frozenset[str]) -> Reader:
    """Return the reader of a catalog with some tiers left out; raises `InputError` for a tier that does not exist."""
    if unknown := without - TIERS:
        named, known = (", ".join(sorted(names)) for names in (unknown, TIERS))
        raise InputError(f"--without {named}: no such tier; name one of {known}.")
    return Reader(lexicon, without=without)


def measure_labels(
    index: ProductIndex,
    reader: Reader,
    labelled: Sequence[LabelFile],
    *,
    halves: Sequence[Half] = HALVES,
    misses: Sequence[Half] = ("tuned",),
    seed: int = 0,
) -> tuple[list[FileScores], ReadingTime]:
    """Score the chosen halves of each file; only rows of the halves in `misses` are ever named."""
    scores, times = [], []
    for text in [row.text for labels in labelled for row in labels.rows][:WARM_UP]:
        reader.read(clean_text(text), Question(), BeliefState())
    for labels in labelled:
        results: dict[Half, list[RowResult]] = {half: [] for half in halves}
        for row, half in zip(labels.rows, labels.halves, strict=True):
            if half in results:
                result, seconds = _read(index, reader, labels.path, row)
                results[half].append(result)
                times.append(seconds)
        scores.append(
            FileScores(
                file=labels.path.name,
                sha256=labels.sha256,
                kind=labels.kind,
                halves={half: score_rows(rows, seed) for half, rows in results.items() if rows},
                misses={half: [r.miss for r in rows if r.miss] for half, rows in results.items() if half in misses},
            )
        )
    return scores, reading_time(times)


def _read(index: ProductIndex, reader: Reader, path: Path, row: Row) -> tuple[RowResult, float]:
    """Return what a row adds to the scores, and the seconds that its message took to read."""
    earlier = before(reader, index, prev_user=row.prev_user or "", prev_system=row.prev_system or "")
    begun = time.perf_counter()
    reading = read_message(reader, row.text, earlier)
    seconds = time.perf_counter() - begun
    return score_row(path, row, reading, earlier), seconds


def measure_turns(reader: Reader, lexicon: Lexicon, path: Path, words: int) -> TurnsReport:
    """Read every turn of a file on its own: errors, times, and the most frequent words that nothing explained."""
    said = [clean_text(text) for text in read_turns(path)]
    unexplained: Counter[str] = Counter()
    times: list[float] = []
    errors: list[str] = []
    for text in said[:WARM_UP]:
        _tried(reader, text)
    with bar(path.name, len(said)) as advance:
        for number, text in enumerate(said, 1):
            begun = time.perf_counter()
            reading = _tried(reader, text)
            times.append(time.perf_counter() - begun)
            advance()
            if isinstance(reading, Reading):
                unexplained.update(reading.unexplained)
            else:
                errors.append(f"turn {number}: {reading}")
    return TurnsReport(
        file=path.name,
        turns=len(said),
        failed=len(errors),
        errors=errors[:NAMED_ERRORS],
        time=reading_time(times),
        words=[
            UnknownWord(word=word, count=count, known=_known(lexicon, word))
            for word, count in sorted(unexplained.items(), key=lambda item: (-item[1], item[0]))[:words]
        ],
    )


def _tried(reader: Reader, text: str) -> Reading | str:
    """Return the reading of a turn, or what was raised."""
    try:
        return reader.read(text, Question(), BeliefState())
    except Exception as error:  # noqa: BLE001 - the reader must never raise: whatever it raises is counted
        return f"{type(error).__name__}: {error}"


def _known(lexicon: Lexicon, word: str) -> bool:
    return bool(tokens(word)) and all(lexicon.knows(token) for token in tokens(word))


def read_turns(path: Path) -> Iterator[str]:
    """Yield the text of each row of a JSONL file, packed (.gz) or not; raises `InputError` naming a bad line."""
    remedy = 'write one object a line with a string "text"'
    try:
        data = path.read_bytes()
        lines = (gzip.decompress(data) if path.suffix == ".gz" else data).splitlines()
    except (OSError, EOFError) as error:
        raise InputError(f"{path}: cannot be read ({error}); name a JSONL file, packed as .gz or not.") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}, line {number} is not JSON ({error}); {remedy}.") from error
        if not isinstance(row, dict) or not isinstance(row.get("text"), str):
            raise InputError(f"{path}, line {number}: no text; {remedy}.")
        yield row["text"]


def reading_time(seconds: Iterable[float]) -> ReadingTime:
    """Summarise how long messages took to read; zeros when there were none."""
    times = np.array([1000.0 * value for value in seconds] or [0.0])
    p50, p95, p99 = np.percentile(times, [50, 95, 99])
    return ReadingTime(p50_ms=float(p50), p95_ms=float(p95), p99_ms=float(p99), max_ms=float(times.max()))
