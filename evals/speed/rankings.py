"""Whether the rankings are right: against BM25F counted anew in floating point, by known items, and under filters."""

# SQL here is assembled from this package's own expressions; values from outside are bound or quoted.
# ruff: noqa: S608

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from catalog.cutting import DETAIL_VALUE, Cut, cut_products
from catalog.duckdb_index import DuckDBIndex
from catalog.engine import create_kept_stems, stem_sql
from catalog.fields import FIELD_SQL, load_fields
from catalog.open import open_file
from evals.speed.queries import Query

_DEEP, _SHALLOW = 100, 10


class Rankings(BaseModel):
    """How the product's ranking compares; None for what was not measured."""

    model_config = ConfigDict(frozen=True)

    queries: int
    overlap_at_100: float = Field(description="Mean share of the exact best 100 among the first 100.")
    overlap_at_10: float
    filtered: int = Field(description="Results of filtered searches that were looked at.")
    violations: int = Field(description="Those that do not state the value they were filtered by.")
    mean_tokens: float = Field(description="Words of a product, over all fields.")


class ExactBM25F:
    """BM25F in 64-bit floating point of a few stems, counted from the products' texts without the index."""

    def __init__(self, index: DuckDBIndex, queries: Sequence[str]) -> None:
        """Cut all texts of the catalog and keep the counts of the stems of the queries."""
        self._stems = {query: index.query_stems(query) for query in queries}
        connection, _, _ = open_file(index.file)
        create_kept_stems(connection)
        wanted = {term for stems in self._stems.values() for term in stems.terms}
        wanted |= {term for stems in self._stems.values() for row in stems.joined for term in (row.number, *row.parts)}
        self._numbers = np.array(sorted(wanted), dtype=np.int64)
        self._size = index.size
        self.lengths = np.zeros((DETAIL_VALUE, index.size), dtype=np.int64)
        term_of = np.empty(0, dtype=np.int64)
        pieces = []
        for cut in cut_products(connection, index.size):
            first = len(term_of)
            rows = connection.execute(
                f"SELECT termid FROM (SELECT sid, {stem_sql('surface')} AS stem FROM surfaces WHERE sid >= $1) "
                "LEFT JOIN terms USING (stem) ORDER BY sid",
                [first],
            ).fetchnumpy()["termid"]
            term_of = np.concatenate([term_of, np.ma.filled(np.ma.asarray(rows, dtype=np.int64), -1)])
            pieces.append(self._count(cut, term_of))
        connection.close()
        terms, ids, fields = (np.concatenate(columns) for columns in zip(*pieces, strict=True))
        order = np.argsort(terms, kind="stable")
        self._ids, self._fields = ids[order], fields[order]
        self._edges = np.searchsorted(terms[order], [self._numbers, self._numbers + 1])

    def _count(self, cut: Cut, term_of: NDArray[np.int64]) -> tuple[NDArray[np.int32], ...]:
        """Return stem, product and field of each word of a run of products that is of a wanted stem."""
        found: list[tuple[int, int, int]] = []
        parts = zip(cut.ids.tolist(), cut.fields.tolist(), cut.strings.tolist(), strict=True)
        words, joined = term_of[cut.words], term_of[cut.joined]
        is_wanted = [np.isin(words, self._numbers), np.isin(joined, self._numbers)]
        sums = [np.concatenate([[0], np.cumsum(flags)]) for flags in is_wanted]
        for product, field, string in parts:
            if field >= DETAIL_VALUE:
                continue
            start, end = cut.offsets[string], cut.offsets[string + 1]
            self.lengths[field, product] += end - start
            for terms, flags, counts, offsets in (
                (words, is_wanted[0], sums[0], cut.offsets),
                (joined, is_wanted[1], sums[1], cut.joined_offsets),
            ):
                start, end = offsets[string], offsets[string + 1]
                if counts[end] > counts[start]:
                    held = terms[start:end][flags[start:end]].tolist()
                    found.extend((term, product, field) for term in held)
        columns = np.array(found, dtype=np.int32).reshape(-1, 3)
        return columns[:, 0], columns[:, 1], columns[:, 2]

    def scores(self, query: str) -> NDArray[np.float64]:
        """Return the score of every product, shape (size,)."""
        terms, joined = self._stems[query]
        totals = sum((self._of(term) for term in terms), np.zeros(self._size))
        for row in joined:
            parts = sum((self._of(term) for term in dict.fromkeys(row.parts)), np.zeros(self._size))
            totals += np.maximum(row.share * self._of(row.number) - parts, 0)
        return totals

    @cached_property
    def _factors(self) -> list[NDArray[np.float64]]:
        parameters = load_fields()
        factors = []
        for number, name in enumerate(FIELD_SQL):
            field, own = parameters.fields[name], self.lengths[number]
            mean = parameters.mean_length(own[own > 0].mean()) if own.any() else 1.0
            factors.append(field.weight / (1 - field.b + field.b * own / mean))
        return factors

    def _of(self, term: int) -> NDArray[np.float64]:
        """Return what a stem adds to every product."""
        parameters = load_fields()
        held = slice(*self._edges[:, np.searchsorted(self._numbers, term)])
        ids, fields = self._ids[held], self._fields[held]
        x = np.zeros(self._size)
        for number, factor in enumerate(self._factors):
            x += np.bincount(ids[fields == number], minlength=self._size) * factor
        df = np.count_nonzero(x)
        idf = np.log(1 + (self._size - df + 0.5) / (df + 0.5))
        return np.where(x > 0, idf * ((parameters.k1 + 1) * x / (parameters.k1 + x) + parameters.delta), 0)


