"""What kind of thing a title names: the head noun, not the words around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from catalog.vocabulary import Mention, Term, broader_values, load_table, plain, word_lists, words

_INCHES = re.compile(r"(?<=[0-9])\"")
_WORD = re.compile(r"[0-9]+(?:\.[0-9]+)+|[^\W_]+|(?<= )[&+](?= )")
_MEASURED = re.compile(r"[0-9][0-9.]*(?:gb|mb|tb|mm|cm|ft|m|w|v|va|mah|ghz|mhz|dpi|in)?$")
_CUT = re.compile(r"[,;:|()\[\]/•–—!]+|\s[-~*]+\s|\s-|\.\s")

_CONTEXT = word_lists("context")
_TURNING, _JOINING = _CONTEXT["turning"], _CONTEXT["joining"]
_ASIDE = _CONTEXT["aside"]
_SETS = frozenset({"set", "sets"})
_NOT_TURNING_BEFORE_DEPARTMENT = frozenset({"for", "to", "in"})
"""Words after which a department may stand without a turn: "tops for women blouse"."""


class Found(NamedTuple):
    """A product type and its place in the words of a segment."""

    start: int
    end: int
    term: Term


class Segment(NamedTuple):
    """A part of a title between punctuation: its words, what was found in them, and where its own things end.

    `head_end` is where the head stops ("charm for bracelets": at "for"), `aside` where an addition begins ("with
    pockets").
    """

    words: list[str]
    mentions: list[Mention]
    types: list[Found]
    head_end: int
    aside: int


def read_segment(cut: list[str], mentions: list[Mention]) -> Segment:
    """Return the segment of these words and mentions."""
    types = [
        Found(mention.start, mention.end, term)
        for mention in mentions
        for term in mention.terms
        if term.key == "category"
    ]
    if _TURNING.isdisjoint(cut):
        turn = aside = len(cut)
    else:
        turn, aside = _turn(cut, mentions, _TURNING), _turn(cut, mentions, _ASIDE)
    return Segment(cut, mentions, types, _measured_end(cut, types, turn), aside)


def cut_title(title: str) -> list[list[str]]:
    """Return the words of each part of a title between commas, brackets, bars, slashes and free-standing dashes.

    Example: `cut_title("Tee & Shorts (Navy)")` is `[["tee", "and", "shorts"], ["navy"]]`.
    """
    text = plain(_INCHES.sub(" inch ", title) if '"' in title else title)
    cuts = (_WORD.findall(part) for part in _CUT.split(text))
    return [["and" if word in ("&", "+") else word for word in cut] for cut in cuts if cut]


@cache
def _department_words() -> frozenset[str]:
    rows = load_table("departments")
    return frozenset(words(surface)[0] for row in rows for surface in (row.value, *row.surfaces))


@cache
def _families() -> dict[str, frozenset[str]]:
    """Return for each type the broadest types it belongs to (itself when it has none)."""
    closed = broader_values("types")
    tops = {row.value for row in load_table("types") if not row.broader}
    return {
        value: frozenset(parent for parent in (value, *parents) if parent in tops) for value, parents in closed.items()
    }


def _turn(cut: list[str], mentions: list[Mention], turning: frozenset[str]) -> int:
    """Return the place of the first turning word that no department, number of inches or longer phrase takes up."""
    for at, word in enumerate(cut):
        if word not in turning or at == 0 or any(mention.start <= at < mention.end for mention in mentions):
            continue
        following = cut[at + 1] if at + 1 < len(cut) else ""
        if word in _NOT_TURNING_BEFORE_DEPARTMENT and following in _department_words():
            continue
        if word == "in" and cut[at - 1].isdigit():
            continue
        return at
    return len(cut)


def _measured_end(cut: list[str], types: list[Found], end: int) -> int:
    """Return where measures follow the first type ("server 16 GB": at 16), else `end`."""
    for at in range(types[0].end, end) if types else ():
        if cut[at][:1].isdigit() and _MEASURED.match(cut[at]):
            following = cut[at + 1] if at + 1 < len(cut) else ""
            if following in _CONTEXT["measure"] or not cut[at].replace(".", "").isdigit():
                return at
    return end


def _related(one: Term, other: Term) -> bool:
    families = _families()
    return bool(families.get(one.value, frozenset()) & families.get(other.value, frozenset()))


def _heads(segment: Segment, weak: bool) -> list[Term]:
    """Return the head type of a segment, and the others before it that are of its kind or joined by "and"."""
    found = [item for item in segment.types if item.start < segment.head_end and (weak or not item.term.weak)]
    if not found:
        return []
    head = found[-1]
    chosen = [item.term for item in found if item.end == head.end]
    for at, item in enumerate(found[:-1]):
        following = found[at + 1]
        joined = segment.words[item.end : following.start]
        together = len(joined) <= 3 and any(word in _JOINING for word in joined)
        if together or _related(item.term, head.term) or not _SETS.isdisjoint(segment.words[item.start : item.end]):
            chosen.append(item.term)
    return chosen


def title_types(segments: list[Segment], stated: frozenset[str] = frozenset()) -> list[Term]:
    """Return the product types that a title names, head first; `stated` are the types that the path gives.

    The first part with an unmistakable type decides; later parts add only types of the same kind. Words with other
    meanings ("ring", "top", "case") count where no part has an unmistakable one, else as a head that ends its part.

    Example: "Leather Strap for Watch" is a watch band or nothing, never a watch.
    """
    heads = list(_first_heads(segments)) or _late_heads(segments)
    if stated and all(term.weak for term in heads):
        # "King Top FG" on the shelf of shoes is no top.
        families = frozenset[str]().union(*(_families().get(value, frozenset()) for value in stated))
        heads = [term for term in heads if not families or families & _families().get(term.value, frozenset())]
    if not heads:
        return []
    seen = {term.value: term for term in heads}
    for segment in segments:
        for term in _heads(segment, weak=False):
            if any(_related(term, head) for head in heads):
                seen.setdefault(term.value, term)
    return list(seen.values())


def _first_heads(segments: list[Segment]) -> Iterator[Term]:
    for weak in (False, True):
        for segment in segments:
            if heads := _heads(segment, weak):
                if weak or not (closing := _closing_weak(segment)):
                    yield from heads
                else:
                    yield from closing
                    yield from (term for term in heads if any(_related(term, other) for other in closing))
                return


def _late_heads(segments: list[Segment]) -> list[Term]:
    """Return the last sure type that stands after a soft turn: "Sorry To Be Late T-Shirt", never "Cream for Shoes"."""
    for segment in segments:
        if late := [item.term for item in segment.types if item.start < segment.aside and not item.term.weak]:
            return late[-1:]
    return []


def _closing_weak(segment: Segment) -> list[Term]:
    """Return the weak type that is the last word of the head: "watch battery" is a battery, "dress ring" a ring."""
    return [item.term for item in segment.types if item.term.weak and item.end == segment.head_end]
