"""The files of a run: report.json for machines, traces.jsonl for digging, report.html for people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from evals.errors import EvaluationError
from evals.protocols import Reference
from evals.scoring import Interval, Metrics, Scores
from evals.sessions import Header
from evals.traces import SessionTrace
from graph.settings import Policy

REPORT_FORMAT = 1
"""Raised whenever a field of report.json changes its meaning."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class RunConfig(_Part):
    """What was run, and how."""

    protocol: str
    agent: str
    policy: Policy
    jobs: int
    turn_timeout_s: float
    catalog: str = Field(description="File name of the catalog.")
    sessions: str = Field(description="File name of the session file.")
    without: tuple[str, ...] = Field(default=(), description="Tiers of the reader that were left out.")
    environment: tuple[str, ...] = Field(default=(), description="Variables that the worker inherited.")


class Bound(_Part):
    """The bound of a session set under one policy: what perfect knowledge of the cards would reach."""

    policy: Policy
    overall: Scores
    interval: Interval
    per_scenario: dict[str, Scores]
    hit_curve: list[float]


class RunReport(_Part):
    """The content of report.json."""

    format: int = REPORT_FORMAT
    config: RunConfig
    revision: str
    catalog_sha256: str
    catalog_products: int
    sessions_sha256: str
    session_file: Header
    seeds: dict[str, int]
    seconds: float = Field(description="Wall time of playing the sessions.")
    metrics: Metrics
    bound: Bound | None = None
    references: list[Reference] = Field(default_factory=list)


def write_run(folder: Path, report: RunReport, traces: Sequence[SessionTrace], page: str) -> None:
    """Write report.json, traces.jsonl and report.html into `folder`, which is made when missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        rows = (turn.model_dump_json() for trace in traces for turn in trace.turns)
        (folder / "traces.jsonl").write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
        (folder / "report.html").write_text(page, encoding="utf-8")
        text = json.dumps(report.model_dump(mode="json"), indent=2, ensure_ascii=False)
        (folder / "report.json").write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise EvaluationError(
            f"{folder}: the report cannot be written ({error.strerror}); choose another --out"
        ) from error
