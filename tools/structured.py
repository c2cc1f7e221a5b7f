"""The documented structured form, which shoppers' tools and a translation layer write as well as people.

A frame is a short head that ends in a colon and announces a value or a list of values joined by "; ":
`A key requirement is: color: navy.`, `I do not want material: suede.`, `For that, what matters is: Zipper closure; 100%
Cotton`. A bare `key: value` line is a fact of its own. The general shape is read, no particular sentence.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from functools import cache

from catalog.constraint import Polarity
from catalog.lexicon import Lexicon
from catalog.text import tokens
from tools.expressions import Expressions
from tools.mentions import Mention
from tools.move_phrases import pattern
from tools.phrases import attribute_named, compile_phrases, conversation_words, is_spoken, load_table
from tools.values import LONGEST_VALUE, free_text, reading_for, value_of, whole_value

_HEAD = re.compile(r"(?:^|(?<=[.!?;,\n]\s)|(?<=\n)|(?<=[.!?]))[ \t]*(?P<head>[^:.!?;\n]{1,90}?)\s?:(?=\s|$)[ \t]*")
_STRIP = " -;,.\t\n\r"
_WORD = re.compile(r"[\w'()+&/-]+")
_SENTENCE = re.compile(
    r"(?:could|can|would|will|do|are|have) (?:you|i|we)(?!\w)|i (?:want|need|am|would)(?!\w)|show me|please "
)
"""What begins so is a sentence of its own, not a value: "one more request: could you show me ..."."""

_LONGEST_KEY = 4
"""Words of the longest key of a bare `key: value` line that is no known attribute ("Care instructions")."""


@dataclass(frozen=True, slots=True)
class _Head:
    start: int
    end: int
    framed: bool
    polarity: Polarity = "positive"
    soft: bool = False
    attribute: str | None = None
    detail: str | None = None
    key_start: int = 0


@dataclass(slots=True)
class Structured:
    """What the structured form says: the mentions, and the frames (`[start, end)`) that announced them."""

    mentions: list[Mention] = field(default_factory=list)
    frames: list[tuple[int, int]] = field(default_factory=list)


def read_structured(raw: str, low: str, lexicon: Lexicon) -> Structured:
    """Return the facts stated in structured form, with their frames.

    Free text of any kind (a whole product feature with its own colons and semicolons, possibly cut short)
    survives as `feature contains <verbatim text>`.
    """
    found = Structured()
    if ":" not in low:
        return found
    heads = _heads(low)
    for index, head in enumerate(heads):
        limit = heads[index + 1].start if index + 1 < len(heads) else len(low)
        mentions = _values(raw, low, head, limit, lexicon)
        if mentions:
            found.mentions += mentions
            found.frames.append((head.start, head.end if head.framed or head.attribute else head.start))
            found.frames += [_key_before(low, head, mention) for mention in mentions]
    return found


def _key_before(low: str, head: _Head, mention: Mention) -> tuple[int, int]:
    """Return the key between the list's last cut and a value: it names an attribute and retrieves nothing."""
    start = max(low.rfind("; ", head.start, mention.start) + 1, head.start)
    return (mention.start, mention.start) if mention.free and mention.attribute == "feature" else (start, mention.start)


def _heads(low: str) -> list[_Head]:
    """Return the frames and keys that open a value; one inside a framed value opens nothing unless it is a frame."""
    heads: list[_Head] = []
    for match in _HEAD.finditer(low):
        if _SENTENCE.match(low, match.end()):
            continue
        head = _classify(low, match.start("head"), match["head"], match.end())
        if head is None and "," in match["head"]:
            after = match["head"].rindex(",") + 1
            head = _classify(low, match.start("head") + after, match["head"][after:], match.end())
        if head is None:
            continue
        open_line = bool(heads) and "\n" not in low[heads[-1].end : head.start]
        if open_line and not head.framed and (heads[-1].framed or head.attribute is None):
            continue
        heads.append(head)
    return heads


@cache
def _cues() -> tuple[frozenset[str], frozenset[str], frozenset[str], Expressions]:
    table = load_table("frames")
    positive = frozenset(table["positive"]["cues"])
    refusing = " ".join(table["negative"]["cues"]).split()
    known = positive | frozenset(table["positive"]["words"]) | frozenset(refusing) | conversation_words()
    return positive, known, frozenset(table["soft"]["cues"]), compile_phrases(table["negative"]["cues"])


def _classify(low: str, start: int, text: str, end: int) -> _Head | None:
    start += len(text) - len(text.lstrip())
    text = text.strip()
    words = _WORD.findall(text)
    named = _trailing_name(text)
    lead = _WORD.findall(text[: named[0]]) if named else words
    positive, known, soft, negative = _cues()
    plain = [word.replace("'", "") for word in lead]
    cued = any(word in positive for word in lead) or bool(negative.search(text[: named[0]] if named else text))
    framed = cued and all(word in known or a in known for word, a in zip(lead, plain, strict=True))
    polarity: Polarity = "negative" if framed and negative.search(text[: named[0]] if named else text) else "positive"
    if named and (framed or all(word in known or a in known for word, a in zip(lead, plain, strict=True))):
        attribute, detail = named[1]
        return _Head(start, end, framed, polarity, bool(soft & set(lead)), attribute, detail, start + named[0])
    if framed:
        return _Head(start, end, True, polarity, bool(soft & set(lead)))
    keyed = 1 <= len(words) <= _LONGEST_KEY and "," not in text and not set(plain) <= known
    speaks = text in _comparatives() or pattern("reset").search(text) is not None
    if keyed and _opens_line(low, start) and any(map(str.isalpha, text)) and not speaks:
        return _Head(start, end, False)
    return None


