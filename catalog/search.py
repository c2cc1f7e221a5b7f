"""How products are found: the `ProductIndex` protocol that nodes rely on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from catalog.constraint import Constraint
from catalog.lexicon import Lexicon
from catalog.manifest import Manifest
from catalog.product import Facet, Product

if TYPE_CHECKING:
    from catalog.vectors import SentenceVectors

Ids = NDArray[np.int32]
"""Dense product ids, 0 .. size-1; ids of one catalog file only, never stored across catalogs."""

Scores = NDArray[np.float32]


class Hits(NamedTuple):
    """A ranked list: `ids` best first and their scores, both of shape (k,); ties go to the lower id."""

    ids: Ids
    scores: Scores


class StatementMatch(NamedTuple):
    """A catalog string that the shopper quoted word for word.

    `span` is `[start, end)` in characters of the searched text; `ids` are the products that carry the
    string (a feature bullet, a `key: value` detail, a title), sorted ascending; `tokens` is its length.
    `whole` is False when only the first tokens of a longer string were quoted.
    """

    span: tuple[int, int]
    ids: Ids
    tokens: int
    whole: bool


class ProductIndex(Protocol):
    """Read access to one frozen catalog. Safe for threads; every returned array is read-only."""

    @property
    def manifest(self) -> Manifest:
        """What the catalog was built from."""
        ...

    @property
    def size(self) -> int:
        """Number of products."""
        ...

    @property
    def lexicon(self) -> Lexicon:
        """The surfaces that name attributes and values in this catalog."""
        ...

    def search(self, query: str, limit: int = 100, *, within: Ids | None = None) -> Hits:
        """Return the best `limit` products for the words of `query` by fielded BM25.

        Words may repeat; any text is a valid query (punctuation is never syntax); a query with no known
        word gives no hits. `within` restricts to those ids (sorted ascending).
        """
        ...

    def score(self, query: str, ids: Ids) -> Scores:
        """Return the BM25 score of each of `ids` (shape (k,)), 0 where no word matches."""
        ...

    def facet_ids(self, key: str, value: str) -> Ids:
        """Return the products whose facet `key` holds `value`, ascending; empty when there are none."""
        ...

    def known_ids(self, key: str) -> Ids:
        """Return the products that state any value of facet `key` (for `budget`: a price), ascending."""
        ...

    def filed_ids(self) -> Ids:
        """Return the products that the shop files on a shelf within another (a category path of two nodes or more)."""
        ...

    def term_ids(self, word: str) -> Ids:
        """Return the products whose text holds `word` or a word of the same stem, ascending."""
        ...

    def statements(self, text: str) -> list[StatementMatch]:
        """Return the catalog strings of two or more words quoted in `text`: longest first, not overlapping."""
        ...

    def statement_counts(self) -> NDArray[np.float32]:
        """Return how many strings of two or more words each product says of itself, shape (size,)."""
        ...

    def price(self) -> NDArray[np.float32]:
        """Return the price column, shape (size,), NaN where unknown."""
        ...

    def rating(self) -> NDArray[np.float32]:
        """Return the average-rating column, shape (size,), NaN where unknown."""
        ...

    def rating_count(self) -> NDArray[np.float32]:
        """Return the rating-count column, shape (size,), 0 where unknown."""
        ...

    def by_popularity(self) -> Ids:
        """Return all ids, most ratings first; ties by id, shape (size,)."""
        ...

    def products(self, ids: Sequence[int] | Ids) -> list[Product]:
        """Return products in the order of `ids`; raises `KeyError` for an id out of range."""
        ...

    def ids(self, parent_asins: Sequence[str]) -> list[int | None]:
        """Return the id of each `parent_asin`, None where this catalog has no such product."""
        ...

    def parent_asins(self, ids: Sequence[int] | Ids) -> list[str]:
        """Return the `parent_asin` of each id; raises `KeyError` for an id out of range."""
        ...

    def facets(self, key: str, limit: int = 50) -> list[Facet]:
        """Return the most frequent values of a facet key, most frequent first."""
        ...

    def judge(self, constraint: Constraint, ids: Ids) -> NDArray[np.int8]:
        """Return the `Verdict` of each product on a constraint, shape (k,); see `catalog.judge`."""
        ...

    @property
    def sentences(self) -> SentenceVectors | None:
        """The catalog's sentences by meaning; None when it has no vectors or their model is not installed."""
        ...

    def close(self) -> None:
        """Release the file."""
        ...
