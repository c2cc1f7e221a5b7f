"""The evidence score: what each fact says for or against each candidate, in nats.

score = prior + sum of the facts' log-likelihoods + unexplained words + full text + showings passed over.
A satisfied fact costs nothing; an unknown one costs more the rarer its value is; a violated one costs most. The form
and the start values come from published runs on the reference protocol; the constants are data (`ranking.toml`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catalog.constraint import Verdict
from catalog.product import NUMERIC_ATTRIBUTES
from catalog.search import Ids, ProductIndex
from catalog.text import tokens
from graph.events import BeliefEntry, BeliefState, Fact
from tools.constants import RankingConstants
from tools.phrases import word_set
from tools.prior import log_prior, record_evidence

Floats = NDArray[np.float32]

MENTION_TOKENS = 12
"""Rarest words of a long value that its overlap is measured by: the rest add time, not order."""


class Evidence(NamedTuple):
    """Scores of candidates, shape (k,), and the named terms that add up to them."""

    total: Floats
    terms: dict[str, Floats]


def weigh(index: ProductIndex, belief: BeliefState, query: str, ids: Ids, constants: RankingConstants) -> Evidence:
    """Score candidates against a belief.

    `ids` has shape (k,). Term names: `prior`, `text`, `words`, `shown`, `chosen`, and `fact:<n>` for the n-th entry of
    the belief.
    """
    terms: dict[str, NDArray[np.floating[Any]]] = {
        "prior": log_prior(index, ids, constants.prior),
        "text": constants.bm25.weight * index.score(telling(query), ids),
        "words": word_evidence(index, belief, ids, constants),
        "shown": _shown_evidence(index, belief, ids, constants),
        "chosen": _chosen_evidence(index, belief, ids, constants),
        "record": record_evidence(index, belief, ids, constants.record),
    }
    profile = np.zeros(len(ids), np.float32)
    for position, entry in enumerate(belief.entries):
        term = entry.weight * fact_evidence(index, entry.fact, ids, constants, belief.of("category"))
        if entry.fact.source == "profile":
            profile += term
        else:
            terms[f"fact:{position}"] = term
    terms["profile"] = np.maximum(constants.text.profile * profile, -constants.text.profile_cap)
    total = np.zeros(len(ids), np.float32)
    for term in terms.values():
        total += term.astype(np.float32)
    return Evidence(total, {name: term.astype(np.float32) for name, term in terms.items()})


def telling(query: str) -> str:
    """Return the words of a query that tell products apart."""
    return " ".join(word for word in query.split() if word not in word_set("conversation", "umbrella"))


def scores_of(
    index: ProductIndex, belief: BeliefState, query: str, ids: Ids, scores: Sequence[float], constants: RankingConstants
) -> list[float]:
    """Return the scores of candidates; weighed anew when somebody edited the candidates and left their scores."""
    if len(scores) == len(ids):
        return list(scores)
    return [round(float(score), 4) for score in weigh(index, belief, query, ids, constants).total]


def fact_evidence(
    index: ProductIndex, fact: Fact, ids: Ids, constants: RankingConstants, kinds: Sequence[Fact] = ()
) -> Floats:
    """Return the log-likelihood of one fact for each candidate, at most 0, shape (k,).

    `kinds` are the categories held: "cheap" and "the cheapest" compare products of the wanted kind.
    """
    if fact.polarity == "negative":
        verdicts = index.judge(fact, ids)
        cost = _weight(fact, constants) * constants.negative.violated
        return np.where(verdicts == Verdict.VIOLATED, -cost, 0.0).astype(np.float32)
    if fact.attribute == "budget" and fact.values:
        term = _price_level_evidence(index, fact, ids, constants, kinds)
    elif fact.attribute == "budget":
        term = _price_evidence(index, fact, ids, constants)
    elif fact.attribute in NUMERIC_ATTRIBUTES:
        term = _number_evidence(index, fact, ids, constants)
    elif fact.op == "contains":
        term = _statement_evidence(index, fact, ids, constants)
    else:
        term = _value_evidence(index, fact, ids, constants)
    if fact.scope is not None:
        inside = membership(ids, index.facet_ids("category", fact.scope), index.size)
        term = np.where(inside, term, 0.0)
    return (_weight(fact, constants) * term).astype(np.float32)


def _weight(fact: Fact, constants: RankingConstants) -> float:
    """Return the weight of a fact's evidence: its confidence, less when it is hedged.

    What everyday words were mapped to is always soft, and how sure that is stands in its confidence already.
    """
    hedged = fact.strength == "soft" and fact.source != "paraphrase"
    return fact.confidence * (constants.text.soft if hedged else 1.0)


def statement_ids(index: ProductIndex, text: str) -> Ids:
    """Return the products that carry `text` as one of their strings (or as its beginning), ascending."""
    wanted = len(tokens(text))
    best: Ids = np.empty(0, np.int32)
    for match in index.statements(text):
        # A string cut at a length limit loses its last word or part of it, never more.
        if match.tokens >= wanted - 1 or (not match.whole and match.tokens >= 8):
            best = match.ids
            break
    return best


def membership(ids: Ids, members: Ids, size: int) -> NDArray[np.bool_]:
    """Return which of `ids` are in `members`, shape (k,). A scratch mask beats sorting for every size measured."""
    mask = np.zeros(size, np.bool_)
    mask[members] = True
    return mask[ids]


def idf(index: ProductIndex, count: int) -> float:
    """Return ln(N / df), at least 0."""
    return float(np.log(max(index.size, 1) / max(count, 1)))


def overlap(index: ProductIndex, text: str, ids: Ids) -> Floats:
    """Return the share (by idf) of the words of `text` that each candidate's text holds, 0..1, shape (k,)."""
    postings = sorted((index.term_ids(word) for word in dict.fromkeys(tokens(text))), key=len)
    postings = [p for p in postings if len(p)][:MENTION_TOKENS]
    weights = [max(idf(index, len(p)), 0.1) for p in postings]
    share = np.zeros(len(ids), np.float32)
    for posting, weight in zip(postings, weights, strict=True):
        share += weight * membership(ids, posting, index.size)
    return share / sum(weights) if weights else share


