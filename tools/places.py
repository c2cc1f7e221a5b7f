"""Words that are no wish although the catalog knows them: where a thing stands, and words that do another job."""

from __future__ import annotations

from functools import cache

from tools.expressions import Expressions
from tools.mentions import Claims
from tools.phrases import compile_phrases, load_table
from tools.words import Text


@cache
def _patterns() -> tuple[Expressions, ...]:
    jobs = (phrase for phrases in load_table("two_jobs").values() for phrase in phrases)
    return compile_phrases(load_table("conversation")["places"]["phrases"]), compile_phrases(jobs)


def claim_places(text: Text, claims: Claims) -> None:
    """Claim the words that say where something stands ("on the top shelf"), and those that do another job.

    "Shades" of a colour are no sunglasses, and what "suits" everyone is no suit.
    """
    for pattern in _patterns():
        for match in pattern.finditer(text.low):
            if claims.free(*match.span()):
                claims.take(*match.span())
