"""The evidence score: what each fact says for or against each candidate, in nats.

score = prior + sum of the facts' log-likelihoods + unexplained words + full text + showings passed over.
A satisfied fact costs nothing; an unknown one costs more the rarer its value is; a violated one costs most. The form
comes from published runs on the reference protocol; the constants are data (`ranking.toml`). Every term is a sum of
weight times unit term, so that `shopgraph eval fit` estimates the weights from the very terms that rank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from catalog.constraint import Verdict
from catalog.judge import kin_values
from catalog.postings import membership
from catalog.product import NUMERIC_ATTRIBUTES
from catalog.search import Ids, ProductIndex
from catalog.text import tokens
from graph.events import BeliefEntry, BeliefState, Fact
from tools.constants import RankingConstants
from tools.passing_mentions import mention_in_passing
from tools.phrases import word_set
from tools.prior import log_prior, record_units
from tools.sentence_evidence import Beside, beside, sentence_units
from tools.weights import FIXED, weights

Floats = NDArray[np.float32]
Units = dict[str, Floats]
"""Unit terms, shape (k,), by the name of the weight (of `tools.weights`) that each is multiplied by."""

MENTION_TOKENS = 12
"""Rarest words of a long value that its overlap is measured by: the rest add time, not order."""

FARTHEST = 4.0
"""|ln(price / limit)| from which on a price is no worse: a sixtieth of a limit, or sixty times."""


class Evidence(NamedTuple):
    """Scores of candidates, shape (k,), and the named terms that add up to them."""

    total: Floats
    terms: dict[str, Floats]


def weigh(index: ProductIndex, belief: BeliefState, query: str, ids: Ids, constants: RankingConstants) -> Evidence:
    """Score candidates against a belief.

    `ids` has shape (k,). Term names: `prior`, `text`, `words`, `shown`, `chosen`, and `fact:<n>` for the n-th entry of
    the belief.
    """
    weight = weights(constants)
    units = unit_terms(index, belief, query, ids, constants)
    terms = {name: weighted(parts, weight, len(ids)) for name, parts in units.items()}
    total = np.zeros(len(ids), np.float32)
    for term in terms.values():
        total += term
    return Evidence(total, terms)


def unit_terms(
    index: ProductIndex, belief: BeliefState, query: str, ids: Ids, constants: RankingConstants
) -> dict[str, Units]:
    """Return what each term of the score is made of; `constants` give the unit terms their shape (floors and caps)."""
    weight = weights(constants)
    meant = beside(index, belief, constants.sentence)
    units: dict[str, Units] = {
        "prior": {"prior.weight": log_prior(index, ids, constants.prior)},
        "text": {"bm25.weight": np.float32(meant.text) * np.asarray(index.score(telling(query), ids), np.float32)},
        "words": {"words.weight": word_units(index, belief, ids, constants)},
        "shown": {"shown.penalty": -_times_shown(index, belief, ids)},
        "chosen": {"shown.chosen": _are_chosen(index, belief, ids)},
        "record": _scaled(record_units(index, belief, ids, constants.record), meant.record),
        "sentence": sentence_units(index, belief, ids, constants.sentence),
    }
    profile = np.zeros(len(ids), np.float32)
    for position, entry in enumerate(belief.entries):
        weighing = entry.weight * _left_beside(entry, meant, constants)
        parts = _scaled(fact_units(index, entry.fact, ids, constants, belief.of("category")), weighing)
        if entry.fact.source == "profile":
            profile += weighted(parts, weight, len(ids))
        else:
            units[f"fact:{position}"] = parts
    least = -constants.text.profile_cap / max(constants.text.profile, 1e-9)
    units["profile"] = {"text.profile": np.maximum(profile, np.float32(least))}
    return units


def _left_beside(entry: BeliefEntry, meant: Beside, constants: RankingConstants) -> float:
    """Return what is left of the evidence of a fact where the meaning of its turn's sentences counts."""
    fact, c = entry.fact, constants.sentence
    if fact.source == "paraphrase":
        return meant.left(entry.turn, c.mapped)
    if fact.source == "lexicon":
        return meant.left(entry.turn, c.kinds if fact.attribute == "category" else c.values)
    return 1.0


def weighted(units: Units, weight: Mapping[str, float], size: int) -> Floats:
    """Return the sum of weight times unit term, shape (size,)."""
    total = np.zeros(size, np.float32)
    for name, unit in units.items():
        total += np.float32(weight[name]) * unit
    return total


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
    """Return the log-likelihood of one fact for each candidate, at most 0, shape (k,)."""
    return weighted(fact_units(index, fact, ids, constants, kinds), weights(constants), len(ids))


