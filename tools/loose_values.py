"""Values that only the word beside them makes one: "feather color", "the brand is Jambu"."""

from __future__ import annotations

import re
from functools import cache

from tools.mentions import Claims, Mention
from tools.phrases import attribute_named, conversation_words
from tools.values import checked
from tools.words import Text

_AFTER = re.compile(r"(?<!\w)(?P<v>[\w'-]+(?:\s[\w'-]+)?)[\s-]+(?P<name>colou?r(?:ed)?)(?!\w)")
_BEFORE = re.compile(
    r"(?<!\w)(?P<name>brand|brand name|colou?r)\s+(?:name\s+)?(?:is|should be|must be|called|named|of|:)\s+"
    r"(?P<v>[\w'&-]+(?:\s[\w'&-]+)?)"
)


_RELATIVE = frozenset({"lighter", "darker", "brighter", "softer", "deeper", "richer", "different", "similar", "same"})
"""Before "color" these compare with what is shown; no colour is called so."""


@cache
def _ordinary() -> frozenset[str]:
    return (
        conversation_words()
        | {"light", "dark", "bright", "solid", "multi", "two", "plain", "other", "natural"}
        | _RELATIVE
    )


def named_values(text: Text, claims: Claims) -> list[Mention]:
    """Return words that the attribute name beside them makes a value, and claim them.

    They are `contains` facts of low confidence: the catalog did not confirm them.
    """
    if "color" not in text.low and "colour" not in text.low and "brand" not in text.low:
        return []
    found = []
    for regex in (_AFTER, _BEFORE):
        for match in regex.finditer(text.low):
            span = _value_span(text, claims, match.start("v"), match.end("v"), last=regex is _AFTER)
            named = attribute_named(match["name"])
            if span is None or named is None:
                continue
            claims.take(*span)
            mention = Mention(checked(named[0]), text.low[span[0] : span[1]], *span, op="contains", free=True)
            mention.confidence, mention.strength = 0.5, "soft"
            found.append(mention)
    return found


def _value_span(text: Text, claims: Claims, start: int, end: int, *, last: bool) -> tuple[int, int] | None:
    words = text.words_between(start, end)
    words = words[-1:] if last else words
    taken = []
    for word in words:
        if word.low.replace("'", "") in _ordinary() or not claims.free(word.start, word.end) or word.low.isdigit():
            break
        taken.append(word)
    return (taken[0].start, taken[-1].end) if taken else None
