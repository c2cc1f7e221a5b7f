"""Values that stand for a family: who asks for synthetic cloth is served by polyester, nylon or acrylic."""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources
from typing import NamedTuple

from catalog.lexicon import Lexicon
from tools.broader import soft_mention
from tools.mentions import Mention
from tools.words import Text

COLUMNS = ["key", "value", "members", "unless", "source"]

_CONFIDENCE = 0.65


class Family(NamedTuple):
    """What a value may be (`members`, of which any will do), and the words behind it that make it something else."""

    members: str
    unless: frozenset[str]


def widen(text: Text, lexicon: Lexicon, values: list[Mention]) -> None:
    """Let each value of the catalog lexicon that names a family stand for its members, softly, in place."""
    for at, mention in enumerate(values):
        family = families().get((mention.key, str(mention.value)))
        if family is None or _next_word(text, mention.end) in family.unless:
            continue
        wide = soft_mention(lexicon, (family.members,), (mention.key,), mention.start, mention.end, _CONFIDENCE)
        if wide is not None:
            values[at] = wide


def _next_word(text: Text, end: int) -> str:
    place = text.first_word(end)
    return text.words[place].low if place < len(text.words) else ""


@cache
def families() -> dict[tuple[str, str], Family]:
    """Return the families of `data/umbrellas.csv` by facet key and value; raises `ValueError` on a malformed row."""
    text = resources.files("tools").joinpath("data", "umbrellas.csv").read_text(encoding="utf-8")
    reader = csv.reader(line for line in text.splitlines() if line and not line.startswith("#"))
    if (header := next(reader)) != COLUMNS:
        raise ValueError(f"umbrellas.csv: columns are {header}; write {COLUMNS}")
    found: dict[tuple[str, str], Family] = {}
    for record in reader:
        if len(record) != len(COLUMNS) or not all(record[:3]):
            raise ValueError(f"umbrellas.csv: bad row {record}; write {COLUMNS}")
        found[(record[0], record[1])] = Family(record[2], frozenset(filter(None, record[3].split("|"))))
    return found