def fact_units(
    index: ProductIndex, fact: Fact, ids: Ids, constants: RankingConstants, kinds: Sequence[Fact] = ()
) -> Units:
    """Return the unit terms of one fact's log-likelihood for each candidate.

    `kinds` are the categories held: "cheap" and "the cheapest" compare products of the wanted kind.
    """
    if fact.polarity == "negative":
        units = {"negative.violated": -_are(index.judge(fact, ids) == Verdict.VIOLATED)}
    elif fact.attribute == "budget" and fact.values:
        units = {FIXED: _price_level_evidence(index, fact, ids, constants, kinds)}
    elif fact.attribute == "budget":
        units = _price_units(index, fact, ids, constants)
    elif fact.attribute in NUMERIC_ATTRIBUTES:
        units = _number_units(index, fact, ids)
    elif fact.op == "contains":
        units = _statement_units(index, fact, ids, constants)
    else:
        units = _value_units(index, fact, ids, constants)
    if fact.scope is not None and fact.polarity == "positive":
        inside = _are(membership(ids, index.facet_ids("category", fact.scope), index.size))
        units = {name: inside * unit for name, unit in units.items()}
    return _scaled(units, _weight(fact, constants))


def _scaled(units: Units, factor: float) -> Units:
    return units if factor == 1.0 else {name: np.float32(factor) * unit for name, unit in units.items()}


def _are(mask: NDArray[np.bool_]) -> Floats:
    return mask.astype(np.float32)


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


def _value_units(index: ProductIndex, fact: Fact, ids: Ids, constants: RankingConstants) -> Units:
    kind = "category" if fact.attribute == "category" else "text"
    c = constants.category if kind == "category" else constants.text
    verdicts = index.judge(fact, ids)
    frequency = sum(len(index.facet_ids(fact.facet_key, value)) for value in fact.values)
    rarity = np.float32(min(max(idf(index, frequency), constants.text.unknown_floor), constants.text.unknown_cap))
    credit = np.zeros(len(ids), np.float32)
    for value in fact.values:
        # A bare number in a text is anything but a size ("11" of "11 oz").
        if fact.attribute != "size" or any(map(str.isalpha, value)):
            credit = np.maximum(credit, overlap(index, value, ids))
        if fact.source != "structured" and constants.text.kin:
            credit = np.maximum(credit, np.float32(constants.text.kin) * _says_kin(index, fact.facet_key, value, ids))
    if kind == "category" and fact.values:
        share = np.float32(constants.category.passing)
        credit = np.where(mention_in_passing(index, fact, ids), share * credit, credit)
    unknown, violated = rarity * _are(verdicts == Verdict.UNKNOWN), _are(verdicts == Verdict.VIOLATED)
    units = {f"{kind}.unknown": -unknown, f"{kind}.mention_credit": unknown * credit}
    if fact.attribute == "material":
        units["text.violated_material"] = -violated
    elif c.unknown * rarity + constants.text.contradiction > c.violated:
        # Every contradiction costs more than silence.
        units[f"{kind}.unknown"] -= rarity * violated
        units["text.contradiction"] = -violated
    else:
        units[f"{kind}.violated"] = -violated
    if fact.quoted:
        units["statement.verbatim"] = -_are(_said_otherwise(index, fact, ids))
    return units


def _says_kin(index: ProductIndex, key: str, value: str, ids: Ids) -> NDArray[np.bool_]:
    """Return which candidates say a broader value or a near shade: people name things more finely than records do."""
    held = np.zeros(len(ids), np.bool_)
    for kin in kin_values(key, value):
        held |= membership(ids, index.facet_ids(key, kin), index.size)
    return held


def _said_otherwise(index: ProductIndex, fact: Fact, ids: Ids) -> NDArray[np.bool_]:
    """Return which candidates lack the very words of a structured value that is some products' own string.

    "100% Polyester" said in a structured form is a fibre, and it is also how certain products put it.
    """
    carriers = statement_ids(index, fact.quoted) if fact.quoted else np.empty(0, np.int32)
    return ~membership(ids, carriers, index.size) if len(carriers) else np.zeros(len(ids), np.bool_)


