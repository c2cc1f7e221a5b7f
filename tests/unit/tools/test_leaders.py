from collections.abc import Sequence

import numpy as np
import pytest

from catalog.product import Product
from catalog.search import Ids
from tools.leaders import Leaders


class CountingIndex:
    """Products by id, with how often they were read."""

    def __init__(self) -> None:
        self.reads = 0

    def products(self, ids: Sequence[int] | Ids) -> list[Product]:
        self.reads += 1
        return [Product(parent_asin=f"A{number}", title=f"lamp {number}") for number in ids]


def test_leaders_are_counted_without_being_read() -> None:
    index = CountingIndex()
    assert len(Leaders(index, np.array([4, 2], np.int32))) == 2  # type: ignore[arg-type] - a part of the protocol
    assert index.reads == 0


def test_leaders_are_read_once_in_their_order() -> None:
    index = CountingIndex()
    leaders = Leaders(index, np.array([4, 2, 9], np.int32))  # type: ignore[arg-type] - a part of the protocol
    assert [product.parent_asin for product in leaders] == ["A4", "A2", "A9"]
    assert [product.title for product in leaders[1:]] == ["lamp 2", "lamp 9"]
    assert leaders[0].title == "lamp 4"
    assert index.reads == 1


def test_a_place_beyond_the_last_is_an_error() -> None:
    with pytest.raises(IndexError):
        Leaders(CountingIndex(), np.array([1], np.int32))[1]  # type: ignore[arg-type] - a part of the protocol
