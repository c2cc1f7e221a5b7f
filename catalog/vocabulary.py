"""The vocabulary tables: which surfaces name which value of which facet key, before any catalog is seen.

Each table of `catalog/data` is a CSV of `value,broader,surfaces,note` (entries parted by `|`, comment lines by `#`).
`broader` values hold too when the value does, one way only: a navy coat is blue, a blue coat is not navy.
A `weak` value's single words also mean other things (stone, ring, plain), as does a surface written `~surface`: they
count only where the context says so.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

TABLES: dict[str, str] = {
    "types": "category",
    "departments": "department",
    "colors": "color",
    "materials": "material",
    "styles": "style",
    "fits": "fit",
    "sleeves": "sleeve",
    "necks": "neck",
    "closures": "closure",
    "patterns": "pattern",
    "occasions": "occasion",
    "seasons": "season",
    "uses": "use_case",
    "features": "feature",
    "themes": "theme",
    "idioms": "idiom",
}
"""Table name to the facet key of its values; an idiom names nothing and shields the words inside it."""

_WORD = re.compile(r"[0-9]+(?:\.[0-9]+)+|[^\W_]+")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'"})
_MARKS = re.compile("[\u0300-\u036f]+")
_COLUMNS = ["value", "broader", "surfaces", "note"]


class Row(NamedTuple):
    """One line of a table: a canonical value, the values it is a kind of, its other surfaces."""

    value: str
    broader: tuple[str, ...]
    surfaces: tuple[str, ...]
    weak: bool
    doubtful: frozenset[str]
    """Surfaces that are weak by themselves (written with a leading `~`)."""


class Term(NamedTuple):
    """One reading of a surface: `values` is the canonical value followed by everything broader."""

    key: str
    values: tuple[str, ...]
    weak: bool

    @property
    def value(self) -> str:
        """The canonical value itself."""
        return self.values[0]


class Mention(NamedTuple):
    """A surface found in words `[start, end)` of a text, with its readings."""

    start: int
    end: int
    terms: tuple[Term, ...]


def words(text: str) -> list[str]:
    """Cut text into folded words, apostrophes removed, numerals whole.

    A cheaper cut than `catalog.text.tokens` (5 against 86 µs a title): the vocabulary holds the split and the joined
    spelling of each surface, so that it needs no joining of its own.

    Example: `words("Women's V-Neck, 10.5 oz")` is `["womens", "v", "neck", "10.5", "oz"]`.
    """
    return _WORD.findall(plain(text))


def plain(text: str) -> str:
    """Return text in lower case without accents and apostrophes."""
    lowered = text.lower()
    if not text.isascii():
        lowered = _MARKS.sub("", unicodedata.normalize("NFD", lowered.translate(_QUOTES)))
    return lowered.replace("'", "")


def _parts(cell: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in cell.split("|") if part.strip())


@cache
def load_table(name: str) -> tuple[Row, ...]:
    """Read one table of `catalog/data`; raises `ValueError` naming the line that is malformed."""
    text = files("catalog").joinpath(f"data/{name}.csv").read_text(encoding="utf-8")
    reader = csv.reader(line for line in text.splitlines() if line and not line.startswith("#"))
    if (header := next(reader, [])) != _COLUMNS:
        raise ValueError(f"{name}.csv: columns are {header}; write {_COLUMNS}")
    rows: list[Row] = []
    for record in reader:
        if len(record) != len(_COLUMNS) or record[3] not in ("", "weak"):
            raise ValueError(f"{name}.csv: bad row {record}; write value,broader,surfaces and '' or 'weak'")
        surfaces = _parts(record[2])
        doubtful = frozenset(surface[1:] for surface in surfaces if surface.startswith("~"))
        plain = tuple(surface.removeprefix("~") for surface in surfaces)
        rows.append(Row(record[0], _parts(record[1]), plain, record[3] == "weak", doubtful))
    return tuple(rows)


@cache
def word_lists(name: str) -> dict[str, frozenset[str]]:
    """Return a table of plain word lists: value to its surfaces, each as words joined by one space."""
    return {row.value: frozenset(" ".join(words(surface)) for surface in row.surfaces) for row in load_table(name)}


def broader_values(name: str) -> dict[str, tuple[str, ...]]:
    """Return for each value of a table everything that it is a kind of, nearest first."""
    direct = {row.value: row.broader for row in load_table(name)}
    closed: dict[str, tuple[str, ...]] = {}
    for value in direct:
        found: dict[str, None] = {}
        queue = list(direct[value])
        while queue:
            parent = queue.pop(0)
            if parent not in found and parent != value:
                found[parent] = None
                queue.extend(direct.get(parent, ()))
        closed[value] = tuple(found)
    return closed


def plural(word: str) -> str:
    """Return the regular English plural of a word; a word in -s is returned as it is."""
    if word.endswith(("ss", "x", "ch", "sh", "z")):
        return word + "es"
    if word.endswith("s"):
        return word
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def singular(word: str) -> str:
    """Return the regular English singular of a word; a word in -ss or without -s is returned as it is."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def joined_spellings(surface: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the surface with two neighbours, or all of its words, written as one ("long sleeve" → "longsleeve")."""
    size = len(surface)
    if not 2 <= size <= 3 or any(map(str.isdigit, surface)):
        return []
    pairs = [(*surface[:at], surface[at] + surface[at + 1], *surface[at + 2 :]) for at in range(size - 1)]
    return [*pairs, ("".join(surface),)] if size == 3 else pairs