def _statement_units(index: ProductIndex, fact: Fact, ids: Ids, constants: RankingConstants) -> Units:
    c = constants.statement
    text = " ".join(fact.values)
    carriers = statement_ids(index, text)
    rarity = np.float32(min(max(idf(index, max(len(carriers), 1)), c.floor), c.cap))
    shared = overlap(index, text, ids)
    if not len(carriers):
        return {"statement.weight": -rarity * (1 - shared)}
    missing = rarity * _are(~membership(ids, carriers, index.size))
    return {"statement.weight": -missing, "statement.overlap_credit": missing * shared}


def _price_units(index: ProductIndex, fact: Fact, ids: Ids, constants: RankingConstants) -> Units:
    c = constants.numbers
    price = index.price()[ids]
    low, high = price_bounds(fact)
    silent = np.isnan(price)
    units: Units = {"numbers.price_unknown": -_are(silent)}
    with np.errstate(divide="ignore", invalid="ignore"):
        if fact.op == "around":
            steps = c.around_step + c.around_slope * np.abs(np.log(price / low))
            off = np.where(silent | (np.abs(price - low) <= c.around_exact), 0.0, np.minimum(steps, c.around_cap))
            return {**units, FIXED: -off.astype(np.float32)}
        ratio = np.where(price > high, price / high, np.where(price < low, low / price, 1.0))
        far = np.minimum(np.log(ratio), FARTHEST).astype(np.float32)
        if fact.op in ("lt", "gt"):
            # "Cheaper" looks for the next price down, not for the least.
            beyond = np.abs(np.log(np.maximum(price, 0.01) / fact.numbers[0]))
            away = np.where(silent | (ratio > 1), 0.0, np.minimum(c.next_slope * beyond, c.next_cap))
            units[FIXED] = -away.astype(np.float32)
    return {**units, "numbers.price_violated": -_are(ratio > 1), "numbers.price_slope": -far}


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


def _number_units(index: ProductIndex, fact: Fact, ids: Ids) -> Units:
    verdicts = index.judge(fact, ids)
    return {
        "numbers.rating_unknown": -_are(verdicts == Verdict.UNKNOWN),
        "numbers.rating_violated": -_are(verdicts == Verdict.VIOLATED),
    }


def word_units(index: ProductIndex, belief: BeliefState, ids: Ids, constants: RankingConstants) -> Floats:
    """Return what the shopper's unexplained words that a candidate's text lacks cost, unweighted, shape (k,)."""
    c = constants.words
    total = np.zeros(len(ids), np.float32)
    meant = beside(index, belief, constants.sentence)
    for word, weight in unexplained_words(
        belief, c.earlier, lambda turn: meant.left(turn, constants.sentence.words)
    ).items():
        posting = index.term_ids(word)
        if len(posting):
            cost = min(max(idf(index, len(posting)), c.floor), c.cap)
            total -= weight * cost * ~membership(ids, posting, index.size)
    return total


def unexplained_words(
    belief: BeliefState, earlier: float, left: Callable[[int], float] = lambda _: 1.0
) -> dict[str, float]:
    """Return the words of the query texts that no held fact explains, with the weight of their evidence.

    `left` is what is left of the weight of the words of a turn.
    """
    explained = _explained(belief.entries) | withdrawn_words(belief)
    words: dict[str, float] = {}
    for turn, text in belief.query_texts:
        weight = left(turn) * (earlier if belief.replaced_at is not None and turn < belief.replaced_at else 1.0)
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


def _are_chosen(index: ProductIndex, belief: BeliefState, ids: Ids) -> Floats:
    """Return 1 for the products that the shopper accepted, or asked for as the cheapest: they lead, shown or not."""
    wanted = [*belief.chosen, *belief.leading]
    rows = [row for row in index.ids(wanted) if row is not None] if wanted else []
    return _are(np.isin(ids, rows))


def _times_shown(index: ProductIndex, belief: BeliefState, ids: Ids) -> Floats:
    """Return how often each candidate was passed over."""
    if not belief.shown:
        return np.zeros(len(ids), np.float32)
    shown = zip(index.ids(list(belief.shown)), belief.shown.values(), strict=True)
    times = np.array(sorted((row, count) for row, count in shown if row is not None), np.int32).reshape(-1, 2)
    if not len(times):
        return np.zeros(len(ids), np.float32)
    places = np.minimum(np.searchsorted(times[:, 0], ids), len(times) - 1)
    return np.where(times[places, 0] == ids, times[places, 1], 0).astype(np.float32)
