"""What kind of thing a title names: the head noun, not the words around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from catalog.vocabulary import Mention, Term, broader_values, load_table, word_lists, words

_AND = re.compile(r"\s[&+]\s")
_MEASURED = re.compile(r"[0-9][0-9.]*(?:gb|mb|tb|mm|cm|ft|m|w|v|va|mah|ghz|mhz|dpi|in)?$")
_CUT = re.compile(r"[,;:|()\[\]/•–—!]+|\s[-~*]+\s|\s-|\.\s")

_CONTEXT = word_lists("context")
_TURNING, _JOINING, _PORTIONS = _CONTEXT["turning"], _CONTEXT["joining"], _CONTEXT["portion"]
_NOT_TURNING_BEFORE_DEPARTMENT = frozenset({"for", "to", "in"})
"""Words after which a department may stand without a turn: "tops for women blouse"."""


class Segment(NamedTuple):
    """A part of a title between punctuation: its words and what was found in them."""

    words: list[str]
    mentions: list[Mention]

    @property
    def aside(self) -> int:
        """Where an addition begins ("with pockets", "for running"): what follows is not the product's own."""
        return _turn(self, _CONTEXT["aside"])


def cut_title(title: str) -> list[str]:
    """Return the parts of a title between commas, brackets, bars, slashes and free-standing dashes."""
    return [part for part in _CUT.split(_AND.sub(" and ", title)) if part.strip()]


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


class _Found(NamedTuple):
    start: int
    end: int
    term: Term


def _types(segment: Segment) -> list[_Found]:
    return [
        _Found(mention.start, mention.end, term)
        for mention in segment.mentions
        for term in mention.terms
        if term.key == "category"
    ]


def _turn(segment: Segment, turning: frozenset[str]) -> int:
    """Return the place of the first turning word that no department, number of pieces or longer phrase takes up."""
    found = segment.words
    inside = {at for mention in segment.mentions for at in range(mention.start, mention.end)}
    for at, word in enumerate(found):
        if word not in turning or at == 0 or at in inside:
            continue
        following = found[at + 1] if at + 1 < len(found) else ""
        if word in _NOT_TURNING_BEFORE_DEPARTMENT and following in _department_words():
            continue
        if word == "of" and (found[at - 1] in _PORTIONS or following.isdigit()):
            continue
        return at
    return len(found)


def _head_end(segment: Segment) -> int:
    """Return where the head of the segment stops: at a turning word, or at measures after a type ("server 16 GB")."""
    end = _turn(segment, _TURNING)
    first = next((item.end for item in _types(segment)), end)
    found = segment.words
    for at in range(first, end):
        if _MEASURED.match(found[at]):
            following = found[at + 1] if at + 1 < len(found) else ""
            if following in _CONTEXT["measure"] or not found[at].replace(".", "").isdigit():
                return at
    return end


def _related(one: Term, other: Term) -> bool:
    families = _families()
    return bool(families.get(one.value, frozenset()) & families.get(other.value, frozenset()))


def _heads(segment: Segment, weak: bool) -> list[Term]:
    """Return the head type of a segment, and the others before it that are of its kind or joined by "and"."""
    end = _head_end(segment)
    found = [item for item in _types(segment) if item.start < end and (weak or not item.term.weak)]
    if not found:
        return []
    head = found[-1]
    chosen = [item.term for item in found if item.end == head.end]
    for at, item in enumerate(found[:-1]):
        following = found[at + 1]
        joined = segment.words[item.end : following.start]
        together = len(joined) <= 3 and any(word in _JOINING for word in joined)
        if together or _related(item.term, head.term):
            chosen.append(item.term)
    return chosen


def title_types(segments: list[Segment]) -> list[Term]:
    """Return the product types that a title names, head first.

    The first part with an unmistakable type decides; later parts add only types of the same kind. Words with other
    meanings ("ring", "top", "case") count where no part has an unmistakable one, else as a head that ends its part.

    Example: "Leather Strap for Watch" is a watch band or nothing, never a watch.
    """
    heads = list(_first_heads(segments))
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


def _closing_weak(segment: Segment) -> list[Term]:
    """Return the weak type that is the last word of the head: "watch battery" is a battery, "dress ring" a ring."""
    end = _head_end(segment)
    return [item.term for item in _types(segment) if item.term.weak and item.end == end]
