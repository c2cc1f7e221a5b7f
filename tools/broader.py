"""A shade or fibre that this catalog does not know by its name, read as the kind that it belongs to.

"Wisteria" is a purple, "lycra" the spandex of the shop. Colours come from the vocabulary's table (XKCD and CSS names
with their base colour) and `data/color_words.csv`, fibres from its families and `data/material_words.csv`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Literal, NamedTuple

from catalog.lexicon import Lexicon, LexiconEntry
from catalog.text import tokens, tokens_of
from catalog.vocabulary import load_table, spelled_surfaces
from tools.mentions import Claims, Mention
from tools.values import detail_of
from tools.words import Text

_COLUMNS = ["words", "broader", "context", "source"]
_TABLES = {"color": ("colors", "color_words"), "material": ("materials", "material_words")}

_CONFIDENCE = 0.6
_WEAK_CONFIDENCE = 0.55

_LESSENED = re.compile(r"(?<!\w)(?:less|fewer|not as|not so|not that|too)\s+$")
_BESIDE = re.compile(r"\s*(?:,|/|&|\+|and|or)\s*(?:(?:a|maybe|even|in)\s+)?")
_MADE = re.compile(r"(?<!\w)(?:made (?:of|from|out of|with)|real|genuine|fabric|material)\s+(?:is\s+|:\s*)?$")

_COLOUR = frozenset(["color", "colour", "colors", "colours", "shade", "shades", "tone", "tones", "hue", "hues"])
_COLOURED = _COLOUR | frozenset(["colored", "coloured", "toned", "hued", "tint"])
_TONED = frozenset(["dusty", "pale", "muted", "faded"])
_BETWEEN = frozenset(["is", "of", "in", "like", "a", "nice", "deep", "dark", "pale", "light", "soft", "rich"])

Context = Literal["", "weak", "before"]


class Kind(NamedTuple):
    """What a word is a kind of: `targets` in order of choice (`a+b`: all that the catalog holds)."""

    targets: tuple[str, ...]
    context: Context


def read_broader(
    text: Text, claims: Claims, lexicon: Lexicon, values: list[Mention], asked: str | None
) -> list[Mention]:
    """Return the base colours and families of shades and fibres that the catalog does not know; claim their words.

    `values` are what was read so far; a weak word ("sand") counts beside a colour, a colour word or a kind of thing.
    """
    found: list[Mention] = []
    for at, size, key, kind in _words(text):
        start, end = text.tokens[at].start, text.tokens[at + size - 1].end
        words = tuple(token.text for token in text.tokens[at : at + size])
        if not claims.free(start, end) or reading(lexicon, words, (key,)) is not None or lessened(text.low, start):
            continue
        if kind.context and not (asked == key or _spoken_of(text, at, size, key, kind, [*values, *found])):
            continue
        confidence = _WEAK_CONFIDENCE if kind.context else _CONFIDENCE
        mention = soft_mention(lexicon, kind.targets, (key,), start, end, confidence)
        if mention is not None:
            claims.take(start, end)
            found.append(mention)
    return found


def lessened(low: str, start: int) -> bool:
    """Return whether "less" or "too" stands before a word: a wish against what is shown, never one for the value."""
    return _LESSENED.search(low, max(0, start - 12), start) is not None


def soft_mention(
    lexicon: Lexicon, targets: tuple[str, ...], keys: tuple[str, ...], start: int, end: int, confidence: float
) -> Mention | None:
    """Return the soft fact of the first target that the catalog holds under one of the facet keys, None if none is."""
    for target in targets:
        entries = [e for e in (reading(lexicon, tokens(value), keys) for value in target.split("+")) if e is not None]
        if entries:
            values = list(dict.fromkeys(entry.value for entry in entries))
            mention = Mention(entries[0].attribute, values[0], start, end, detail=detail_of(entries[0]))
            if len(values) > 1:
                mention.value, mention.op = values, "one_of"
            mention.source, mention.strength, mention.confidence = "paraphrase", "soft", confidence
            return mention
    return None


def reading(lexicon: Lexicon, words: tuple[str, ...], keys: tuple[str, ...]) -> LexiconEntry | None:
    """Return the catalog's entry for some words under the first of the facet keys that has one."""
    entries = lexicon.readings(words)
    return next((entry for key in keys for entry in entries if entry.key == key), None)


