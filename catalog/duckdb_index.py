"""The DuckDB implementation of `ProductIndex`: one read-only file, a cursor a thread, prepared statements."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import orjson
from numpy.typing import NDArray

from catalog.constraint import Constraint
from catalog.engine import ThreadCursors
from catalog.errors import CatalogError
from catalog.facet_sets import FacetSets
from catalog.judge import judge_all
from catalog.lexicon import Lexicon
from catalog.lists import LIST_STATEMENTS, CatalogLists, ListName, listed
from catalog.manifest import Manifest
from catalog.mining import StoredLexicon
from catalog.postings import EMPTY_IDS, BoundedCache, Posting, beyond, frozen, intersection, rank, score
from catalog.product import Facet, Product
from catalog.query import LOOKUPS, SEARCHES, QueryStems, QueryTerms
from catalog.search import Hits, Ids, Scores, StatementMatch
from catalog.semantic import open_sentences
from catalog.sentence_arrays import SentenceArrays
from catalog.sentences import ProductSentence, field_text
from catalog.some_sets import SomeVerdicts

if TYPE_CHECKING:
    from catalog.vectors import SentenceVectors

_STATEMENTS = {
    "facets": """
        SELECT key, value, count FROM facet_lists WHERE key = $1 AND value <> '' ORDER BY count DESC, value LIMIT $2""",
    "spellings": "SELECT value FROM facet_lists WHERE key = $1 AND value <> ''",
    "facet_counts": "SELECT value, count FROM facet_lists WHERE key = $1 AND value <> '' ORDER BY value",
    "facet_all": """
        SELECT unnest(ids) AS id
        FROM (SELECT ids FROM facet_lists WHERE key = $1 AND value <> '' ORDER BY value)""",
    "filed": "SELECT id FROM products WHERE len(categories) >= $1 ORDER BY id",
    "asins": "SELECT parent_asin, id FROM products WHERE parent_asin IN (SELECT unnest(string_split($1, chr(31))))",
    "names": "SELECT id, parent_asin FROM products WHERE id IN (SELECT unnest(string_split($1, ' ')::INTEGER[]))",
    "titles": "SELECT id, title FROM products WHERE id IN (SELECT unnest(string_split($1, ' ')::INTEGER[]))",
    "products": """
        SELECT id, parent_asin, title, features, description, price, categories, details, average_rating, rating_number,
               store, facets
        FROM products WHERE id IN (SELECT unnest(string_split($1, ' ')::INTEGER[]))""",
    **LIST_STATEMENTS,
    **SEARCHES,
    **LOOKUPS,
}
"""Prepared at first use. Ids and words go in as one text: a bound list of 8 words takes 3.2 ms, a text .8."""

_SENTENCE = "SELECT product, field, first, last FROM sentences WHERE unit = $1"
"""Not prepared with the others: a catalog may have no sentences."""

_MOST_TERMS = 48
"""Stems a search sums at most, rarest first: with more than 50 the engine scans instead of using the key."""

_FEWEST_SCANNED = 50

_MANY_SCANNED = 2_000
"""Products that are read by a scan: 20,000 take .5 s so, 3 s with the key."""

_MOST_STEMS = 300_000
"""Stems of a catalog up to which all words are kept in memory: some 100 MB."""

_FEW = 200
"""A constraint is judged for the asked products alone, and nothing kept, when they are less than such a part of all."""

_MOST_ROWS = 100_000
"""Looked-up ids that are kept: some 10 MB."""


class DuckDBIndex:
    """Read access to one catalog file; see `ProductIndex` for the contract. Safe for threads."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, manifest: Manifest, file: Path, *, cache_bytes: int):
        self._cursors = ThreadCursors(connection, _STATEMENTS)
        self._manifest = manifest
        self._file = file
        self._lock = threading.Lock()
        self._cache_bytes = cache_bytes
        self._lists = CatalogLists(self.run, self._cursors.get, file, cache_bytes)
        self._products: BoundedCache[Product] = BoundedCache(16 << 20, lambda item: 2 * len(item.text) + 2_000)
        self._verdicts: BoundedCache[NDArray[np.int8]] = BoundedCache(
            max(cache_bytes // 4, 1 << 20), lambda item: int(item.nbytes)
        )
        self._terms = QueryTerms(self._look_up, manifest.products)
        self._rows: dict[str, int] = {}
        self._names: dict[int, str] = {}
        self._facet_sets = FacetSets(self)
        self._some_verdicts = SomeVerdicts(self._facet_sets)
        self._scale = float(self._run("SELECT scale FROM text_stats").fetchall()[0][0])

    @property
    def manifest(self) -> Manifest:
        """What the catalog was built from."""
        return self._manifest

    @property
    def file(self) -> Path:
        """The catalog file."""
        return self._file

    @property
    def size(self) -> int:
        """Number of products."""
        return self._manifest.products

    @cached_property
    def lexicon(self) -> Lexicon:
        """The surfaces that name attributes and values in this catalog; read at first use."""
        with self._lock:
            return StoredLexicon(self._cursors.extra())

    def _run(self, sql: str, prepared: str | None = None) -> duckdb.DuckDBPyConnection:
        try:
            cursor = self._cursors.get() if prepared is None else self._cursors.having(prepared)
            return cursor.execute(sql)
        except duckdb.Error as error:
            raise CatalogError(f"catalog {self._file} cannot be read ({error}); build it again") from error

    def run(self, name: str, *values: str | int) -> duckdb.DuckDBPyConnection:
        """Execute a prepared statement on this thread's cursor; the result is to be fetched before the next one."""
        return self._run(f"EXECUTE {name}({', '.join(_literal(value) for value in values)})", name)

    @cached_property
    def _words(self) -> dict[str, tuple[str, int, int]] | None:
        """Every surface with its stem's number and frequency; None when they are too many to be kept."""
        if self.manifest.terms > _MOST_STEMS or not self._cache_bytes:
            return None
        columns = self._run("SELECT surface, termid, df FROM lex").fetchnumpy()
        return {row[0]: row for row in zip(*(column.tolist() for column in columns.values()), strict=True)}

    def _look_up(self, name: str, text: str) -> list[tuple[Any, ...]]:
        """Execute one of the statements that resolve words; written words are found without it."""
        if name == "words" and self._words is not None:
            return [row for word in text.split(" ") if (row := self._words.get(word))]
        return self.run(name, text).fetchall()

    def query_stems(self, query: str) -> QueryStems:
        """Return the stems that a query is searched by, rarest first."""
        return self._terms.of(query).rarest(_MOST_TERMS)

    def search(self, query: str, limit: int = 100, *, within: Ids | None = None) -> Hits:
        """Return the best `limit` products for the words of `query`; see `ProductIndex.search`."""
        stems = self.query_stems(query)
        if not stems.terms or limit < 1 or (within is not None and not len(within)):
            return Hits(EMPTY_IDS, np.empty(0, dtype=np.float32))
        if self._cache_bytes:
            return rank(self._query_lists(stems), self.size, limit, self._scale, within)
        return self._search_in_engine(stems, limit, within)

    def _search_in_engine(self, stems: QueryStems, limit: int, within: Ids | None) -> Hits:
        terms, joined = stems
        name = "search"
        values: list[str | int] = [listed(terms), limit]
        if joined:
            name, values = f"{name}_joined", [*values, ";".join(map(str, joined))]
        if within is not None:
            name, values = f"{name}_within", [*values, listed(within)]
        columns = self.run(name, *values).fetchnumpy()
        return Hits(columns["id"].astype(np.int32), (columns["score"] / self._scale).astype(np.float32))

    def _query_lists(self, stems: QueryStems) -> list[Posting]:
        """Return the lists that add up to the scores of a query, the shortest first."""
        terms, joined = stems
        lists = self._lists.postings(terms)
        for row in joined:
            if whole := self._lists.postings([row.number]):
                further = beyond(whole[0], self._lists.postings(list(dict.fromkeys(row.parts))), row.share)
                lists += [further] if further else []
        return sorted(lists, key=lambda posting: len(posting.ids)) if joined else lists

    def score(self, query: str, ids: Ids) -> Scores:
        """Return the BM25 score of each of `ids`, shape (k,)."""
        return score(self._query_lists(self.query_stems(query)), ids, self._scale)

    def stored_ids(self, name: ListName, *values: str | int) -> Ids:
        """Return one list of `mention` (by stem), `facet` (by key and value) or `brand`; empty when there is none."""
        return self._lists.ids(name, *values)

    def facet_ids(self, key: str, value: str) -> Ids:
        """Return the products whose facet `key` holds `value`, ascending."""
        return self.stored_ids("facet", key, value)

    def known_ids(self, key: str) -> Ids:
        """Return the products that state any value of facet `key` (a number for the numeric ones), ascending."""
        if key in self.numbers:
            column = self.numbers[key]
            return frozen(np.flatnonzero(~np.isnan(column)).astype(np.int32))
        return self.facet_ids(key, "")

    def filed_ids(self) -> Ids:
        """Return the products whose category path has two nodes or more, ascending."""
        return self._facet_sets.filed_ids

    def term_ids(self, word: str) -> Ids:
        """Return the products whose text holds `word` or a word of the same stem (of several: all), ascending."""
        return frozen(intersection(self.text_lists(word)))

    def text_lists(self, words: str) -> list[Ids]:
        """Return the products whose text holds each of `words` (by stem); nothing where one is in no product."""
        return [posting.ids for posting in self._lists.postings(self._all_known(words))]

    def _all_known(self, words: str) -> list[int]:
        """Return the stems of all words, none when the catalog lacks one of them."""
        terms = self._terms.exact(words)
        known = [term for term in terms if term is not None]
        return known if len(known) == len(terms) else []

    def mention_ids(self, words: str) -> Ids:
        """Return the products whose title and features hold all of `words` (by stem), ascending."""
        return frozen(intersection(self.mention_lists(words)))

    def mention_lists(self, words: str) -> list[Ids]:
        """Return the products whose title and features hold each of `words`; nothing where one is in no product."""
        return [self.stored_ids("mention", term) for term in self._all_known(words)]

    def statement_counts(self) -> NDArray[np.float32]:
        """Return how many strings of two or more words each product says of itself, shape (size,)."""
        return self._statement_counts

    @cached_property
    def _statement_counts(self) -> NDArray[np.float32]:
        return _frozen_floats(self._lists.statements.counts(self.size).astype(np.float64))

    def statements(self, text: str) -> list[StatementMatch]:
        """Return the catalog strings of two or more words quoted in `text`: longest first, not overlapping."""
        return self._lists.statements.matches(text)

    @cached_property
    def numbers(self) -> dict[str, NDArray[np.float64]]:
        """Return the numeric columns by attribute (budget, rating, review_count), shape (size,), NaN where unknown."""
        columns = self._run(
            "SELECT price AS budget, average_rating AS rating, rating_number::DOUBLE AS review_count "
            "FROM products ORDER BY id"
        ).fetchnumpy()
        return {name: np.ma.filled(np.ma.asarray(column), np.nan) for name, column in columns.items()}

    @cached_property
    def _floats(self) -> dict[str, NDArray[np.float32]]:
        return {name: _frozen_floats(self.numbers[name]) for name in ("budget", "rating")}

    @cached_property
    def _rating_count(self) -> NDArray[np.float32]:
        return _frozen_floats(np.nan_to_num(self.numbers["review_count"], nan=0.0))

    def price(self) -> NDArray[np.float32]:
        """Return the price column, shape (size,), NaN where unknown."""
        return self._floats["budget"]

    def rating(self) -> NDArray[np.float32]:
        """Return the average-rating column, shape (size,), NaN where unknown."""
        return self._floats["rating"]

    def rating_count(self) -> NDArray[np.float32]:
        """Return the rating-count column, shape (size,), 0 where unknown."""
        return self._rating_count

    def by_popularity(self) -> Ids:
        """Return all ids, most ratings first; ties by id, shape (size,)."""
        return self._by_popularity

    @cached_property
    def _by_popularity(self) -> Ids:
        return frozen(np.argsort(-self._rating_count, kind="stable").astype(np.int32))

    def products(self, ids: Sequence[int] | Ids) -> list[Product]:
        """Return products in the order of `ids`; raises `KeyError` for an id out of range."""
        wanted = [int(product_id) for product_id in ids]
        found = {product_id: self._products.get(product_id) for product_id in wanted}
        missing = [product_id for product_id, product in found.items() if product is None]
        for product_id in missing:
            if not 0 <= product_id < self.size:
                raise KeyError(f"no product {product_id}: this catalog has ids 0 to {self.size - 1}")
        step = _FEWEST_SCANNED if len(missing) < _MANY_SCANNED else _MANY_SCANNED
        for first in range(0, len(missing), step):
            part = listed(missing[first : first + step])
            for product_id, *columns in self.run("products", part).fetchall():
                product = _product(columns)
                found[product_id] = product
                self._products.put(product_id, product)
                self._remember({product.parent_asin: product_id})
        return [product for product in (found[product_id] for product_id in wanted) if product is not None]

    def ids(self, parent_asins: Sequence[str]) -> list[int | None]:
        """Return the id of each `parent_asin`, None where this catalog has no such product."""
        missing = [parent_asin for parent_asin in dict.fromkeys(parent_asins) if parent_asin not in self._rows]
        for first in range(0, len(missing), _FEWEST_SCANNED):
            part = "\x1f".join(missing[first : first + _FEWEST_SCANNED])
            self._remember(dict(self.run("asins", part).fetchall()))
        return [self._rows.get(parent_asin) for parent_asin in parent_asins]

    def parent_asins(self, ids: Sequence[int] | Ids) -> list[str]:
        """Return the `parent_asin` of each id; raises `KeyError` for an id out of range."""
        wanted = [int(row) for row in ids]
        if wanted and not 0 <= min(wanted) <= max(wanted) < self.size:
            raise KeyError(f"no product {max(wanted)}: this catalog has ids 0 to {self.size - 1}")
        if self.size > _MOST_ROWS:
            return self._read_asins(wanted)
        return [self._asins[row] for row in wanted]

    @cached_property
    def _asins(self) -> list[str]:
        names: list[str] = (
            self._run("SELECT parent_asin FROM products ORDER BY id").fetchnumpy()["parent_asin"].tolist()
        )
        return names

    def _read_asins(self, wanted: list[int]) -> list[str]:
        """Look names up id by id, through the cache of the last `_MOST_ROWS`."""
        if len(self._names) > _MOST_ROWS:
            self._names = {}
        names = self._names
        missing = [row for row in dict.fromkeys(wanted) if row not in names]
        for first in range(0, len(missing), _FEWEST_SCANNED):
            names.update(self.run("names", listed(missing[first : first + _FEWEST_SCANNED])).fetchall())
        return [names[row] for row in wanted]

    def _remember(self, rows: dict[str, int]) -> None:
        """Keep ids that were looked up: a conversation names the same few products turn after turn."""
        if len(self._rows) > _MOST_ROWS:
            self._rows = {}
        self._rows.update(rows)

    def facets(self, key: str, limit: int = 50) -> list[Facet]:
        """Return the most frequent values of a facet key, most frequent first."""
        found = self.run("facets", key, limit).fetchall()
        return [Facet(key=name, value=value, count=count) for name, value, count in found]

    def judge(self, constraint: Constraint, ids: Ids) -> NDArray[np.int8]:
        """Return the `Verdict` of each product on a constraint, shape (k,); see `catalog.judge`."""
        key = constraint.model_dump_json(exclude={"strength"})
        verdicts = self._verdicts.get(key)
        if verdicts is None and len(ids) * _FEW < self.size:
            return self._some_verdicts.of(key, constraint, ids)
        if verdicts is None:
            verdicts = judge_all(constraint, self._facet_sets)
            self._verdicts.put(key, verdicts)
        return verdicts[ids]

    @cached_property
    def sentences(self) -> SentenceVectors | None:
        """The catalog's sentences by meaning; None when it has no vectors or their model is not installed."""
        return open_sentences(self)

    @cached_property
    def sentence_arrays(self) -> SentenceArrays:
        """The stored sentences of a catalog that has them, mapped or in memory."""
        return self._lists.sentences()

    def sentence_of(self, unit: int) -> ProductSentence:
        """Return a sentence by the number of its unit."""
        row = self._cursors.get().execute(_SENTENCE, [int(unit)]).fetchone()
        if row is None:
            raise KeyError(f"no sentence {unit}")
        product, field, first, last = row
        return ProductSentence(field, first, last, field_text(self.products([product])[0], field)[first:last])

    def close(self) -> None:
        """Release the file."""
        self._cursors.close()


def _literal(value: str | int) -> str:
    """Return the SQL literal of a value; what no catalog can hold (NUL, lone surrogates) becomes a question mark."""
    if isinstance(value, int):
        return str(value)
    clean = value.replace("\0", "?").encode("utf-8", "replace").decode("utf-8")
    return "'" + clean.replace("'", "''") + "'"


def _frozen_floats(column: NDArray[np.float64]) -> NDArray[np.float32]:
    array = column.astype(np.float32)
    array.flags.writeable = False
    return array


def _product(columns: list[Any]) -> Product:
    asin, title, features, description, price, categories, details, rating, rating_number, store, facets = columns
    return Product(
        parent_asin=asin,
        title=title or "",
        features=tuple(features or ()),
        description=tuple(description or ()),
        price=price,
        categories=tuple(categories or ()),
        details=orjson.loads(details or "{}"),
        average_rating=rating,
        rating_number=rating_number,
        store=store,
        facets={key: tuple(values) for key, values in orjson.loads(facets or "{}").items()},
    )
