"""The lexicon: which words of a catalog name which value of which attribute."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from catalog.product import Attribute


class LexiconEntry(NamedTuple):
    """One reading of a surface.

    `key` is the facet key (the attribute or its finer name), `value` the canonical value as it stands in
    the facets, `products` how many carry it, `share` the part of the products that hold the surface's
    words anywhere in their text which carry this value (1.0: the words mean nothing else here).
    """

    attribute: Attribute
    key: str
    value: str
    products: int
    share: float


class Lexicon(Protocol):
    """Surface to readings. Surfaces are normalised token tuples (see `catalog.text.tokens`)."""

    @property
    def longest(self) -> int:
        """Tokens of the longest surface."""
        ...

    def readings(self, tokens: tuple[str, ...]) -> list[LexiconEntry]:
        """Return the readings of exactly these tokens, most frequent first; empty when unknown."""
        ...

    def surfaces(self) -> Iterable[str]:
        """Return all surfaces, the tokens of each joined by one space."""
        ...

    def knows(self, token: str) -> bool:
        """Return whether the catalog's texts hold this token at all."""
        ...

    def document_frequency(self, token: str) -> int:
        """Return how many products hold the token (or a word of the same stem)."""
        ...
