"""From a shopper's words to the stems that a search sums."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

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
        self._known: dict[str, tuple[int, int] | None] = {}

    def of(self, query: str) -> list[int]:
        """Return the stem numbers of a query's words, rarest first, each once.

        Grammar words are left out unless they name a brand, size or model of this catalog or nothing else is there.
        Hyphenated words count joined too, and so do neighbours that the catalog also writes as one word (crew neck,
        crewneck).
        """
        words = list(dict.fromkeys(tokens(query)))[:_MOST_WORDS]
        content = [word for word in words if word not in self._grammar] or words
        joined = [
            first + second for first, second in pairwise(words) if not (first[-1].isdigit() and second[0].isdigit())
        ]
        found = self._resolve([*content, *compounds(query)[:_MOST_WORDS], *joined])
        terms = {term: df for term, df in filter(None, found.values())}
        return sorted(terms, key=lambda term: (terms[term], term))

    def exact(self, words: str) -> list[int | None]:
        """Return the stem number of each word in order, None for a word that no product holds."""
        cut = tokens(words)
        found = self._resolve(list(cut))
        return [entry[0] if (entry := found[word]) else None for word in cut]

    @cached_property
    def _grammar(self) -> frozenset[str]:
        """The grammar words that name nothing in this catalog: "on" is one unless there is a brand On."""
        named = self._run("named", " ".join(sorted(function_words())))
        return function_words() - {surface for (surface,) in named}

    def _resolve(self, words: list[str]) -> dict[str, tuple[int, int] | None]:
        """Return the stem number and document frequency of each word, None where the catalog has no such stem."""
        if len(self._known) > _MOST_KNOWN:
            self._known = {}
        known = self._known
        found = {word: known[word] for word in words if word in known}
        unknown = [word for word in dict.fromkeys(words) if word not in found]
        for first in range(0, len(unknown), _LOOKUP):
            looked_up = self._look_up(unknown[first : first + _LOOKUP])
            found.update(looked_up)
            known.update(looked_up)
        return found

    def _look_up(self, words: list[str]) -> dict[str, tuple[int, int] | None]:
        found = {surface: (term, df) for surface, term, df in self._run("words", " ".join(words))}
        rest = [word for word in words if word not in found]
        if rest:
            found |= {word: (term, df) for word, term, df in self._run("stems", " ".join(rest))}
        return {word: found.get(word) for word in words}
