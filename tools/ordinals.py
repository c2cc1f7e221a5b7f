"""Places on the list last shown: "the second one", "number three", "the first two"."""

from __future__ import annotations

import re
from functools import cache

from tools.expressions import Expressions, expression
from tools.phrases import load_table, pattern_of


@cache
def ordinal_patterns() -> tuple[Expressions, Expressions]:
    """Return the patterns of ordinals in words and of numbered places."""
    table = load_table("moves")["refer"]
    words = "|".join(sorted(load_table("numbers")["ordinals"], key=len, reverse=True))
    units = "|".join(load_table("numbers")["units"])
    noun, follow, numbered = (pattern_of(table[key]) for key in ("nouns", "follow", "numbered"))
    more = rf"(?:\s+(?:two|three|four|five|[2-5]|and|or|{words}))*"
    end = rf"(?=\s*(?:$|[,.;!?]|(?<!\w){follow}(?!\w)))"
    plain = (
        rf"(?<!\w)(?:the\s+(?:very\s+)?(?:{words}){more}(?:\s+{noun})?{end}|(?<!my\s)(?<!\w)(?:{words})\s+{noun}(?!\w))"
    )
    number = rf"(?<![\w$€£])(?:#|{numbered}\s*#?)\s*(?P<n>\d{{1,3}}|{units})(?!\w|\.\d)"
    return expression(plain), expression(number)


def ordinals_in(words: str) -> list[int]:
    """Return the places that a phrase points at, 1-based, -1 the last. "the first and third" is `[1, 3]`."""
    table = load_table("numbers")
    first = re.search(r"(?<!\w)(first|last|top|bottom)\s+(two|three|four|five|[2-5])(?!\w)", words)
    if first:
        count = int(first[2]) if first[2].isdigit() else table["units"][first[2]]
        return [*range(1, count + 1)] if first[1] in ("first", "top") else [*range(-count, 0)]
    found = [table["ordinals"][word] for word in re.findall(r"\w+", words) if word in table["ordinals"]]
    numbers = [match["n"] for match in ordinal_patterns()[1].finditer(words)]
    found += [int(number) if number.isdigit() else table["units"][number] for number in numbers]
    return list(dict.fromkeys(found))
