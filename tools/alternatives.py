"""Alternatives: "black or navy" is one wish that either value grants."""

from __future__ import annotations

import re

from catalog.product import NUMERIC_ATTRIBUTES
from tools.mentions import Mention
from tools.words import Text

_OR = re.compile(r"\s*(?:,\s*)?(?:or|/|\|)\s*(?:in |a |an |maybe |even )*\s*")
_COMMA = re.compile(r"\s*,\s*")


def merge_alternatives(text: Text, mentions: list[Mention]) -> list[Mention]:
    """Join positive values of one attribute that "or" connects into a `one_of` fact; mentions in order of words."""
    merged: list[Mention] = []
    for mention in mentions:
        last = merged[-1] if merged else None
        if last is not None and _alternative(text, last, mention):
            last.value = [*_values(last), *_values(mention)]
            last.op, last.end = "one_of", mention.end
            last.confidence = min(last.confidence, mention.confidence)
            continue
        merged.append(mention)
    return merged


def _values(mention: Mention) -> list[str]:
    if isinstance(mention.value, str):
        return [mention.value]
    return [v for v in mention.value if isinstance(v, str)] if isinstance(mention.value, list) else []


def _alternative(text: Text, first: Mention, second: Mention) -> bool:
    if first.key != second.key or "structured" in (first.source, second.source):
        return False
    if "negative" in (first.polarity, second.polarity):
        return False
    if first.attribute in NUMERIC_ATTRIBUTES or not (_values(first) and _values(second)):
        return False
    gap = text.low[first.end : second.start]
    if _OR.fullmatch(gap):
        return True
    tail = text.low[second.end : second.end + 40]
    return bool(_COMMA.fullmatch(gap)) and re.match(r"(?:\s*,\s*[\w-]+)?\s*,?\s+or\s", tail) is not None
