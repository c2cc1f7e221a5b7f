"""Hard constraints narrow the candidates; when nothing meets all of them, the fewest and weakest are given up."""

from __future__ import annotations

from math import floor, log10
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catalog.constraint import Constraint, Verdict
from catalog.judge import number_bounds
from catalog.postings import membership
from catalog.product import NUMERIC_ATTRIBUTES
from catalog.search import Ids, ProductIndex
from graph.events import BeliefState, Fact
from tools.explanation import describe
from tools.phrases import load_table

SURE_KIND = 0.75
"""Confidence from which a category read from plain words is taken for the kind of product that is wanted."""

SOLD = 20
"""Products of a kind (in a small store: 1% of all) from which what states no kind is no answer to a wish for it."""

MOST = 1000
"""Products taken from the whole catalog, by text and by popularity each: ranking shows ten of them."""

_FLOAT_NOISE = 1e-4
"""Columns are single precision: 4.2 comes as 4.1999998."""

NO_IDS: Ids = np.empty(0, np.int32)

Flags = NDArray[np.bool_]


class Narrowed(NamedTuple):
    """Survivors, what was relaxed for them, and what dropped how many of the candidates.

    A product that violates several constraints is counted for each. `seen` counts the products that meet all where each
    of them is withheld. `price` is the nearest known price beyond a budget that no survivor is known to
    keep to.
    """

    ids: Ids
    relaxed: list[dict[str, Any]]
    dropped: dict[str, int]
    seen: int = 0
    price: tuple[Fact, float] | None = None


class Nearest(NamedTuple):
    """The product that breaks least of what is hard, the facts that it breaks, and how many that fit were withheld."""

    id: int
    broken: list[Fact]
    seen: int = 0


def narrow(index: ProductIndex, belief: BeliefState, ids: Ids, withheld: Ids = NO_IDS, query: str = "") -> Narrowed:
    """Keep the candidates that violate nothing hard; where none does, look in the whole catalog, then give up least.

    Wishes are given up only if every product violates one; when those that violate none were all shown before, nothing
    survives, and what was excluded or shown does not come back to fill a list. The set that costs least goes
    (`tools/data/relaxation.toml`); of equal sets the one that more products have, then the one with the best known
    product. A limit moves to the first round amount that some product meets. What is firm is never given up: then
    nothing survives. Of a kind of product that is surely meant, one that does not state its kind is no answer where
    products of that kind could be had by giving up something else.
    """
    wishes = _Wishes(index, [fact for fact in belief.constraints if narrows(fact)])
    free = ids[~membership(ids, withheld, index.size)] if len(withheld) else ids
    candidates = wishes.judge(free)
    if candidates.of_kind.any():
        return Narrowed(free[candidates.fits], [], candidates.dropped, price=wishes.nearest_price(free, candidates))
    available = np.delete(np.arange(index.size, dtype=np.int32), withheld)
    everything = wishes.judge(available)
    if everything.of_kind.any():
        return Narrowed(_best(index, available[everything.of_kind], query), [], candidates.dropped)
    shown = wishes.judge(withheld)
    if shown.of_kind.any():
        rest = _best(index, available[everything.fits], query)
        return Narrowed(rest, [], candidates.dropped, 0 if len(rest) else int(shown.fits.sum()))
    survivors, relaxed = _give_up(index, wishes, available, everything.broken)
    return Narrowed(_best(index, survivors, query), relaxed, candidates.dropped)


class _Judged(NamedTuple):
    """Which facts each product breaks, shape (facts, products), which products break none, which are of the kind too.

    A product of unknown kind breaks the kind where the catalog has products of that kind.
    """

    broken: Flags
    fits: Flags
    of_kind: Flags
    dropped: dict[str, int]


