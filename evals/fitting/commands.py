"""`shopgraph eval fit`: estimate the constants of the ranking on catalogs whose figures are not reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from catalog.search import ProductIndex
from evals.errors import EvaluationError
from evals.fitting.answers import Estimate, estimate_answers
from evals.fitting.features import choice_set
from evals.fitting.logit import ChoiceSet, LogitFit, Penalty, Vector, fit_logit, mean_log_likelihood
from evals.fitting.play import Played, Question, play_sessions
from evals.fitting.tables import number, with_values
from evals.official.generate import generate_sessions
from evals.progress import bar
from evals.revision import code_revision
from evals.sessions import Draw
from evals.store import all_products, open_store
from tools.constants import RankingConstants, dialogue_constants, ranking_constants
from tools.weights import CREDITS, NAMES, constant, weights, with_weights

HELD = frozenset({"text.profile", "shown.chosen", "category.unknown", "category.mention_credit", "category.violated"})
"""Constants that simulated shoppers teach nothing of: their profiles are made up, they accept nothing, and they name
the kind of product in the catalog's own words (with a mention_credit of .64 for .85, as fitted, the queries that people
had judged lost .01 of nDCG@10)."""

PRIOR = "prior.weight"
"""The weight of popularity, held unless asked for: targets drawn by popularity gain by it what uniform ones lose, and
the likelihood of both together weighs them by how many turns each takes."""

LEAST = {"text.violated": 5.0}
"""Set by hand: people say what a product is less exactly than generated sessions do, but a contradiction is one."""

MOST_CREDIT = 0.9
"""Set by hand: a mention in a text is never as good as the value itself."""

PENALTY = 10.0
"""Of 3, 10 and 30 the least under which no checked catalog became less likely (at 3 one lost .04 nats a turn)."""

SMALLEST_SCALE = 0.2
"""Least scale by which the penalty measures how far a weight is from its present value."""


class FittedConstant(BaseModel):
    """One constant of `ranking.toml`; `error` is None where the sessions say nothing of it and it stays."""

    model_config = ConfigDict(frozen=True)

    name: str
    present: float
    fitted: float
    error: float | None = Field(description="Standard error by the inverse Hessian, turns taken as independent.")


class CatalogFit(BaseModel):
    """How likely the wanted products of one catalog's sessions are, in nats a turn."""

    model_config = ConfigDict(frozen=True)

    catalog: str
    catalog_sha256: str
    products: int
    fitted_on: bool
    turns: int
    before: float
    after: float = Field(description="By the score with the constants as they would be written.")


class FitReport(BaseModel):
    """What `eval fit` found."""

    model_config = ConfigDict(frozen=True)

    revision: str
    n: int
    seed: int
    draws: list[Draw]
    penalty: float
    scale: float = Field(description="Standard deviation of the fitted scores of a turn over that of the present ones.")
    constants: list[FittedConstant]
    catalogs: list[CatalogFit]
    answers: list[Estimate]


@dataclass(frozen=True)
class _Cell:
    """One catalog with what its sessions showed."""

    name: str
    index: ProductIndex
    played: Played
    fitted_on: bool

    def sets(self, constants: RankingConstants) -> list[ChoiceSet]:
        return [choice_set(self.index, choice, constants) for choice in self.played.choices]


def fit(
    catalogs: Sequence[Path],
    *,
    check: Sequence[Path] = (),
    n: int = 150,
    seed: int = 0,
    draws: Sequence[Draw] = ("popularity", "uniform"),
    penalty: float = PENALTY,
    prior: bool = False,
) -> FitReport:
    """Fit the ranking's weights on `n` sessions of each catalog and draw; `check` are catalogs to be judged only.

    `prior` fits the weight of popularity too.

    Raises `EvaluationError` for a catalog that is given twice, for a penalty that is not positive, or when a catalog
    has too few products; `CatalogError` for a file that is none.
    """
    if not penalty > 0:
        raise EvaluationError(f"the penalty is {penalty}; it must be above 0, or weights without data have no value")
    cells: list[_Cell] = []
    try:
        for path in [*catalogs, *check]:
            index = open_store(path)
            cells.append(_Cell(path.name, index, Played([], []), len(cells) < len(catalogs)))
            _guard_twice(cells)
            _play(cells[-1], n, draws, seed)
        held = HELD if prior else HELD | {PRIOR}
        return _report(cells, penalty, held, n=n, seed=seed, draws=list(draws))
    finally:
        for cell in cells:
            cell.index.close()


def write_ranking(report: FitReport, out: Path, date: str | None = None) -> None:
    """Write a complete `ranking.toml` with the fitted constants, saying where they come from."""
    values = {row.name: row.fitted for row in report.constants if row.error is not None}
    _write(out, "ranking.toml", values, _provenance(report, date))


def write_questions(report: FitReport, out: Path, date: str | None = None) -> None:
    """Write a complete `questions.toml` with the counted chances of an answer."""
    _write(out, "questions.toml", {row.name: row.counted for row in report.answers}, _provenance(report, date))


def _write(out: Path, table: str, values: dict[str, float], provenance: list[str]) -> None:
    text = (files("tools") / "data" / table).read_text(encoding="utf-8")
    try:
        out.write_text(with_values(text, values, provenance), encoding="utf-8")
    except OSError as error:
        raise EvaluationError(f"{out}: cannot be written ({error.strerror}); choose another file") from error


