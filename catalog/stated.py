"""Facts that a product states as such: details ("Color: Navy") and feature bullets ("100% Cotton", "Machine Wash")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from catalog.mention_rules import is_body, is_denied
from catalog.sizes import sizes_of_field
from catalog.vocabulary import Term, Vocabulary, load_table, word_lists, words

Fact = tuple[str, tuple[str, ...]]
"""A facet key and the values that hold together."""

_BULLET_KEYS = frozenset({"style", "closure", "occasion", "season", "use_case", "feature"})
_SHORT_BULLET_KEYS = frozenset({"sleeve", "neck", "fit", "pattern", "theme"})
_OPEN_FIELDS = frozenset({"style", "feature", "theme", "occasion", "use_case", "pattern", "model"})
_MIXED_FIELDS = frozenset({"color", "style", "feature", "pattern"})
_MIXED_KEYS = frozenset({"style", "fit", "sleeve", "neck", "closure", "pattern", "feature"})
_PERCENT = re.compile(r"([0-9]{1,3}(?:\.[0-9]+)?) ?%\s*([a-zA-Z][a-zA-Z -]{2,40})")
_LEAD = re.compile(r"^\W*([A-Za-z][A-Za-z ]{2,30}?)\s*[:：]\s*(.{1,80})$", re.DOTALL)
_SPLIT = re.compile(r"[,;|]|(?<![0-9])/|/(?![0-9])|\band\b|\n|&")
"""A slash between digits is part of a value ("3/4 sleeve")."""
_WHOLE_NUMBER = re.compile(r"\s*([0-9]{1,4})(?:\.0+)?\b")
_UNSPLIT = frozenset({"model", "theme"})
_LONGEST_FIELD = 300
_BULLETS_KEPT, _LONGEST_KEPT = 50_000, 300
"""Bullets whose facts are kept, and the longest of them in characters: some 15 MB; shops repeat two in five."""

_LONGEST_MODEL_NUMBER = 6
"""Characters of a number that shoppers say ("501", "574"); longer ones are part numbers."""

_SHORT_BULLET = 6
"""Words: a bullet of up to so many is a label ("Crew neck"), a longer one is prose that mentions things."""


@cache
def _fields() -> dict[str, str]:
    rows = load_table("detail_fields")
    return {" ".join(words(surface)): row.value for row in rows for surface in (row.value, *row.surfaces)}


class StatementReader:
    """Reads details and bullets with a vocabulary; repeated ones are read once."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        """Keep the vocabulary and empty stores."""
        self._vocabulary = vocabulary
        self._names: dict[str, str | None] = {}
        self._values: dict[tuple[str, str], tuple[Fact, ...]] = {}
        self._bullets: dict[str, tuple[Fact, ...]] = {}

    def facet_of(self, name: str) -> str | None:
        """Return the facet key that a detail of this name states, None for bookkeeping."""
        if name not in self._names:
            self._names[name] = _fields().get(" ".join(words(name)))
        return self._names[name]

    def field(self, key: str, value: str) -> tuple[Fact, ...]:
        """Return the facts of one stated value of a facet, such as `("color", "001-Hot Pink/White")`."""
        found = self._values.get((key, value))
        if found is None:
            found = tuple(self._read_field(key, value))
            self._values[(key, value)] = found
        return found

    def bullet(self, text: str) -> tuple[Fact, ...]:
        """Return the facts of a feature bullet: a composition, a "Key: value", phrases of function, care and style.

        Of facts about closed keys that come from prose, those of a short bullet only are taken.
        """
        if len(text) > _LONGEST_KEPT:
            return tuple(self._read_bullet(text))
        found = self._bullets.get(text)
        if found is None:
            if len(self._bullets) >= _BULLETS_KEPT:
                self._bullets.clear()
            found = self._bullets[text] = tuple(self._read_bullet(text))
        return found

    def _read_field(self, key: str, value: str) -> Iterator[Fact]:
        if key == "brand" or len(value) > _LONGEST_FIELD:
            return
        if key == "size":
            yield from ((key, (size,)) for size in sizes_of_field(value))
        elif key == "quantity":
            if (number := _WHOLE_NUMBER.match(value)) and int(number[1]) > 1:
                yield key, (str(int(number[1])),)
        else:
            for part in [value] if key in _UNSPLIT else _SPLIT.split(value):
                yield from self._read_part(key, words(part))

    def _read_part(self, key: str, cut: list[str]) -> Iterator[Fact]:
        known = False
        for mention in self._vocabulary.mentions(cut):
            if is_denied(cut, mention):
                continue
            for term in mention.terms:
                if term.key == key:
                    known = True
                    yield key, term.values
                elif key in _MIXED_FIELDS and term.key in _MIXED_KEYS and not term.weak:
                    yield term.key, term.values
        text = " ".join(cut)
        numbered = key == "model" and len(cut) == 1 and 1 < len(text) <= _LONGEST_MODEL_NUMBER
        if key in _OPEN_FIELDS and not known and (numbered or _is_name(cut, text)):
            yield key, (text,)

    def _read_bullet(self, text: str) -> Iterator[Fact]:
        if "%" in text:
            yield from (("material", term.values) for term in self._fibres(text))
        lead = _LEAD.match(text) if ":" in text[:34] else None
        key = self.facet_of(lead[1]) if lead else None
        if lead and key and key not in ("category", "brand", "style"):
            yield from self.field(key, lead[2])
        cut = words(text)
        short = len(cut) <= _SHORT_BULLET
        for mention in self._vocabulary.mentions(cut):
            if is_denied(cut, mention):
                continue
            whole = short and mention.end - mention.start == len(cut)
            for term in mention.terms:
                if term.weak and not whole:
                    continue
                label = term.key in _SHORT_BULLET_KEYS and short
                stuff = term.key == "material" and len(cut) <= 4 and mention.end == len(cut) and is_body(cut, mention)
                if term.key in _BULLET_KEYS or label or stuff:
                    yield term.key, term.values

    def _fibres(self, text: str) -> Iterator[Term]:
        """Yield the materials that stand beside a percentage, linings left out."""
        for match in _PERCENT.finditer(text):
            before = words(text[max(0, match.start() - 20) : match.start()])[-2:]
            if "lining" in before or "lined" in before:
                continue
            for mention in self._vocabulary.mentions(words(match[2]))[:1]:
                if mention.start <= 2:
                    yield from (term for term in mention.terms if term.key == "material")


def _is_name(cut: list[str], text: str) -> bool:
    """Return whether an unknown value of an open field is worth keeping: up to three words, not "N/A" or a number."""
    return 0 < len(cut) <= 3 and text not in word_lists("context")["empty"] and not cut[0].replace(".", "").isdigit()
