"""Which clauses without a fact are wishes all the same, and which are talk about one's day.

Talk is no evidence: its words stay out of the retrieval query ("the dog ate my last pair"), and so do the facts that
nothing but talk holds ("the kids are asleep").
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from tools.expressions import Expressions, expression
from tools.mentions import Claims, Mention
from tools.phrases import compile_phrases, is_spoken, load_table, pattern_of, word_set
from tools.words import Text, Word

Span = tuple[int, int]

_CLAUSE = re.compile(r"(?:[^.;!?\n,]|\.(?=\d)|,(?=\d))+")
_SUBJECT = r"(?=\s+(?:i|i'?m|i'?ve|we|we're|he|she|they|you|it|it's|my|our|his|her|their|the|that|this|now|there)\s)"
_SO = r"(?<!is.)(?<!'s.)(?<!are.)(?<!was.)(?<!'m.)(?<!'re.)(?<!am.)(?<!not.)so"
_JOINT = re.compile(rf"(?<!\w)(?:but|{_SO}|because|cause|cuz|(?:and|since){_SUBJECT})(?!\w)")
_JOINING = r"(?:that|which|who|whose|with|where|to)(?![\w'-])"
_CONTRACTED = r"(?:i'?m|we'?re|he'?s|she'?s|it'?s|they'?re|you'?re|there'?s|that'?s|i'?ve|we'?ve)\s"
_LONGEST_REASON = 2
"""Words of an aside that says why somebody is away: "brb, parcel"."""

_EVERYDAY = frozenset({"department", "theme", "model", "feature", "use_case", "style", "season", "occasion"})
"""Attributes whose values also are words of everyday life; a colour, a material, a brand or a number is a wish."""


@dataclass(slots=True)
class Clauses:
    """Spans of talk, and whether a clause holds words that nothing explains; `asked` when it asks for something.

    `untold` are the facts that only talk holds.
    """

    talk: list[Span] = field(default_factory=list)
    wished: bool = False
    asked: bool = False
    untold: list[Mention] = field(default_factory=list)


@cache
def _pattern(key: str) -> Expressions:
    return compile_phrases(load_table("chatter")[key])


@cache
def _told(key: str) -> Expressions:
    return compile_phrases(load_table("chatter")["told"][key])


@cache
def _lead() -> str:
    return rf"^(?:(?:{'|'.join(load_table('chatter')['lead'].split())})\s+)*"


@cache
def _acting() -> Expressions:
    table = load_table("chatter")
    verbs = "|".join(sorted(set(table["verbs"].split()), key=len, reverse=True)).replace("'", "'?")
    liking = rf"(?:{pattern_of(table['told']['adverbs'])}\s+)?{pattern_of(table['liking'])}(?!\w)"
    somebody = rf"{pattern_of(table['subjects'])}\s+(?!{liking})(?:(?!{_JOINING})[\w'-]+\s+){{0,3}}?(?:{verbs})(?!\w)"
    return expression(rf"{_lead()}(?:{somebody}|{_CONTRACTED})")


@cache
def _whole() -> Expressions:
    return expression(rf"{_lead()}{pattern_of(load_table('chatter')['phrases'])}$")


@cache
def _tale() -> Expressions:
    """Return the pattern of what is told for certain, at the start of a clause."""
    table = load_table("chatter")["told"]
    did, done, now = ("|".join(re.escape(word) for word in table[key].split()) for key in ("did", "done", "now"))
    few = rf"(?:{pattern_of(table['adverbs'])}\s+){{0,3}}"
    # "I did mean" and "I did want one" put stress on a wish.
    told = rf"{few}(?:{did})(?!(?<=did)\s+{pattern_of(table['stressed'])}(?!\w))"
    been = rf"(?:has|have|had|'ve|'d|'s)\s+{few}(?:{done})"
    state = rf"(?:{now}|{pattern_of(table['places'])})"
    be = r"(?:\s+(?:is|are|was|were|am|keeps?|kept|won'?t stop|has been|have been)|'s|'m|'re)"
    being = rf"(?:{be}\s+{few}{state}|\s+(?:keeps?|kept|won'?t stop)\s+\w{{3,}}ing)"
    somebody = rf"{pattern_of(table['who'])}(?!\w)\s*(?:{told}|{been}|{being})"
    alone = "|".join(pattern_of(table[key]) for key in ("openings", "weather", "chats"))
    return expression(rf"{_lead()}(?:{somebody}|{alone})(?!\w)")


@cache
def _aside() -> Expressions:
    """Return the pattern of clauses that ask for nothing: whatever somebody does, the day, a question to the shop."""
    table = load_table("chatter")
    few = rf"(?:{pattern_of(table['told']['adverbs'])}\s+)"
    liking = rf"{pattern_of(table['liking'])}(?!\w)"
    somebody = rf"(?:i|we|he|she|they|you|(?:some|every|no)(?:one|body))\s+{few}{{0,2}}(?!{liking}|{few})[a-z']{{2,}}"
    own = rf"(?:my|our|his|her|their)\s+[\w'-]+\s+(?:[\w'-]+\s+)?{few}?(?:\w{{3,}}ed|\w+n't)"
    thing = "it|they|that|this|these|those|ones?|which|what|there|who|where|how|something|anything|all|some"
    thing += "|is|are|was|were|has|have|had|does|do|did|can|not|no|and|with|more|less|the|an?"
    verb = "'s|'re|'ll|\\s+(?:is|are|was|were|has|had|have|will|won't|keeps?|can't|doesn't|don't|didn't|isn't|aren't)"
    judged = rf"{pattern_of(table['judged'])}(?!\w)"
    bare = rf"(?!(?:{thing})(?![\w-]))[a-z][\w-]+(?:\s+[\w-]+)?(?:{verb})\s+(?!{judged})\w"
    begun = pattern_of(table["told"]["begun"])
    small = rf"{few}*{begun}(?!\w)|{pattern_of(table['small_questions'])}(?!\w)|{pattern_of(table['fragments'])}$"
    return expression(rf"{_lead()}(?:{somebody}|{own}|{bare}|{small})")


@cache
def _craving() -> Expressions:
    return expression(rf"(?<!\w){pattern_of(load_table('chatter')['told']['cravings'])}\W*$")


def read_clauses(text: Text, claims: Claims, mentions: list[Mention], asked: str | None = None) -> Clauses:
    """Return the clauses that are talk, and whether what is left unexplained asks for something.

    A fact of talk stays when another clause asks for something, or when it answers what was `asked`.
    """
    found = Clauses()
    tales: list[Span] = []
    untold: list[Mention] = []
    stands = away = False
    for start, end in _clauses(text.low):
        content = [w for w in text.words_between(start, end) if _is_content(w, claims)]
        stated = [m for m in mentions if m.overlaps(start, end)]
        words = text.low[start:end].strip()
        if not (content or stated):
            stands |= _pattern("requests").search(words) is not None
            continue
        reason = away and len(words.split()) <= _LONGEST_REASON and not _asks(words)
        away = away or _pattern("away").match(words) is not None
        if stated and (reason or tells(words)) and all(_is_aside(m, text, words, asked) for m in stated):
            tales.append((start, end))
            untold += stated
        elif stated:
            stands = True
        elif (reason or is_talk(words)) and not _points(text, claims, start, end):
            found.talk.append((start, end))
        else:
            found.wished = True
            # What follows "but" beside another move is how the thing should differ.
            differs = re.search(r"(?<!\w)(?:but|except|only)\s*$", text.low[:start]) is not None
            found.asked |= differs or _asks(words)
    if untold and not (stands or found.wished):
        found.talk += tales
        found.untold = untold
    return found


def is_talk(words: str) -> bool:
    """Return whether a clause without a fact, its words in lower case, tells of something instead of asking for it."""
    words = words[match.end() :].lstrip() if (match := _pattern("saying").match(words)) else words
    if tells(words):
        return True
    if _asks(words):
        return _whole().match(words) is not None and _pattern("requests").search(words) is None
    if _pattern("descriptions").match(words):
        return _whole().match(words) is not None
    if _whole().match(words) or _aside().match(words) or re.fullmatch(_lead()[1:], f"{words} "):
        return True
    return _acting().match(words) is not None


def tells(words: str) -> bool:
    """Return whether a clause tells what happened or happens now, for certain: no plan, no habit, no request."""
    if _craving().search(words):
        return True
    if _pattern("requests").search(words) or _told("plans").search(words):
        return False
    return _whole().match(words) is not None or _tale().match(words) is not None


def _asks(words: str) -> bool:
    return _pattern("requests").search(words) is not None or _pattern("wishes").search(words) is not None


def _is_aside(mention: Mention, text: Text, words: str, asked: str | None) -> bool:
    """Return whether a fact may be a word of everyday life: "watch", "coffee", "my daughter"."""
    if mention.free:
        return True
    answers = asked is not None and asked in (mention.attribute, mention.detail)
    if answers or mention.polarity == "negative" or mention.replaces:
        return False
    said = text.low[mention.start : mention.end]
    if said in load_table("chatter")["told"]["did"].split():
        return True
    if mention.attribute in ("color", "material"):
        verb = said == mention.value and text.low[: mention.start].endswith("to ")
        return verb or said in word_set("chatter", "things")
    if mention.attribute == "category":
        return not _told("harm").search(words)
    return mention.attribute in _EVERYDAY


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


def _points(text: Text, claims: Claims, start: int, end: int) -> bool:
    """Return whether a clause without a fact has words that are explained: it speaks of a product shown."""
    words = text.words_between(start, end)
    return any(not claims.free(word.start, word.end) and not is_spoken(word.low) for word in words)


def _is_content(word: Word, claims: Claims) -> bool:
    return claims.free(word.start, word.end) and not is_spoken(word.low) and len(word.low) > 1
