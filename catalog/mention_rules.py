"""What the words around a mention do to it: deny it, make it a part, an imitation, or leave it in doubt."""

from __future__ import annotations

from collections.abc import Sequence

from catalog.vocabulary import Mention, Term, word_lists

_CONTEXT = word_lists("context")
_PARTS = word_lists("parts")["part"]
_NEGATION, _DENIAL, _LIKENESS = _CONTEXT["negation"], _CONTEXT["denial"], _CONTEXT["likeness"]
_PRECIOUS = frozenset({"metal", "gemstone", "pearl", "shell"})
_DECISIVE = _NEGATION | _LIKENESS
_AFTER = _DENIAL | {"like", "look"}


def is_denied(cut: Sequence[str], mention: Mention) -> bool:
    """Return whether the words around a mention take it back: "no zipper", "lead free", "silk like"."""
    before = cut[mention.start - 1] if mention.start else ""
    after = cut[mention.end] if mention.end < len(cut) else ""
    if before not in _DECISIVE and after not in _AFTER:
        return False
    if before in _NEGATION or after in _DENIAL:
        return True
    return any(term.key == "material" for term in mention.terms)


def is_body(cut: Sequence[str], mention: Mention) -> bool:
    """Return whether a material is of the product's body: not "rubber sole", "fleece lined", "leather strap"."""
    return mention.end >= len(cut) or cut[mention.end] not in _PARTS


def is_bare_person(cut: Sequence[str], mention: Mention) -> bool:
    """Return whether a department word is a bare singular ("girl", "lady"), which slogans hold too."""
    return mention.end - mention.start == 1 and cut[mention.start] in _CONTEXT["person"]


def is_shade(mention: Mention, term: Term, whole: bool, jewel: bool) -> bool:
    """Return whether a metal or stone is only a colour here: "silver sandals", and "(Gold)" also of a necklace."""
    if term.key != "material" or not _PRECIOUS.intersection(term.values):
        return False
    if "gemstone" in term.values and not jewel:
        return True
    return (whole or not jewel) and any(other.key == "color" for other in mention.terms)


def supports_weak(mention: Mention, following: Mention | None, term: Term, jewel: bool) -> bool:
    """Return whether a word of several meanings has this one here: directly before the type or a colour.

    "Wine dress" and "straw hat" say colour and material; before jewellery a stone's name is the stone.
    """
    if following is None or following.start != mention.end:
        return False
    keys = {other.key for other in following.terms}
    if term.key == "color":
        return not jewel and ("color" in keys or "category" in keys)
    return term.key in ("material", "pattern", "style", "feature") and "category" in keys
