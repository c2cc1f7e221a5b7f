"""Which words of a message reach the retrieval query, and which no tier explained."""

from __future__ import annotations

from catalog.product import NUMERIC_ATTRIBUTES
from tools.mentions import Claims, Mention
from tools.phrases import is_spoken
from tools.words import Text

_Span = tuple[int, int]


def query_words(text: Text, mentions: list[Mention], claims: Claims, frames: list[_Span], silent: list[_Span]) -> str:
    """Return the words for retrieval, as written: all but conversation words, frames, bounds and excluded values.

    A word inside a stated value stays even when it is a conversation word (the brand "Next", a quoted feature). What is
    said by what is absent is searched by its value: "without sleeves" gives "sleeveless".
    """
    stated = [m for m in mentions if m.attribute not in NUMERIC_ATTRIBUTES and m.polarity == "positive"]
    absent = {m.start: m for m in stated if m.opposite}
    unwanted = [*frames, *silent, *((m.start, m.end) for m in mentions if m.attribute in NUMERIC_ATTRIBUTES)]
    kept = []
    for word in text.words:
        if word.start in absent:
            kept.append(" ".join(absent[word.start].values))
        if any(m.start <= word.start < m.end for m in absent.values()):
            continue
        inside = any(m.start <= word.start < m.end for m in stated)
        if not inside and (any(start <= word.start < end for start, end in unwanted) or is_spoken(word.low)):
            continue
        if inside and any(start <= word.start < end for start, end in silent):
            continue
        if inside or claims.free(word.start, word.end) or not _moved(word.start, word.end, mentions, claims):
            kept.append(text.raw[word.start : word.end])
    return " ".join(kept)


def _moved(start: int, end: int, mentions: list[Mention], claims: Claims) -> bool:
    """Return whether a word was explained as something other than a value (a dialogue move)."""
    return not claims.free(start, end) and not any(m.overlaps(start, end) for m in mentions)


def unexplained_words(text: Text, claims: Claims, described: list[_Span]) -> tuple[list[str], int]:
    """Return the content words that no tier explained, each once, and the number of content words in all.

    The words of what points at a product or asks about one (`described`) explain themselves.
    """
    unexplained, content = [], 0
    for word in text.words:
        free = claims.free(word.start, word.end) and not any(a <= word.start < b for a, b in described)
        if free and (is_spoken(word.low) or len(word.low) < 2):
            continue
        content += 1
        if free:
            unexplained.append(word.low)
    return list(dict.fromkeys(unexplained)), content
