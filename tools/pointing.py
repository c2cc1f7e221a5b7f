"""Pointing at shown products: choosing one, asking about it, comparing, measuring against it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from catalog.product import Product
from tools.expressions import Expressions, expression
from tools.mentions import Claims, Mention
from tools.move_phrases import Clause, attribute_in, filled, matches, pattern
from tools.ordinals import ordinal_patterns, ordinals_in
from tools.phrases import compile_phrases, load_table, pattern_of
from tools.reading import Move
from tools.references import Earlier, Reference, References, find_references, named_references, resolve, takes
from tools.words import Text

Span = tuple[int, int]

_MOST_SHOWN = 10
"""Places on a list: a number above is no place."""

_DEFINITE_REACH = 60
"""Characters before a kind of thing in which its determiner may stand."""


_YOURS = re.compile(r"(?<!\w)your(?! (?:opinion|thoughts|view|take|recommendation))")
"""What the shop has ("your best wallets") is asked for, not about."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What a message is said in front of: the attribute asked for, the products shown, whether anything was said.

    `earlier` gives the products of the lists before, latest first.
    """

    asked: str | None = None
    shown: Sequence[Product] = ()
    underway: bool = False
    earlier: Earlier = tuple
    discussed: tuple[int, ...] = ()
    """Places of the products asked about last: "it" is one of them."""
    kinds: tuple[str, ...] = ()
    """Categories held: "the cheapest of those" is one of them."""


@dataclass(slots=True)
class Pointed:
    """What a message points at: the moves, the spans that ask or point, the places (start, end, 1-based ordinals).

    `standards` are the places that something is measured against ("than the first").
    """

    moves: list[Move] = field(default_factory=list)
    asking: list[Span] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    places: list[tuple[int, int, list[int]]] = field(default_factory=list)
    standards: list[int] = field(default_factory=list)


def read_pointing(text: Text, parts: list[Clause], claims: Claims, scene: Scene) -> Pointed:
    """Return what a message points at, asks about and compares."""
    found = Pointed()
    _numbered(text, claims, scene, found)
    references = References()
    if scene.underway:
        references = find_references(text, claims, scene.shown, parts=parts, kinds=scene.kinds, it=scene.discussed)
    compared = next((m for m in pattern("compare").finditer(text.low) if claims.free(m.start(), m.start() + 1)), None)
    asking = _asks(parts, claims, pointed=bool(found.places or references.found), marked="?" in text.low)
    if scene.shown and (compared or asking):
        spans = [(0, len(text.low))] if compared else [(start, end) for start, end, _ in asking]
        references.found += named_references(text, claims, spans, scene.shown, scene.earlier, references.found)
    found.spans += [(r.start, r.end) for r in references.found]
    found.places += [(r.start, r.end, list(r.ordinals)) for r in references.found]
    found.standards += [o for start, _, places in found.places if _is_standard(text.low, start) for o in places]
    references.found = [r for r in references.found if not _is_standard(text.low, r.start)]
    if references.cart:
        found.moves.append(Move(act="other"))
    if compared:
        claims.take(*compared.span())
        found.moves.append(Move(act="compare", ordinals=_compared(text, claims, scene, found)))
    else:
        _moves(text, asking, references, found)
    return found


def _numbered(text: Text, claims: Claims, scene: Scene, found: Pointed) -> None:
    count = len(scene.shown)
    for regex in ordinal_patterns():
        for match in matches(regex, text, claims):
            ordinals = [o if o > 0 or not count else count + o + 1 for o in ordinals_in(match.group())]
            found.places.append((*match.span(), ordinals))
            claims.take(match.start(), match.end())


def _compared(text: Text, claims: Claims, scene: Scene, found: Pointed) -> list[int]:
    ordinals = list(dict.fromkeys(o for _, _, places in found.places for o in places))
    return ordinals if len(ordinals) > 1 else ordinals + _bare_numbers(text, claims, len(scene.shown))


def _moves(text: Text, asking: list[Clause], references: References, found: Pointed) -> None:
    """Add the questions about products, and what is chosen or pointed at outside them."""
    found.asking += [(start, end) for start, end, _ in asking]
    places = [p for p in found.places if not _is_standard(text.low, p[0])]
    ordinals = list(dict.fromkeys(o for _, _, of in places for o in of))
    extreme = next((r.asked for r in references.found if r.asked), None)
    for _, _, words in asking[:1]:
        named = extreme or _attribute_asked(words)
        found.moves.append(
            Move(
                act="ask_info",
                ordinals=ordinals,
                products=references.products,
                attribute=named,
                leads=extreme is not None,
            )
        )
    outside = [p for p in places if not any(a <= p[0] < b for a, b in found.asking)]
    described = [r for r in references.found if r.described]
    if outside or described:
        taken = references.accepted or any(takes(text.low[:start]) for start, _, _ in outside)
        accepted = taken and not asking
        found.moves.append(
            Move(
                act="refer",
                ordinals=ordinals,
                products=[] if asking else references.products,
                attribute=extreme,
                accepted=accepted,
                leads=extreme is not None,
            )
        )


@cache
def _definite() -> Expressions:
    """Return a determiner and at most five describing words before a kind of thing; no superlative describes one."""
    table = load_table("references")
    the, other = pattern_of(table["determiners"]), pattern_of(table["not_definite"])
    return expression(rf"(?<!\w){the}\s+(?:(?!{other}(?!\w))[\w'/&-]+,?\s+){{0,5}}$")


def describe_shown(text: Text, mentions: Sequence[Mention], scene: Scene, pointed: Pointed) -> list[Move]:
    """Return the move of pointing at something shown by its kind: "the black coat", "those sleeveless dresses".

    Adds the spans to `pointed`. A description that fits nothing on screen is a wish and points at nothing.
    """
    if not scene.underway:
        return []
    found: list[Reference] = []
    for mention in mentions:
        if mention.key != "category" or any(start <= mention.start < end for start, end in pointed.spans):
            continue
        before = _definite().search(text.low, max(0, mention.start - _DEFINITE_REACH), mention.start)
        reference = resolve(text, before.start(), mention.end, scene.shown) if before else None
        if reference is not None and not any(start <= mention.start < end for start, end in pointed.asking):
            found.append(reference)
        if reference is not None:
            pointed.spans.append((reference.start, reference.end))
    if not found:
        return []
    ordinals = list(dict.fromkeys(o for reference in found for o in reference.ordinals))
    return (
        []
        if any(move.act in ("refer", "compare") for move in pointed.moves)
        else [Move(act="refer", ordinals=ordinals)]
    )


@cache
def _asked_names() -> dict[str, Expressions]:
    return {name: compile_phrases(phrases) for name, phrases in load_table("references")["asked"].items()}


def _attribute_asked(words: str) -> str | None:
    """Return the attribute that a question is about: "what is it made of" is material, "how much" the budget."""
    for name, regex in _asked_names().items():
        if regex.search(words):
            return name
    named = attribute_in(words)
    return (named[1] or named[0]) if named and named[0] != "other" else None


def _is_standard(low: str, start: int) -> bool:
    """Return whether a phrase is what something is measured against: "cheaper than the first one"."""
    return low[:start].rstrip().endswith("than")


def _bare_numbers(text: Text, claims: Claims, shown: int) -> list[int]:
    numbers = [w for w in text.words if w.low.isdigit() and len(w.low) < 4 and claims.free(w.start, w.end)]
    found = [int(word.low) for word in numbers if 1 <= int(word.low) <= max(shown, _MOST_SHOWN)]
    for word in numbers:
        claims.take(word.start, word.end)
    return found


def _asks(parts: list[Clause], claims: Claims, *, pointed: bool, marked: bool) -> list[Clause]:
    """Return the clauses that ask about a product: a question word before a pointing, or "is it", "does this"."""
    found = []
    for start, end, words in parts:
        match = _asking("ask").search(words) or (marked and _asking("ask_marked").match(words))
        match = match or (pointed and not _asking("request").match(words) and pattern("refer", "ask").match(words))
        if match and claims.free(start + match.start(), start + match.start() + 1) and not _YOURS.search(words):
            found.append((start + match.start(), end, words[match.start() :]))
    return found


@cache
def _asking(key: str) -> Expressions:
    return compile_phrases(load_table("references")[key], fill=filled)
