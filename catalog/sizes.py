"""Sizes and packs: one spelling for each size that shops write ("Size-S", "S.", "small" → "s"; "XXL" → "2xl")."""

from __future__ import annotations

import re
from collections.abc import Iterator

from catalog.vocabulary import word_lists

_WORDS = {
    "small": "s",
    "medium": "m",
    "large": "l",
    "xsmall": "xs",
    "xlarge": "xl",
    "xxsmall": "xxs",
    "xxlarge": "2xl",
    "xxxlarge": "3xl",
    "extrasmall": "xs",
    "extralarge": "xl",
    "onesize": "one size",
    "onesizefitsall": "one size",
    "onesizefitsmost": "one size",
    "freesize": "one size",
    "os": "one size",
    "osfa": "one size",
    "osfm": "one size",
    "plussize": "plus size",
    "petite": "petite",
    "tall": "tall",
    "bigandtall": "big and tall",
    "big&tall": "big and tall",
    "newborn": "newborn",
    "preemie": "preemie",
    "king": "king",
    "queen": "queen",
    "full": "full",
    "twin": "twin",
    "double": "double",
    "twinxl": "twin xl",
    "fullxl": "full xl",
    "californiaking": "california king",
    "calking": "california king",
    "superking": "super king",
    "kingsize": "king",
    "queensize": "queen",
    "fullsize": "full",
    "twinsize": "twin",
}

_BEDS = frozenset({"king", "queen", "full", "twin", "double", "twin xl", "full xl", "california king", "super king"})
"""Names of beds are names of much else: in titles they count beside bedding only (the band Queen)."""

_LETTER = re.compile(r"(x{0,3}s|m|x{0,6}l|(?:[0-9]|1[0-2])xl?|[0-9]x-?large)$")
_PREFIX = re.compile(r"(?:(?:tag|asian|women|womens|men|mens|int|label|chinese|cn)[ _-]+|suit[ _-]*)?(?:size[ _:.-]*)?")
_PAIR = re.compile(r"w?([2-5][0-9])\s*w?\s*[x/*]\s*l?([2-4][0-9])\s*l?$")
_REGION = re.compile(r"(us|uk|eu|eur|fr|it|au)\s*-?\s*([0-9]{1,2}(?:\.5|\.0)?)$")
_NUMBER = re.compile(
    r"([0-9]{1,2})(\.5|\.0| 1/2|\.25|\.75)?\s*(wide|w|narrow|m|d|b|ee|2e|4e|n)?(?:\s*\(?[mdbw]?\)?\s*us)?$"
)
_WIDTHS = {
    "wide": " wide",
    "w": " wide",
    "ee": " wide",
    "2e": " wide",
    "4e": " wide",
    "narrow": " narrow",
    "n": " narrow",
}
_SMALLEST_WAIST = 22
_BRA = re.compile(r"([2-5][02468])\s*-?\s*(a{1,2}|b|c|d{1,4}|e|f|g|h)$")
_MONTHS = re.compile(r"([0-9]{1,2})\s*(?:-|–|to)\s*([0-9]{1,2})\s*-?(m|mo|mos|months?|y|yrs?|years?|t)$")
_ONE_AGE = re.compile(r"([0-9]{1,2})\s*-?(m|mo|mos|months?|y|yrs?|years?)$")
_TODDLER = re.compile(r"(?:toddler\s*)?([2-7])t$|toddler\s*([2-9])$")
_INCHES = re.compile(r"([0-9]{1,3}(?:\.[0-9]+| [0-9])?)\s*-?\s*(?:inch|inches|in|\"|'')$")
_SIDE = r"([0-9]{1,3}(?:\.[0-9]{1,2})?) ?(?:ft|feet|foot|'|inch(?:es)?|in|\"|''|cm|w|l|h)?"
_SIDES = re.compile(rf"{_SIDE} ?[x×*] ?{_SIDE}$")
"""Width by length of a flat thing; three sides are of a parcel as often as of the thing."""