def _words(text: Text) -> Iterator[tuple[int, int, str, Kind]]:
    """Yield the known words of a message, longest first at each place: position, number of tokens, facet key, kind."""
    sizes, at = _sizes(), 0
    words = tuple(token.text for token in text.tokens)
    while at < len(words):
        step = 1
        for size in sizes.get(words[at], ()):
            found = [(key, kind) for key in _TABLES if (kind := kinds_of(key).get(words[at : at + size]))]
            if (
                found
                and at + size <= len(words)
                and "," not in text.low[text.tokens[at].start : text.tokens[at + size - 1].end]
            ):
                yield from ((at, size, key, kind) for key, kind in found)
                step = size
                break
        at += step


def _spoken_of(text: Text, at: int, size: int, key: str, kind: Kind, read: list[Mention]) -> bool:
    """Return whether the words around a weak word say that a colour (or material) is meant."""
    start, end = text.tokens[at].start, text.tokens[at + size - 1].end
    if key == "material":
        return _MADE.search(text.low, max(0, start - 24), start) is not None
    before = text.tokens[at - 1].text if at else ""
    after = text.tokens[at + size].text if at + size < len(text.tokens) else ""
    if (
        after in _COLOURED
        or before in _TONED
        or any(_beside(text.low, m, start, end) for m in read if m.key == "color")
    ):
        return True
    place = at
    while place and text.tokens[place - 1].text in _BETWEEN:
        place -= 1
    if place and text.tokens[place - 1].text in _COLOUR:
        return True
    things = [m for m in read if m.key == "category"]
    if place < at and any(token.text == "in" for token in text.tokens[place:at]):
        gap = text.tokens[place].start
        return not place or any(m.end <= gap and not text.low[m.end : gap].strip(" ,-") for m in things)
    return kind.context == "before" and (
        after in ("one", "ones") or any(m.start > end and text.low[end : m.start].isspace() for m in things)
    )


def _beside(low: str, color: Mention, start: int, end: int) -> bool:
    gap = low[color.end : start] if color.end <= start else low[end : color.start]
    return _BESIDE.fullmatch(gap) is not None


@cache
def kinds_of(key: str) -> dict[tuple[str, ...], Kind]:
    """Return the words of a facet key with their kinds, from the vocabulary and from the table of `tools/data`."""
    table, extra = _TABLES[key]
    broader = {row.value: row.broader for row in load_table(table)}
    kinds: dict[tuple[str, ...], Kind] = {}
    for surface, spelling in spelled_surfaces(table).items():
        above = broader[spelling.value]
        targets = ("+".join(above),) if key == "color" else above
        kinds[tokens_of(surface)] = Kind((spelling.value, *filter(None, targets)), "weak" if spelling.weak else "")
    for words, targets, context in table_rows(extra):
        cut = tokens(words)
        kinds[cut] = Kind(targets or kinds[cut].targets, context)
    return kinds


@cache
def _sizes() -> dict[str, list[int]]:
    """Return for each first word the lengths of what begins with it, longest first."""
    sizes: dict[str, set[int]] = {}
    for key in _TABLES:
        for cut in filter(None, kinds_of(key)):
            sizes.setdefault(cut[0], set()).add(len(cut))
    return {word: sorted(lengths, reverse=True) for word, lengths in sizes.items()}


def table_rows(name: str) -> Iterator[tuple[str, tuple[str, ...], Context]]:
    """Yield each word of a table of `tools/data` with its targets and context; raises `ValueError` on a bad row."""
    text = resources.files("tools").joinpath("data", f"{name}.csv").read_text(encoding="utf-8")
    reader = csv.reader(line for line in text.splitlines() if line and not line.startswith("#"))
    if (header := next(reader)) != _COLUMNS:
        raise ValueError(f"{name}.csv: columns are {header}; write {_COLUMNS}")
    for words, broader, context, _ in reader:
        if context not in ("", "weak", "before"):
            raise ValueError(f"{name}.csv: context {context!r} of {words}; write weak, before or nothing")
        for word in words.split("|"):
            yield word, tuple(filter(None, broader.split("|"))), context  # type: ignore[misc]  # checked above
