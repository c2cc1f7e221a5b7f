"""How firmly a fact is stated: hard, soft, or left to the default of its kind."""

from __future__ import annotations

import re
from functools import cache

from tools.expressions import Expressions
from tools.mentions import Mention
from tools.phrases import compile_phrases, load_table
from tools.words import Text

_CLAUSE_BREAK = re.compile(r"[;!?\n]|\.(?!\d)|,(?!\d)|(?<!\w)(?:but|though|although)(?!\w)")


@cache
def _cues() -> tuple[Expressions, Expressions, Expressions]:
    table = load_table("strength")
    return compile_phrases(table["hard"]), compile_phrases(table["soft"]), compile_phrases(table["firm"])


def settle_strength(text: Text, mentions: list[Mention], *, asked: str | None) -> None:
    """Set the strength of each mention that has none.

    Hard: negations, answers to the open question, prices and counts, and anything in a clause with "must", "need",
    "only". Soft: anything in a clause with "ideally", "maybe", "I like". A plain statement is hard, but for a
    category, which is a guess about the shop's own tree.
    """
    hard, soft, firm = _cues()
    hard_at, soft_at = _cues_at(hard, text, mentions), _cues_at(soft, text, mentions)
    breaks = (
        [m.start() for m in _CLAUSE_BREAK.finditer(text.low)] if soft_at or hard_at or firm.search(text.low) else []
    )
    firm_at = _cues_at(firm, text, mentions)
    whole = any(
        text.low[start:end].startswith(("nothing else", "or nothing", "no substitute")) for start, end in firm_at
    )
    for mention in mentions:
        sure = mention.source != "structured" and mention.attribute != "category"
        mention.firm = sure and bool(firm_at) and (whole or _in_clause(mention, firm_at, breaks))
        if mention.strength is not None:
            continue
        if mention.polarity == "negative" or (asked is not None and asked in (mention.attribute, mention.detail)):
            mention.strength = "hard"
        elif _in_clause(mention, soft_at, breaks):
            mention.strength = "soft"
        elif mention.attribute == "category" and mention.source == "lexicon":
            mention.strength = "hard" if _in_clause(mention, hard_at, breaks) and mention.confidence >= 0.75 else "soft"
        else:
            mention.strength = "hard"


def _cues_at(cues: Expressions, text: Text, mentions: list[Mention]) -> list[tuple[int, int]]:
    """Return where cues stand; one inside a value is a word of the value ("hand wash only")."""
    found = [match.span() for match in cues.finditer(text.low)]
    return [(start, end) for start, end in found if not any(m.start <= start and end <= m.end for m in mentions)]


def _in_clause(mention: Mention, cues: list[tuple[int, int]], breaks: list[int]) -> bool:
    return any(not _between(breaks, min(start, mention.start), max(end, mention.end)) for start, end in cues)


def _between(breaks: list[int], start: int, end: int) -> bool:
    return any(start < at < end for at in breaks)