_SIDES_INSIDE = re.compile(rf"(?<![\w.,/x-]){_SIDE} ?[x×] ?{_SIDE}(?! ?[x×*]|[\w.]|[,/][0-9])")
_BED_INSIDE = re.compile(
    r"(?<!lion )\b(california king|cal king|twin xl|king|queen|twin|full(?= size\b| bed\b| sheet|/| xl\b))\b"
)
_SPLIT = re.compile(r"\s*[|,;]\s*")

_IN_TITLE = re.compile(
    r"\b(?:(x{1,3}-?(?:large|small)|[2-6]x-?large|extra[ -](?:large|small)|[2-6]xl|x{1,4}l|xx?s)\b"
    r"|size\s*[:#]?\s*([a-z0-9.]+(?: 1/2)?(?: (?:wide|narrow))?)\b(?!-[0-9])"
    r"|((?:us|uk|eu) ?[0-9]{1,2}(?:\.5)?)\b(?! ?[a-z0-9]*[0-9])"
    r"|([2-5][0-9]w? ?x ?[2-4][0-9]l?)\b(?! ?(?:mm|cm|inch|in|x|\"))"
    r"|([2-6]t)\b"
    r"|([0-9]{1,2}(?: ?- ?[0-9]{1,2})? ?(?:months?|mos))\b"
    r"|(one[ -]size|free[ -]size|plus[ -]size|petite|big (?:and|&) tall)\b)"
)
_PACK = re.compile(
    r"\b([0-9]{1,4})[ -]?(?:packs?|pk|pcs?|pieces?|pairs?|count|ct)\b"
    r"(?![ -]?(?:outfit|swimsuit|suit|set|bikini|dress))"
    r"|\b(?:pack|set|lot|box|bundle) of ([0-9]{1,4})\b"
)
_PACK_WORDS = ("pack", "pk", "pc", "piece", "pair", "count", "ct", "set of", "lot of", "box of", "bundle of")
_FLAT_THINGS, _BEDDING = word_lists("context")["flat"], word_lists("context")["bedding"]
_TRIGGERS = word_lists("context")["sizing"]
"""One of these words must stand in a title before the patterns are tried, which are slow (16 µs a title)."""

_PAIR_INSIDE = re.compile(r"[2-5][0-9]w? ?x ?[2-4][0-9]", re.IGNORECASE)
_LONE_LETTER = re.compile(r"(?:[,|–-] ?|\s\()([SMLsml])(?=\s*(?:[,)|]|$))")
"""A single letter is a size after a comma, dash or opening bracket: not in "M/M" (plugs) or "pc(s)"."""


def _months(low: str, high: str, unit: str) -> str:
    name = {"m": "months", "y": "years", "t": "t"}[unit[0]]
    return f"{low}-{high}t" if name == "t" else f"{low}-{high} {name}"


def _letter(text: str) -> str | None:
    """Return the canonical letter size of `text`, None when it is none."""
    if not _LETTER.match(text):
        return None
    text = text.replace("-", "").replace("large", "l")
    if text[0].isdigit():
        number = text.rstrip("xl")
        return "xl" if number == "1" and text.endswith("l") else f"{number}xl"
    crosses = text.count("x")
    if text.endswith("l") and crosses >= 2:
        return f"{crosses}xl"
    return "3xs" if text == "xxxs" else text


