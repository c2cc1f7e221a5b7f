"""How many of a thing are wanted: packs and sets, dozens, and a number before a plural ("three tank tops")."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice

from tools.expressions import Expressions, expression
from tools.mentions import Claims, Mention
from tools.numbers import NUMBER, parse_number, tidy
from tools.phrases import compile_phrases, load_table, pattern_of, word_set
from tools.words import Text, Word

_LARGEST_PACK = 1000
_MOST_POINTED_AT = 9
"""More is no "those two pairs" on screen."""

_LONGEST_NAME = 5
"""Words from a number to the plural that it counts, at most: "two slim fit black denim" jackets."""

_SINGLE_PIECES = 3
"""So many pieces are the parts of one outfit ("two piece swimsuit"), more are a set."""

_CONFIDENCE = 0.6


@cache
def _packs() -> tuple[Expressions, ...]:
    units = load_table("units")
    pieces, containers, pointing = (pattern_of(units[key]) for key in ("pieces", "containers", "pointing"))
    number, fluid = rf"(?P<n>{NUMBER})", r"(?!\s*(?:fluid|fl|oz|ounces?|inch(?:es)?|ml|lbs?)(?!\w))"
    return (
        expression(rf"(?<!\w){containers}\s+of\s+{number}(?!\w|[.,]\d){fluid}(?:\s+(?:pairs|pieces))?"),
        expression(
            rf"(?:(?<!\w)(?P<pointing>{pointing})\s+)?(?<![\w.,/$€£-]){number}[\s-]*(?P<unit>{pieces})(?!\w)(?!\s*pockets?)"
            r"(?P<of>\s+of(?!\w)|\s+(?:\w+\s+)?(?:sets?|assortment|kit|collection)(?!\w))?"
        ),
        expression(rf"(?<!\w)(?P<half>half(?:\s+a)?\s+)?(?:an?\s+)?(?:{number}\s+)?(?P<dozen>dozens?)(?!\w|\s+times)"),
    )


@cache
def _counted() -> Expressions:
    things = load_table("units")["things"]
    numbers = pattern_of([w for w, n in load_table("numbers")["units"].items() if n > 1])
    lead = rf"^|[,;.!?:]\s+|(?<!\w){pattern_of(things['lead'])}\s+"
    return expression(rf"(?:{lead})(?P<n>[1-9]\d?|{numbers})\s+(?=[a-z])")


def read_quantities(text: Text, claims: Claims) -> list[Mention]:
    """Return how many are wanted, and claim the words: "pack of 3", "two pairs", "a dozen", "three tank tops".

    Never "those two pairs" (pointed at), "two piece swimsuit" (one thing), "two tone", "4 way stretch".
    """
    found = []
    packs = _packs() if "dozen" in text.low else _packs()[:2]
    for pattern in packs:
        for match in pattern.finditer(text.low):
            mention = _pack(match)
            if mention and claims.free(mention.start, mention.end):
                claims.take(mention.start, mention.end)
                found.append(mention)
    for match in () if found else _counted().finditer(text.low):
        if claims.free(*match.span("n")) and _counts_things(text, claims, match):
            claims.take(*match.span("n"))
            number = parse_number(match["n"])
            mention = Mention("quantity", number or 0, *match.span("n"), source="grammar")
            mention.strength, mention.confidence = "soft", _CONFIDENCE
            found.append(mention)
    return found


def _pack(match: re.Match[str]) -> Mention | None:
    groups = match.groupdict()
    number = parse_number(match["n"]) if match["n"] else 1.0
    if groups.get("dozen"):
        number = (number or 0) * (6 if match["half"] else 12)
        if match["dozen"] == "dozens" and not match["n"]:
            return None
    if number is None or number != int(number) or not 1 < number <= _LARGEST_PACK:
        return None
    if groups.get("pointing") and number <= _MOST_POINTED_AT:
        return None
    unit = groups.get("unit") or ""
    if unit.startswith("piece") and number <= _SINGLE_PIECES and not match["of"]:
        return None
    end = match.end("unit") if unit else match.end()
    return Mention("quantity", tidy(number), match.start(), end, source="grammar")


@cache
def _parts() -> Expressions:
    units, money = load_table("units"), load_table("prices")["currency_after"]
    return compile_phrases([*units["things"]["parts"], *units["measures"], *units["stars"], *units["pieces"], *money])


def _counts_things(text: Text, claims: Claims, match: re.Match[str]) -> bool:
    """Return whether the words after a number name a thing in the plural, and the phrase ends with it."""
    first = text.first_word(match.end())
    name: list[Word] = []
    for word in islice(text.words, first, first + _LONGEST_NAME + 1):
        gap = text.low[name[-1].end if name else match.end() : word.start]
        if gap.strip() or word.low in _closing() or word.low[0].isdigit():
            break
        if not claims.free(word.start, word.end):
            return False
        name.append(word)
    if [word.low for word in name] == ["tops"] and match["n"].isdigit():
        # "40 tops" is a limit as often as a number of tops.
        return False
    if not name or len(name) > _LONGEST_NAME or _parts().match(name[0].low) or not _plural(name[-1].low):
        return False
    sized = match["n"].isdigit() and int(match["n"]) > 4
    return not (sized and name[-1].low in word_set("units", "numbered"))


@cache
def _closing() -> frozenset[str]:
    return word_set("conversation", "function", "attribute") | word_set("units", "closing")


def _plural(word: str) -> bool:
    return (
        len(word) > 3
        and word.endswith("s")
        and not word.endswith(("ss", "us", "is", "'s"))
        and word not in word_set("units", "no_things")
        and not _parts().fullmatch(word)
    )