class _Wishes:
    """The facts that narrow, and whether the catalog has the kind of product that they name."""

    def __init__(self, index: ProductIndex, facts: list[Fact]) -> None:
        self.facts = facts
        self._index = index
        kinds = [fact.attribute == "category" and fact.polarity == "positive" and not fact.scope for fact in facts]
        self._kinds = np.array(
            [kind and self._is_sold(fact) for kind, fact in zip(kinds, facts, strict=True)], np.bool_
        )

    @property
    def firm(self) -> Flags:
        """Which facts are past giving up: where one is, the kind is too ("sandals, only in red" wants no red tunic)."""
        said = np.array([fact.firm for fact in self.facts], np.bool_)
        return said | self._kinds if said.any() else said

    def _is_sold(self, fact: Fact) -> bool:
        enough = max(1, min(SOLD, self._index.size // 100))
        return sum(len(self._index.facet_ids(fact.facet_key, value)) for value in fact.values) >= enough

    def judge(self, ids: Ids) -> _Judged:
        """Judge products by every fact."""
        verdicts = np.zeros((len(self.facts), len(ids)), np.int8)
        for row, fact in enumerate(self.facts):
            verdicts[row] = self._index.judge(fact, ids)
        broken = verdicts == Verdict.VIOLATED
        fits = ~broken.any(axis=0)
        counts = np.count_nonzero(broken, axis=1).tolist()
        dropped = {describe(fact): count for fact, count in zip(self.facts, counts, strict=True) if count}
        broken[self._kinds] |= verdicts[self._kinds] == Verdict.UNKNOWN
        return _Judged(broken, fits, ~broken.any(axis=0), dropped)

    def nearest_price(self, ids: Ids, judged: _Judged) -> tuple[Fact, float] | None:
        """Return the price nearest to a budget among products that meet all else; None where a survivor keeps to it."""
        for row, fact in enumerate(self.facts):
            if fact.attribute != "budget" or not fact.numbers or not judged.broken[row].any():
                continue
            if (self._index.judge(fact, ids[judged.fits]) == Verdict.SATISFIED).any():
                continue
            beyond = ids[judged.broken[row] & (judged.broken.sum(axis=0) == 1)]
            if len(beyond):
                best = int(np.argmin(_overshoot(self._index, fact, beyond)))
                return fact, float(self._index.price()[beyond[best]])
        return None


def withheld_ids(index: ProductIndex, belief: BeliefState, policy: str) -> Ids:
    """Return what an answer does not show again, ascending: what was turned down and, under `confident`, was shown.

    What the shopper chose is not withheld, nor what they point at or ask about.
    """
    named = belief.rejected if policy == "full" else [*belief.rejected, *belief.shown, *belief.pending]
    kept = {*belief.chosen, *(p for p in belief.discussed if p in belief.pending)}
    rows = [row for row in index.ids([name for name in named if name not in kept]) if row is not None]
    return np.unique(np.asarray(rows, dtype=np.int32))


def narrows(fact: Fact) -> bool:
    """Return whether a fact narrows the candidates: what is hard, and the kind of product where it is surely read.

    Socks that violate nothing else are no answer to "sandals, size 9, under $80": the size gives way first, aloud.
    """
    sure_kind = fact.attribute == "category" and fact.polarity == "positive" and fact.confidence >= SURE_KIND
    return fact.strength == "hard" or (sure_kind and fact.source != "profile")


def nearest(index: ProductIndex, belief: BeliefState, withheld: Ids = NO_IDS) -> Nearest | None:
    """Return what comes closest to all that is hard, what is firm costing most; None in an empty catalog."""
    wishes = _Wishes(index, [fact for fact in belief.constraints if narrows(fact)])
    available = np.delete(np.arange(index.size, dtype=np.int32), withheld)
    if not len(available) or not wishes.facts:
        return None
    broken = wishes.judge(available).broken
    firm = load_table("relaxation")["firm"] * broken[wishes.firm].sum(axis=0)
    cost = costs(index, wishes.facts, available, broken) + firm
    best = int(np.lexsort((-index.rating_count()[available], cost))[0])
    lacking = [fact for fact, gone in zip(wishes.facts, broken[:, best], strict=True) if gone]
    return Nearest(int(available[best]), lacking, int(wishes.judge(withheld).of_kind.sum()))


def costs(index: ProductIndex, facts: list[Fact], ids: Ids, broken: Flags) -> NDArray[np.float64]:
    """Return what it costs each product to give up all that it violates, shape (k,); firmness aside."""
    total = np.zeros(len(ids))
    for fact, gone in zip(facts, broken, strict=True):
        if gone.any():
            total += np.where(gone, _cost(fact) + _overshoot(index, fact, ids), 0.0)
    return total


def instead(fact: Constraint, number: float) -> Constraint | None:
    """Return the constraint whose limit was moved to a round amount that `number` meets; None without bounds.

    A limit on both sides keeps the other one. Example: `budget <= 10` met by 12.50 becomes `budget <= 15`;
    `rating >= 4.5` met by 4.23 becomes `rating >= 4.2`.
    """
    bounds = number_bounds(fact)
    if bounds is None:
        return None
    low, high = bounds
    if number < low:
        low = floor(number * 10 + _FLOAT_NOISE) / 10 if fact.attribute == "rating" else -_round_up(-number)
    else:
        high = -floor(-number * 10 + _FLOAT_NOISE) / 10 if fact.attribute == "rating" else _round_up(number)
    if fact.op in ("around", "between", "eq"):
        return fact.model_copy(update={"op": "between", "value": [low, high]})
    return fact.model_copy(update={"op": "ge", "value": low} if number < bounds[0] else {"op": "le", "value": high})


def _round_up(number: float) -> float:
    """Return the next round amount, away from zero below it: whole units, fives from 10, two digits from 100."""
    size = abs(number)
    step = 1.0 if size < 10 else 5.0 if size < 100 else 10.0 ** (floor(log10(size)) - 1)
    return float(-floor(-number / step + _FLOAT_NOISE) * step)


def _give_up(index: ProductIndex, wishes: _Wishes, ids: Ids, broken: Flags) -> tuple[Ids, list[dict[str, Any]]]:
    """Return the products of the cheapest set of violations that leaves any, and what was relaxed for them."""
    hard = wishes.facts
    able = np.flatnonzero(~broken[wishes.firm].any(axis=0))
    ids, broken = ids[able], broken[:, able]
    if not len(ids):
        return NO_IDS, []
    cost = costs(index, hard, ids, broken)
    cheapest = np.flatnonzero(cost <= cost.min() + 1e-9)
    sets = np.unique(broken[:, cheapest], axis=1).T
    chosen = max((_group(index, hard, ids, broken, cost, gone) for gone in sets), key=lambda group: group[0])
    return chosen[1], chosen[2]


def _group(
    index: ProductIndex, hard: list[Fact], ids: Ids, broken: Flags, cost: NDArray[np.float64], gone: Flags
) -> tuple[tuple[int, float], Ids, list[dict[str, Any]]]:
    """Return the merit (products, ratings of the best known) of one set of violations, its products and its rows."""
    members = np.flatnonzero((broken == gone[:, None]).all(axis=0))
    near = int(ids[members[np.argmin(cost[members])]])
    group, rows = ids[members], []
    for fact in (fact for fact, given_up in zip(hard, gone, strict=True) if given_up):
        moved = _moved(index, fact, near)
        if moved is not None:
            group = group[index.judge(moved, group) == Verdict.SATISFIED]
        rows.append(_row(fact, moved))
    merit = (len(group), float(index.rating_count()[group].max(initial=0.0)))
    return merit, group, rows


def _moved(index: ProductIndex, fact: Fact, near: int) -> Constraint | None:
    """Return the limit that the nearest product meets; None where the fact is no limit, or its number unknown."""
    column = _column(index, fact)
    if column is None or fact.polarity == "negative" or np.isnan(column[near]):
        return None
    return instead(
        Constraint.model_validate(fact.model_dump(include=set(Constraint.model_fields))), float(column[near])
    )


def _column(index: ProductIndex, fact: Fact) -> NDArray[np.float32] | None:
    columns = {"budget": index.price, "rating": index.rating, "review_count": index.rating_count}
    read = columns.get(fact.attribute) if fact.attribute in NUMERIC_ATTRIBUTES else None
    return read() if read is not None else None


def _overshoot(index: ProductIndex, fact: Fact, ids: Ids) -> NDArray[np.float64]:
    """Return what the distance of each product's number from a limit costs, shape (k,); 0 where it is within."""
    column, bounds = _column(index, fact), number_bounds(fact)
    if column is None or bounds is None or fact.polarity == "negative":
        return np.zeros(len(ids))
    numbers = np.maximum(np.nan_to_num(column[ids].astype(np.float64), nan=1.0), 0.01)
    low, high = max(bounds[0], 0.01), max(bounds[1], 0.01)
    far = np.maximum(np.log(numbers) - np.log(high), np.log(low) - np.log(numbers))
    return np.asarray(load_table("relaxation")["overshoot"] * np.maximum(far, 0.0))


def _cost(fact: Fact) -> float:
    table = load_table("relaxation")
    if fact.polarity == "negative":
        return float(table["exclusion"])
    return float(table["attributes"].get(fact.attribute, table["value"]))


def _best(index: ProductIndex, ids: Ids, query: str) -> Ids:
    """Return at most some of a list that may be the whole catalog: the best by text, and the best known."""
    if len(ids) <= MOST:
        return ids
    listed = np.zeros(index.size, np.bool_)
    listed[ids] = True
    known = index.by_popularity()
    known = known[listed[known]][:MOST]
    said = index.search(query, MOST, within=np.sort(ids)).ids if query else NO_IDS
    return np.unique(np.concatenate([known, said])).astype(np.int32)


def _row(fact: Fact, moved: Constraint | None) -> dict[str, Any]:
    row = {"attribute": fact.attribute, "op": fact.op, "value": fact.value, "fact": describe(fact)}
    if moved is not None:
        row["instead"] = describe(Fact.model_validate(moved.model_dump()))
    return row
