"""Colours and materials named by a thing: "the colour of milk", "dark as coal", "the stuff that tees are made of".

A thing counts only inside a comparison: milk by itself is milk. What it yields is soft, as of every paraphrase, and it
takes the words over from what they would name alone (a school bus is no wish for school).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import NamedTuple

from catalog.lexicon import Lexicon
from catalog.vocabulary import plural, singular, spelled_surfaces
from tools.broader import lessened, soft_mention
from tools.mentions import Claims, Mention
from tools.phrases import load_table, pattern_of, word_set
from tools.words import Text

COLUMNS = ["things", "key", "targets", "source"]
KEYS = ("color", "material")

_CONFIDENCE = 0.65
_REACH = 80
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_SENTENCE = re.compile(r"[;!?\n]|\.(?!\d)")
_JOINED = re.compile(r"\s*(?:,|/|or|and|, or)\s+(?:maybe\s+|perhaps\s+)?")
_REFUSED = re.compile(
    r"(?:nothing|unlike|don't|dont|not|would|i'd|i|they|we|you|people)\s+(?:look(?:ing)?\s+)?(?:like)\s+$"
)


class Thing(NamedTuple):
    """A thing in a text at `[start, end)`, with the values that it may stand for by facet key."""

    start: int
    end: int
    targets: dict[str, tuple[str, ...]]


class _Cues(NamedTuple):
    """The comparisons of one facet key: what stands before a thing and what behind it."""

    of: re.Pattern[str]
    like: re.Pattern[str]
    degree: re.Pattern[str]
    shade: re.Pattern[str]
    noun: re.Pattern[str]
    behind: re.Pattern[str]
    made: re.Pattern[str]
    surely_made: re.Pattern[str]


def read_similes(
    text: Text, claims: Claims, lexicon: Lexicon, values: list[Mention], asked: str | None
) -> list[Mention]:
    """Return the colours and materials that comparisons name; what their words meant alone leaves `values`.

    `values` are the mentions of the catalog lexicon. A value said outright stands ("red, like a fire engine"), and the
    comparison only explains it. `asked` is the attribute of the open question.
    """
    found: list[Mention] = []
    for thing in things_in(text.low):
        for key in KEYS:
            span = _compared(text.low, thing, key, values, found, asked) if key in thing.targets else None
            if span is None or lessened(text.low, span[0]):
                continue
            said = _said_before(values, key, span[0], text.low)
            values[:] = [m for m in values if m is said or not m.overlaps(thing.start, thing.end)]
            if said is not None:
                said.end = span[1]
            else:
                _add(lexicon, found, thing, key, span)
            claims.take(*span)
            break
    return found


def _add(lexicon: Lexicon, found: list[Mention], thing: Thing, key: str, span: tuple[int, int]) -> None:
    """Add what a thing stands for; of two things named together ("a pumpkin or a tangerine") one value is meant."""
    mention = soft_mention(lexicon, thing.targets[key], (key,), *span, _CONFIDENCE)
    if mention is None:
        return
    mention.opposite = True
    last = found[-1] if found and found[-1].key == key and span[0] == found[-1].start else None
    if last is None:
        found.append(mention)
        return
    first, second = last.values, mention.values
    both = [value for value in first if value in second] or list(dict.fromkeys([*first, *second]))
    last.end, last.value, last.op = span[1], (both if len(both) > 1 else both[0]), ("one_of" if len(both) > 1 else "eq")


def _compared(
    low: str, thing: Thing, key: str, values: list[Mention], found: list[Mention], asked: str | None
) -> tuple[int, int] | None:
    """Return the span of a comparison with a thing, None where the thing is just a thing."""
    cues = _cues(key)
    first, last = _sentence(low, thing)
    before, rest = low[first : thing.start], low[thing.end : last]
    behind = cues.behind.match(rest)
    end = thing.end + behind.end() if behind else thing.end
    start = first + _between().search(before).start()  # type: ignore[union-attr]  # matches the empty string too
    if found and found[-1].key == key and found[-1].end <= start and _JOINED.fullmatch(low, found[-1].end, start):
        return found[-1].start, end
    if behind and not any(m.key == key and m.overlaps(thing.start, thing.end) for m in values):
        return start, end
    if match := cues.of.search(before):
        return (first + match.start(), end) if key == "color" or _is_made(cues, match.group(), rest) else None
    match = cues.degree.search(before) or cues.like.search(before)
    if match is None or _REFUSED.search(before[: match.end("like")] + " "):
        return None
    spoken_of = asked == key or cues.noun.search(low, first, last) or any(m.key == key for m in values)
    if match.re is cues.degree or spoken_of or (key == "color" and _alone(cues, before[: match.start("like")])):
        return first + match.start(), end
    return None


def _alone(cues: _Cues, before: str) -> bool:
    """Return whether nothing but "as dark as it gets" stands before a comparison: what else has a sky in it?"""
    return not before.strip(" ,-") or (before.endswith(", ") and cues.shade.match(before) is not None)


def _is_made(cues: _Cues, before: str, rest: str) -> bool:
    if re.match(r"same\s", before):
        return True
    return (cues.surely_made if before.startswith("what") else cues.made).match(rest) is not None


def _said_before(values: list[Mention], key: str, start: int, low: str) -> Mention | None:
    """Return the value of the same facet that a comparison only illustrates."""
    return next((m for m in values if m.key == key and m.end <= start and not low[m.end : start].strip(" ,-")), None)


def _sentence(low: str, thing: Thing) -> tuple[int, int]:
    origin = max(0, thing.start - _REACH)
    first = max((match.end() for match in _SENTENCE.finditer(low, origin, thing.start)), default=origin)
    last = _SENTENCE.search(low, thing.end, thing.end + _REACH)
    return first, last.start() if last else min(len(low), thing.end + _REACH)


def things_in(low: str) -> Iterator[Thing]:
    """Yield the things of a lower-case text that the table knows, longest first at each place."""
    found = [(match.group(), match.start(), match.end()) for match in _WORD.finditer(low)]
    at = 0
    while at < len(found):
        for words, targets in _things().get(found[at][0], ()):
            cut = found[at : at + len(words)]
            if tuple(word for word, _, _ in cut) == words and not re.search(r"[,.;!?]", low[cut[0][1] : cut[-1][2]]):
                yield Thing(cut[0][1], cut[-1][2], targets)
                at += len(words) - 1
                break
        at += 1


def names_color(words: str) -> bool:
    """Return whether lower-case words end in a thing that names a colour and is no kind of product ("the deep sea")."""
    last = next((thing for thing in things_in(words) if thing.end == len(words)), None)
    if last is None or "color" not in last.targets:
        return False
    return tuple(_WORD.findall(words[last.start : last.end])) not in spelled_surfaces("types")


@cache
def _things() -> dict[str, list[tuple[tuple[str, ...], dict[str, tuple[str, ...]]]]]:
    """Return the things by their first word, the longest first."""
    known: dict[tuple[str, ...], dict[str, tuple[str, ...]]] = {}
    for words, key, targets in table_rows():
        known.setdefault(words, {})[key] = targets
    grouped: dict[str, list[tuple[tuple[str, ...], dict[str, tuple[str, ...]]]]] = {}
    for words in sorted(known, key=len, reverse=True):
        grouped.setdefault(words[0], []).append((words, known[words]))
    return grouped


def table_rows() -> Iterator[tuple[tuple[str, ...], str, tuple[str, ...]]]:
    """Yield each thing of `data/similes.csv` in both numbers, with facet key and targets; raises `ValueError`."""
    text = resources.files("tools").joinpath("data", "similes.csv").read_text(encoding="utf-8")
    reader = csv.reader(line for line in text.splitlines() if line and not line.startswith("#"))
    if (header := next(reader)) != COLUMNS:
        raise ValueError(f"similes.csv: columns are {header}; write {COLUMNS}")
    for record in reader:
        if len(record) != len(COLUMNS) or record[1] not in KEYS or not record[2]:
            raise ValueError(f"similes.csv: bad row {record}; write things,{'|'.join(KEYS)},targets,source")
        for thing in record[0].split("|"):
            words = tuple(_WORD.findall(thing.strip()))
            for last in dict.fromkeys((words[-1], plural(words[-1]), singular(words[-1]), _ves(words[-1]))):
                yield (*words[:-1], last), record[1], tuple(record[2].split("|"))


def _ves(word: str) -> str:
    return word.removesuffix("f") + "ves" if word.endswith("f") else word


@cache
def _between() -> re.Pattern[str]:
    return re.compile(rf"(?:(?:{'|'.join(sorted(word_set('similes', 'between')))})\s+)*$")


@cache
def _cues(key: str) -> _Cues:
    table = load_table("similes")[key]
    noun, between = pattern_of(table["nouns"]), _between().pattern
    link = rf"(?:(?:{'|'.join(sorted(word_set('similes', 'link')))})\s+)*"
    degree = pattern_of(table.get("degrees", ["(?!)"]))
    like = r"(?P<like>(?:as|like|similar to|reminds me of|reminding me of|think)\s+)"
    if key == "color":
        of = rf"(?<!\w){noun}\s+{link}(?:of|like|as|to)\s+{between}"
    else:
        of = rf"(?<!\w)(?:same|what|{noun})\s+(?:[\w'-]+\s+){{0,5}}?{between}"
    made, sure = (pattern_of(table.get(name, ["(?!)"])) for name in ("made", "surely_made"))
    return _Cues(
        of=re.compile(of),
        like=re.compile(rf"(?<!\w){like}{between}"),
        degree=re.compile(rf"(?<!\w){degree},?\s+{like}{between}"),
        shade=re.compile(rf"\s*(?:(?:as|a|very|really|so|just|quite)\s+)*{degree}(?!\w)"),
        noun=re.compile(rf"(?<!\w){noun}(?!\w)"),
        behind=re.compile(rf"[\s-]+{pattern_of(table['tinged'])}(?!\w)"),
        made=re.compile(rf"(?:\s*(?:,|and|or)\s+[\w'-]+){{0,2}}\s+{made}(?!\w)"),
        surely_made=re.compile(rf"(?:\s*(?:,|and|or)\s+[\w'-]+){{0,2}}\s+{sure}(?!\w)"),
    )
