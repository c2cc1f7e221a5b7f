"""A constraint is a predicate on a product; its verdict is satisfied, violated or unknown."""

from __future__ import annotations

from enum import IntEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from catalog.product import Attribute

Op = Literal["eq", "lt", "le", "gt", "ge", "between", "around", "contains", "one_of"]
Polarity = Literal["positive", "negative"]
Strength = Literal["hard", "soft"]
Value = str | float | list[str] | list[float]


class Verdict(IntEnum):
    """What a product says of a constraint. Unknown is not violated: most catalogs say little."""

    VIOLATED = -1
    UNKNOWN = 0
    SATISFIED = 1


class Constraint(BaseModel):
    """A requirement on one attribute.

    `value` is a lower-case string for text (`eq`, `contains`), a list of strings for `one_of`, a number
    for `lt le gt ge around`, and `[low, high]` for `between`.

    Example: `Constraint(attribute="budget", op="le", value=50)` is satisfied by a product of 39.99,
    violated by one of 60 and unknown for one without a price.
    """

    model_config = ConfigDict(frozen=True)

    attribute: Attribute
    op: Op = "eq"
    value: Value
    polarity: Polarity = "positive"
    strength: Strength = "hard"
    scope: str | None = Field(default=None, description="Category that alone it speaks of; of others it says nothing.")
    detail: str | None = Field(default=None, description="Finer name: fit, sleeve, neck, closure, pattern, ...")

    @property
    def facet_key(self) -> str:
        """The facet that the constraint speaks of: the finer name where there is one."""
        return self.detail or self.attribute

    @property
    def values(self) -> tuple[str, ...]:
        """The text values that satisfy the constraint, any one of them; empty for numbers."""
        if isinstance(self.value, str):
            return (self.value,)
        if isinstance(self.value, list):
            return tuple(item for item in self.value if isinstance(item, str))
        return ()

    @property
    def numbers(self) -> tuple[float, ...]:
        """The numbers of a numeric constraint, in the order given."""
        if isinstance(self.value, (int, float)):
            return (float(self.value),)
        if isinstance(self.value, list):
            return tuple(float(item) for item in self.value if isinstance(item, (int, float)))
        return ()
