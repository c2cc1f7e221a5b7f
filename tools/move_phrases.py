"""The phrases of dialogue moves, compiled, and the clauses of a message that they are looked for in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from tools.expressions import Expressions, expression
from tools.mentions import Claims
from tools.phrases import attribute_named, compile_phrases, load_table, spoken_attribute_pattern, word_set
from tools.words import Text

Clause = tuple[int, int, str]
"""Start, end and words of a clause."""

_CLAUSE = re.compile(r"[^,.;!?\n]+")
_OTHER_NAMES = ("other details", "other", "others", "anything else", "anything more", "something else")


@cache
def filled(phrase: str) -> str:
    """Return a phrase with `{attribute}` and `{ordinal}` replaced by what they stand for."""
    numbers = "|".join(load_table("numbers")["ordinals"])
    attribute = f"(?:{spoken_attribute_pattern()}|{'|'.join(_OTHER_NAMES)})"
    return phrase.replace("{attribute}", attribute).replace(
        "{ordinal}", rf"(?:{numbers}|(?:#|number |option )\d{{1,3}})"
    )


@cache
def pattern(move: str, key: str = "phrases") -> Expressions:
    """Return the phrases of a move; the attribute and ordinal names stand in unnamed groups."""
    return compile_phrases(load_table("moves")[move][key], fill=filled)


@cache
def _names() -> Expressions:
    return expression(rf"(?<!\w)(?:{spoken_attribute_pattern()}|{'|'.join(_OTHER_NAMES)})(?!\w)")


def matches(regex: Expressions, text: Text, claims: Claims) -> Iterator[re.Match[str]]:
    """Yield the matches in words that nothing explained yet."""
    for match in regex.finditer(text.low):
        if claims.free(match.start(), match.end()):
            yield match


@cache
def _opening_words() -> frozenset[str]:
    return (word_set("conversation", "social") - {"no", "yes"}) | {"well", "but", "and", "so"}


@cache
def _closing_words() -> frozenset[str]:
    return word_set("conversation", "social") | {"actually", "then", "honestly", "tbh"}


def clauses(text: Text) -> list[Clause]:
    """Return the clauses of a message: start, end and the words without leading and trailing social ones."""
    found = []
    for match in _CLAUSE.finditer(text.low):
        words = text.words_between(match.start(), match.end())
        while words and words[0].low in _opening_words():
            words = words[1:]
        while words and words[-1].low in _closing_words():
            words = words[:-1]
        if words:
            start, end = words[0].start, words[-1].end
            found.append((start, end, text.low[start:end]))
    return found


def attribute_in(words: str) -> tuple[str, str | None] | None:
    """Return the attribute that a phrase names last, with its finer name."""
    for match in reversed(list(_names().finditer(words))):
        name = " ".join(match.group().split())
        if name in _OTHER_NAMES:
            return "other", None
        named = attribute_named(name)
        if named:
            return named
    return None
