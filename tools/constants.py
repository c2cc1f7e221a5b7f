"""Loads the constants of ranking, clarification and commitment from their data files."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PriorConstants(_Section):
    """Weight of the popularity prior, and from how many times the mean rating count on it counts in full."""

    weight: float
    shrinkage: float


class TextConstants(_Section):
    """Evidence of facts with text values."""

    unknown: float
    unknown_floor: float
    unknown_cap: float
    mention_credit: float
    violated: float
    contradiction: float
    kin: float
    violated_material: float
    soft: float
    profile: float
    profile_cap: float


class CategoryConstants(_Section):
    """Evidence of the kind of product, by the floor and cap of the other facts."""

    unknown: float
    mention_credit: float
    passing: float
    violated: float


class StatementConstants(_Section):
    """Evidence of catalog strings quoted word for word."""

    weight: float
    floor: float
    cap: float
    overlap_credit: float
    verbatim: float


class WordConstants(_Section):
    """Evidence of words that no fact explains."""

    weight: float
    floor: float
    cap: float
    earlier: float


class Bm25Constants(_Section):
    """Weight of the full-text score."""

    weight: float


class NumberConstants(_Section):
    """Evidence of prices, ratings and counts."""

    price_unknown: float
    price_violated: float
    price_slope: float
    level: float
    extreme_step: float
    extreme_steps: int
    next_slope: float
    next_cap: float
    around_exact: float
    around_step: float
    around_slope: float
    around_cap: float
    rating_unknown: float
    rating_violated: float


class NegativeConstants(_Section):
    """Evidence of excluded values."""

    violated: float


class ShownConstants(_Section):
    """Evidence of a product having been passed over."""

    penalty: float
    chosen: float


class RecordConstants(_Section):
    """Evidence of how much a record says (`longest` strings at most), against what was told (`most` facts at most)."""

    told: float
    silence: float
    most: int
    longest: int


class SentenceConstants(_Section):
    """Evidence of sentences by their meaning."""

    weight: float
    title: float
    lowest: float
    highest: float
    full: float
    silent: float
    words: float
    values: float
    kinds: float
    mapped: float
    text: float
    record: float
    others: float
    doubt: float
    told: float
    pool: int


class PoolConstants(_Section):
    """Depths of the candidate pool."""

    text: int
    structured: int
    popular: int
    thin: int


class RankingConstants(_Section):
    """All constants of `tools/data/ranking.toml`, in nats unless a field says otherwise."""

    prior: PriorConstants
    text: TextConstants
    category: CategoryConstants
    statement: StatementConstants
    words: WordConstants
    bm25: Bm25Constants
    numbers: NumberConstants
    negative: NegativeConstants
    shown: ShownConstants
    record: RecordConstants
    sentence: SentenceConstants
    pool: PoolConstants


class AttributeQuestion(_Section):
    """How one attribute is asked for: the first time in the first words of a list, then in the next ones."""

    answerable: float
    wordings: list[str]
    with_options: list[str] = []


class DialogueConstants(_Section):
    """All constants of `tools/data/questions.toml`."""

    leaders: int
    temperature: float
    fatigue: float
    spoken_kind: float
    turns: int
    empty_answers: int
    open_yield: int
    informed_rank: float
    questions: dict[str, AttributeQuestion]


def _table(name: str) -> dict[str, object]:
    return tomllib.loads((files("tools") / "data" / name).read_text(encoding="utf-8"))


@cache
def ranking_constants() -> RankingConstants:
    """Return the constants of the evidence score."""
    return RankingConstants.model_validate(_table("ranking.toml"))


@cache
def dialogue_constants() -> DialogueConstants:
    """Return the constants and wordings of questions and commitment."""
    return DialogueConstants.model_validate(_table("questions.toml"))
