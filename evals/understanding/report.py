"""The result of `shopgraph eval understanding`, for machines."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from evals.errors import EvaluationError
from evals.understanding.labels import Half, Kind
from evals.understanding.scoring import HalfScores, Miss

REPORT_FORMAT = 1
"""Raised whenever a field changes its meaning."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class FileScores(_Part):
    """What a file of labelled messages scored, half by half."""

    file: str
    sha256: str
    kind: Kind
    halves: dict[Half, HalfScores]
    misses: dict[Half, list[Miss]] = Field(description="Of the halves that may be looked at.")


class ReadingTime(_Part):
    """Milliseconds that a message took to read, what was said before it not counted."""

    p50_ms: float
    p95_ms: float
    p99_ms: float
    max_ms: float


class UnknownWord(_Part):
    """A content word that no tier explained."""

    word: str
    count: int = Field(description="Turns that hold it.")
    known: bool = Field(description="Whether a product's text holds it.")


class TurnsReport(_Part):
    """What came of reading many unlabelled turns."""

    file: str
    turns: int
    failed: int
    errors: list[str]
    time: ReadingTime
    words: list[UnknownWord]


class UnderstandingReport(_Part):
    """What was measured, on which catalog and by which code."""

    format: int = REPORT_FORMAT
    revision: str
    catalog: str = Field(description="File name of the catalog.")
    catalog_sha256: str
    catalog_products: int
    without: list[str] = Field(description="Tiers left out.")
    seed: int = Field(description="Seed of the bootstrap.")
    files: list[FileScores]
    time: ReadingTime | None = Field(description="Over all labelled messages; None without any.")
    turns: TurnsReport | None = None


def write_report(path: Path, report: UnderstandingReport) -> None:
    """Write a report as JSON; the file appears whole or not at all."""
    text = json.dumps(report.model_dump(mode="json"), indent=2, ensure_ascii=False)
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.write_text(text + "\n", encoding="utf-8")
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise EvaluationError(f"{path}: cannot be written ({error.strerror}); choose another --output") from error
