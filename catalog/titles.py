"""What kind of thing a title names: the head noun, not the words around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from catalog.vocabulary import Mention, Term, broader_values, load_table, words

_CUT = re.compile(r"[,;:|()\[\]/•–—!]+|\s[-~*]+\s|\s-|\.\s")

_AFTER_HEAD = frozenset(
    {"for", "with", "in", "to", "on", "of", "from", "w", "by", "as", "fits", "compatible", "against"}
)
"""Words after which a title speaks of something else: "charm for bracelets", "dress with belt"."""

_JOINING = frozenset({"and", "plus", "n"})
_DETERMINERS = frozenset(
    {"pack", "set", "pair", "pairs", "packs", "lot", "box", "piece", "pieces", "bundle", "made", "pcs"}
)


class Segment(NamedTuple):
    """A part of a title between punctuation: its text, its words and what was found in them."""

    text: str
    words: list[str]
    mentions: list[Mention]


def cut_title(title: str) -> list[str]:
    """Return the parts of a title between commas, brackets, bars, slashes and free-standing dashes."""
    return [part for part in _CUT.split(title) if part.strip()]


@lru_cache(maxsize=1)
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


def _head_end(segment: Segment, departments: frozenset[str]) -> int:
    """Return where the head of the segment stops: at "for", "with", "in" … unless a department or a pack follows."""
    found = segment.words
    for at, word in enumerate(found):
        if word not in _AFTER_HEAD or at == 0:
            continue
        following = found[at + 1] if at + 1 < len(found) else ""
        if word in ("for", "to", "in") and following in departments:
            continue
        if word == "of" and (found[at - 1] in _DETERMINERS or following.isdigit()):
            continue
        return at
    return len(found)


def _related(one: Term, other: Term) -> bool:
    families = _families()
    return bool(families.get(one.value, frozenset()) & families.get(other.value, frozenset()))


def _heads(segment: Segment, departments: frozenset[str], weak: bool) -> list[Term]:
    """Return the head type of a segment, and the others before it that are of its kind or joined by "and"."""
    end = _head_end(segment, departments)
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


def title_types(segments: list[Segment], departments: frozenset[str]) -> list[Term]:
    """Return the product types that a title names, head first.

    The first part with an unmistakable type decides; later parts add only types of the same kind. Words with other
    meanings ("ring", "top", "case") count where no part has an unmistakable one, else as a head that ends its part.

    Example: "Leather Strap for Watch" is a watch band or nothing, never a watch.
    """
    heads = list(_first_heads(segments, departments))
    if not heads:
        return []
    seen = {term.value: term for term in heads}
    for segment in segments:
        for term in _heads(segment, departments, weak=False):
            if any(_related(term, head) for head in heads):
                seen.setdefault(term.value, term)
    return list(seen.values())


def _first_heads(segments: list[Segment], departments: frozenset[str]) -> Iterator[Term]:
    for weak in (False, True):
        for segment in segments:
            if heads := _heads(segment, departments, weak):
                if weak or not (closing := _closing_weak(segment, departments)):
                    yield from heads
                else:
                    yield from closing
                    yield from (term for term in heads if any(_related(term, other) for other in closing))
                return


def _closing_weak(segment: Segment, departments: frozenset[str]) -> list[Term]:
    """Return the weak type that is the last word of the head: "watch battery" is a battery, "dress ring" a ring."""
    end = _head_end(segment, departments)
    return [item.term for item in _types(segment) if item.term.weak and item.end == end]


def words_of(surfaces: Iterable[str]) -> frozenset[str]:
    """Return the single words among surfaces."""
    return frozenset(cut[0] for surface in surfaces if len(cut := words(surface)) == 1)
