"""What the shopper has already: its look is no wish ("match my brown belt", "I'm wearing a navy suit").

A colour, fibre or pattern of a thing that somebody owns describes that thing; the kind of thing itself is no wish
either when something is sought to go with it.
"""

from __future__ import annotations

import re
from functools import cache

from tools.expressions import Expressions, expression
from tools.mentions import Mention
from tools.phrases import compile_phrases, load_table, pattern_of
from tools.words import Text

_LOOKS = frozenset({"color", "material", "pattern", "style", "brand", "theme", "fit", "neck", "sleeve"})
_END = re.compile(r"[,;.!?\n]|(?<!\w)(?:but|so|and (?=i|need|want|now)|need|want|looking)(?!\w)")
_REACH = 48


@cache
def _patterns() -> tuple[Expressions, Expressions, Expressions]:
    table = load_table("owned")
    whose = pattern_of(table["whose"])
    return (
        compile_phrases(table["owning"]),
        expression(rf"(?<!\w){whose}\s+(?:(?:old|last|current|new|other|favou?rite|lovely)\s+)*(?P<rest>[\w'/ -]*)$"),
        compile_phrases([rf"{pattern_of(table['beside'])}\s+{whose}"]),
    )


def owned_mentions(text: Text, mentions: list[Mention]) -> list[Mention]:
    """Return the mentions that describe what somebody owns or wears, in their order."""
    owning, whose, beside = _patterns()
    spans = []
    for match in owning.finditer(text.low):
        end = _END.search(text.low, match.end())
        spans.append((match.end(), end.start() if end else len(text.low)))
    worn = [m for m in mentions if any(start <= m.start < end for start, end in spans)]
    kinds = [m for m in mentions if m.key == "category"]
    others = [m for m in kinds if m not in worn]
    found = [m for m in worn if m.key in _LOOKS or (m.key == "category" and (others or _wears(text, m)))]
    for mention in mentions:
        left = text.low[max(0, mention.start - _REACH) : mention.start]
        possessed = whose.search(left)
        if possessed is None or mention in found or not _all_told(text, mention, possessed["rest"], mentions):
            continue
        sought = beside.search(left) is not None
        if mention.key in _LOOKS or (mention.key == "category" and sought):
            found.append(mention)
    return [m for m in mentions if m in found and m.polarity == "positive"]


def _wears(text: Text, mention: Mention) -> bool:
    return re.search(r"wear(?:ing)?|wore", text.low[max(0, mention.start - _REACH) : mention.start]) is not None


def _all_told(text: Text, mention: Mention, rest: str, mentions: list[Mention]) -> bool:
    """Return whether between "my" and a value stand only values of the same thing ("my blue denim" jacket)."""
    start = mention.start - len(rest)
    gap = text.words_between(start, mention.start)
    return all(any(m.overlaps(w.start, w.end) for m in mentions) for w in gap)