class Spelling(NamedTuple):
    """What a surface of a table names: a value, for certain or (weak) only where the context says so."""

    value: str
    weak: bool


@cache
def spelled_surfaces(name: str) -> dict[tuple[str, ...], Spelling]:
    """Return the surfaces of a table, as words, with what they name.

    Plurals (of product types) and joined spellings are made; they never displace a surface that the table holds.
    """
    written: dict[tuple[str, ...], Spelling] = {}
    for row in load_table(name):
        for surface in (row.value, *row.surfaces):
            cut = tuple(words(surface))
            weak = surface in row.doubtful or (row.weak and len(cut) == 1)
            written.setdefault(cut, Spelling(row.value, weak))
    made: dict[tuple[str, ...], Spelling] = {}
    for cut, spelling in written.items():
        forms = (cut, (*cut[:-1], plural(cut[-1]))) if name == "types" else (cut,)
        for form in forms:
            for variant in (form, *joined_spellings(form)):
                if variant not in written and variant not in made:
                    made[variant] = spelling
    return {**written, **made}


class Vocabulary:
    """Finds surfaces in lists of words: leftmost, longest first, not overlapping.

    Example: `Vocabulary.of(["colors"]).mentions(["navy", "blue", "coat"])` is one mention of `[0, 2)`.
    """

    def __init__(self, surfaces: Iterable[tuple[tuple[str, ...], Term]]) -> None:
        """Index surfaces by their first word; several terms may share a surface."""
        self._terms: dict[tuple[str, ...], tuple[Term, ...]] = {}
        for surface, term in surfaces:
            held = self._terms.get(surface, ())
            if term not in held:
                self._terms[surface] = (*held, term)
        # First word → second word → lengths to try, longest first: most words and pairs of words begin nothing.
        longer: dict[str, dict[str, list[int]]] = {}
        for surface in sorted(self._terms, key=len, reverse=True):
            lengths = longer.setdefault(surface[0], {})
            if len(surface) > 1 and len(surface) not in lengths.setdefault(surface[1], []):
                lengths[surface[1]].append(len(surface))
        # With what the first word means alone beside it, which is what most mentions are.
        self._starts = {word: (seconds, self._terms.get((word,))) for word, seconds in longer.items()}

    @classmethod
    def of(cls, names: Iterable[str] = TABLES) -> Vocabulary:
        """Build the vocabulary of the named tables."""
        return cls(pair for name in names for pair in table_terms(name))

    def mentions(self, found: Sequence[str]) -> list[Mention]:
        """Return the mentions in a list of words, in order."""
        starts = self._starts
        cut = tuple(found)
        last = len(cut) - 1
        result: list[Mention] = []
        end = 0
        for at, word in enumerate(cut):
            if word not in starts or at < end:
                continue
            seconds, single = starts[word]
            terms, end = None, at + 1
            if seconds and at < last and (sizes := seconds.get(cut[end])):
                terms, end = self._longest(cut, at, sizes)
            if terms is None:
                terms = single
            if terms is not None:
                result.append(Mention(at, end, terms))
        return result

    def _longest(self, cut: tuple[str, ...], at: int, sizes: list[int]) -> tuple[tuple[Term, ...] | None, int]:
        """Return the terms of the longest surface of one of `sizes` that begins at `at`, and where it ends."""
        for size in sizes:
            if (terms := self._terms.get(cut[at : at + size])) is not None:
                # A slice beyond the last word is shorter than asked.
                return terms, min(at + size, len(cut))
        return None, at + 1

    def terms(self, surface: Sequence[str]) -> tuple[Term, ...]:
        """Return the readings of exactly these words."""
        return self._terms.get(tuple(surface), ())

    def __contains__(self, surface: Sequence[str]) -> bool:
        return tuple(surface) in self._terms


def table_terms(name: str) -> list[tuple[tuple[str, ...], Term]]:
    """Return every surface of a table with its term."""
    broader = broader_values(name)
    key = TABLES[name]
    terms: dict[Spelling, Term] = {}
    for spelling in spelled_surfaces(name).values():
        if spelling not in terms:
            terms[spelling] = Term(key, (spelling.value, *broader[spelling.value]), spelling.weak)
    return [(surface, terms[spelling]) for surface, spelling in spelled_surfaces(name).items()]


@lru_cache(maxsize=1)
def full_vocabulary() -> Vocabulary:
    """Return the vocabulary of all tables, built once a process."""
    return Vocabulary(all_terms())


def all_terms() -> list[tuple[tuple[str, ...], Term]]:
    """Return every surface of every table with its term."""
    return [pair for name in TABLES for pair in table_terms(name)]
