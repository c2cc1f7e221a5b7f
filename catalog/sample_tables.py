"""The word lists, category tree and curves of the sample store, read once from `catalog/data/sample_*.toml`."""

from __future__ import annotations

import random
import tomllib
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Curve = tuple[tuple[float, float], ...]
"""Knots (x, y) of a piecewise linear function, x ascending."""


class Weighted:
    """Words with weights, drawn in proportion to them.

    Example: `Weighted.parse(["Imported:9", "Made in Italy:1"]).draw(random.Random(1))`.
    """

    def __init__(self, words: Sequence[str], weights: Sequence[float]) -> None:
        if not words:
            raise ValueError("a weighted list needs at least one word")
        self.words = tuple(words)
        self._bounds = tuple(accumulate(weights))

    @classmethod
    def parse(cls, entries: Sequence[str]) -> Weighted:
        """Read "word:weight" entries; the weight follows the last colon."""
        pairs = [entry.rpartition(":") for entry in entries]
        return cls([word for word, _, _ in pairs], [float(weight) for _, _, weight in pairs])

    def draw(self, rng: random.Random) -> str:
        """Draw one word."""
        return self.words[self.position(rng)]

    def position(self, rng: random.Random) -> int:
        """Draw the position of one word."""
        return min(bisect_right(self._bounds, rng.random() * self._bounds[-1]), len(self.words) - 1)

    def draw_distinct(self, rng: random.Random, count: int) -> list[str]:
        """Draw up to `count` different words, fewer when the list is short or a draw repeats too often."""
        drawn = dict.fromkeys(self.draw(rng) for _ in range(3 * count))
        return list(drawn)[:count]


def _weighted(value: Any) -> Any:
    return Weighted.parse(value) if isinstance(value, list) else value


Words = Annotated[Weighted, BeforeValidator(_weighted)]
"""A `Weighted` written as a list of "word:weight" in a data file."""


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


class Kind(_Table):
    """What products of one kind (dress, boots, watch...) are made of and said to be."""

    goods: str = Field(description="Trade of the brands that sell it: apparel, footwear, jewelry...")
    materials: Words
    closures: Words
    traits: Words
    styles: tuple[str, ...]
    extras: tuple[str, ...]
    sizes: str
    price: tuple[float, float, float] = Field(description="Low, usual and high price in dollars.")
    topics: tuple[str, ...]


class Passage(_Table):
    """A subject of feature bullets: ways to head it and sentences about it; `title` words for traits."""

    leads: tuple[str, ...]
    says: tuple[str, ...]
    title: tuple[str, ...] = ()


class Department(_Table):
    """How one department is written in details, in a title, after "for" and in prose."""

    details: Words
    own: Words
    people: tuple[str, ...]
    wearer: str
    child: bool = False


class Material(_Table):
    """A material: its word in titles and prose, and its forms in structured bullets."""

    word: str
    said: Words


class Leaf(_Table):
    """A shelf of the store: its path from the root, the kind that stands there and the nouns of its titles."""

    path: tuple[str, ...]
    kind: str
    nouns: tuple[str, ...]
    department: str


class Brands(_Table):
    """Parts that brand names are put together from."""

    surnames: tuple[str, ...]
    endings: tuple[str, ...]
    syllables: tuple[str, ...]
    count: int


class Structured(_Table):
    """Short bullets and details that stores fill in from a form."""

    origins: Words
    closures: Words
    cares: Words
    months: tuple[str, ...]
    countries: Words
    ages: Words
    ages_child: Words
    patterns: Words
    style_groups: tuple[str, ...]
    prints: tuple[str, ...]


class Themes(_Table):
    """Slogans of novelty goods."""

    hobbies: tuple[str, ...]
    people: tuple[str, ...]
    slogans: tuple[str, ...]


class Families(_Table):
    """How near-duplicate families are made."""

    axes: Words
    members: Words
    share: Curve


class Curves(_Table):
    """Piecewise linear tables of rating counts, prices known and average ratings."""

    ratings: Curve
    priced_sparse: Curve
    priced_dense: Curve
    average_few: Curve
    average_many: Curve


class Tables(_Table):
    """Everything that the sample store is written from."""

    brands: Brands
    departments: dict[str, Department]
    colors: dict[str, Words]
    materials: dict[str, Material]
    structured: Structured = Field(alias="texts")
    themes: Themes
    sizes: dict[str, dict[str, Words]]
    curves: Curves
    families: Families
    kinds: dict[str, Kind]
    fill: dict[str, tuple[str, ...]]
    manners: dict[str, Words]
    topic: dict[str, Passage]
    trait: dict[str, Passage]
    leaves: tuple[Leaf, ...]
    shelves: Weighted = Field(description="Weights of the leaves, in their order.")


@cache
def tables() -> Tables:
    """Return the tables; raises `pydantic.ValidationError` when a data file is malformed."""
    leaves, weights = _leaves(_read("tree"))
    shelves = Weighted([" > ".join(leaf.path) for leaf in leaves], weights)
    merged = _read("words") | _read("texts") | {"kinds": _read("kinds"), "leaves": leaves, "shelves": shelves}
    return Tables.model_validate(merged)


def level(curve: Curve, x: float) -> float:
    """Read a curve at `x` by linear interpolation; beyond its ends it stays level."""
    right = bisect_right(curve, (x, float("inf")))
    if right == 0:
        return curve[0][1]
    if right == len(curve):
        return curve[-1][1]
    (x0, y0), (x1, y1) = curve[right - 1], curve[right]
    return y0 + (y1 - y0) * ((x - x0) / (x1 - x0))


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files("catalog").joinpath(f"data/sample_{name}.toml").read_text(encoding="utf-8"))


def _leaves(tree: dict[str, Any]) -> tuple[list[Leaf], list[float]]:
    """Hang each branch's leaves under each of its paths; returns the leaves and their weights."""
    leaves: list[Leaf] = []
    weights: list[float] = []
    for branch in tree["branch"]:
        for under in branch["paths"]:
            path, scale = (part.strip() for part in under.split("|"))
            for entry in branch["leaves"]:
                name, nouns, weight = (part.strip() for part in entry.split("|"))
                full = (tree["root"], *(part.strip() for part in path.split(">")), name)
                named = tuple(noun.strip() for noun in nouns.split(" / "))
                leaves.append(Leaf(path=full, kind=branch["kind"], nouns=named, department=_department(full)))
                weights.append(float(weight) * float(scale))
    return leaves, weights


def _department(path: tuple[str, ...]) -> str:
    known = ("Women", "Men", "Girls", "Boys", "Baby Girls", "Baby Boys")
    return next((part for part in path if part in known), "Unisex")
