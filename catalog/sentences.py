"""The sentences of a product: what a shopper's words are compared with, and what an explanation can point at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from catalog.product import Product

MOST_SENTENCES = 16
"""Sentences of one product at most: the title first, then features, details and the description."""

MOST_CHARACTERS = 320
"""Characters of a sentence that are compared: the model reads some 64 word pieces."""

_FEWEST_LETTERS = 3

# A sentence ends at a full stop, question or exclamation mark before a blank, at a line's end or at a bullet.
_ENDS = re.compile(r"(?<=[.!?])[\"')\]]?\s+(?=[\"'(\[]?[A-Z0-9])|\s*[\n\r•✔★●◆]+\s*")
_LETTERS = re.compile(r"[^\W\d_]")


class ProductSentence(NamedTuple):
    """A sentence and its place.

    `field` names the string that holds it: `title`, `features.2`, `description.0` (counted from 0), or
    `details.Fabric type`, whose string is the line `Fabric type: wool`; `[start, end)` are characters of that string.
    """

    field: str
    start: int
    end: int
    text: str


def product_sentences(product: Product) -> list[ProductSentence]:
    """Return the title, each feature, each detail as `key: value` and each sentence of the description.

    At most `MOST_SENTENCES`; of a text said twice the first; but for the title nothing of fewer than three letters.

    Example: a product of the title "Wool coat" and the detail `{"Lining": "silk"}` has `("title", 0, 9, "Wool coat")`
    and `("details.Lining", 0, 12, "Lining: silk")`.
    """
    unlike = {sentence.text.casefold(): sentence for sentence in reversed(list(_sentences(product)))}
    return list(islice(reversed(unlike.values()), MOST_SENTENCES))


def field_text(product: Product, field: str) -> str:
    """Return the string that a sentence's `field` names; raises `KeyError` when the product has no such string."""
    name, _, place = field.partition(".")
    if name == "title":
        return product.title
    if name == "details" and place in product.details:
        return f"{place}: {product.details[place]}"
    strings = {"features": product.features, "description": product.description}.get(name, ())
    if not place.isdigit() or int(place) >= len(strings):
        raise KeyError(f"product {product.parent_asin} has no field {field!r}")
    return strings[int(place)]


def _sentences(product: Product) -> Iterator[ProductSentence]:
    yield ProductSentence("title", 0, min(len(product.title), MOST_CHARACTERS), product.title[:MOST_CHARACTERS])
    for number, feature in enumerate(product.features):
        yield from _whole(f"features.{number}", feature)
    for key in product.details:
        yield from _whole(f"details.{key}", field_text(product, f"details.{key}"))
    for number, text in enumerate(product.description):
        yield from _cut(f"description.{number}", text)


def _whole(field: str, text: str) -> Iterator[ProductSentence]:
    return _piece(field, text, 0, len(text))


def _cut(field: str, text: str) -> Iterator[ProductSentence]:
    start = 0
    for end in _ENDS.finditer(text):
        yield from _piece(field, text, start, end.start())
        start = end.end()
    yield from _piece(field, text, start, len(text))


def _piece(field: str, text: str, start: int, end: int) -> Iterator[ProductSentence]:
    """Yield `text[start:end]` without blanks around it, cut to what is compared, if it says anything."""
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    piece = piece.strip()[:MOST_CHARACTERS]
    if len(_LETTERS.findall(piece)) >= _FEWEST_LETTERS:
        yield ProductSentence(field, start, start + len(piece), piece)
