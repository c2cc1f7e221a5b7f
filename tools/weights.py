"""The weights of the evidence score: each constant that a term of the score is proportional to, by its dotted name."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from tools.constants import RankingConstants

FIXED = "fixed"
"""Name of the weight, always 1, of terms whose constants are no factors."""

CREDITS = {
    "text.mention_credit": "text.unknown",
    "category.mention_credit": "category.unknown",
    "statement.overlap_credit": "statement.weight",
}
"""Constants that are shares of another one's cost: their weight is the product of both."""

NAMES = (
    "prior.weight",
    "bm25.weight",
    "words.weight",
    "text.unknown",
    "text.mention_credit",
    "text.violated",
    "text.contradiction",
    "text.violated_material",
    "text.profile",
    "category.unknown",
    "category.mention_credit",
    "category.violated",
    "statement.weight",
    "statement.overlap_credit",
    "statement.verbatim",
    "numbers.price_unknown",
    "numbers.price_violated",
    "numbers.price_slope",
    "numbers.rating_unknown",
    "numbers.rating_violated",
    "negative.violated",
    "shown.penalty",
    "shown.chosen",
    "record.told",
    "record.silence",
    "sentence.weight",
    "sentence.title",
)
"""Every weight but `FIXED`."""


def weights(constants: RankingConstants) -> dict[str, float]:
    """Return the weight of each unit term of the score, in nats per unit."""
    found = dict(zip(NAMES, _constants(constants), strict=True))
    for name, whole in CREDITS.items():
        found[name] *= found[whole]
    return {**found, FIXED: 1.0}


_constants = attrgetter(*NAMES)


def constant(constants: RankingConstants, name: str) -> float:
    """Return a constant by its dotted name."""
    return float(attrgetter(name)(constants))


def with_weights(constants: RankingConstants, weight: Mapping[str, float]) -> RankingConstants:
    """Return the constants that have these weights, the others as they are: the inverse of `weights`."""
    everything = {**weights(constants), **weight}
    sections: dict[str, dict[str, Any]] = constants.model_dump()
    for name in NAMES:
        whole = everything[CREDITS[name]] if name in CREDITS else 1.0
        section, field = name.split(".")
        if whole > 0:
            sections[section][field] = everything[name] / whole
    return RankingConstants.model_validate(sections)
