"""The vocabulary tables: which surfaces name which value of which facet key, before any catalog is seen.

Each table of `catalog/data` is a CSV of `value,broader,surfaces,note` (several entries parted by `|`, comment lines by `#`).
`broader` values hold too when the value does, one way only: a navy coat is blue, a blue coat is not navy.
A `weak` value's single words also mean other things (stone, ring, plain): they count only where the context says so.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from catalog.text import fold

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
_COLUMNS = ["value", "broader", "surfaces", "note"]


class Row(NamedTuple):
    """One line of a table: a canonical value, the values it is a kind of, its other surfaces."""

    value: str
    broader: tuple[str, ...]
    surfaces: tuple[str, ...]
    weak: bool


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
    lowered = text.lower() if text.isascii() else fold(text)
    return _WORD.findall(lowered.replace("'", ""))


def _parts(cell: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in cell.split("|") if part.strip())


@lru_cache(maxsize=None)
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
        rows.append(Row(record[0], _parts(record[1]), _parts(record[2]), record[3] == "weak"))
    return tuple(rows)


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


def joined_spellings(surface: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the surface with two neighbours, or all of its words, written as one ("long sleeve" → "longsleeve")."""
    size = len(surface)
    if not 2 <= size <= 3 or any(word.isdigit() for word in surface):
        return []
    pairs = [(*surface[:at], surface[at] + surface[at + 1], *surface[at + 2 :]) for at in range(size - 1)]
    return [*pairs, ("".join(surface),)] if size == 3 else pairs


def spelled_surfaces(name: str) -> dict[tuple[str, ...], tuple[str, bool]]:
    """Return the surfaces of a table, as words, with their value and whether they were written there as such.

    Plurals (of product types) and joined spellings are made; they never displace a surface that the table holds.
    """
    written: dict[tuple[str, ...], tuple[str, bool]] = {}
    for row in load_table(name):
        for surface in (row.value, *row.surfaces):
            written.setdefault(tuple(words(surface)), (row.value, True))
    made: dict[tuple[str, ...], tuple[str, bool]] = {}
    for surface, (value, _) in written.items():
        forms = [surface]
        if name == "types":
            forms.append((*surface[:-1], plural(surface[-1])))
        for form in forms:
            for variant in (form, *joined_spellings(form)):
                if variant not in written:
                    made.setdefault(variant, (value, False))
    return {**written, **made}


class Vocabulary:
    """Finds surfaces in lists of words: leftmost, longest first, not overlapping.

    Example: `Vocabulary.of(["colors"]).mentions(["navy", "blue", "coat"])` is one mention of `[0, 2)`.
    """

    def __init__(self, surfaces: Iterable[tuple[tuple[str, ...], Term]]) -> None:
        """Index surfaces by their first word; several terms may share a surface."""
        grouped: dict[tuple[str, ...], dict[Term, None]] = {}
        for surface, term in surfaces:
            grouped.setdefault(surface, {})[term] = None
        self._terms = {surface: tuple(terms) for surface, terms in grouped.items()}
        self._starts: dict[str, list[tuple[int, tuple[str, ...], tuple[Term, ...]]]] = {}
        for surface, terms in sorted(self._terms.items(), key=lambda item: -len(item[0])):
            self._starts.setdefault(surface[0], []).append((len(surface), surface, terms))

    @classmethod
    def of(cls, names: Iterable[str] = TABLES) -> Vocabulary:
        """Build the vocabulary of the named tables."""
        return cls(pair for name in names for pair in table_terms(name))

    def mentions(self, found: Sequence[str]) -> list[Mention]:
        """Return the mentions in a list of words, in order."""
        starts = self._starts
        result: list[Mention] = []
        end = 0
        for at, word in enumerate(found):
            if word not in starts or at < end:
                continue
            for size, surface, terms in starts[word]:
                if size == 1 or tuple(found[at : at + size]) == surface:
                    end = at + size
                    result.append(Mention(at, end, terms))
                    break
        return result

    def terms(self, surface: Sequence[str]) -> tuple[Term, ...]:
        """Return the readings of exactly these words."""
        return self._terms.get(tuple(surface), ())

    def __contains__(self, surface: Sequence[str]) -> bool:
        return tuple(surface) in self._terms


def table_terms(name: str) -> list[tuple[tuple[str, ...], Term]]:
    """Return every surface of a table with its term; only single words of a weak value are weak."""
    broader = broader_values(name)
    weak = {row.value for row in load_table(name) if row.weak}
    key = TABLES[name]
    return [
        (surface, Term(key, (value, *broader[value]), value in weak and len(surface) == 1))
        for surface, (value, _) in spelled_surfaces(name).items()
    ]


@lru_cache(maxsize=1)
def full_vocabulary() -> Vocabulary:
    """Return the vocabulary of all tables, built once a process."""
    return Vocabulary.of()
