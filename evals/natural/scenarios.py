"""The seven scenarios: which facts of a signature open a session, stand in the profile, or wait for a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from evals.draws import unit
from evals.natural.facts import Claim, Record, is_true
from evals.natural.signature import Shelf, distinct_claims
from evals.natural.tables import NUMBERS, Kind, tables

FEWEST_LEFT = 3
"""Products that an opening leaves, at least, unless the scenario is direct_search."""

MOST_HIDDEN = 4
"""Facts that questions must bring out, at most."""


class Plan(NamedTuple):
    """The claims of a session by where they are stated; `old` and `new` only of a change of mind."""

    category: str
    opening: list[Claim]
    profile: list[Claim]
    hidden: list[Claim]
    old: Claim | None = None
    new: Claim | None = None


class Wanted(NamedTuple):
    """A product that a session could be about, with all that may be said of it."""

    target: Record
    category: str
    claims: list[Claim]
    shelf: Shelf
    draw: str
    """Seeds every choice."""

    def chosen(self, required: Sequence[Claim] = ()) -> list[Claim] | None:
        """Return claims that single out the target together with its kind, `required` first; None when none do."""
        others = [claim for claim in self.claims if claim not in required]
        return distinct_claims(self.target, self.category, required, others, self.shelf, self.draw)

    def shuffled(self, claims: Sequence[Claim], label: str) -> list[Claim]:
        """Return claims in an order that the draw decides."""
        return sorted(claims, key=lambda claim: unit(self.draw, label, claim.kind, claim.value))

    def left(self, claims: Sequence[Claim]) -> int:
        """Return how many products are of the kind and match claims."""
        return len(self.shelf.matching(self.category, claims))


def plan(scenario: str, wanted: Wanted) -> Plan | None:
    """Lay out a session of a scenario about a product; None when what is known of it does not allow one."""
    laid = _LAYOUTS[scenario](wanted)
    if laid is None or len(laid.hidden) > MOST_HIDDEN:
        return None
    if scenario != "direct_search" and wanted.left(laid.opening) < FEWEST_LEFT:
        return None
    return laid


def _direct_search(wanted: Wanted) -> Plan | None:
    chosen = wanted.chosen()
    return Plan(wanted.category, chosen, [], []) if chosen and len(chosen) >= 2 else None


def _multi_constraint(wanted: Wanted) -> Plan | None:
    chosen = wanted.chosen()
    if chosen is None or len(chosen) < 3:
        return None
    chosen = wanted.shuffled(chosen, "split")
    hidden = 2 if len(chosen) > 3 and unit(wanted.draw, "hidden") < 0.5 else 1
    return Plan(wanted.category, chosen[hidden:], [], chosen[:hidden])


def _profile_hidden(wanted: Wanted) -> Plan | None:
    chosen = wanted.chosen()
    if chosen is None or len(chosen) < 2:
        return None
    fit = [claim for claim in wanted.shuffled(chosen, "profile") if tables().say[claim.kind].tag]
    profile = fit[: 2 if unit(wanted.draw, "tags") < 0.5 else 1]
    return _split(wanted, [], profile, [claim for claim in chosen if claim not in profile]) if profile else None


def _clarification_required(wanted: Wanted) -> Plan | None:
    chosen = wanted.chosen()
    return Plan(wanted.category, [], [], wanted.shuffled(chosen, "hidden")) if chosen else None


def _negative_constraint(wanted: Wanted) -> Plan | None:
    for avoided in wanted.shuffled(_avoidable(wanted), "avoided"):
        chosen = wanted.chosen([avoided])
        if chosen is None:
            continue
        others = [claim for claim in chosen if claim != avoided]
        if unit(wanted.draw, "told") < 0.5:
            return _split(wanted, [avoided], [], others)
        return _split(wanted, [], [], [avoided, *others])
    return None


def _budget_rating(wanted: Wanted) -> Plan | None:
    limits = wanted.shuffled([claim for claim in wanted.claims if claim.kind in NUMBERS], "limits")
    # A price is rarer in many catalogs than a rating, and what this scenario is about.
    limits.sort(key=lambda claim: claim.kind != "budget")
    required = limits[: 2 if unit(wanted.draw, "both") < 0.5 else 1]
    if not required or wanted.left(required) == wanted.left([]):
        return None
    chosen = wanted.chosen(required)
    if chosen is None:
        return None
    return _split(wanted, required, [], [claim for claim in chosen if claim not in required])


def _intent_override(wanted: Wanted) -> Plan | None:
    """Open with a value that the target does not have, to be replaced by the one it has."""
    one_valued = [claim for claim in wanted.claims if _replaceable(claim.kind)]
    for new in wanted.shuffled(one_valued, "new"):
        old = next(iter(wanted.shuffled(_false_values(wanted, new.kind), "old")), None)
        chosen = wanted.chosen([new]) if old else None
        if chosen is None:
            continue
        laid = _split(wanted, [], [], [claim for claim in chosen if claim != new])
        return laid._replace(old=old, new=new)
    return None


def _split(wanted: Wanted, opening: list[Claim], profile: list[Claim], others: Sequence[Claim]) -> Plan:
    """Open with one of the other claims, too, where enough products are left; the rest waits for questions."""
    others = wanted.shuffled(others, "split")
    first = next((claim for claim in others if wanted.left([*opening, claim]) >= FEWEST_LEFT), None)
    if first is not None and not first.avoided and unit(wanted.draw, "first") < 0.5:
        opening, others = [*opening, first], [claim for claim in others if claim != first]
    return Plan(wanted.category, opening, profile, list(others))


def _false_values(wanted: Wanted, kind: Kind) -> list[Claim]:
    """Return the values of a kind that the target does not have and other products of its kind do."""
    values = [Claim(kind, name) for name in tables().family.get(kind, {})]
    return [
        claim
        for claim in values
        if is_true(claim._replace(avoided=True), wanted.target) and wanted.left([claim]) >= FEWEST_LEFT
    ]


def _replaceable(kind: Kind) -> bool:
    """Return whether one value of a kind takes another's place, as a colour does and a style need not."""
    return kind in tables().family and not tables().kind[kind].several


def _avoidable(wanted: Wanted) -> list[Claim]:
    """Return safe rejections: the target states another value of the kind, and rivals have the rejected one."""
    stated = {claim.kind for claim in wanted.claims}
    false = [claim for kind in tables().family if kind in stated for claim in _false_values(wanted, kind)]
    return [claim._replace(avoided=True) for claim in false]


_LAYOUTS: dict[str, Callable[[Wanted], Plan | None]] = {
    "direct_search": _direct_search,
    "multi_constraint": _multi_constraint,
    "profile_hidden": _profile_hidden,
    "clarification_required": _clarification_required,
    "negative_constraint": _negative_constraint,
    "budget_rating": _budget_rating,
    "intent_override": _intent_override,
}
