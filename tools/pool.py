"""The candidate pool of a turn: products worth scoring, found in more than one way so that none is lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from catalog.constraint import Verdict
from catalog.errors import InputError
from catalog.postings import distinct
from catalog.product import NUMERIC_ATTRIBUTES
from catalog.search import Ids, ProductIndex, Scores
from catalog.text import tokens
from graph.events import BeliefState, Fact
from tools.constants import RankingConstants
from tools.evidence import idf, statement_ids, withdrawn_words
from tools.sentence_evidence import nearest_ids

NO_IDS: Ids = np.empty(0, np.int32)

_SORT_COST = 8
"""Sorting an entry of the lists costs as much as passing so many products of a catalog."""

_POPULAR = 100_000
"""Most popular products of a large catalog that are looked at before all others."""

_ROUNDING = 1e-3
"""More than single precision loses in a sum of weights."""


class Pool(NamedTuple):
    """Candidates, ascending, and how many each way of finding brought: one product may be found in several ways."""

    ids: Ids
    found: dict[str, int]


def known(index: ProductIndex, candidates: Sequence[int]) -> Ids:
    """Return candidates as an array, shape (k,); raises `InputError` for an id that an edit brought in by mistake."""
    if candidates and not 0 <= min(candidates) <= max(candidates) < index.size:
        wrong = next(number for number in candidates if not 0 <= number < index.size)
        raise InputError(f"`candidates` names {wrong}: this catalog has products 0 to {index.size - 1}.")
    return np.asarray(candidates, dtype=np.int32)


def query_words(index: ProductIndex, belief: BeliefState) -> str:
    """Return the retrieval query: the shopper's raw words of this intent and what else names the values that hold.

    Raw words always stay in (published: recall@500 .82 with them, .03 with extracted values alone). A kind of product
    is searched by the shopper's own words for it: on a shelf of "notebooks", asking for laptops too would put the few
    products first that say both.
    """
    words: dict[str, None] = {}
    for _, text in reversed(belief.query_texts):
        words.update(dict.fromkeys(tokens(text)))
    for fact in belief.constraints:
        if fact.polarity == "positive":
            words.update(dict.fromkeys(_naming(index, fact)))
    gone = withdrawn_words(belief)
    return " ".join(word for word in words if word not in gone)


def _naming(index: ProductIndex, fact: Fact) -> list[str]:
    """Return the words to search a fact by: the value's, or the shopper's own where the catalog has them all.

    The shopper's own stand for a kind of product and for what is stated in a form: "100% polyester" says more than its
    fibre. Elsewhere they mislead: "for my mom" is no wish for the word mom.
    """
    own = fact.source == "structured" or (fact.attribute == "category" and fact.source == "lexicon")
    said = tokens(fact.text) if own and fact.values else ()
    if said and all(len(index.term_ids(word)) for word in said):
        return list(said)
    return [word for value in fact.values for word in tokens(value)]


def gather(index: ProductIndex, belief: BeliefState, query: str, constants: RankingConstants) -> Pool:
    """Return the candidates of a belief: best by text, best by matched facts, and enough that hold.

    The most popular products that hold are always among them: with little said, the prior is all there is. When fewer
    than `pool.thin` satisfy what is hard about numbers and exclusions, the text is searched again among the products
    that do, so that a filter never empties a pool that the catalog could fill.
    """
    pool = constants.pool
    filters = [fact for fact in belief.constraints if fact.strength == "hard" and _is_filter(fact)]
    popular = holding(index, filters, index.by_popularity()[: pool.popular * 4])[: pool.popular]
    ways = {
        "by text": index.search(query, pool.text).ids if query else NO_IDS,
        "by facts": _by_facts(index, belief, pool.structured),
        "popular": popular,
        "by price": _by_price(index, belief, filters, pool.popular),
        "chosen": _chosen(index, belief),
        "by meaning": nearest_ids(index, belief, constants.sentence),
    }
    candidates = _union(*ways.values())
    if filters and len(holding(index, filters, candidates)) < pool.thin:
        able = holding(index, filters, np.arange(index.size, dtype=np.int32))
        found = index.search(query, pool.text, within=able).ids if query else NO_IDS
        liked = holding(index, filters, index.by_popularity())[: pool.thin]
        ways["within limits"] = _union(found, liked)
        candidates = _union(candidates, ways["within limits"])
    return Pool(candidates, {way: len(ids) for way, ids in ways.items() if len(ids)})


def _by_price(index: ProductIndex, belief: BeliefState, filters: Sequence[Fact], limit: int) -> Ids:
    """Return the cheapest or dearest products of the wanted kind that hold, where the shopper asks for an extreme."""
    wanted = next((f.values[0] for f in belief.of("budget") if f.values), "")
    if wanted not in ("lowest", "highest"):
        return NO_IDS
    kinds = [fact for fact in belief.of("category") if fact.polarity == "positive"]
    able = np.flatnonzero(~np.isnan(index.price())).astype(np.int32)
    for fact in kinds:
        able = able[index.judge(fact, able) == Verdict.SATISFIED]
    able = holding(index, filters, able)
    price = index.price()[able]
    order = np.argsort(price if wanted == "lowest" else -price, kind="stable")[:limit]
    return able[order]


def _chosen(index: ProductIndex, belief: BeliefState) -> Ids:
    return np.asarray([row for row in index.ids([*belief.chosen, *belief.leading]) if row is not None], np.int32)


def _union(*lists: Ids) -> Ids:
    return distinct(np.concatenate(lists))


def holding(index: ProductIndex, facts: Sequence[Fact], ids: Ids) -> Ids:
    """Return those of `ids` that violate none of the facts."""
    keep = np.ones(len(ids), np.bool_)
    for fact in facts:
        keep &= index.judge(fact, ids) != Verdict.VIOLATED
    return ids[keep]


def _is_filter(fact: Fact) -> bool:
    return fact.attribute in NUMERIC_ATTRIBUTES or fact.polarity == "negative"


def _by_facts(index: ProductIndex, belief: BeliefState, limit: int) -> Ids:
    """Return the products that match most of the facts by weight (idf), the popular first among equals."""
    parts: list[tuple[Ids, float]] = []
    found = False
    for entry in belief.entries:
        lists = _carriers(index, entry.fact)
        count = sum(len(carriers) for carriers in lists)
        if count:
            found = True
            carriers = lists[0] if len(lists) == 1 else _union(*lists)
            parts.append((carriers, entry.weight * max(idf(index, count), 0.5)))
        if entry.fact.quoted:
            parts.append((statement_ids(index, entry.fact.quoted), entry.weight))
    if not found:
        return NO_IDS
    candidates, matched = _added(index, parts, limit)
    if len(candidates) <= limit:
        return candidates
    merit = _merit(matched, index.rating_count()[candidates])
    best = np.argpartition(-merit, limit)[:limit]
    return candidates[best]


def _merit(matched: Scores, ratings: Scores) -> Scores:
    return np.asarray(matched + 0.2 * np.log1p(ratings), np.float32)


def _added(index: ProductIndex, parts: Sequence[tuple[Ids, float]], limit: int) -> tuple[Ids, Scores]:
    """Return products of the lists, ascending, and the sum of the weights of each one's lists.

    All of them, or in a large catalog at least those that may be among the best `limit`.
    """
    if sum(len(ids) for ids, _ in parts) * _SORT_COST < index.size:
        candidates = _union(*(ids for ids, _ in parts))
        matched = np.zeros(len(candidates), np.float32)
        for ids, weight in parts:
            matched[np.searchsorted(candidates, ids)] += weight
        return candidates[matched > 0], matched[matched > 0]
    totals = np.zeros(index.size, np.float32)
    for ids, weight in parts:
        np.add.at(totals, ids, np.float32(weight))
    candidates = _promising(index, totals, limit)
    return candidates, totals[candidates]


def _promising(index: ProductIndex, totals: Scores, limit: int) -> Ids:
    """Return the products with a sum, ascending, without those that `limit` popular ones surely surpass."""
    order, ratings = index.by_popularity(), index.rating_count()
    popular = order[:_POPULAR]
    popular = popular[totals[popular] > 0]
    if len(order) <= _POPULAR or len(popular) < limit:
        return np.flatnonzero(totals > 0).astype(np.int32)  # of a mask: twenty times as fast as of numbers
    merit = _merit(totals[popular], ratings[popular])
    reached = np.partition(merit, len(merit) - limit)[len(merit) - limit]
    most = 0.2 * np.log1p(ratings[order[_POPULAR]])  # that ratings add to the merit of any other product
    others = np.flatnonzero(totals > max(float(reached - most) - _ROUNDING, 0.0)).astype(np.int32)
    return _union(popular, others)


def _carriers(index: ProductIndex, fact: Fact) -> list[Ids]:
    """Return the lists of products that satisfy a fact, any one of them."""
    if fact.polarity == "negative":
        return []
    if fact.attribute == "budget" and not fact.numbers:
        return []
    if fact.attribute == "budget" and fact.op in ("around", "eq", "between"):
        price = index.price()
        low, high = min(fact.numbers), max(fact.numbers)
        return [np.flatnonzero((price >= low * 0.95) & (price <= high * 1.05)).astype(np.int32)]
    if fact.op == "contains":
        return [statement_ids(index, " ".join(fact.values))]
    return [index.facet_ids(fact.facet_key, value) for value in fact.values]
