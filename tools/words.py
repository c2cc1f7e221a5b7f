"""A message cut into words and normalised tokens, each with its place in the original text."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import islice

from catalog.text import Token, token_spans

READ_LIMIT = 4000
"""Characters read of one message. The longest real shopping turn of 41,044 has under 1,500; the limit bounds the
work that a pasted book can cause (all regular expressions here are linear in the text)."""

_WORD = re.compile(r"[^\W_]+(?:(?:['&/\-+](?=[^\W_])|(?<=\d)[.,](?=\d))[^\W_]+)*")
_QUOTES = str.maketrans("\u2018\u2019\u02bc`\u201c\u201d\u00a0\u2010\u2011\u2012", "''''\"\" ---")
_NOT_TEXT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\u200b-\u200f\ufeff]")


@dataclass(frozen=True, slots=True)
class Word:
    """A word as written: `low` is lower case with straight apostrophes, `start` and `end` are characters."""

    low: str
    start: int
    end: int


@dataclass(slots=True)
class Text:
    """A message ready to be read: `words` as written, `tokens` as the catalog normalises them.

    `low` has exactly the length of `raw`, so that spans fit both.

    Example: `read_text("Navy T-shirt").words[1]` is `Word("t-shirt", 5, 12)`.
    """

    raw: str
    low: str
    words: list[Word]
    tokens: list[Token] = field(default_factory=list)

    def words_between(self, start: int, end: int) -> list[Word]:
        """Return the words that lie wholly inside `[start, end)`."""
        found = []
        for word in islice(self.words, self.first_word(start), None):
            if word.end > end:
                break
            found.append(word)
        return found

    def first_word(self, start: int) -> int:
        """Return the index of the first word that begins at `start` or after."""
        return bisect_left(self.words, start, key=lambda word: word.start)


def read_text(message: str) -> Text:
    """Cut a message into words and tokens; characters beyond `READ_LIMIT` are not read."""
    raw = message[:READ_LIMIT]
    clean = _NOT_TEXT.sub(" ", raw).translate(_QUOTES)
    low = lower_in_place(clean)
    words = [Word(match.group(), match.start(), match.end()) for match in _WORD.finditer(low)]
    return Text(raw=raw, low=low, words=words, tokens=token_spans(clean))


def lower_in_place(text: str) -> str:
    """Lower-case a text without changing its length (a few letters lower to two characters: they stay)."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(lowered if len(lowered := char.lower()) == 1 else char for char in text)