@cache
def _comparatives() -> frozenset[str]:
    return frozenset(load_table("comparatives")["qualities"])


def _opens_line(low: str, start: int) -> bool:
    before = low[:start].rstrip(" \t")
    return not before or before.endswith("\n")


def _trailing_name(text: str) -> tuple[int, tuple[str, str | None]] | None:
    """Return where the longest attribute name that ends the text starts, and what it names."""
    words = list(_WORD.finditer(text))
    for count in range(min(4, len(words)), 0, -1):
        start = words[-count].start()
        named = attribute_named(text[start:])
        if named:
            return start, named
    return None


def _values(raw: str, low: str, head: _Head, limit: int, lexicon: Lexicon) -> list[Mention]:
    line_end = low.find("\n", head.end)
    end = min(limit, line_end if line_end >= 0 else len(low))
    mentions = []
    whole_line = not head.framed and head.attribute is None
    if whole_line:
        parts = [_strip(low, head.start, end)]
    elif head.attribute is not None:
        parts = [_keyed_value(low, head.end, end)]
    else:
        parts = _parts(raw, low, head, end, lexicon)
    for start, stop in parts:
        if start >= stop:
            continue
        mention = _value(raw, low, head, start, stop, lexicon)
        mention.polarity = head.polarity
        mention.source = "structured"
        if head.soft and mention.polarity == "positive":
            mention.strength = "soft"
        mentions.append(mention)
    return mentions


def _keyed_value(low: str, start: int, end: int) -> tuple[int, int]:
    """Return the value of a key: up to the end of its line, or to the first comma where people talk on."""
    start, end = _strip(low, start, end)
    if len(tokens(low[start:end])) > LONGEST_VALUE or any(is_spoken(w) for w in _WORD.findall(low[start:end])):
        cut = re.search(r"[,;.!?]\s", low[start:end])
        end = start + cut.start() if cut else end
    return _strip(low, start, end)


def _without_talk(raw: str, low: str, start: int, stop: int, head: _Head, lexicon: Lexicon) -> int:
    """Return where a keyed value ends that the sentence talks on behind: "color: black I think", "color: red please".

    Only behind the longest value that the catalog knows for the key: words of conversation, or a sentence that resumes.
    """
    resumes = load_table("frames")["resumes"]["words"]
    words = list(_WORD.finditer(low, start, stop))
    for count in range(min(len(words) - 1, LONGEST_VALUE), 0, -1):
        end = words[count - 1].end()
        known = reading_for(lexicon.readings(tokens(raw[start:end])), str(head.attribute), head.detail)
        if known is not None:
            talk = words[count].group() in resumes or all(is_spoken(word.group()) for word in words[count:])
            return end if talk else stop
    return stop


def _value(raw: str, low: str, head: _Head, start: int, stop: int, lexicon: Lexicon) -> Mention:
    if head.attribute is not None:
        stop = _without_talk(raw, low, start, stop, head, lexicon)
        mention = value_of(raw, start, stop, head.attribute, head.detail, lexicon)
        return mention or free_text(raw, head.key_start, stop)
    key, _, value = low[start:stop].partition(":")
    named = attribute_named(key) if value.startswith(" ") else None
    if named:
        at = start + len(key) + 1
        at += len(low[at:stop]) - len(low[at:stop].lstrip())
        mention = value_of(raw, at, stop, named[0], named[1], lexicon)
        return mention or free_text(raw, start, stop)
    return whole_value(raw, start, stop, lexicon) or free_text(raw, start, stop)


def _parts(raw: str, low: str, head: _Head, end: int, lexicon: Lexicon) -> list[tuple[int, int]]:
    """Cut a value list at "; ".

    A part in lower case continues the one before it unless it is a known value or `key: value`: catalog strings hold
    semicolons of their own ("Machine wash cold; tumble dry").
    """
    cuts = [head.end, *(m.end() for m in re.finditer(r";\s+", low[:end]) if m.end() > head.end), end]
    parts: list[tuple[int, int]] = []
    for start, stop in (_strip(low, a, b) for a, b in itertools.pairwise(cuts)):
        if start >= stop:
            continue
        goes_on = parts and raw[start].islower() and not _known(raw, start, stop, lexicon)
        if goes_on:
            parts[-1] = (parts[-1][0], stop)
        else:
            parts.append((start, stop))
    if len(parts) == 1 and head.attribute is None:
        return _listed(raw, low, parts[0], lexicon)
    return parts


def _listed(raw: str, low: str, part: tuple[int, int], lexicon: Lexicon) -> list[tuple[int, int]]:
    """Cut "black, leather, size 9" at its commas when each piece is a known value; keep any other text whole."""
    start, end = part
    cuts = [start, *(start + m.end() for m in re.finditer(r",\s+(?:and\s+)?", low[start:end])), end]
    if len(cuts) < 3:
        return [part]
    pieces = [_strip(low, a, b) for a, b in itertools.pairwise(cuts)]
    pieces = [(a, b - 4 if low[a:b].endswith(" and") else b) for a, b in pieces]
    if all(a < b and _known(raw, a, b, lexicon) for a, b in pieces):
        return pieces
    return [part]


def _known(raw: str, start: int, end: int, lexicon: Lexicon) -> bool:
    key, colon, _ = raw[start:end].partition(":")
    if colon and attribute_named(key):
        return True
    return whole_value(raw, start, end, lexicon) is not None


def _strip(low: str, start: int, end: int) -> tuple[int, int]:
    while start < end and low[start] in _STRIP:
        start += 1
    while end > start and low[end - 1] in _STRIP:
        end -= 1
    return start, end
