"""Sizes of every kind: letters, shoe numbers with widths, waist by inseam, toddler, bra and measured sizes."""

from __future__ import annotations

import re
from functools import cache

from catalog.sizes import canonical_size
from tools.mentions import Claims, Mention
from tools.phrases import compile_phrases, load_table, pattern_of
from tools.words import Text

_SIZE_WORD = r"(?:sizes?|sizing|sized|sixe|sze)"
_NUMBER = r"\d{1,3}(?:\.\d{1,2})?(?:\s?[1-9]/[2-9])?"


def _spelling(phrases: list[str]) -> str:
    ordered = sorted(phrases, key=len, reverse=True)
    return (
        "(?:"
        + "|".join(re.escape(phrase).replace(r"\ ", r"[\s-]?").replace(r"\-", r"[\s-]?") for phrase in ordered)
        + ")"
    )


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    table, units = load_table("sizes"), load_table("units")
    context = table["context"]
    letters = _spelling(table["letters"])
    single = "(?:" + "|".join(table["single"]) + ")"
    width = pattern_of(context["widths"])
    people = pattern_of(context["people"])
    system = pattern_of(context["systems"])
    fillers = pattern_of(context["fillers"])
    number = rf"(?:(?:{people}|{system})\s+)?{_NUMBER}(?:\s?{width})?(?:\s+(?:{people}))?"
    said = rf"{_SIZE_WORD}\s*(?:{fillers}\s*)*"
    spoken = pattern_of([*load_table("numbers")["units"]])
    known = rf"(?:{letters}|\d{{1,2}}t|{number}|{single})"
    unit = pattern_of(units["sizes"])
    return {
        "waist": re.compile(
            r"(?<![\w.])(?:waist\s*|w)?(?P<w>\d{2})\s?w?\s*(?:[x×/,]|by|and|\s)\s*"
            r"(?:(?:inseam|length)\s*|l)?(?P<l>\d{2})\s?l?(?![\w.])"
        ),
        "after_word": re.compile(rf"(?<!\w){said}(?<![\w.])(?P<v>{known}|{spoken})(?![\w]|\.\d)"),
        "before_word": re.compile(rf"(?<![\w.'$€£])(?P<v>{known})(?:\s+|-){_SIZE_WORD}(?!\w)"),
        "toddler": re.compile(
            r"(?<!\w)(?:(?:toddler|little kid|big kid|infant|youth)\s+(?P<k>\d{1,2}(?:\.5)?)|"
            r"(?P<t>[2-9]t|1[0-4]t)|(?P<m>\d{1,2}(?:\s?-\s?\d{1,2})?\s?(?:months?|mos?)))(?!\w)"
        ),
        "width": re.compile(rf"(?<![\w.$€£])(?P<v>\d{{1,2}}(?:\.5)?\s?{width})(?!\w|\s*sleeve)"),
        "system": re.compile(rf"(?<!\w)(?P<v>{system}\s?\d{{1,2}}(?:\.5)?)(?![\w%]|\.\d)"),
        "bra": re.compile(r"(?<!\w)(?P<v>(?:2[68]|3[02468]|4[02468]|5[0246])\s?(?:a{1,3}|b|c|d{1,4}|e|f|g|h))(?!\w)"),
        "measured": re.compile(rf"(?<![\w.$€£])(?P<v>\d{{1,3}}(?:\.\d{{1,2}})?\s?-?{unit})(?!\w)"),
        "letters": re.compile(rf"(?<![\w-])(?P<v>{letters})(?!\w)"),
        "single": re.compile(rf"(?<![\w'.&-])(?P<v>{single})(?![\w'.&-])"),
        "bound": re.compile(r"(?:under|over|below|above|than|least|most|up to|within|max|about|around)\s*$"),
    }


@cache
def _not_before() -> re.Pattern[str]:
    return compile_phrases(load_table("sizes")["context"]["not_before"])


@cache
def _not_after() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){pattern_of(load_table('sizes')['context']['not_after'])}\s+$")


def read_sizes(text: Text, claims: Claims, *, size_asked: bool) -> list[Mention]:
    """Return the sizes of a message and claim their words, a size word beside them included.

    "size 8.5 wide" is `8.5 wide`, "W32 L34" and "32x34" are `32x34`, "2XL", "xx-large" are `2xl`, "5T" is `5t`.
    Bare letter sizes are weak: a longer catalog surface that holds the word wins ("small batch").
    """
    mentions: list[Mention] = []
    for name in ("waist", "after_word", "before_word", "toddler", "width", "system", "bra", "measured", "letters"):
        for match in _patterns()[name].finditer(text.low):
            if claims.free(match.start(), match.end()) and _plausible(name, match, text.low):
                mentions.append(_mention(name, match))
                if name != "letters":
                    claims.take(match.start(), match.end())
    if size_asked and not mentions:
        mentions += _answer(text, claims)
    return mentions


def _answer(text: Text, claims: Claims) -> list[Mention]:
    match = re.search(rf"(?<![\w.$])(?P<v>{_NUMBER})(?![\w%])", text.low) or _patterns()["single"].search(text.low)
    if match is None or not claims.free(match.start(), match.end()) or len(text.words) > 8:
        return []
    claims.take(match.start(), match.end())
    return [_mention("answer", match)]


def _plausible(name: str, match: re.Match[str], low: str) -> bool:
    left = low[max(0, match.start() - 24) : match.start()]
    if name == "waist":
        waist, inseam = int(match["w"]), int(match["l"])
        explicit = re.search(r"[x×wl]|by|inseam", match.group()) is not None
        return 20 <= waist <= 70 and 20 <= inseam <= 50 and explicit
    if name == "measured":
        return not _patterns()["bound"].search(left)
    if name == "letters":
        right = _not_before().match(low, _skip_space(low, match.end()))
        return not right and not _not_after().search(left)
    return True


def _skip_space(low: str, at: int) -> int:
    while at < len(low) and low[at] in " -":
        at += 1
    return at


def _mention(name: str, match: re.Match[str]) -> Mention:
    if name == "waist":
        return Mention("size", f"{match['w']}x{match['l']}", match.start(), match.end(), source="grammar")
    if name == "toddler":
        value = match["t"] or (f"{match['k']}t" if match["k"] and match.group().startswith("toddler") else None)
        value = value or " ".join(match.group().split())
        return Mention("size", value, match.start(), match.end(), source="grammar")
    weak = name == "letters"
    return Mention("size", size_value(match["v"]), match.start("v"), match.end("v"), source="grammar", weak=weak)


def size_value(text: str) -> str:
    """Return the catalog's spelling of a size, or the words as said where it has none.

    Example: `size_value("XX-Large") == "2xl"`, `size_value("8 1/2 Wide") == "8.5 wide"`.
    """
    size = re.sub(r"\s+", " ", text.strip().lower())
    size = str(load_table("sizes")["respelled"].get(size.replace("-", " "), size))
    size = str(load_table("numbers")["units"].get(size, size))
    return canonical_size(size) or size
