"""The contract of an answer, checked before it leaves."""

from __future__ import annotations

from typing import Any

from catalog.search import ProductIndex

MOST_RECOMMENDATIONS = 10

ASKABLE = frozenset(
    {"category", "material", "color", "size", "style", "brand", "budget", "feature", "use_case", "other"}
)
"""Attributes that a question may be about; anything else is asked as `other`."""


def checked(reply: str, ask_attribute: str | None, recommendations: list[dict[str, Any]], index: ProductIndex) -> None:
    """Raise `ValueError` when an answer would break the contract: it names the field and the value."""
    if not reply.strip():
        raise ValueError("The reply is blank: every answer says something.")
    if ask_attribute is not None and ask_attribute not in ASKABLE:
        raise ValueError(f"ask_attribute is {ask_attribute!r}: it must be one of {', '.join(sorted(ASKABLE))} or None.")
    if ask_attribute is not None and "?" not in reply:
        raise ValueError(f"ask_attribute is {ask_attribute!r} but the reply asks no question: {reply!r}.")
    ids = [str(row["parent_asin"]) for row in recommendations]
    if len(ids) > MOST_RECOMMENDATIONS or len(set(ids)) < len(ids):
        raise ValueError(f"{len(ids)} recommendations with {len(set(ids))} distinct ids: at most 10, none twice.")
    unknown = [asin for asin, row in zip(ids, index.ids(ids), strict=True) if row is None]
    if unknown:
        raise ValueError(f"Recommended ids that this catalog does not hold: {', '.join(unknown)}.")
