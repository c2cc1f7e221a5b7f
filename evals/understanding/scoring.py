"""What one labelled message adds to the scores, and the scores of a half of a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from evals.understanding.context import Before
from evals.understanding.intervals import Counts, Score, Share, draws, score_of, share_of
from evals.understanding.labels import FactsRow, GoldFact, GoldMove, MovesRow, Row, VerdictRow
from evals.understanding.matching import described, family, match_facts
from evals.understanding.verdicts import no_query_words, verdict_named
from graph.events import BeliefState, Fact
from tools.reading import Reading

TRAPS = "traps sprung"
_CHOICE = frozenset({"add", "replace"})


class Tally(NamedTuple):
    """Counts of one row: right ones, those read, those labelled."""

    hits: int = 0
    read: int = 0
    gold: int = 0


class Miss(BaseModel):
    """A message that was not read as labelled."""

    model_config = ConfigDict(frozen=True)

    id: str | int | None
    text: str
    missed: list[str] = Field(description="Labelled, not read.")
    extra: list[str] = Field(description="Read, not labelled.")


class HalfScores(BaseModel):
    """The scores of one half of a file."""

    model_config = ConfigDict(frozen=True)

    rows: int
    scores: dict[str, Score]
    shares: dict[str, Share]


@dataclass
class RowResult:
    """What one row adds: counts by the name of their score, and yes/no properties by the name of their share."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    shares: dict[str, bool] = field(default_factory=dict)
    miss: Miss | None = None


def score_row(path: Path, row: Row, reading: Reading, earlier: Before) -> RowResult:
    """Compare a reading with the row's labels; `path` names the set of a row with a verdict."""
    match row:
        case FactsRow():
            return _facts(row, reading)
        case MovesRow():
            return _moves(row, reading, earlier.belief)
        case VerdictRow():
            return _verdict(path, row, reading)


def score_rows(results: Sequence[RowResult], seed: int = 0) -> HalfScores:
    """Sum up rows (at least one); names keep the order in which rows bring them, most labelled first."""
    drawn = draws(len(results), seed)
    names = _names(results)
    scores = {name: score_of(_column([r.tallies.get(name, Tally()) for r in results]), drawn) for name in names}
    shares = dict.fromkeys(name for result in results for name in result.shares)
    return HalfScores(
        rows=len(results),
        scores=scores,
        shares={
            name: share_of(_column([(r.shares.get(name, False), name in r.shares) for r in results]), drawn)
            for name in shares
        },
    )


def _column(counts: Iterable[Iterable[int]]) -> Counts:
    return np.array([tuple(row) for row in counts], np.int64)


def _names(results: Sequence[RowResult]) -> list[str]:
    """Return the names of all scores: those that every row has first, the others by labelled count."""
    gold: dict[str, int] = defaultdict(int)
    rows: dict[str, int] = defaultdict(int)
    for result in results:
        for name, tally in result.tallies.items():
            gold[name] += tally.gold
            rows[name] += 1
    return sorted(gold, key=lambda name: (rows[name] < len(results), -gold[name] * (rows[name] < len(results))))


def _facts(row: FactsRow, reading: Reading) -> RowResult:
    found = match_facts(row.text, row.facts, reading.facts)
    result = RowResult(tallies={"facts": Tally(), "negative facts": Tally()})
    counted: list[tuple[GoldFact | Fact, Tally]] = [(pair.gold, Tally(1, 1, 1)) for pair in found.pairs]
    counted += [(fact, Tally(gold=1)) for fact in found.missed]
    counted += [(fact, Tally(read=1)) for fact in found.extra]
    for fact, tally in counted:
        names = ["facts", family(fact.attribute)] + ["negative facts"] * (fact.polarity == "negative")
        for name in names:
            result.tallies[name] = _plus(result.tallies.get(name, Tally()), tally)
    if row.slogan_trap:
        result.shares[TRAPS] = any(fact.polarity == "negative" for fact in reading.facts)
    result.miss = _miss(row, list(described(found.missed)), list(described(found.extra)))
    return result


def _plus(one: Tally, other: Tally) -> Tally:
    return Tally(*(a + b for a, b in zip(one, other, strict=True)))


def _moves(row: MovesRow, reading: Reading, held: BeliefState) -> RowResult:
    gold, read = {move.move for move in row.moves}, set(reading.acts)
    merged = _tally(_merged(gold), _merged(read))
    result = RowResult(
        tallies={
            "acts": _tally(gold, read),
            "acts, add = replace": merged,
            "acts, add or replace where nothing is held": merged if _either(row.moves, held) else _tally(gold, read),
        }
    )
    for act in sorted(gold | read):
        result.tallies[f"act {act}"] = _tally(gold & {act}, read & {act})
    result.miss = _miss(row, sorted(gold - read), sorted(read - gold))
    return result


def _tally(gold: set[str], read: set[str]) -> Tally:
    return Tally(hits=len(gold & read), read=len(read), gold=len(gold))


def _merged(acts: set[str]) -> set[str]:
    return {"add" if act in _CHOICE else act for act in acts}


def _either(moves: Sequence[GoldMove], held: BeliefState) -> bool:
    """Return whether adding and replacing come to the same: nothing was held of what the row's moves speak of."""
    spoken = {family(move.attribute) for move in moves if move.move in _CHOICE and move.attribute}
    return spoken.isdisjoint(family(fact.attribute) for fact in held.constraints)


def _verdict(path: Path, row: VerdictRow, reading: Reading) -> RowResult:
    name, verdict = verdict_named(path)
    said = verdict(reading)
    result = RowResult(tallies={name: Tally(hits=said and row.label, read=said, gold=row.label)})
    result.shares["accuracy"] = said == row.label
    if name == "chatter":
        kind = "chatter" if row.label else "the rest"
        result.shares |= {f"no fact in {kind}": not reading.facts, f"no query words in {kind}": no_query_words(reading)}
    if said != row.label:
        read = [*reading.acts, *described(reading.facts), *reading.unexplained]
        result.miss = Miss(id=row.id, text=row.text, missed=[name] if row.label else [], extra=read)
    return result


def _miss(row: Row, missed: list[str], extra: list[str]) -> Miss | None:
    return Miss(id=row.id, text=row.text, missed=missed, extra=extra) if missed or extra else None
