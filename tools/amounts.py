"""Amounts: the numbers of a message that may be money, and what shows that they are or are not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from tools.expressions import Expressions, expression
from tools.numbers import NUMBER, parse_number
from tools.phrases import compile_phrases, load_table, pattern_of

_VAGUE = ("few ", "several ", "many ")
"""Before "hundred dollars" these leave the amount open."""

CLAUSE_END = re.compile(r"[;!?\n]|\.(?!\d)")


@dataclass(slots=True)
class Amount:
    """A number at `[start, end)`; `currency` when a sign or word of money stands beside it, `ish` for "40-ish".

    A `spelled` amount under ten is a count or a pronoun ("that one") unless it is money beyond doubt.
    """

    value: float
    start: int
    end: int
    currency: bool
    ish: bool
    spelled: bool = False


@cache
def _amount() -> Expressions:
    table = load_table("prices")
    before, after = pattern_of(table["currency_before"]), pattern_of([*table["currency_after"], *table["hundredths"]])
    notes = pattern_of(table["notes"])
    ish = r"-?ish(?!\w)|[\s-]?(?:odd|something)(?!\w)"
    return expression(
        rf"(?P<minus>(?<!\S)-(?=\S)|(?<!\w)(?:minus|negative)\s+)?(?P<pre>(?<!\w){before}\s?(?P<below>-)?)?"
        rf"(?<![\w.])(?:(?P<n>{NUMBER})|(?:an?\s+)?(?P<note>{notes})(?!\w))(?P<ish>\s?(?:{ish}))?"
        rf"(?P<post>\s?-?{after}(?!\w))?(?P<ish2>{ish})?(?![^\W_]|[.,:]\d)"
    )


@cache
def _weight() -> Expressions:
    return compile_phrases(load_table("prices")["weight"]["words"])


@cache
def _weighed_thing() -> Expressions:
    """Return what follows "20 pound" where the pounds are a weight: a thing, not the end of the phrase."""
    follow = pattern_of(load_table("prices")["weight"]["follow"])
    return expression(rf"[\s-]+(?!{follow}(?!\w))[a-z]")


def clause_bounds(low: str, start: int, end: int) -> tuple[int, int]:
    """Return where the clause around `[start, end)` begins and ends, some 80 characters before and 40 after at most."""
    origin = max(0, start - 80)
    first = max((match.end() for match in CLAUSE_END.finditer(low, origin, start)), default=origin)
    last = CLAUSE_END.search(low, end, end + 40)
    return first, last.start() if last else min(len(low), end + 40)


def find_amounts(low: str) -> list[Amount]:
    """Return the numbers of a lower-cased text that may be money.

    "$40" and "forty bucks" have a currency, "10 pounds" only where nothing speaks of weight; "50 cents" is half of one,
    "-$5" is below zero.
    """
    if _hint().search(low) is None:
        return []
    found: list[Amount] = []
    for match in _amount().finditer(low):
        start = match.start()
        below = bool(match["minus"] or match["below"])
        if match["minus"] and found and not low[found[-1].end : start].strip():
            start, below = match.end("minus"), False
        value = load_table("prices")["notes"][match["note"]] if match["note"] else parse_number(match["n"])
        if value is None or low.endswith(_VAGUE, 0, start):
            continue
        amount = Amount(value, start, match.end(), _is_money(low, match), bool(match["ish"] or match["ish2"]))
        amount.spelled = match["note"] is None and not match["n"][:1].isdigit() and value < 10
        if match["post"] and match["post"].strip(" -") in load_table("prices")["hundredths"]:
            amount.value = round(value / 100, 2)
        if below:
            amount.value, amount.currency = -amount.value, amount.currency or match["minus"] != "-"
        found.append(amount)
    return found


@cache
def _hint() -> Expressions:
    """Return a cheap test: most messages hold no number at all."""
    numbers, prices = load_table("numbers"), load_table("prices")
    words = pattern_of([*numbers["units"], *numbers["tens"], *numbers["scales"], *prices["notes"]])
    return expression(rf"\d|(?<!\w){words}(?!\w)")


def _is_money(low: str, match: re.Match[str]) -> bool:
    if match["pre"] or match["note"]:
        return True
    unit = (match["post"] or "").strip(" -")
    if unit not in ("pound", "pounds"):
        return bool(unit)
    if unit == "pound" and _weighed_thing().match(low, match.end()):
        return False
    if _weight().search(low, *clause_bounds(low, match.start(), match.end())):
        return False
    # Of pounds without a bound most are weights ("kosher chocolate 2 pounds"); £12.50 has its pence.
    return _bounded().search(low, max(0, match.start() - 24), match.end() + 12) is not None or "." in match["n"]


@cache
def _bounded() -> Expressions:
    """Return any word that bounds an amount, or speaks of money."""
    table = load_table("prices")
    bounds = [phrase for side in ("before", "after") for op in ("le", "ge", "around") for phrase in table[side][op]]
    return compile_phrases([*bounds, *table["price_words"], "between", "quid"])
