"""Prices: a number is one only with a currency, a price word, a budget question, or a bare upper bound."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from catalog.constraint import Op
from tools.mentions import Claims, Mention
from tools.numbers import NUMBER, parse_number, tidy
from tools.phrases import compile_phrases, load_table, pattern_of
from tools.words import Text

_WINDOW = 48
"""Characters looked at on either side of a number."""

_CLAUSE_END = re.compile(r"[;!?\n]|\.(?!\d)")
_RANGE_GAP = re.compile(r"\s*(?:-|–|—|to|and|or|~)\s*(?:(?:maybe|about|around|up to)\s+)?")


@dataclass(frozen=True, slots=True)
class _Patterns:
    amount: re.Pattern[str]
    before: tuple[tuple[Op, re.Pattern[str]], ...]
    after: tuple[tuple[Op, re.Pattern[str]], ...]
    price_word: re.Pattern[str]
    negation: re.Pattern[str]
    measure: re.Pattern[str]
    bare_follow: re.Pattern[str]
    bare_after: re.Pattern[str]
    bare_avoid: re.Pattern[str]


@dataclass(slots=True)
class _Amount:
    value: float
    start: int
    end: int
    currency: bool
    ish: bool


@cache
def _patterns() -> _Patterns:
    table, units = load_table("prices"), load_table("units")
    before = pattern_of(table["currency_before"])
    after = pattern_of(table["currency_after"])
    number = rf"(?<![\w.])(?P<n>{NUMBER})(?P<ish>\s?-?ish\b)?"
    amount = rf"(?P<pre>(?<!\w){before}\s?)?{number}(?P<post>\s?-?{after}(?!\w))?(?P<ish2>-?ish\b)?"
    return _Patterns(
        amount=re.compile(amount),
        before=_bounds(table["before"], pattern_of(table["fillers"])),
        after=tuple((op, re.compile(rf"\s*{pattern_of(table['after'][op])}(?!\w)")) for op in ("le", "ge", "around")),
        price_word=compile_phrases(table["price_words"]),
        negation=compile_phrases(table["negation"]["words"]),
        measure=re.compile(rf"[\s-]*{pattern_of([*units['measures'], *units['stars'], *units['reviews']])}(?!\w)"),
        bare_follow=re.compile(rf"\s*(?:$|[,.;!?)]|{pattern_of(table['bare']['follow'])}(?!\w))"),
        bare_after=re.compile(rf"\s*{pattern_of(table['bare']['after'])}(?!\w)"),
        bare_avoid=compile_phrases(table["bare"]["avoid"]),
    )


def _bounds(phrases: dict[str, Any], fillers: str) -> tuple[tuple[Op, re.Pattern[str]], ...]:
    ops: tuple[Op, ...] = ("le", "ge", "around")
    return tuple((op, re.compile(rf"(?:^|(?<=[\s,(:])){pattern_of(phrases[op])}\s*(?:{fillers}\s+)*$")) for op in ops)


def read_prices(text: Text, claims: Claims, *, budget_asked: bool) -> list[Mention]:
    """Return the price bounds of a message and claim their words.

    "under $50", "20-30 dollars", "between 40 and 60 bucks", "max 25€", "fifty-ish" (asked for a budget).
    Ops are `le`, `ge`, `around` and `between`; a price without a bound is `around`, or `le` when it is called a
    budget. Never "under 3 inches", and never the brand Under Armour: a bound needs its number.
    """
    amounts = [amount for amount in _amounts(text.low) if claims.free(amount.start, amount.end)]
    mentions, index = [], 0
    while index < len(amounts):
        other = amounts[index + 1] if index + 1 < len(amounts) else None
        mention = _read_range(text.low, amounts[index], other, budget_asked) if other else None
        if mention:
            index += 1
        else:
            mention = _read_single(text.low, amounts[index], budget_asked)
        if mention:
            claims.take(mention.start, mention.end)
            mentions.append(mention)
        index += 1
    return mentions


def _amounts(low: str) -> list[_Amount]:
    found = []
    for match in _patterns().amount.finditer(low):
        value = parse_number(match["n"])
        if value is not None:
            currency = bool(match["pre"] or match["post"])
            found.append(_Amount(value, match.start(), match.end(), currency, bool(match["ish"] or match["ish2"])))
    return found


def _read_range(low: str, first: _Amount, second: _Amount, asked: bool) -> Mention | None:
    gap = low[first.end : second.start]
    if not _RANGE_GAP.fullmatch(gap):
        return None
    left = low[max(0, first.start - _WINDOW) : first.start]
    between = re.search(r"(?:between|from|range(?: of)?|in the)\s+(?:the\s+|about\s+|around\s+)?$", left)
    if ("and" in gap or "or" in gap) and not between:
        return None
    currency = first.currency or second.currency
    if not (currency or asked or _priced(low, first)) or (not currency and _patterns().measure.match(low, second.end)):
        return None
    low_value, high_value = sorted((first.value, second.value))
    start = first.start - (len(left) - between.start()) if between else first.start
    return Mention("budget", [low_value, high_value], start, second.end, op="between", source="grammar")


def _read_single(low: str, amount: _Amount, asked: bool) -> Mention | None:
    before, start = _bound_before(low, amount)
    after, end = _bound_after(low, amount)
    op: Op | None = "around" if amount.ish else (before or after)
    if not _is_price(low, amount, op, before, start, asked):
        return None
    if not (amount.currency or asked) and _patterns().measure.match(low, amount.end):
        return None
    stated = op is not None
    if op is None:
        op = "le" if asked or _priced(low, amount) else "around"
    mention = Mention("budget", tidy(amount.value), start, end, op=op, source="grammar")
    if op == "around" and not stated:
        mention.strength, mention.confidence = "soft", 0.8
    return mention


def _is_price(low: str, amount: _Amount, op: Op | None, before: Op | None, start: int, asked: bool) -> bool:
    if amount.currency or asked:
        return True
    if _priced(low, amount) and (op is not None or _follows_price_word(low, amount)):
        return True
    topped = _patterns().bare_after.match(low, amount.end) is not None
    if (before != "le" and not topped) or amount.value < 5:
        return False
    if _patterns().bare_avoid.search(low, max(0, start - 12), start):
        return False
    return topped or bool(_patterns().bare_follow.match(low, amount.end))


def _bound_before(low: str, amount: _Amount) -> tuple[Op | None, int]:
    origin = max(0, amount.start - _WINDOW)
    left = low[origin : amount.start]
    best: tuple[Op | None, int] = (None, amount.start)
    for op, pattern in _patterns().before:
        match = pattern.search(left)
        if match and origin + match.start() < best[1]:
            best = (op, origin + match.start())
    bound, start = best
    clause = re.split(r"[,;.!?]", low[max(0, start - _WINDOW) : start])[-1]
    if bound in ("le", "ge") and _patterns().negation.search(clause):
        bound = "le" if bound == "ge" else "ge"
    return bound, start


def _bound_after(low: str, amount: _Amount) -> tuple[Op | None, int]:
    for op, pattern in _patterns().after:
        match = pattern.match(low, amount.end)
        if match:
            return op, match.end()
    return None, amount.end


def _clause_bounds(low: str, amount: _Amount) -> tuple[int, int]:
    start = max(
        (match.end() for match in _CLAUSE_END.finditer(low, max(0, amount.start - 80), amount.start)),
        default=max(0, amount.start - 80),
    )
    match = _CLAUSE_END.search(low, amount.end, amount.end + 40)
    return start, match.start() if match else min(len(low), amount.end + 40)


def _priced(low: str, amount: _Amount) -> bool:
    start, end = _clause_bounds(low, amount)
    return bool(_patterns().price_word.search(low, start, end))


def _follows_price_word(low: str, amount: _Amount) -> bool:
    start, _ = _clause_bounds(low, amount)
    words = list(_patterns().price_word.finditer(low, start, amount.start))
    return bool(words) and len(low[words[-1].end() : amount.start].split()) <= 4
