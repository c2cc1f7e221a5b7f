"""Facts that a shopper may state, and the evaluation's own test of whether one is true of a product."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from catalog.product import Product
from evals.natural.tables import NUMBERS, Kind, tables
from evals.natural.words import holds, plain, spellings

Slot = Literal["opening", "profile", "hidden", "old", "new"]
"""Where a fact is stated: at once, by the profile, when asked; `old` until the change of mind, `new` from there on."""


class Fact(BaseModel):
    """One fact and the words that state it.

    Example: `Fact(kind="budget", value="60", said="Keep it below $60.", slot="hidden")`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Kind
    value: str = Field(min_length=1, description="A word or a few; for limits a number.")
    avoided: bool = Field(default=False, description="Whether the shopper rejects the value.")
    slot: Slot
    said: str = Field(min_length=1, description="The words of the opening or of an answer that state it.")
    tag: str | None = Field(default=None, description="How the profile puts it; None of a fact that is said.")

    @property
    def claim(self) -> Claim:
        """What the fact claims of a product."""
        return Claim(self.kind, self.value, self.avoided)


class Claim(NamedTuple):
    """What can be true or false of a product: `Claim("color", "navy", False)`."""

    kind: Kind
    value: str
    avoided: bool = False


class Record(NamedTuple):
    """What claims are tested on: a product's texts as plain words, and its numbers."""

    parent_asin: str
    title: str
    kind: str
    """Title and categories: what the product is called."""
    text: str
    """Everything that is written of the product."""
    price: float | None
    rating: float | None
    reviews: int


def record(product: Product) -> Record:
    """Return what claims about a product are tested on."""
    title = plain(product.title)
    return Record(
        parent_asin=product.parent_asin,
        title=title,
        kind=title + plain(" ".join(product.categories)),
        text=plain(product.text),
        price=product.price,
        rating=product.average_rating,
        reviews=product.rating_number or 0,
    )


def is_true(claim: Claim, of: Record) -> bool:
    """Return whether a claim is true of a record.

    A word is true of a product when it stands anywhere in its texts (a kind of product: in its title or categories),
    so that a claim is never held to single out a product that others match too. A rejection is true when no word of
    the family stands there. Limits are false of a product whose number is unknown.
    """
    if claim.kind in NUMBERS:
        return _within(claim, of)
    if claim.avoided:
        return not holds(of.text, _family(claim.kind, claim.value))
    return holds(of.kind if claim.kind == "category" else of.text, words_of(claim.kind, claim.value))


def matching(claims: Iterable[Claim], records: Iterable[Record]) -> list[Record]:
    """Return the records of which all claims are true."""
    left = list(records)
    for claim in claims:
        left = [item for item in left if is_true(claim, item)]
    return left


def limit(value: str) -> float | None:
    """Return the number of a limit; None when the value is none."""
    try:
        number = float(value.replace(",", ""))
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None


@cache
def words_of(kind: Kind, value: str) -> tuple[str, ...]:
    """Return the spellings one of which states a value in a record."""
    names = tables().vocabulary.get(kind, {})
    listed = next((words for name, words in names.items() if bare(value) == bare(name)), (value,))
    return _spelled(listed)


def bare(name: str) -> str:
    """Drop the article: `bare("a rain jacket")` is `"rain jacket"`."""
    return name.removeprefix("an ").removeprefix("a ")


@cache
def _family(kind: Kind, value: str) -> tuple[str, ...]:
    return _spelled(tables().family.get(kind, {}).get(value, (value,)))


def _spelled(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(spelling for word in words for spelling in spellings(word))


def _within(claim: Claim, of: Record) -> bool:
    bound = limit(claim.value)
    if bound is None:
        return False
    if claim.kind == "budget":
        return of.price is not None and of.price < bound
    if claim.kind == "rating":
        return of.rating is not None and of.rating >= bound
    return of.reviews >= bound