def _numeric(text: str) -> str | None:
    """Return the canonical numeric size (shoes, waists, ages, inches) of `text`, None when it is none."""
    if match := _PAIR.match(text):
        return f"{match[1]}x{match[2]}"
    if match := _SIDES.match(text):
        return "x".join(side.removesuffix(".0") for side in match.groups())
    if match := _MONTHS.match(text):
        return _months(match[1], match[2], match[3])
    if match := _ONE_AGE.match(text):
        # "9 m" is a shoe of medium width as often as nine months: only the full unit is an age.
        return None if match[2] == "m" else f"{match[1]} {'months' if match[2][0] == 'm' else 'years'}"
    if match := _TODDLER.match(text):
        return f"{match[1] or match[2]}t"
    if match := _BRA.match(text):
        return f"{match[1]}{match[2]}"
    if match := _REGION.match(text):
        number = match[2].removesuffix(".0")
        return number if match[1] == "us" else f"{'eu' if match[1] == 'eur' else match[1]} {number}"
    if match := _INCHES.match(text):
        return f"{match[1].replace(' ', '.').removesuffix('.0')} inch"
    if match := _NUMBER.match(text):
        half = {None: "", ".0": "", " 1/2": ".5"}.get(match[2], match[2] or "")
        # "8 W" is a wide shoe, "32 W" a waist.
        width = _WIDTHS.get(match[3] or "", "") if int(match[1]) < _SMALLEST_WAIST else ""
        return f"{int(match[1])}{half}{width}"
    return None


def canonical_size(text: str) -> str | None:
    """Return the canonical form of one size, None when the text is no size.

    Examples: "Size-S", "S." and "SizeS" are "s"; "XX-Large" and "2X" are "2xl"; "8 1/2 wide" is "8.5 wide";
    "34W x 30L" is "34x30"; "10 ml" and "Beige" are None.
    """
    text = text.strip().lower().strip(".").strip()
    if prefix := _PREFIX.match(text):
        text = text[prefix.end() :].strip()
    if not text or len(text) > 24:
        return None
    compact = text.replace(" ", "").replace("-", "").replace(".", "")
    if compact in _WORDS:
        return _WORDS[compact]
    bare = text.strip("() ")
    return _letter(bare.replace(" ", "")) or _numeric(bare)


def sizes_of_field(value: str) -> Iterator[str]:
    """Yield the sizes of a size field, which may list several ("S | M | L", "XS, S")."""
    for part in _SPLIT.split(value):
        if size := canonical_size(part):
            yield size
        elif "/" in part:
            yield from (size for piece in part.split("/") if (size := canonical_size(piece)))
        elif "(" in part and (size := canonical_size(part.partition("(")[0])):
            yield size


def sizes_of_title(title: str, parts: list[list[str]]) -> Iterator[str]:
    """Yield the sizes of a title: unmistakable forms anywhere, words and letters only as a part of their own.

    `parts` are the words between punctuation: "Large" in "Dress, Blue, Large" is a size, in "Large tote" not.
    """
    if any(not _TRIGGERS.isdisjoint(part) for part in parts) or _PAIR_INSIDE.search(title):
        for match in _IN_TITLE.finditer(title.lower()):
            text = next(group for group in match.groups() if group)
            if (size := canonical_size(text)) and not (match[2] and size.endswith("inch")):
                yield size
    for part in parts[1:]:
        if len(part) <= 3:
            text = " ".join(part)
            if 1 < len(text) <= 14 and not text.isdigit() and (size := canonical_size(text)) and size not in _BEDS:
                yield size
    for match in _LONE_LETTER.finditer(title):
        yield match[1].lower()
    yield from _home_sizes(title.lower(), parts)


def _home_sizes(title: str, parts: list[list[str]]) -> Iterator[str]:
    """Yield the beds that bedding fits and the sides of flat things ("Area Rug 8x10"): elsewhere they are names."""
    if any(not _BEDDING.isdisjoint(part) for part in parts):
        yield from (_WORDS[match[1].replace(" ", "")] for match in _BED_INSIDE.finditer(title))
    if any(not _FLAT_THINGS.isdisjoint(part) for part in parts):
        yield from (size for match in _SIDES_INSIDE.finditer(title) if (size := canonical_size(match.group())))


def pack_quantity(text: str) -> int | None:
    """Return how many pieces a pack holds ("12-pack", "pack of 3", "6 pairs"), None when the text does not say."""
    text = text.lower()
    match = _PACK.search(text) if any(word in text for word in _PACK_WORDS) else None
    number = int(match[1] or match[2]) if match else 0
    return number if number >= 2 else None
