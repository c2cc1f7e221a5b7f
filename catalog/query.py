"""From a shopper's words to the stems that a search sums."""

# SQL here is assembled from this package's own expressions; values from outside are bound or quoted.
# ruff: noqa: S608

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, NamedTuple

from catalog.engine import stem_sql
from catalog.text import compounds, tokens

Run = Callable[[str, str], list[tuple[Any, ...]]]
"""Executes the prepared statement of a name with one text and returns its rows."""

LOOKUPS = {
    "words": "SELECT surface, termid, df FROM lex WHERE surface IN (SELECT unnest(string_split($1, ' ')))",
    "stems": f"""
        SELECT word, termid, df
        FROM (SELECT word, {stem_sql("word")} AS stem FROM (SELECT unnest(string_split($1, ' ')) AS word))
        JOIN terms USING (stem)""",
    "named": """
        SELECT DISTINCT surface FROM lexicon
        WHERE attribute IN ('brand', 'size', 'model') AND surface IN (SELECT unnest(string_split($1, ' ')))""",
}
"""The statements that resolve words, to be prepared on every cursor."""


class Term(NamedTuple):
    """A stem's number in the lists, and how many products hold it."""

    number: int
    df: int


_MOST_WORDS = 512
"""Different words of a text that are looked up at most; a pasted page is cut there."""

_LOOKUP = 48
"""Words a statement: beyond 50 the engine scans instead of using the key."""

_MOST_KNOWN = 100_000


@lru_cache(maxsize=1)
def function_words() -> frozenset[str]:
    """Return the words that carry grammar only (`catalog/data/function_words.toml`)."""
    text = files("catalog").joinpath("data/function_words.toml").read_text(encoding="utf-8")
    return frozenset(tomllib.loads(text)["words"])


class QueryTerms:
    """Resolves words to stem numbers, remembering what it looked up. Safe for threads."""

    def __init__(self, run: Run):
        self._run = run
        self._known: dict[str, dict[str, Term | None]] = {"words": {}, "stems": {}}

    def of(self, query: str) -> list[int]:
        """Return the stem numbers of a query's words, rarest first, each once.

        Grammar words are left out unless they name a brand, size or model of this catalog or nothing else is there.
        Hyphenated words count joined too, and so do neighbours that the catalog also writes as one word (crew neck,
        crewneck).
        """
        words = list(dict.fromkeys(tokens(query)))[:_MOST_WORDS]
        content = [word for word in words if word not in self._grammar] or words
        compound = compounds(query)[:_MOST_WORDS]
        joined = [a + b for a, b in pairwise(words) if not (a[-1].isdigit() and b[0].isdigit())]
        found = self._resolve([*content, *compound], also=joined)
        terms = {term.number: term.df for term in found.values() if term}
        return sorted(terms, key=lambda number: (terms[number], number))

    def exact(self, words: str) -> list[int | None]:
        """Return the stem number of each word in order, None for a word that no product holds."""
        cut = tokens(words)
        found = self._resolve(cut)
        return [term.number if (term := found[word]) else None for word in cut]

    @cached_property
    def _grammar(self) -> frozenset[str]:
        """The grammar words that name nothing in this catalog: "on" is one unless there is a brand On."""
        named = self._run("named", " ".join(sorted(function_words())))
        return function_words() - {surface for (surface,) in named}

    def _resolve(self, words: Sequence[str], also: Sequence[str] = ()) -> dict[str, Term | None]:
        """Return the stem of each word, None where the catalog has none; of those in `also` only written words."""
        found = self._look_up("words", [*words, *also])
        unwritten = [word for word in words if found[word] is None]
        return found | self._look_up("stems", unwritten)

    def _look_up(self, statement: str, words: Sequence[str]) -> dict[str, Term | None]:
        if len(self._known[statement]) > _MOST_KNOWN:
            self._known[statement] = {}
        known = self._known[statement]
        found = {word: known[word] for word in words if word in known}
        unknown = [word for word in dict.fromkeys(words) if word not in found]
        for first in range(0, len(unknown), _LOOKUP):
            part = unknown[first : first + _LOOKUP]
            rows = {word: Term(number, df) for word, number, df in self._run(statement, " ".join(part))}
            looked_up = {word: rows.get(word) for word in part}
            known.update(looked_up)
            found.update(looked_up)
        return found
