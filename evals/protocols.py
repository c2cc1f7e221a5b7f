"""The registry of protocols: what each one's sessions, shopper, generator and bound are."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from catalog.product import Product
from evals.errors import EvaluationError
from evals.natural.generate import natural_sessions
from evals.natural.session import NaturalSession
from evals.natural.shopper import NaturalShopper
from evals.natural.validate import validate_sessions
from evals.official.bound import bound_outcomes
from evals.official.generate import generate_sessions
from evals.official.shopper import OfficialSession, OfficialShopper
from evals.realistic.generate import realistic_sessions
from evals.realistic.session import RealisticSession
from evals.realistic.shopper import RealisticShopper
from evals.reworded.shopper import RewordedSession, RewordedShopper
from evals.scoring import Outcome
from evals.sessions import Draw, Session
from evals.shopper import Shopper
from evals.validation import Problem
from graph.settings import Policy


class Reference(BaseModel):
    """A published figure to stand beside a run's own."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    protocol: str
    name: str
    note: str = ""
    technical_score: float | None = None
    hr_at_10: float | None = None
    mrr: float | None = None
    mttc: float | None = None
    exact_top1: float | None = None


class _References(BaseModel):
    reference: list[Reference] = Field(default_factory=list)


@dataclass(frozen=True)
class EvalProtocol:
    """One way to measure an agent.

    `session` is the row type of its session files; `generate(products, n, draw, seed, clean)` makes sessions, None
    where they are made another way (`made_by` names the command);
    `shopper(session)` plays one; `bound(products, sessions, policies, clean)` is None where no bound is defined; so is
    `validate(products, sessions)` where a file holds nothing that the catalog could prove wrong.
    """

    name: str
    session: type[Session]
    generate: Callable[[Sequence[Product], int, Draw, int, bool], Sequence[Session]] | None
    shopper: Callable[..., Shopper]
    bound: Callable[[Sequence[Product], Sequence[Any], Sequence[Policy], bool], dict[Policy, list[Outcome]]] | None
    made_by: str = "eval generate"
    looks: bool = False
    """Whether `shopper` also takes a way to look at the products that ids name."""
    validate: Callable[[Sequence[Product], Sequence[Any]], Sequence[Problem]] | None = None


PROTOCOLS = {
    protocol.name: protocol
    for protocol in [
        EvalProtocol("official", OfficialSession, generate_sessions, OfficialShopper, bound_outcomes),
        # The bound knows the values themselves: what an agent could reach that understood every sentence.
        EvalProtocol("reworded", RewordedSession, None, RewordedShopper, bound_outcomes, made_by="eval reword"),
        EvalProtocol("realistic", RealisticSession, realistic_sessions, RealisticShopper, bound_outcomes, looks=True),
        EvalProtocol("natural", NaturalSession, natural_sessions, NaturalShopper, None, validate=validate_sessions),
    ]
}


def protocol_named(name: str) -> EvalProtocol:
    """Return a protocol; raises `EvaluationError` that lists the names when there is none of this one."""
    if name not in PROTOCOLS:
        raise EvaluationError(f"unknown protocol {name!r}; choose one of: {', '.join(PROTOCOLS)}")
    return PROTOCOLS[name]


@cache
def references() -> list[Reference]:
    """Return the published figures of `evals/data/references.toml`."""
    text = files("evals").joinpath("data/references.toml").read_text(encoding="utf-8")
    return _References.model_validate(tomllib.loads(text)).reference