def _value_evidence(index: ProductIndex, fact: Fact, ids: Ids, constants: RankingConstants) -> Floats:
    c = constants.text
    verdicts = index.judge(fact, ids)
    frequency = sum(len(index.facet_ids(fact.facet_key, value)) for value in fact.values)
    cost = c.unknown * min(max(idf(index, frequency), c.unknown_floor), c.unknown_cap)
    credit = np.zeros(len(ids), np.float32)
    for value in fact.values:
        # A bare number in a text is anything but a size ("11" of "11 oz").
        if fact.attribute != "size" or any(map(str.isalpha, value)):
            credit = np.maximum(credit, overlap(index, value, ids))
    mentioned = constants.category.mention_credit if fact.attribute == "category" else c.mention_credit
    unknown = -cost * (1 - mentioned * credit)
    violated = -c.violated_material if fact.attribute == "material" else -max(c.violated, cost)
    term = np.where(verdicts == Verdict.SATISFIED, 0.0, np.where(verdicts == Verdict.VIOLATED, violated, unknown))
    term = (constants.category.weight if fact.attribute == "category" else 1.0) * term.astype(np.float32)
    return term - constants.statement.verbatim * _said_otherwise(index, fact, ids)


def _said_otherwise(index: ProductIndex, fact: Fact, ids: Ids) -> NDArray[np.bool_]:
    """Return which candidates lack the very words of a structured value that is some products' own string.

    "100% Polyester" said in a structured form is a fibre, and it is also how certain products put it.
    """
    carriers = statement_ids(index, fact.quoted) if fact.quoted else np.empty(0, np.int32)
    return ~membership(ids, carriers, index.size) if len(carriers) else np.zeros(len(ids), np.bool_)


def _statement_evidence(index: ProductIndex, fact: Fact, ids: Ids, constants: RankingConstants) -> Floats:
    c = constants.statement
    text = " ".join(fact.values)
    carriers = statement_ids(index, text)
    if not len(carriers):
        shared = overlap(index, text, ids)
        return -min(max(idf(index, 1), c.floor), c.cap) * (1 - shared)
    cost = min(max(idf(index, len(carriers)), c.floor), c.cap)
    missing = ~membership(ids, carriers, index.size)
    return np.where(missing, -cost * (1 - c.overlap_credit * overlap(index, text, ids)), 0.0).astype(np.float32)


def _price_evidence(index: ProductIndex, fact: Fact, ids: Ids, constants: RankingConstants) -> Floats:
    c = constants.numbers
    price = index.price()[ids]
    low, high = price_bounds(fact)
    with np.errstate(divide="ignore", invalid="ignore"):
        if fact.op == "around":
            wanted = fact.numbers[0]
            steps = c.around_step + c.around_slope * np.abs(np.log(price / wanted))
            term = np.where(np.abs(price - wanted) <= c.around_exact, 0.0, -np.minimum(steps, c.around_cap))
        else:
            over = np.where(price > high, -c.price_violated - c.price_slope * np.log(price / high), 0.0)
            under = np.where(price < low, -c.price_violated - c.price_slope * np.log(low / price), 0.0)
            term = np.maximum(over + under, -20.0)
    return np.where(np.isnan(price), -c.price_unknown, term).astype(np.float32)


