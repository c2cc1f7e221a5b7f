"""Sizes of every kind: letters, shoe numbers with widths, toddler, bra and foreign sizes, and measured ones."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from catalog.sizes import canonical_size
from tools.expressions import Expressions, expression
from tools.measures import find_measures
from tools.mentions import Claims, Mention
from tools.numbers import SPOKEN, parse_number
from tools.phrases import compile_phrases, load_table, pattern_of
from tools.words import Text

_SIZE_WORD = r"(?:sizes?|sizing|sized|sixe|sze|sz)"
_NUMBER = r"\d{1,3}(?:\.\d{1,2})?(?:\s?[1-9]/[2-9])?(?:\s+and\s+a\s+half(?!\w))?"
_SHOE = r"(?:1[0-8]|[3-9])(?:\.5|\s1/2|\s+and\s+a\s+half(?!\w))?"
_HALF_SHOE = r"(?:1[0-6]|[4-9])(?:\.5|\s1/2)"

_LONGEST_CHOICE = 6
_LONGEST_RANGE = 12
"""Sizes that a range may hold; of a longer one the ends are kept."""

_LETTERS = ("3xs", "xxs", "xs", "s", "m", "l", "xl", "2xl", "3xl", "4xl", "5xl", "6xl")
_ANSWER_WORDS = 8
_RATED = re.compile(r"rat(?:ed|ing)\s+$")
_CLOSING = re.compile(r"\s*(?:$|[,.;!?)])")
_NAMES = re.compile(r"\s+(?!size)\w")
_NO_WIDTH = re.compile(r"\s*(?:sleeves?|sleeved|legs?|fits?|brim|straps?|x|by|hair|coats?)(?!\w)")
_AGED = re.compile(r"\s*-?\s*(?:old|sized?|baby|babies|infants?)(?!\w)")
_FOREIGN_SIZE = re.compile(r"(?:uk|eu|aus?) \d")
_SAME = re.compile(r"\s*(?:[/(=,|]|or)\s*(?:an?\s+|size\s+)*")
_FOREIGN, _PLAIN_NUMBERS = ("system", "toddler"), ("gender", "half", "width", "bra")
_PLAIN = frozenset({"small", "medium", "large", "extra large", "one size"})
"""Letter sizes that are ordinary words as well: they may describe a part."""

_BETWEEN = re.compile(r"between\s+(?:an?\s+)?(?:sizes?\s+)?$")


def _spelling(phrases: list[str]) -> str:
    ordered = sorted(phrases, key=len, reverse=True)
    return (
        "(?:"
        + "|".join(re.escape(phrase).replace(r"\ ", r"[\s-]?").replace(r"\-", r"[\s-]?") for phrase in ordered)
        + ")"
    )


@cache
def _patterns() -> dict[str, Expressions]:
    table = load_table("sizes")
    context = table["context"]
    letters, single = _spelling(table["letters"]), "(?:" + "|".join(table["single"]) + ")"
    width, system = pattern_of(context["widths"]), pattern_of(context["systems"])
    people, gender = pattern_of(context["people"]), pattern_of(context["genders"])
    number = rf"(?:{people}\s+)?{_NUMBER}(?:[\s-]?{width}(?![\w/]))?(?:\s+(?:toddlers?|kids|youth)(?!\w))?"
    years = r"\d{1,2}\s?(?:-|to)\s?\d{1,2}\s?(?:years?|yrs?|months?|mos?|[tmy])"
    shoe = rf"{_NUMBER}\s?[mb](?!\w)"
    known = rf"(?:{years}|{letters}|\d{{1,2}}t|{number}|{single})"
    said = rf"{_SIZE_WORD}\s*(?:{pattern_of(context['fillers'])}\s*)*"
    join = r"\s*(?P<join>,|/|-|–|&|or|and|to|thru|through)\s*(?:(?:a|an|in|size|sz|maybe|even|possibly)\s+)*"
    return {
        "system": expression(
            rf"(?<!\w)(?:(?P<s>{system})[\s-]?(?:{_SIZE_WORD}\s+)?(?P<n>\d{{1,2}}(?:\.5)?)|"
            rf"(?:{_SIZE_WORD}\s+)?(?<![.$])(?P<m>\d{{1,2}}(?:\.5)?)\s?"
            r"(?:\((?P<u>uk|eur?|us)\)|(?P<t>uk|eu|(?<=\d)us|us(?=\s*(?:$|[,.;!?)/])))(?!\w)))(?!\w|%|\.\d)"
        ),
        "after_word": expression(
            rf"(?<!\w)(?:{said}(?<![\w.])(?:(?P<g>{gender})\s+)?(?P<v>{shoe}|{known})|"
            rf"(?:size|sz)\s+(?:is\s+|an?\s+)?(?P<spoken>{SPOKEN}))(?!\w|\.\d)"
        ),
        "before_word": expression(
            rf"(?<![\w.'$€£/-])(?!\d/\d\s)(?P<v>{known})(?:\s*(?:to|or|-|–|/)\s*{known})?"
            r"(?:\s+|-)(?:size|sized|sz)(?!\w|\s+(?:up(?! to)|down|bigger|larger|smaller)(?!\w))"
        ),
        "toddler": expression(
            r"(?<!\w)(?:(?P<kid>toddler|little kid|big kid|infant|youth)\s+(?:size\s+)?(?P<k>\d{1,2}(?:\.5)?)|"
            rf"(?P<t>[2-9]t|1[0-4]t)|(?P<y>{years})|(?P<m>\d{{1,2}}\s?(?:months?|mos?)))(?!\w)"
        ),
        "gender": expression(
            rf"(?<!\w)(?:{gender}\s+(?P<v>{_SHOE}(?:[\s-]?{width}(?!\w))?)(?![\w%]|\.\d)|"
            rf"(?<![.$€£-])(?P<w>{_SHOE})\s+(?={gender}(?!\w)))"
        ),
        "half": expression(rf"(?<![\w.$€£/-])(?P<v>{_HALF_SHOE}(?:[\s-]?{width}(?!\w))?)(?![\w%]|\.\d)"),
        "width": expression(rf"(?<![\w.$€£/-])(?P<v>\d{{1,2}}(?:\.5)?[\s-]?(?P<width>{width}))(?!\w)"),
        "bra": expression(
            r"(?<!\w)(?P<v>(?:2[68]|3[02468]|4[02468]|5[0246])(?P<gap>\s?)(?P<cup>a{1,3}|b|c|d{1,4}|e|f|g|h))(?!\w)"
        ),
        "in_letter": expression(
            rf"(?<!\w)in\s+(?:an?\s+)?(?P<v>{single})(?=\s*(?:$|[,.;!?)]|(?:please|pls|plz|or|and|with|under|if|for)(?!\w)))"
        ),
        "letters": expression(rf"(?<![\w-])(?P<v>{letters})(?!\w)"),
        "next": expression(rf"{join}(?P<v>{known})(?![\w%]|\.\d)"),
        "more": expression(r"\s*(?:,\s*)?(?:or|and|,)\s*\d"),
        "answer": expression(rf"(?<![\w.$'])(?P<v>{known}|(?!one(?!\w)){SPOKEN})(?![\w%'])"),
        "not_size": expression(rf"[\s-]*{pattern_of(context['not_size'])}(?!\w)"),
    }


@cache
def _things() -> dict[str, Expressions]:
    return {name: compile_phrases(words) for name, words in load_table("sizes")["things"].items()}


@lru_cache(maxsize=64)
def _speaks_of(kind: str, low: str) -> bool:
    """Return whether a text names a thing of a kind; kept, since every number of a long text may ask."""
    return _things()[kind].search(low) is not None


@cache
def _parts() -> tuple[Expressions, Expressions, Expressions]:
    """Return patterns of the parts that a bare "small" may describe, after it, and of the words before it."""
    context = load_table("sizes")["context"]
    near, far, garment = (pattern_of(context[key]) for key in ("not_before", "parts", "garments"))
    between = r"(?:(?!(?:in|for|with|and|or|of)\s)[\w'-]+\s+){0,2}"
    return (
        expression(rf"[\s-]*(?:{near}(?!\w)|{between}{far}(?!\w|\s+(?:[\w-]+\s+)?{garment}(?!\w)))"),
        expression(rf"(?<!\w){pattern_of(context['not_after'])}\s+$"),
        expression(r"(?<!\w)(?:has|having|with|w/|featuring)\s+(?:(?:an?|one|two|some)\s+)?$"),
    )


_AN_EIGHT = re.compile(
    r"\s*(?:in |i'?m |i am |i wear |i take |she's |he's )?an?\s+\d{1,2}(?:\.5)?\s*(?:please|then)?\s*[.!]?\s*"
)
"""A number with an article and nothing else is a size, whatever was asked: "a 9"."""


def read_sizes(text: Text, claims: Claims, *, size_asked: bool) -> list[Mention]:
    """Return the sizes of a message and claim their words, a size word beside them included.

    "size 8.5 wide" is `8.5 wide`, "size 8 or 9" and "sizes 8-9" a choice, "W32 L34" and "32x34" are `32x34`, "2XL" and
    "xx-large" are `2xl`, "5T" is `5t`, "mens 11 sneakers" `11`. Bare letter sizes are weak: a longer catalog surface
    that holds the word wins ("small batch"); where they describe a part ("a small logo") they are none.
    """
    found: list[Mention] = []
    for mention in find_measures(text.low):
        _keep(mention, claims, found)
    for name in _tried(text.low):
        for match in _patterns()[name].finditer(text.low):
            if not claims.free(*match.span()):
                continue
            if _plausible(name, match, text.low):
                _keep(_mention(name, match, text.low), claims, found, name, match)
            elif name in ("toddler", "after_word"):
                # A time ("lasts 6 months") or a count: no words for the catalog either.
                claims.take(*match.span())
    found += _letters(text.low, claims)
    if not found and (size_asked or _AN_EIGHT.fullmatch(text.low)):
        found += _answer(text, claims)
    return _equivalents(text.low, found)


def _equivalents(low: str, found: list[Mention]) -> list[Mention]:
    """Join a size and the same size in another country ("size 9 (eu 40)", "US 7.5 / EU 38"): either will do."""
    joined: list[Mention] = []
    for mention in sorted(found, key=lambda mention: mention.start) if len(found) > 1 else found:
        last = joined[-1] if joined else None
        foreign = last is not None and any(_FOREIGN_SIZE.match(value) for value in (*_values(last), *_values(mention)))
        if last and foreign and _SAME.fullmatch(low, last.end, mention.start):
            last.value, last.op, last.end = [*_values(last), *_values(mention)], "one_of", mention.end
        else:
            joined.append(mention)
    return joined


def _tried(low: str) -> tuple[str, ...]:
    """Return the patterns that may match, in their order: most messages hold neither a digit nor a size word."""
    digit = any(char.isdigit() for char in low)
    worded = ("after_word", "before_word") if "siz" in low or "sz" in low or "sixe" in low or "sze" in low else ()
    return (*_FOREIGN, *worded, *_PLAIN_NUMBERS, "in_letter") if digit else (*worded, "in_letter")


def _keep(
    mention: Mention, claims: Claims, found: list[Mention], name: str = "", match: re.Match[str] | None = None
) -> None:
    """Keep a mention whose words are free; the words of a match are claimed with it, but for whom it is made.

    `name` is that of the pattern that matched.
    """
    if not claims.free(mention.start, mention.end):
        return
    found.append(mention)
    claims.take(mention.start, mention.end)
    if match is not None and name == "after_word":
        claims.take(match.start(), match.start("g") if match["g"] else mention.start)
    elif match is not None and name != "gender":
        claims.take(*match.span())


def _answer(text: Text, claims: Claims) -> list[Mention]:
    match = _patterns()["answer"].search(text.low)
    if match is None or not claims.free(*match.span()) or len(text.words) > _ANSWER_WORDS:
        return []
    mention = _chosen(text.low, match["v"], *match.span())
    claims.take(mention.start, mention.end)
    return [mention]


def _letters(low: str, claims: Claims) -> list[Mention]:
    found: list[Mention] = []
    for match in _patterns()["letters"].finditer(low):
        if not claims.free(*match.span()):
            continue
        if match["v"] in _PLAIN and _describes_part(low, *match.span()):
            claims.take(*match.span())
            continue
        mention = Mention("size", size_value(match["v"]), *match.span(), source="grammar", weak=True)
        last = found[-1] if found else None
        if last and re.fullmatch(r"\s*(?:to|-|–|and|&)\s*", low[last.end : mention.start]):
            last.value, last.op, last.end = _between(_values(last), _values(mention)), "one_of", mention.end
        else:
            found.append(mention)
    return found


def _values(mention: Mention) -> list[str]:
    return [str(v) for v in mention.value] if isinstance(mention.value, list) else [str(mention.value)]


def _describes_part(low: str, start: int, end: int) -> bool:
    """Return whether a letter size says how big a part or another thing is: "large pockets", "has small white dots"."""
    after, before, has = _parts()
    if after.match(low, end) or before.search(low, max(0, start - 24), start):
        return True
    return has.search(low, max(0, start - 24), start) is not None and _NAMES.match(low, end) is not None


def _plausible(name: str, match: re.Match[str], low: str) -> bool:
    """Return whether what a pattern found is a size and no count, measure or name."""
    end = match.end()
    if name in ("after_word", "system", "gender", "half", "width") and _patterns()["not_size"].match(low, end):
        return False
    if name in ("gender", "half"):
        closing = name == "gender" and _CLOSING.match(low, end)
        return bool(closing or _speaks_of("feet", low)) and not _RATED.search(
            low, max(0, match.start() - 10), match.start()
        )
    if name == "width":
        return _wide_enough(match, low)
    if name == "system" and (match["s"] or "").startswith("eur"):
        # "EUR 42" is money as often as a shoe.
        return _speaks_of("feet", low) or "size" in match.group()
    if name == "toddler" and match["m"]:
        return _is_age(match, low)
    if name == "bra":
        plain = not match["gap"] and match["cup"][0] in "abcd"
        return plain or _speaks_of("bra", low)
    return True


def _wide_enough(match: re.Match[str], low: str) -> bool:
    """Return whether a number and a width make a size without a size word: "8.5 wide", "10 4e", not "3d" or "60w"."""
    width, number = match["width"], float(re.match(r"[\d.]+", match["v"])[0])  # type: ignore[index]  # matched by \d
    if _NO_WIDTH.match(low, match.end()):
        return False
    if width in ("short", "long", "tall", "petite", "regular"):
        return number > 4
    if len(width) > 2 or width in ("2e", "4e", "ee"):
        return number >= 3
    trousers = width == "w" and number >= 22 and _speaks_of("legs", low)
    return bool(trousers or (4 <= number <= 18 and _speaks_of("feet", low)))


def _is_age(match: re.Match[str], low: str) -> bool:
    """Return whether months are an age that clothes are made for, not a time ("lasts 6 months")."""
    if _AGED.match(low, match.end()):
        return True
    return _speaks_of("baby", low)


def _mention(name: str, match: re.Match[str], low: str) -> Mention:
    groups = match.groupdict()
    if name == "system":
        system, number = match["s"] or match["t"] or match["u"], match["n"] or match["m"]
        return Mention("size", size_value(f"{system} {number}"), *match.span(), source="grammar")
    if name == "toddler":
        value = f"{match['kid']} {match['k']}" if match["k"] else match.group()
        return Mention("size", size_value(value), *match.span(), source="grammar")
    group = next(g for g in ("v", "spoken", "w") if groups.get(g))
    if name in ("after_word", "before_word", "gender", "half"):
        return _chosen(low, match[group], *match.span(group))
    return Mention("size", size_value(match[group]), *match.span(group), source="grammar")


def _chosen(low: str, value: str, start: int, end: int) -> Mention:
    """Return one size, or the choice that goes on after it: "8, 9 or 10", "8-9", "s/m", "8 to a 10"."""
    values = [size_value(value)]
    ranged = {"-", "–", "to", "thru", "through"} | (
        {"and"} if _BETWEEN.search(low, max(0, start - 24), start) else set()
    )
    while len(values) < _LONGEST_CHOICE and (match := _patterns()["next"].match(low, end)):
        join = match["join"]
        listed = join != "," or _patterns()["more"].match(low, match.end())
        if not listed or _patterns()["not_size"].match(low, match.end()):
            break
        following = size_value(match["v"])
        values = _between(values, [following]) if join in ranged else [*values, following]
        end = match.end()
    values = list(dict.fromkeys(values))
    one = len(values) == 1
    return Mention("size", values[0] if one else values, start, end, "eq" if one else "one_of", source="grammar")


def _between(low: list[str], high: list[str]) -> list[str]:
    """Return the sizes of a range, ends included; only the ends where the steps are unknown or too many."""
    first, last = low[-1], high[0]
    if first in _LETTERS and last in _LETTERS:
        places = sorted((_LETTERS.index(first), _LETTERS.index(last)))
        return [*low[:-1], *_LETTERS[places[0] : places[1] + 1], *high[1:]]
    try:
        start, end = float(first), float(last)
    except ValueError:
        return [*low, *high]
    step = 0.5 if "." in first + last else 1.0
    count = int((end - start) / step) + 1
    if not 1 < count <= _LONGEST_RANGE:
        return [*low, *high]
    return [*low[:-1], *(f"{start + step * place:g}" for place in range(count)), *high[1:]]


def size_value(text: str) -> str:
    """Return the catalog's spelling of a size, or the words as said where it has none.

    Example: `size_value("XX-Large") == "2xl"`, `size_value("8 1/2 Wide") == "8.5 wide"`, `size_value("nine and a half")
    == "9.5"`.
    """
    size = re.sub(r"\s+", " ", text.strip().lower())
    size = str(load_table("sizes")["respelled"].get(size.replace("-", " "), size))
    if re.fullmatch(SPOKEN, size):
        size = f"{parse_number(size) or 0:g}"
    size = re.sub(r"^(\d+(?:\.5)?) m$", r"\1", size.replace(" and a half", ".5"))
    size = re.sub(r"^(\S+) (toddlers?)$", r"\2 \1", size)
    return canonical_size(size) or size
