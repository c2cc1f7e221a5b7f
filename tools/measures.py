"""Sizes that are measured: waist by inseam, width by length, lengths in inches, and the beds that sheets fit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from catalog.sizes import canonical_size
from tools.expressions import Expressions, expression
from tools.mentions import Mention
from tools.phrases import compile_phrases, load_table, pattern_of

_INCH = r"(?:inch(?:es)?|ins?|\"|'')"
_JOIN = r"(?:\s*(?:and|with|x|×|by|&|/|,|-)\s*|\s+)(?:an?\s+)?"
_IS = r"\s*(?:size\s*)?(?:of\s+|is\s+|:\s*|=\s*)?"
_SIDE = r"\d{1,3}(?:\.\d{1,2})?"
_SIDE_UNIT = r"(?:ft|feet|foot|'|inch(?:es)?|in|\"|''|cm|mm|m|w|l|h|d|wide|long|tall|high)"
_TIMES = r"\s?(?:x|×|by|\*)\s?"
_SMALL_SIDE = 4
"""Up to this "2x4", "4x4" are names, not measures, unless a unit or a flat thing stands by."""

_EXPLICIT = re.compile(r"[x×wl]|by|inseam")
_BEDS = ("king", "queen", "twin", "full", "double", "single")
_FIRST_SIZE, _LAST_WAIST, _LAST_INSEAM = 20, 70, 50


@cache
def _patterns() -> dict[str, Expressions]:
    table, units = load_table("sizes"), load_table("units")
    inch, leg = rf"(?:\s?-?{_INCH})?\s*", r"(?:inseam|leg|length|long|l)(?!\w)"
    fraction = r"(?:(?:\d{1,3}[\s-])?\d/\d{1,2}|\d{1,3}(?:\.\d{1,2})?)"
    bed, thing = pattern_of(table["beds"]["names"]), pattern_of(table["things"]["bed"])
    return {
        "waist": expression(
            r"(?<![\w.])(?:waist\s*|w)?(?P<w>\d{2})\s?w?\s*(?:[x×/,]|by|and|\s)\s*"
            r"(?:(?:inseam|length)\s*|l)?(?P<l>\d{2})\s?l?(?![\w.])"
        ),
        "waist_leg": expression(rf"(?<![\w.])(?P<w>\d{{2}}){inch}(?:waist|w){_JOIN}(?P<l>\d{{2}}){inch}{leg}"),
        "waist_of": expression(
            rf"(?<!\w)waist{_IS}(?P<w>\d{{2}})(?:\s?{_INCH})?{_JOIN}(?:inseam|leg|length){_IS}(?P<l>\d{{2}})(?:\s?{_INCH})?(?!\w)"
        ),
        "waist_only": expression(
            rf"(?<![\w.$])(?:waist{_IS}(?P<a>\d{{2}})(?:\s?{_INCH})?(?!\w|\.\d)|(?P<b>\d{{2}}){inch}waist(?!\w))"
        ),
        "sides": expression(
            rf"(?<![\w.:/])(?P<a>{_SIDE})\s?-?(?P<ua>{_SIDE_UNIT})?{_TIMES}(?P<b>{_SIDE})(?:\s?-?(?P<ub>{_SIDE_UNIT})(?!\w))?"
            rf"(?:{_TIMES}(?P<c>{_SIDE})(?:\s?-?{_SIDE_UNIT}(?!\w))?)?(?!\.?\w)"
        ),
        "measured": expression(
            rf"(?<![\w.$€£/])(?:(?P<from>{fraction})\s?(?:-|–|to)\s?)?(?P<v>{fraction})[\s-]*(?P<u>{pattern_of(units['sizes'])})(?!\w)"
        ),
        "bed": expression(
            rf"(?<![\w-])(?P<v>{bed})(?:[\s-]+(?:sized?|sz|bed)(?!\w)|(?=\s+(?:[\w-]+\s+)?{thing}(?!\w))|(?=\s*(?:$|[,.;!?)])))"
        ),
        "bed_thing": expression(rf"(?<!\w){thing}(?!\w)"),
        "not_bed": compile_phrases(table["beds"]["not_after"], after=r"\s+$"),
        "legs": compile_phrases(table["things"]["legs"]),
        "part_before": compile_phrases(
            table["things"]["measured_parts"], after=r"\s+(?:height\s+)?(?:is\s+|of\s+|:\s*)?$"
        ),
        "flat_thing": compile_phrases(table["things"]["flat"]),
        "bound": expression(r"(?:under|over|below|above|than|least|most|up to|within|max|about|around)\s*$"),
        "part": expression(rf"\s*(?:[\w-]+\s+)?{pattern_of(table['things']['measured_parts'])}(?!\w)"),
    }


@lru_cache(maxsize=64)
def _speaks_of(kind: str, low: str) -> bool:
    return _patterns()[kind].search(low) is not None


def find_measures(low: str) -> Iterator[Mention]:
    """Yield the sizes of a lower-cased text that are measured, the more explicit first; spans may overlap.

    "W32 L34", "34 inch waist and 30 inch inseam" and "32x34" are `32x34` and the like, "an 8 x 10 rug" is `8x10`,
    "3 1/2 inch" is `3.5 inch`, "king size sheets" is `king`.
    """
    if any(char.isdigit() for char in low):
        yield from _waists(low)
        yield from _sides(low)
        yield from _measured(low)
    yield from _beds(low)


def _size(value: str, start: int, end: int) -> Mention:
    return Mention("size", value, start, end, source="grammar")


def _waists(low: str) -> Iterator[Mention]:
    for name in ("waist_leg", "waist_of", "waist"):
        for match in _patterns()[name].finditer(low):
            waist, inseam = int(match["w"]), int(match["l"])
            explicit = name != "waist" or _EXPLICIT.search(match.group()) is not None
            explicit = explicit or ("/" in match.group() and _speaks_of("legs", low))
            if _FIRST_SIZE <= waist <= _LAST_WAIST and _FIRST_SIZE <= inseam <= _LAST_INSEAM and explicit:
                yield _size(f"{waist}x{inseam}", *match.span())
    for match in _patterns()["waist_only"].finditer(low) if "waist" in low else ():
        number = match["a"] or match["b"]
        if _FIRST_SIZE <= int(number) <= _LAST_WAIST:
            yield _size(number, *match.span())


def _sides(low: str) -> Iterator[Mention]:
    for match in _patterns()["sides"].finditer(low):
        if re.search(r"\d\s?(?:ft|feet|foot|')\s*$", low[max(0, match.start() - 8) : match.start()]):
            continue
        sides = [match["a"], match["b"], *([match["c"]] if match["c"] else [])]
        unit = bool(match["ua"] or match["ub"])
        if unit or (max(float(side) for side in sides) > _SMALL_SIDE and _speaks_of("flat_thing", low)):
            yield _size("x".join(side.removesuffix(".0") for side in sides), *match.span())


def _measured(low: str) -> Iterator[Mention]:
    for match in _patterns()["measured"].finditer(low):
        if _patterns()["bound"].search(low, max(0, match.start() - 24), match.start()):
            continue
        mention = _size(measure(match["v"], match["u"]), *match.span())
        if match["from"]:
            mention.value, mention.op = [measure(match["from"], match["u"]), str(mention.value)], "one_of"
        elif match["u"].startswith("in") and _of_part(low, *match.span()):
            # The height of a heel is cut, not size: products that say so are what is wanted.
            mention.attribute, mention.op, mention.free, mention.strength = "style", "contains", True, "soft"
        yield mention


def _of_part(low: str, start: int, end: int) -> bool:
    if _patterns()["part"].match(low, end):
        return True
    return _patterns()["part_before"].search(low, max(0, start - 24), start) is not None


def measure(number: str, unit: str) -> str:
    """Return the one spelling of a measure.

    Example: `measure("3 1/2", "inches") == "3.5 inch"`, `measure("20", "mm") == "20mm"`.
    """
    whole = sum(_fraction(part) for part in re.split(r"[\s-]+", number.strip()))
    name = "inch" if unit.startswith("in") else unit.removesuffix("s")
    return f"{whole:.10g}{name}" if len(name) == 2 and name != "oz" else f"{whole:.10g} {name}"


def _fraction(text: str) -> float:
    over, _, under = text.partition("/")
    return float(over) / float(under) if under.strip("0") else float(over)


def _beds(low: str) -> Iterator[Mention]:
    """Yield bed sizes beside things for beds; never the band Queen, "full sleeve" or "double sided"."""
    if not any(name in low for name in _BEDS):
        return
    for match in _patterns()["bed"].finditer(low):
        named = re.search(r"size|sz", match.group()) is not None and match["v"].split()[-1] in ("king", "queen")
        if not named and not _speaks_of("bed_thing", low):
            continue
        if not _patterns()["not_bed"].search(low, max(0, match.start() - 16), match.start()):
            yield _size(canonical_size(match["v"]) or match["v"], *match.span())
