"""The weights of fielded BM25: which texts of a product count how much."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, Field

PART_SQL: dict[str, str] = {
    "title": "[title]",
    "category": "categories",
    "features": "features",
    "store": "[store]",
    "details": "list_transform(map_entries(details::JSON::MAP(VARCHAR, VARCHAR)), "
    "lambda e: e.key || ': ' || coalesce(e.value, ''))",
    "description": "description",
}
"""Field name to the SQL expression of the list of its strings over the `products` table.

No word spans two strings: those of a field's strings one after the other are those of its text.
"""

FIELD_SQL: dict[str, str] = {name: f"array_to_string({sql}, chr(10))" for name, sql in PART_SQL.items()}
"""Field name to the SQL expression of its text over the `products` table."""

MENTION_FIELDS: tuple[str, ...] = ("title", "features")
"""Fields in which a word is a statement about the product rather than prose around it."""

SPOKEN_FIELDS: tuple[str, ...] = ("title", "features", "details")
"""Fields whose strings shoppers quote word for word."""

READING_ORDER: tuple[str, ...] = ("title", "features", "description", "category", "details", "store")
"""The fields as one text: phrases of the lexicon are looked for in this order."""


class FieldWeight(BaseModel):
    """How one field counts: its weight, and how far a long one counts less (0 not at all, 1 fully)."""

    model_config = ConfigDict(frozen=True)

    weight: float = Field(gt=0)
    b: float = Field(ge=0, le=1)


class Fields(BaseModel):
    """The parameters of fielded BM25: `weigh` of a word, times its idf, is what it adds to a product's score."""

    model_config = ConfigDict(frozen=True)

    k1: float = Field(gt=0)
    delta: float = Field(ge=0)
    """What a word adds for being there at all, however long the text around it."""
    longest_mean: float = Field(gt=0)
    """Words of the longest field that counts as of ordinary length."""
    fields: dict[str, FieldWeight]

    def mean_length(self, mean: float) -> float:
        """Return the length that is ordinary for a field of this mean length (over the products that have it)."""
        return min(mean, self.longest_mean)

    def weigh(self, frequency: float) -> float:
        """Return the weight of a word by its weighted frequency over all fields; 0 where it does not occur."""
        return (self.k1 + 1) * frequency / (self.k1 + frequency) + (self.delta if frequency else 0.0)


@lru_cache(maxsize=1)
def load_fields() -> Fields:
    """Read `catalog/data/fields.toml`; raises `ValueError` when a field is missing or unknown."""
    text = files("catalog").joinpath("data/fields.toml").read_text(encoding="utf-8")
    loaded = Fields.model_validate(tomllib.loads(text))
    if set(loaded.fields) != set(FIELD_SQL):
        raise ValueError(f"fields.toml names {sorted(loaded.fields)}; the index has {sorted(FIELD_SQL)}")
    return loaded