def _provenance(report: FitReport, date: str | None) -> list[str]:
    draws = " and ".join(report.draws)
    drawn = f"{report.n} sessions of each catalog and draw ({draws}), seed {report.seed}, penalty {report.penalty:g}"
    stores = [
        f"{row.catalog} ({row.catalog_sha256[:12]}, {row.turns} turns)" for row in report.catalogs if row.fitted_on
    ]
    when = [f"on {date}"] if date else []
    return ["shopgraph eval fit, P1, policy confident", *stores, drawn, *when]


def _guard_twice(cells: Sequence[_Cell]) -> None:
    digests = [cell.index.manifest.catalog_sha256 for cell in cells]
    if digests.index(digests[-1]) < len(digests) - 1:
        raise EvaluationError(f"{cells[-1].name} is given twice: a catalog is either fitted on or checked, and once")


def _play(cell: _Cell, n: int, draws: Sequence[Draw], seed: int) -> None:
    products = all_products(cell.index)
    sessions = [session for draw in draws for session in generate_sessions(products, n, draw, seed)]
    with bar(f"play {cell.name}", len(sessions)) as advance:
        played = play_sessions(cell.index, sessions, advance)
    cell.played.choices.extend(played.choices)
    cell.played.questions.extend(played.questions)


def _report(
    cells: Sequence[_Cell], penalty: float, held: frozenset[str], *, n: int, seed: int, draws: list[Draw]
) -> FitReport:
    present = ranking_constants()
    before = [cell.sets(present) for cell in cells]
    sets = [choice for cell, own in zip(cells, before, strict=True) if cell.fitted_on for choice in own]
    free, found = _fitted(sets, present, penalty, held)
    constants = _constants(present, free, found)
    made = _with_constants(present, constants)
    questions: list[Question] = [row for cell in cells if cell.fitted_on for row in cell.played.questions]
    return FitReport(
        revision=code_revision(),
        n=n,
        seed=seed,
        draws=draws,
        penalty=penalty,
        scale=_scale(sets, _vector(present), _vector(made)),
        constants=constants,
        catalogs=[_judged(cell, own, present, made) for cell, own in zip(cells, before, strict=True)],
        answers=estimate_answers(questions, dialogue_constants()),
    )


def _fitted(
    sets: Sequence[ChoiceSet], present: RankingConstants, penalty: float, held: frozenset[str]
) -> tuple[list[int], LogitFit]:
    """Fit the weights that the choices say something of; returns their places in `NAMES` and the fit."""
    start = _vector(present)
    varying = np.zeros(len(NAMES), np.bool_)
    for choice in sets:
        varying |= np.ptp(choice.features, axis=0) > 0
    free = [place for place, name in enumerate(NAMES) if varying[place] and name not in held]
    rest = [place for place in range(len(NAMES)) if place not in free]
    known = start[rest].astype(np.float32)
    reduced = [
        ChoiceSet(choice.features[:, free], choice.offset + choice.features[:, rest] @ known, choice.chosen)
        for choice in sets
    ]
    lower = np.array([LEAST.get(NAMES[place], 0.0) for place in free])
    towards = Penalty(penalty, start[free], np.maximum(np.abs(start[free]), SMALLEST_SCALE))
    return free, fit_logit(reduced, towards, lower)


def _constants(present: RankingConstants, free: Sequence[int], found: LogitFit) -> list[FittedConstant]:
    """Return every constant, fitted where it may be, rounded as it is written and within the rules set by hand."""
    names = [NAMES[place] for place in free]
    made = with_weights(present, dict(zip(names, map(float, found.weights), strict=True)))
    rows = []
    for name in NAMES:
        now, value = constant(present, name), constant(made, name)
        if name in CREDITS:
            value = min(value, MOST_CREDIT)
        error = _error(name, value, names, found) if name in names else None
        fitted = float(number(value)) if error is not None else now
        rows.append(FittedConstant(name=name, present=now, fitted=fitted, error=error))
    return rows


def _error(name: str, value: float, names: Sequence[str], found: LogitFit) -> float:
    """Return the standard error of a constant; of a share (its weight over that of the whole) by the delta method."""
    slope = np.zeros(len(names))
    slope[names.index(name)] = 1.0
    whole = CREDITS.get(name)
    if whole in names:
        weight = max(float(found.weights[names.index(whole)]), 1e-9)
        slope[names.index(name)] = 1 / weight
        slope[names.index(whole)] = -value / weight
    return float(np.sqrt(slope @ found.covariance @ slope))


def _with_constants(present: RankingConstants, rows: Sequence[FittedConstant]) -> RankingConstants:
    sections = present.model_dump()
    for row in rows:
        section, field = row.name.split(".")
        sections[section][field] = row.fitted
    return RankingConstants.model_validate(sections)


def _vector(constants: RankingConstants) -> Vector:
    weight = weights(constants)
    return np.array([weight[name] for name in NAMES])


def _scale(
    sets: Sequence[ChoiceSet],
    present: Vector,
    fitted: Vector,
) -> float:
    def spread(weight: Vector) -> float:
        return sum(float(np.var(choice.offset + choice.features @ weight)) for choice in sets)

    before = spread(present)
    return (spread(fitted) / before) ** 0.5 if before else 1.0


def _judged(cell: _Cell, before: Sequence[ChoiceSet], present: RankingConstants, made: RankingConstants) -> CatalogFit:
    return CatalogFit(
        catalog=cell.name,
        catalog_sha256=cell.index.manifest.catalog_sha256,
        products=cell.index.size,
        fitted_on=cell.fitted_on,
        turns=len(before),
        before=mean_log_likelihood(before, _vector(present)),
        after=mean_log_likelihood(cell.sets(made), _vector(made)),
    )
