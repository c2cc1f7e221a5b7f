"""The leading candidates of a turn, read from the catalog only when something of them is asked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import overload

from catalog.product import Product
from catalog.search import Ids, ProductIndex


class Leaders(Sequence[Product]):
    """Products by id, best first.

    Reading 30 products takes 3 ms, as much as all else that a turn does with them, and a question that needs no look
    at them (the open one, or none) is the rule at the beginning and at the end of a conversation.
    """

    def __init__(self, index: ProductIndex, ids: Ids) -> None:
        """Name the products `ids` of `index`; nothing is read yet."""
        self._index = index
        self._ids = ids

    @cached_property
    def _products(self) -> list[Product]:
        return self._index.products(self._ids)

    def __len__(self) -> int:
        """Return how many there are, without reading them."""
        return len(self._ids)

    @overload
    def __getitem__(self, place: int) -> Product: ...

    @overload
    def __getitem__(self, place: slice) -> list[Product]: ...

    def __getitem__(self, place: int | slice) -> Product | list[Product]:
        return self._products[place]
