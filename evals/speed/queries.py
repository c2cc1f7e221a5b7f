"""Queries of a given number of words, drawn from the texts of random products."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from catalog.product import Product
from catalog.query import function_words
from catalog.search import ProductIndex
from catalog.text import tokens

_TRIED = 4
"""Products drawn for each query wanted: some say too little."""


class Query(NamedTuple):
    """The words of a query and the id of the product they were drawn from."""

    text: str
    product: int


def draw_queries(index: ProductIndex, count: int, words: int, seed: int) -> list[Query]:
    """Return up to `count` queries of `words` different words, of the title first, then of the bullets.

    Grammar words are left out, as engines do that take them for stop words. Fewer queries come back from a catalog
    whose products say less.
    """
    draw = random.Random(f"{seed}:{words}")
    drawn = draw.sample(range(index.size), min(index.size, count * _TRIED))
    found: list[Query] = []
    for number, product in zip(drawn, _products(index, drawn), strict=False):
        if len(found) == count:
            break
        title, text = _content(product.title), _content(" ".join(product.features))
        chosen = draw.sample(title, min(words, len(title)))
        rest = [word for word in text if word not in title]
        chosen += draw.sample(rest, min(words - len(chosen), len(rest)))
        if len(chosen) == words:
            found.append(Query(" ".join(chosen), number))
    return found


def _products(index: ProductIndex, numbers: list[int]) -> Iterator[Product]:
    for first in range(0, len(numbers), 50):
        yield from index.products(numbers[first : first + 50])


def _content(text: str) -> list[str]:
    return [word for word in dict.fromkeys(tokens(text)) if word not in function_words()]
