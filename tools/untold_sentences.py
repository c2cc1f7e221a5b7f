"""Sentences of a message that say something which no tier explains: what its meaning may tell, its words do not."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tools.mentions import Claims, Mention
from tools.phrases import is_spoken
from tools.words import Text

Span = tuple[int, int]

_SENTENCE = re.compile(r"(?:[^.;!?\n]|\.(?=\d))+")

_PART = re.compile(r"(?:[^,]|,(?=\d))+")

LONGEST = 300
"""Characters of a sentence that are kept: an encoder reads no more, and a conversation stores them."""

MOST = 6
"""Sentences of a message that are kept, the first ones: a pasted page is no wish."""


def untold_sentences(text: Text, claims: Claims, mentions: Sequence[Mention], talk: Sequence[Span]) -> list[str]:
    """Return the sentences that hold a content word which nothing explains, as written, in order.

    Whole sentences, the explained words too: a sentence is recognised by its meaning better than its pieces are. `talk`
    are spans that ask for nothing. A part that excludes something is left out: meaning is blind to "no".
    """
    found = []
    excluded = [m for m in mentions if m.polarity == "negative" and not m.relative]
    guessed = [m for m in mentions if m.guessed]
    for match in _SENTENCE.finditer(text.low):
        parts = _parts(text, *match.span(), excluded)
        untold = any(m.overlaps(start, end) for m in guessed for start, end in parts)
        for word in (word for start, end in parts for word in text.words_between(start, end)):
            untold = untold or _is_untold(word.low, word.start, word.end, claims, talk)
        if untold:
            kept = ",".join(text.raw[start:end] for start, end in parts)
            found.append(" ".join(kept.split())[:LONGEST])
    return found[:MOST]


def _parts(text: Text, start: int, end: int, excluded: Sequence[Mention]) -> list[Span]:
    """Return a sentence as one part, without those between commas that exclude something where it does."""
    if not any(m.overlaps(start, end) for m in excluded):
        return [(start, end)]
    cut = [match.span() for match in _PART.finditer(text.low, start, end)]
    return [span for span in cut if not any(m.overlaps(*span) for m in excluded)]


def _is_untold(low: str, start: int, end: int, claims: Claims, talk: Sequence[Span]) -> bool:
    if len(low) < 2 or is_spoken(low) or not claims.free(start, end):
        return False
    return not any(a <= start < b for a, b in talk)