def _price_level_evidence(
    index: ProductIndex, fact: Fact, ids: Ids, constants: RankingConstants, kinds: Sequence[Fact]
) -> Floats:
    """Return what "cheap" and "the most expensive" say of each candidate: its place by price among those priced.

    The extremes order by price, a leaning costs at most `level`; an unknown price stands where the worst do.
    """
    c = constants.numbers
    price = index.price()[ids]
    known = ~np.isnan(price)
    for kind in kinds:
        of_kind = known & (index.judge(kind, ids) == Verdict.SATISFIED)
        known = of_kind if of_kind.any() and kind.polarity == "positive" else known
    if not known.any():
        return np.zeros(len(ids), np.float32)
    cheap = fact.values[0] in ("low", "lowest")
    levels, place = np.unique(price[known] if cheap else -price[known], return_inverse=True)
    term = np.full(len(ids), -1.0)
    term[known] = -place / max(len(levels) - 1, 1)
    if fact.values[0] in ("lowest", "highest"):
        steps = np.full(len(ids), float(c.extreme_steps))
        steps[known] = np.minimum(place, c.extreme_steps)
        return (-c.extreme_step * steps).astype(np.float32)
    return (c.level * term).astype(np.float32)


def price_bounds(fact: Fact) -> tuple[float, float]:
    """Return the inclusive bounds of a numeric fact; infinite where open, for `around` the value itself."""
    numbers = fact.numbers
    match fact.op:
        case "lt" | "le":
            return 0.0, max(numbers[0], 0.01)
        case "gt" | "ge":
            return numbers[0], float("inf")
        case "between":
            return min(numbers), max(*numbers, 0.01)
        case _:
            return numbers[0], max(numbers[0], 0.01)


def _number_evidence(index: ProductIndex, fact: Fact, ids: Ids, constants: RankingConstants) -> Floats:
    c = constants.numbers
    verdicts = index.judge(fact, ids)
    costs = np.where(verdicts == Verdict.VIOLATED, -c.rating_violated, -c.rating_unknown)
    return np.where(verdicts == Verdict.SATISFIED, 0.0, costs).astype(np.float32)


def word_evidence(index: ProductIndex, belief: BeliefState, ids: Ids, constants: RankingConstants) -> Floats:
    """Return the cost of the shopper's unexplained words that a candidate's text lacks, shape (k,)."""
    c = constants.words
    total = np.zeros(len(ids), np.float32)
    for word, weight in unexplained_words(belief, c.earlier).items():
        posting = index.term_ids(word)
        if len(posting):
            cost = c.weight * min(max(idf(index, len(posting)), c.floor), c.cap)
            total -= weight * cost * ~membership(ids, posting, index.size)
    return total


def unexplained_words(belief: BeliefState, earlier: float) -> dict[str, float]:
    """Return the words of the query texts that no held fact explains, with the weight of their evidence."""
    explained = _explained(belief.entries) | withdrawn_words(belief)
    words: dict[str, float] = {}
    for turn, text in belief.query_texts:
        weight = earlier if belief.replaced_at is not None and turn < belief.replaced_at else 1.0
        for word in tokens(text):
            if word not in explained and word not in word_set("conversation", "umbrella"):
                words[word] = max(words.get(word, 0.0), weight)
    return words


def withdrawn_words(belief: BeliefState) -> set[str]:
    """Return the words of what the shopper excluded, took back or replaced, unless a held fact says them too."""
    gone = {word for text in belief.withdrawn for word in tokens(text)}
    wanted: set[str] = set()
    for fact in belief.constraints:
        (gone if fact.polarity == "negative" else wanted).update(w for value in fact.values for w in tokens(value))
    return gone - wanted


def _explained(entries: Iterable[BeliefEntry]) -> set[str]:
    words: set[str] = set()
    for entry in entries:
        words.update(tokens(entry.fact.text))
        for value in entry.fact.values:
            words.update(tokens(value))
    return words


def _chosen_evidence(index: ProductIndex, belief: BeliefState, ids: Ids, constants: RankingConstants) -> Floats:
    """Return what lifts the products that the shopper accepted, and undoes their having been shown."""
    if not belief.chosen:
        return np.zeros(len(ids), np.float32)
    rows = [row for row in index.ids(belief.chosen) if row is not None]
    return np.where(np.isin(ids, rows), constants.shown.chosen, 0.0).astype(np.float32)


def _shown_evidence(index: ProductIndex, belief: BeliefState, ids: Ids, constants: RankingConstants) -> Floats:
    penalty = np.zeros(index.size if belief.shown else 0, np.float32)
    if not belief.shown:
        return np.zeros(len(ids), np.float32)
    for row, times in zip(index.ids(list(belief.shown)), belief.shown.values(), strict=True):
        if row is not None:
            penalty[row] = -constants.shown.penalty * times
    return penalty[ids]
