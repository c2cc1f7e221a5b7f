"""Everyday words for catalog values: "keeps me dry" is waterproof, "no laces" is slip on.

The fourth tier of the cascade. A phrase may hold words that the catalog lexicon read by themselves ("slip" in "won't
slip"): the longer reading wins. What it yields is soft and of low confidence, since the shopper said something else.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import NamedTuple

from catalog.lexicon import Lexicon
from tools.broader import lessened, read_broader, soft_mention
from tools.mentions import Claims, Mention
from tools.similes import read_similes
from tools.umbrellas import widen
from tools.words import Text

COLUMNS = ("phrase", "keys", "targets", "confidence", "example", "source")

_GAP = r"[\s-]+"
_LETTERS = re.compile(r"\((\w+)\)")
_NEGATED = re.compile(r"(?:no|not|non|never|nothing|without|less|isn't|.*n't|cannot)$")
_NOT_A = re.compile(r"(?:no|not|without|isn't|aren't|nothing)\s+(?:(?:too|so|very|any|the)\s+)?")

_THINGS = frozenset({"category", "brand", "theme", "model", "color", "material"})
"""Keys whose values name things: inside a longer phrase they are no wish of their own ("slip" in "won't slip")."""


class Row(NamedTuple):
    """One line of the table: `phrase` as written, the facet keys and values that it may mean, in order of choice.

    Of a `whole` phrase no word means anything by itself ("girls" in "girls night out").
    """

    phrase: str
    keys: tuple[str, ...]
    targets: tuple[str, ...]
    confidence: float
    whole: bool
    example: str


class Phrase(NamedTuple):
    """A row ready to be matched: `seconds` are the words that may stand second (None: any word)."""

    row: Row
    source: str
    seconds: frozenset[str] | None
    negated: bool

    @property
    def pattern(self) -> re.Pattern[str]:
        """The row as a pattern: few of the 600 are ever looked for in one conversation."""
        return _compiled(self.source)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source)


class _Found(NamedTuple):
    start: int
    end: int
    phrase: Phrase


def paraphrases(
    text: Text,
    claims: Claims,
    lexicon: Lexicon,
    values: list[Mention],
    *,
    weak: list[Mention] | None = None,
    asked: str | None = None,
) -> list[Mention]:
    """Return the catalog values that everyday words mean, and claim the words.

    `values` are the mentions of the catalog lexicon, `weak` those of the grammar that may give way ("small" in "packs
    small"); the ones that a longer phrase takes over are removed from the lists. A row whose targets this catalog does
    not hold says nothing. `asked` is the attribute of the open question.
    """
    widen(text, lexicon, values)
    found = read_similes(text, claims, lexicon, values, asked)
    taken: list[tuple[int, int]] = []
    weak = [] if weak is None else weak
    for start, end, phrase in sorted(_matches(text), key=lambda match: (match.start - match.end, match.start)):
        if any(start < b and a < end and (a, b) != (start, end) for a, b in taken):
            continue
        mention = _mention(lexicon, phrase.row, start, end)
        inner = None if mention is None else _inner(claims, [*values, *weak], mention)
        if mention is None or inner is None or (not phrase.row.whole and _excludes(text.low, inner, mention)):
            continue
        said = any(_same(m, mention) for m in [*values, *found])
        for held in (values, weak):
            held[:] = [m for m in held if not (any(m is i for i in inner) and _gives_way(m, mention, phrase))]
        found += [] if said else [mention]
        taken.append((start, end))
    for start, end in taken:
        claims.take(start, end)
    return [*found, *read_broader(text, claims, lexicon, [*values, *found], asked)]


def _inner(claims: Claims, read: list[Mention], mention: Mention) -> list[Mention] | None:
    """Return what was read inside a phrase; None where something else holds its words."""
    inner = [m for m in read if m.overlaps(mention.start, mention.end)]
    at = mention.start
    for m in sorted(inner, key=lambda m: m.start):
        whole = m.end - m.start >= mention.end - mention.start
        if whole or m.start < mention.start or m.end > mention.end or not claims.free(at, max(at, m.start)):
            return None
        at = max(at, m.end)
    return inner if claims.free(at, mention.end) or any(m.weak for m in inner) else None


def _excludes(low: str, inner: list[Mention], mention: Mention) -> bool:
    """Return whether a phrase is "no" and a value ("no laces"): excluding the value says more than its opposite."""
    values = [m for m in inner if m.key not in _THINGS and m.end == mention.end]
    return bool(values) and _NOT_A.fullmatch(low, mention.start, values[0].start) is not None


def _same(one: Mention, other: Mention) -> bool:
    return one.key == other.key and one.value == other.value


def _gives_way(inner: Mention, mention: Mention, phrase: Phrase) -> bool:
    if _same(inner, mention):
        return False
    return phrase.row.whole or phrase.negated or inner.weak or inner.key == mention.key or inner.key in _THINGS


def _mention(lexicon: Lexicon, row: Row, start: int, end: int) -> Mention | None:
    mention = soft_mention(lexicon, row.targets, row.keys, start, end, row.confidence)
    if mention is not None:
        # The words of a phrase find the wrong products ("wrists"), the value the right ones; a lone word is kept.
        mention.opposite = " " in row.phrase and isinstance(mention.value, str)
    return mention


def _matches(text: Text) -> Iterator[_Found]:
    phrases, words = _phrases(), text.tokens
    for at, token in enumerate(words):
        for phrase in phrases.get(token.text, ()):
            if phrase.seconds is not None and (at + 1 == len(words) or words[at + 1].text not in phrase.seconds):
                continue
            match = phrase.pattern.match(text.low, token.start)
            if match and not lessened(text.low, token.start):
                yield _Found(match.start(), match.end(), phrase)


@cache
def _phrases() -> dict[str, list[Phrase]]:
    """Return the phrases by their first word."""
    phrases: dict[str, list[Phrase]] = defaultdict(list)
    for row in rows():
        phrase, firsts = compile_phrase(row)
        for first in firsts:
            phrases[first].append(phrase)
    return dict(phrases)


@cache
def rows() -> tuple[Row, ...]:
    """Return the rows of `data/paraphrase.csv`, their slots filled; raises `ValueError` naming a malformed row."""
    slots: dict[str, str] = {}
    found = []
    for record in _records():
        if record["keys"] == "slot":
            slots[record["phrase"]] = record["targets"]
            continue
        phrase = record["phrase"]
        for name, words in slots.items():
            phrase = phrase.replace("{" + name + "}", words)
        whole, names = record["keys"].endswith("!"), record["keys"].removesuffix("!")
        keys, targets = tuple(names.split("|")), tuple(record["targets"].split("|"))
        if "{" in phrase or not (targets and keys):
            raise ValueError(f"paraphrase.csv: bad row {record}; slots come before the rows that use them")
        found.append(Row(phrase, keys, targets, float(record["confidence"]), whole, record["example"]))
    return tuple(found)


def _records() -> list[dict[str, str]]:
    text = resources.files("tools").joinpath("data", "paraphrase.csv").read_text(encoding="utf-8")
    reader = csv.reader(line for line in text.splitlines() if line and not line.startswith("#"))
    if tuple(header := next(reader)) != COLUMNS:
        raise ValueError(f"paraphrase.csv: columns are {header}; write {COLUMNS}")
    return [dict(zip(COLUMNS, record, strict=True)) for record in reader]


def compile_phrase(row: Row) -> tuple[Phrase, frozenset[str]]:
    """Return a row as a pattern, and the words that it may begin with.

    A phrase is words parted by spaces: `a|b` are alternatives, `a_b` is one of two words, `[a]` may be missing, `(s)`
    are letters that may be missing, `*` is any word. An apostrophe may be missing everywhere.

    Example: `keep(s) {one} [nice_and] dry` matches "keeps my feet dry".
    """
    parts = row.phrase.split(" ")
    words = [part.strip("[]").split("|") for part in parts]
    optional = [part.startswith("[") for part in parts]
    source = _choice(words[0]) + "".join(
        f"(?:{_GAP}{_choice(choice)}){'?' if left_out else ''}"
        for choice, left_out in zip(words[1:], optional[1:], strict=True)
    )
    negated = any(_NEGATED.match(word) for choice in words for word in choice)
    heads = frozenset(form for word in words[0] for form in _forms(word))
    return Phrase(row, rf"{source}(?!\w|'\w)", _seconds(words, optional), negated), heads


def _seconds(words: list[list[str]], optional: list[bool]) -> frozenset[str] | None:
    """Return the tokens that may stand second in a phrase, None when any may (or none must)."""
    seconds = {form for word in words[0] if "_" in word for form in _forms(word.partition("_")[2])}
    for choice, left_out in zip(words[1:], optional[1:], strict=True):
        seconds.update(form for word in choice for form in _forms(word))
        if not left_out:
            return None if "*" in seconds else frozenset(seconds)
    return None


def _choice(words: list[str]) -> str:
    return "(?:" + "|".join(map(_source, words)) + ")"


def _source(word: str) -> str:
    word = _LETTERS.sub(r"(?:\1)?", word.replace("'", "'?"))
    return word.replace("*", r"[\w']+").replace("_", _GAP)


def _forms(word: str) -> list[str]:
    """Return the tokens that the first word of an alternative may be: "keep(s)_up" is keep, keeps."""
    word = word.split("_")[0].replace("'", "")
    if "(" not in word:
        return [word]
    return list(dict.fromkeys([_LETTERS.sub("", word), _LETTERS.sub(r"\1", word)]))