def compare_rankings(index: DuckDBIndex, queries: Sequence[str], seed: int) -> Rankings:
    """Compare the ranking of queries with the exact one, and filtered searches with what the products state."""
    exact = ExactBM25F(index, queries)
    overlaps: dict[int, list[float]] = {_DEEP: [], _SHALLOW: []}
    for query in queries:
        scores = exact.scores(query)
        best = np.argsort(-scores, kind="stable")[: min(_DEEP, np.count_nonzero(scores))]
        found = index.search(query, _DEEP).ids
        for depth, shares in overlaps.items():
            if len(best):
                shares.append(len(set(best[:depth].tolist()) & set(found[:depth].tolist())) / len(best[:depth]))
    looked, violations = _filtered(index, queries, seed)
    return Rankings(
        queries=len(queries),
        overlap_at_100=float(np.mean(overlaps[_DEEP])),
        overlap_at_10=float(np.mean(overlaps[_SHALLOW])),
        filtered=looked,
        violations=violations,
        mean_tokens=float(exact.lengths.sum() / max(index.size, 1)),
    )


def _filtered(index: DuckDBIndex, queries: Sequence[str], seed: int) -> tuple[int, int]:
    """Search within the products of random facet values; returns how many results were read and how many are wrong."""
    draw = random.Random(f"{seed}:filters")
    values = [facet for key in ("color", "department", "category", "brand") for facet in index.facets(key, 12)]
    looked = violations = 0
    for query in queries if values else ():
        facet = draw.choice(values)
        hits = index.search(query, _DEEP, within=index.facet_ids(facet.key, facet.value))
        for product in index.products(hits.ids):
            looked += 1
            violations += facet.value not in product.facets.get(facet.key, ())
    return looked, violations


def known_item_mrr(search: Callable[[str, int], Sequence[int]], queries: Sequence[Query]) -> float:
    """Return the mean reciprocal rank, within 100, of the product that each query's words were drawn from."""
    ranks = []
    for query in queries:
        found = list(search(query.text, _DEEP))
        ranks.append(1 / (found.index(query.product) + 1) if query.product in found else 0.0)
    return float(np.mean(ranks)) if ranks else 0.0
