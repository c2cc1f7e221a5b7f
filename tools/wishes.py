"""Which clauses without a fact are wishes all the same, and which are talk about one's day.

Talk is no evidence: its words stay out of the retrieval query ("the dog ate my last pair").
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from tools.mentions import Claims, Mention
from tools.phrases import compile_phrases, is_spoken, load_table, pattern_of
from tools.words import Text, Word

Span = tuple[int, int]

_CLAUSE = re.compile(r"(?:[^.;!?\n,]|\.(?=\d)|,(?=\d))+")
_JOINT = re.compile(r"(?<!\w)(?:but|so|because|and (?=i\b|i'|we\b|my\b|it\b|the\b|now\b)|since|cause|cuz)(?!\w)")


@dataclass(slots=True)
class Clauses:
    """Spans of talk, and whether a clause holds words that nothing explains; `asked` when it asks for something."""

    talk: list[Span] = field(default_factory=list)
    wished: bool = False
    asked: bool = False


@cache
def _described() -> re.Pattern[str]:
    return compile_phrases(load_table("chatter")["descriptions"])


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    table = load_table("chatter")
    verbs = "|".join(sorted(set(table["verbs"].split()), key=len, reverse=True)).replace("'", "'?")
    acting = rf"(?:^|(?<=\s)){pattern_of(table['subjects'])}\s+(?:[\w'-]+\s+){{0,3}}?(?:{verbs}|\w{{3,}}ed)(?!\w)"
    contracted = r"(?:^|(?<=\s))(?:i'?m|we'?re|he'?s|she'?s|it'?s|they'?re|you'?re|there'?s|that'?s|i'?ve|we'?ve)\s"
    return (
        compile_phrases(table["wishes"]),
        re.compile(rf"{acting}|{contracted}"),
        re.compile(rf"^(?:(?:so|and|but|well|oh|hey|hi|yeah|ok|okay)\s+)*{pattern_of(table['phrases'])}$"),
    )


def read_clauses(text: Text, claims: Claims, mentions: list[Mention]) -> Clauses:
    """Return the clauses that are talk, and whether what is left unexplained asks for something."""
    found = Clauses()
    for start, end in _clauses(text.low):
        content = [w for w in text.words_between(start, end) if _is_content(w, claims)]
        stated = any(m.overlaps(start, end) for m in mentions)
        if not content or stated:
            continue
        words = text.low[start:end].strip()
        if is_talk(words):
            found.talk.append((start, end))
        else:
            found.wished = True
            # What follows "but" beside another move is how the thing should differ.
            differs = re.search(r"(?<!\w)(?:but|except|only)\s*$", text.low[:start]) is not None
            found.asked |= differs or _patterns()[0].search(words) is not None
    return found


def _clauses(low: str) -> list[Span]:
    spans = []
    for match in _CLAUSE.finditer(low):
        at = match.start()
        for joint in _JOINT.finditer(low, match.start(), match.end()):
            if low[at : joint.start()].strip():
                spans.append((at, joint.start()))
            at = joint.end()
        spans.append((at, match.end()))
    return spans


def _is_content(word: Word, claims: Claims) -> bool:
    return claims.free(word.start, word.end) and not is_spoken(word.low) and len(word.low) > 1


def is_talk(words: str) -> bool:
    """Return whether a clause without a fact, its words in lower case, tells of something instead of asking for it."""
    wish, acting, whole = _patterns()
    if whole.match(words):
        return True
    return acting.search(words) is not None and wish.search(words) is None and _described().match(words) is None
