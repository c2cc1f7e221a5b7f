"""Wishes for what a shown product has: "the same brand as the first", "more from whoever makes number two"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from catalog.product import Product
from tools.expressions import Expressions, expression
from tools.mentions import Claims, Mention
from tools.phrases import attribute_named, compile_phrases, load_table, spoken_attribute_pattern
from tools.values import checked
from tools.words import Text

_REACH = 40
"""Characters between the wish and what it points at."""


@cache
def _patterns() -> tuple[Expressions, Expressions]:
    table = load_table("references")["likeness"]
    same = compile_phrases(table["same"]).pattern
    return (
        expression(rf"{same}\s+(?P<name>{spoken_attribute_pattern()})(?!\w)(?:\s+(?:as|of|like|with))?"),
        compile_phrases(table["maker"]),
    )


def same_values(
    text: Text, claims: Claims, shown: Sequence[Product], pointed: Sequence[tuple[int, int, Sequence[int]]]
) -> list[Mention]:
    """Return the values that products pointed at have of a named attribute, and claim the words that wish for them.

    `pointed` holds (start, end, places) of each phrase that points; the nearest after the wish is meant, else all shown
    when they agree. A product that does not state the attribute gives nothing.
    """
    found = []
    for regex, fixed in zip(_patterns(), (None, "brand"), strict=True):
        for match in regex.finditer(text.low):
            named = attribute_named(fixed or match["name"])
            start, end = match.span()
            target = next((p for p in pointed if start <= p[0] <= end + _REACH), None)
            if named is None or not claims.free(start, end):
                continue
            places = target[2] if target else ()
            value = _value([shown[o - 1] for o in places if 0 < o <= len(shown)], *named)
            if value is None:
                continue
            claims.take(start, end)
            mention = Mention(checked(named[0]), value, start, end, detail=named[1], strength="hard", free=True)
            found.append(mention)
    return found


def _value(products: Sequence[Product], attribute: str, detail: str | None) -> str | None:
    for product in products:
        if attribute == "brand" and product.store:
            return product.store.lower()
        values = product.facets.get(detail or attribute, ())
        if values:
            return values[0]
    return None
