"""From a shopper's words to the stems that a search sums."""

# SQL here is assembled from this package's own expressions; values from outside are bound or quoted.
# ruff: noqa: S608

from __future__ import annotations

import math
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


_TERMS = "termid IN (SELECT unnest(string_split($1, ' ')::INTEGER[]))"

_WITH_JOINED = """
    SELECT id, imp FROM hits UNION ALL
    SELECT id, imp FROM (
        SELECT s.id, floor(any_value(s.imp) + 0.5) - coalesce(sum(h.imp), 0) AS imp
        FROM (
            SELECT whole, a, b, unnest(docids) AS id, unnest(imps) * share AS imp
            FROM (SELECT termid, docids, imps FROM pl WHERE termid IN (SELECT whole FROM joined))
            JOIN joined ON whole = termid
        ) s LEFT JOIN hits h ON h.id = s.id AND h.termid IN (s.a, s.b) GROUP BY s.whole, s.id
    ) WHERE imp > 0"""
"""The hits with what products gain by joined spellings beyond the parts: see `Joined`."""

_JOINED = """
    SELECT row[1]::INTEGER AS whole, row[2]::INTEGER AS a, row[3]::INTEGER AS b, row[4]::DOUBLE AS share
    FROM (SELECT string_split(unnest(string_split($3, ';')), ' ') AS row)"""


def _search_sql(hits: str, within: str = "") -> str:
    """Return the statement that sums hits: $1 the stems, $2 the limit, $3 what `hits` needs of joined spellings."""
    allowed = f"SEMI JOIN (SELECT unnest(string_split({within}, ' ')::INTEGER[]) AS id) USING (id)" if within else ""
    joined = f", joined AS ({_JOINED})" if "joined" in hits else ""
    # Read twice, the hits are kept once: by itself the engine keeps them with their whole lists, gigabytes at times.
    kept = "MATERIALIZED" if joined else "NOT MATERIALIZED"
    return f"""
        WITH hits AS {kept} (
            SELECT termid, unnest(docids) AS id, unnest(imps)::DOUBLE AS imp FROM pl WHERE {_TERMS}
        ){joined}
        SELECT id, sum(imp) AS score FROM ({hits}) {allowed} GROUP BY id ORDER BY score DESC, id LIMIT $2"""


SEARCHES = {
    "search": _search_sql("SELECT id, imp FROM hits"),
    "search_within": _search_sql("SELECT id, imp FROM hits", within="$3"),
    "search_joined": _search_sql(_WITH_JOINED),
    "search_joined_within": _search_sql(_WITH_JOINED, within="$4"),
}
"""The statements that rank in the engine, to be prepared on every cursor."""


class Term(NamedTuple):
    """A stem's number in the lists, and how many products hold it."""

    number: int
    df: int


class Joined(NamedTuple):
    """A stem that is two neighbours of a query written as one word: mousepad for "mouse pad".

    A product that says it so gains by `share` of its weight what it does not gain by the `parts`. Summed with them, the
    rarer spelling would stand before every product that is written as the shopper wrote.
    """

    number: int
    parts: tuple[int, int]
    share: float

    def __str__(self) -> str:
        """Write it as the statements read it."""
        return f"{self.number} {self.parts[0]} {self.parts[1]} {self.share!r}"


class QueryStems(NamedTuple):
    """The stems of a query: those that add up, rarest first, and those that stand for two of them."""

    terms: list[int]
    joined: list[Joined]

    def rarest(self, most: int) -> QueryStems:
        """Return `most` of them at most."""
        return QueryStems(self.terms[:most], self.joined[: max(most - len(self.terms), 0)])


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

    def __init__(self, run: Run, size: int):
        self._run = run
        self._size = size
        self._known: dict[str, dict[str, Term | None]] = {"words": {}, "stems": {}}

    def of(self, query: str) -> QueryStems:
        """Return the stems of a query's words, each once.

        Grammar words are left out unless they name a brand, size or model of this catalog or nothing else is there.
        Hyphenated words count joined too, and so do neighbours that the catalog also writes as one word (crew neck,
        crewneck).
        """
        words = list(dict.fromkeys(tokens(query)))[:_MOST_WORDS]
        content = [word for word in words if word not in self._grammar] or words
        compound = compounds(query)[:_MOST_WORDS]
        pairs = {a + b: (a, b) for a, b in pairwise(words) if not (a[-1].isdigit() and b[0].isdigit())}
        found = self._resolve([*content, *compound], also=list(pairs))
        spelled = {word for word, (a, b) in pairs.items() if found.get(a) and found.get(b) and word not in content}
        terms = {term.number: term.df for word, term in found.items() if term and word not in spelled}
        joined = {
            term.number: self._joined(term, *(found[part] for part in pairs[word]))
            for word in pairs
            if word in spelled and (term := found[word]) and term.number not in terms
        }
        return QueryStems(sorted(terms, key=lambda number: (terms[number], number)), list(joined.values()))

    def _joined(self, whole: Term, first: Term | None, second: Term | None) -> Joined:
        parts = [part for part in (first, second) if part]
        share = sum(self._idf(part) for part in parts) / self._idf(whole)
        return Joined(whole.number, (parts[0].number, parts[-1].number), min(share, 1.0))

    def _idf(self, term: Term) -> float:
        return math.log(1 + (self._size - term.df + 0.5) / (term.df + 0.5))

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
