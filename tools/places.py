"""Where a thing stands, on a page or in a shop: words that name no product ("on the top shelf")."""

from __future__ import annotations

from functools import cache

from tools.expressions import Expressions
from tools.mentions import Claims
from tools.phrases import compile_phrases, load_table
from tools.words import Text


@cache
def _pattern() -> Expressions:
    return compile_phrases(load_table("conversation")["places"]["phrases"])


def claim_places(text: Text, claims: Claims) -> None:
    """Claim the words that say where something stands."""
    for match in _pattern().finditer(text.low):
        if claims.free(*match.span()):
            claims.take(*match.span())
