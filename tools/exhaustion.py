"""People who have nothing to say, or nothing more: "no clue, really", "see above", "that's the lot", "skip that one".

Read clause by clause: a phrase of one of the kinds in exhaustion.toml after a few words of hesitation, with nothing but
conversation after it. A shrug counts when all other clauses are small talk; the end of a wish and indifference also
count beside a fact ("black boots, that's all").
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cache

from tools.expressions import Expressions
from tools.mentions import Claims
from tools.phrases import compile_phrases, is_spoken, load_table, spoken_phrases, word_set
from tools.reading import Move
from tools.wishes import is_talk
from tools.words import Text, Word

OPEN = "other"
"""What the open question asks for: a shrug at no question in particular declines that one."""

_LONGEST = 16
"""Words of the longest clause that says nothing: more of them say something."""

_MOST = 12
"""Clauses that are read, the last ones of a message: who has nothing to say is short."""

_KINDS = ("final", "said", "unknowing", "indifferent", "impatient", "refusing")
_ANSWERS = frozenset({"impatient", "refusing"})
"""Kinds that mean this only as the answer to a question."""

_PIECE = re.compile(r"(?:[^.,;:!?\n()\u2026\u2013\u2014-]|(?<=\w)[-.,:'](?=\w))+")
_JOINT = re.compile(
    r"(?<!\w)(?:but|except|so|because|cause|cos|cuz|though|and(?=\s+(?:i|i'm|you|that|that's|this|it|it's|we|just|no|don't)\s))(?!\w)"
)
_SENTENCE_END = re.compile(r"[.!?\n]")


@dataclass(frozen=True, slots=True)
class Exhaustion:
    """What is declined: `stated` also beside a fact, `shrug` only in a message that says nothing else."""

    stated: list[Move] = field(default_factory=list)
    shrug: Move | None = None


@dataclass(frozen=True, slots=True)
class _Piece:
    """Words of a clause; `marked` in a question, `excepted` before a "but", `joined` when cut from the one before."""

    words: list[Word]
    marked: bool
    excepted: bool
    joined: bool

    @property
    def span(self) -> tuple[int, int]:
        return self.words[0].start, self.words[-1].end


@cache
def _phrases(kind: str) -> Expressions:
    after = "|".join(re.escape(word) for word in sorted(_afterwards(), key=len, reverse=True))
    return spoken_phrases(
        load_table("exhaustion")[kind]["phrases"], after=rf"(?![\w'-])(?:\W+(?:{after})(?![\w'-]))*\W*"
    )


@cache
def _rhetorical() -> Expressions:
    return compile_phrases(load_table("exhaustion")["rhetorical"])


@cache
def _predicates() -> Expressions:
    return compile_phrases(load_table("exhaustion")["predicates"])


@cache
def _hesitation() -> frozenset[str]:
    return word_set("exhaustion", "lead")


@cache
def _idle() -> frozenset[str]:
    return _hesitation() | _afterwards()


@cache
def _afterwards() -> frozenset[str]:
    return word_set("exhaustion", "tail")


def read_exhaustion(text: Text, claims: Claims, asked: str | None) -> Exhaustion:
    """Return what a message declines by having nothing to say, and claim the words that say so.

    `asked` is the attribute that the message may be answering; without one a shrug declines the open question.
    """
    found, rest = [], []
    pieces = _pieces(text)
    for piece in pieces[-_MOST:]:
        kind = _kind(text, piece, asked) if claims.free(*piece.span) else None
        if kind is None:
            rest.append(piece)
        else:
            found.append((kind, piece))
    alone = len(pieces) <= _MOST and all(_says_nothing(text, claims, piece) for piece in rest)
    kinds = [kind for kind, piece in found if alone or not piece.excepted]
    if not kinds:
        dodged = asked is not None and alone and _dodges(text, claims, rest)
        return Exhaustion(shrug=_decline(str(asked))) if dodged else Exhaustion()
    idle = [piece for piece in rest if all(word.low in _idle() for word in piece.words)]
    for piece in [*(piece for _, piece in found if alone or not piece.excepted), *idle]:
        if claims.free(*piece.span):
            claims.take(*piece.span)
    if "final" in kinds:
        return Exhaustion(stated=[_decline("all")])
    if "indifferent" in kinds and (alone or not any(piece.marked for piece in rest)):
        return Exhaustion(stated=[_decline(asked or "all")])
    if alone:
        return Exhaustion(shrug=_decline("all" if kinds[0] == "impatient" else asked or OPEN))
    return Exhaustion()


def _dodges(text: Text, claims: Claims, pieces: list[_Piece]) -> bool:
    """Return whether an answer has no word of its own, and one that declines ("you know better than I do")."""
    own = any(_content(piece) or piece.marked or not claims.free(*piece.span) for piece in pieces)
    return not own and not word_set("exhaustion", "hints").isdisjoint(word.low for word in text.words)


def refuses(words: str) -> bool:
    """Return whether a clause, said in answer to a question, refuses that question ("skip that")."""
    return _phrases("refusing").fullmatch(words) is not None


def _decline(attribute: str) -> Move:
    return Move(act="no_preference", attribute=attribute)


def _pieces(text: Text) -> list[_Piece]:
    """Return the clauses, also cut where one is joined to the next ("no idea but black")."""
    found = []
    ends = [match.start() for match in _SENTENCE_END.finditer(text.low)]
    for match in _PIECE.finditer(text.low):
        closing = bisect_left(ends, match.end())
        marked = closing < len(ends) and text.low[ends[closing]] == "?"
        at, joined = match.start(), False
        for joint in _JOINT.finditer(text.low, match.start(), match.end()):
            excepted = joint.group() in ("but", "except")
            found.append(_Piece(text.words_between(at, joint.start()), marked, excepted, joined))
            at, joined = joint.end(), True
        found.append(_Piece(text.words_between(at, match.end()), marked, excepted=False, joined=joined))
    return [piece for piece in found if piece.words]


def _kind(text: Text, piece: _Piece, asked: str | None) -> str | None:
    """Return how a clause says nothing, None when it says something."""
    if len(piece.words) > _LONGEST:
        return None
    begin, end = piece.span
    if piece.joined and _predicates().match(text.low, begin, end):
        return None
    for word in piece.words:
        for kind in _KINDS:
            if kind in _ANSWERS and asked is None:
                continue
            if _phrases(kind).fullmatch(text.low, word.start, end):
                # A question wants to know something, unless it is one that nobody answers ("how should I know?").
                shrugs = not piece.marked or (asked is not None and kind != "final")
                return kind if shrugs or _rhetorical().match(text.low, word.start, end) else None
        if word.low not in _hesitation():
            return None
    return None


def _content(piece: _Piece) -> list[Word]:
    return [w for w in piece.words if not (is_spoken(w.low) or w.low in _idle() or len(w.low) == 1)]


def _says_nothing(text: Text, claims: Claims, piece: _Piece) -> bool:
    content = _content(piece)
    if any(claims.free(word.start, word.end) for word in content):
        return not any(word.low[0].isdigit() for word in content) and is_talk(text.low[piece.span[0] : piece.span[1]])
    return not piece.marked
