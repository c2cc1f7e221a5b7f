"""Names of shelves that hold a price: "Women Sandals Below $6.99" is where a shop keeps things, not a limit."""

from __future__ import annotations

from catalog.lexicon import Lexicon
from catalog.text import Token, token_spans
from tools.words import Text


def shelf_names(text: Text, lexicon: Lexicon) -> list[tuple[int, int]]:
    """Return the spans `[start, end)` in which a category of the catalog with a number in it is quoted whole.

    Quoted as a name is written, each word with a capital: who says "sandals below $6.99" sets a limit.
    """
    if not any(char.isdigit() for char in text.raw):
        return []
    cut = token_spans(text.raw)
    numbers = [at for at, token in enumerate(cut) if token.text[0].isdigit()]
    found = []
    for at in numbers:
        for first in range(max(0, at + 1 - lexicon.longest), at):
            name = cut[first : at + 1]
            if _is_written_as_name(text.raw, name) and _is_category(lexicon, name):
                found.append((name[0].start, name[-1].end))
                break
    return found


def _is_written_as_name(raw: str, name: list[Token]) -> bool:
    return not any(raw[token.start].islower() for token in name)


def _is_category(lexicon: Lexicon, name: list[Token]) -> bool:
    return any(entry.attribute == "category" for entry in lexicon.readings(tuple(token.text for token in name)))
