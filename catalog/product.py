"""The nouns of a catalog: a product, its attributes and its facets."""

from __future__ import annotations

from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

Attribute = Literal[
    "category",
    "brand",
    "color",
    "material",
    "size",
    "budget",
    "feature",
    "use_case",
    "style",
    "department",
    "rating",
    "review_count",
    "quantity",
    "theme",
    "model",
]
"""What a shopper can state about a product (the vocabulary of the whole system)."""

ATTRIBUTES: tuple[str, ...] = get_args(Attribute)

NUMERIC_ATTRIBUTES: frozenset[str] = frozenset({"budget", "rating", "review_count", "quantity"})
"""Attributes whose values are numbers; `quantity` counts pieces in a pack."""

FINER_NAMES: dict[str, str] = {
    "fit": "style",
    "sleeve": "style",
    "neck": "style",
    "closure": "style",
    "pattern": "style",
    "occasion": "use_case",
    "season": "use_case",
    "aisle": "category",
}
"""Finer facet keys and the attribute each belongs to; a fact keeps the finer name in `detail`."""

CLOSED_FACETS: frozenset[str] = frozenset(
    {"category", "department", "brand", "color", "material", "size", "sleeve", "neck", "fit", "pattern"}
)
"""Facet keys of which a product that states one value is taken to exclude the others.

Any other key (features, uses, styles) is open: silence is unknown, never a violation.
"""


class Product(BaseModel):
    """One catalog product, as sold, with the facets that the build derived from its texts.

    Example: `Product(parent_asin="B01", title="Navy wool coat", facets={"color": ("navy", "blue")})`.
    """

    model_config = ConfigDict(frozen=True)

    parent_asin: str
    title: str
    features: tuple[str, ...] = ()
    description: tuple[str, ...] = ()
    price: float | None = Field(default=None, description="In the catalog's currency; None when unknown.")
    categories: tuple[str, ...] = Field(default=(), description="Path from the root to the leaf.")
    details: dict[str, str] = Field(default_factory=dict)
    average_rating: float | None = Field(default=None, description="1 to 5; None when nobody rated.")
    rating_number: int | None = None
    store: str | None = None
    facets: dict[str, tuple[str, ...]] = Field(
        default_factory=dict,
        description="Facet key (an attribute or a finer name) to canonical lower-case values.",
    )

    @property
    def text(self) -> str:
        """All text of the product: title, features, details, description, categories, store."""
        details = (f"{key} {value}" for key, value in self.details.items())
        parts = (self.title, *self.features, *details, *self.description, *self.categories, self.store or "")
        return " ".join(part for part in parts if part)


class Facet(BaseModel):
    """A countable grouping: one value of one facet key, and how many products carry it."""

    model_config = ConfigDict(frozen=True)

    key: str
    value: str
    count: int
