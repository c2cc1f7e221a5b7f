"""Prices: a number is one only with a currency, a price word, a budget question, or a bare upper bound."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from catalog.constraint import Op
from tools.amounts import Amount, clause_bounds, find_amounts
from tools.expressions import Expressions, expression
from tools.mentions import Claims, Mention
from tools.numbers import NUMBER, tidy
from tools.phrases import compile_phrases, load_table, pattern_of
from tools.words import Text

_WINDOW = 48
"""Characters looked at on either side of a number."""

_LEAST_BARE = 5
"""Below this a number without a currency is an age, a count or a part of a name ("under 3")."""

_ADULT = 18
"""People under so many are of that age; above it, "boots for boys under 40" is a price."""

_LINKED = re.compile(r"(?:over|above|than|under|below|least|most)\s+\d+\s+(?:but|and)\s+$")
"""What links the second bound of two to the first: "over 3 but" under 12."""

_GAP = re.compile(
    r"\s*(?:-|–|—|~|(?:on up\s+|up\s+)?(?:to|till|until|thru|through)|and|n|&|or)"
    r"\s*(?:(?:maybe|like|about|around|up to)\s+)?"
)
_LINK = re.compile(r"[\s,;]*(?:(?:and|but|yet|though|&|also|still|then|ideally|preferably|definitely)[\s,]*)*")


@dataclass(frozen=True, slots=True)
class _Patterns:
    before: tuple[tuple[Op, Expressions], ...]
    after: tuple[tuple[Op, Expressions], ...]
    between: Expressions
    span_word: Expressions
    price_word: Expressions
    led: Expressions
    owned: Expressions
    to_spend: Expressions
    negated: Expressions
    denied: Expressions
    rather: Expressions
    too_much: Expressions
    too_little: Expressions
    other_before: Expressions
    other_after: Expressions
    measure: Expressions
    bare_follow: Expressions
    bare_after: Expressions
    bare_avoid: Expressions
    bare_young: Expressions
    bare_lead: Expressions


@dataclass(slots=True)
class _Bound:
    """How an amount is bounded: before it from `start`, after it to `end`; `certain` words are said of money only."""

    op: Op | None
    start: int
    end: int
    before: Op | None = None
    certain: bool = False


@cache
def _patterns() -> _Patterns:
    table, units = load_table("prices"), load_table("units")
    fillers, links = pattern_of(table["fillers"]), pattern_of(table["links"])
    verdict = rf"\s*,?\s*(?:{pattern_of(table['verdict']['lead'])}\s+)(?:{pattern_of(table['verdict']['degree'])}\s+)*"
    negated = rf"(?<!\w){pattern_of(table['negation']['words'])}(?:\s+{pattern_of(table['negation']['between'])})*\s*$"
    return _Patterns(
        before=_bounds(table["before"], fillers),
        after=tuple((op, expression(rf"\s*{pattern_of(table['after'][op])}(?!\w|\s*\d)")) for op in _OPS),
        between=expression(rf"(?<!\w){pattern_of(table['range'])}\s+(?:(?:the|about|around)\s+)?$"),
        span_word=expression(r"\s+(?:price\s+)?(?:range|bracket)(?!\w)"),
        price_word=compile_phrases(table["price_words"]),
        led=expression(rf"(?<!\w){pattern_of(table['price_words'])}(?:'s)?\s*(?::|=)?\s*(?:{links}[\s,]+)*$"),
        owned=expression(rf"(?<!\w){pattern_of(table['owned'])}\s+(?:{fillers}\s+)*$"),
        to_spend=expression(rf"\s*{pattern_of(table['to_spend'])}(?!\w)"),
        negated=expression(negated),
        denied=expression(rf"(?<!\w){pattern_of(table['denied'])}\s+(?:{fillers}\s+)*$"),
        rather=expression(rf"\s*,?\s*{pattern_of(table['rather'])}\s*(?:{fillers}\s+)*"),
        too_much=expression(verdict + rf"{pattern_of(table['verdict']['too_much'])}(?!\w)"),
        too_little=expression(verdict + rf"{pattern_of(table['verdict']['too_little'])}(?!\w)"),
        other_before=expression(rf"(?<!\w){pattern_of(table['no_price']['before'])}\s+$|\d\s+for\s+$"),
        other_after=expression(rf"[\s-]*{pattern_of(table['no_price']['after'])}(?!\w)"),
        measure=expression(rf"[\s-]*{pattern_of([*units['measures'], *units['stars'], *units['reviews']])}(?!\w)"),
        bare_follow=expression(rf"\s*(?:$|[,.;!?)]|{pattern_of(table['bare']['follow'])}(?!\w))"),
        bare_after=expression(rf"\s*{pattern_of(table['bare']['after'])}(?!\w|\s*\d)"),
        bare_avoid=compile_phrases(table["bare"]["avoid"]),
        bare_young=compile_phrases(table["bare"]["young"]),
        bare_lead=expression(rf"{pattern_of(table['bare']['attributive'])}[\s-]+"),
    )


_OPS: tuple[Op, ...] = ("le", "ge", "around")


def _bounds(phrases: dict[str, Any], fillers: str) -> tuple[tuple[Op, Expressions], ...]:
    names = "".join(rf"(?<!\b{re.escape(name)} )" for name in phrases["names"])
    return tuple(
        (op, expression(rf"(?:^|(?<=[\s,(:])){names}{pattern_of(phrases[op])}[\s-]*(?:{fillers}\s+)*$")) for op in _OPS
    )


def read_prices(
    text: Text, claims: Claims, *, budget_asked: bool, names: Sequence[tuple[int, int]] = ()
) -> list[Mention]:
    """Return the price bounds of a message and claim their words.

    "under $50", "20-30 dollars", "between 40 and 60 bucks", "max 25€", "fifty-ish" (asked for a budget), "more than 50
    but less than 90". Ops are `le`, `ge`, `around` and `between`; a price without a bound is `around`, or `le` when it
    is called a budget. Never "under 3 inches", and never the brand Under Armour: a bound needs its number. A price that
    is denied ("not $40, more like $60") or below zero is none, and neither is one within a name (spans `names`).
    """
    budget_asked = budget_asked or _whole_bound().fullmatch(text.low) is not None
    amounts = [
        amount
        for amount in find_amounts(text.low)
        if claims.free(amount.start, amount.end) and not any(a < amount.end and amount.start < b for a, b in names)
    ]
    mentions, index, floor = [], 0, 0
    while index < len(amounts):
        amount, other = amounts[index], amounts[index + 1] if index + 1 < len(amounts) else None
        if amount.value < 0 or _denied(text.low, amount, other, floor, claims):
            if amount.currency:
                claims.take(amount.start, amount.end)
            floor, index = amount.end, index + 1
            continue
        mention = _read_pair(text.low, amount, other, floor, budget_asked) if other else None
        index += 2 if mention else 1
        mention = mention or _read_single(text.low, amount, floor, budget_asked)
        floor = amount.end
        if mention:
            floor = mention.end
            claims.take(mention.start, mention.end)
            mentions.append(mention)
    return mentions


def _denied(low: str, amount: Amount, other: Amount | None, floor: int, claims: Claims) -> bool:
    """Return whether a price is denied, and claim its words; what is said "rather" is then a price as well."""
    match = (
        _patterns().denied.search(low, max(floor, amount.start - _WINDOW), amount.start) if amount.currency else None
    )
    if match is None or _bound(low, amount, floor).op in ("le", "ge"):
        return False
    claims.take(match.start(), amount.end)
    if other and _patterns().rather.fullmatch(low, amount.end, other.start):
        other.currency = True
    return True


@cache
def _whole_bound() -> Expressions:
    """Return the pattern of a message that is a bound and an amount and nothing else: "over 20", "ideally 30"."""
    table = load_table("prices")
    bounds = pattern_of(
        [*table["before"]["le"], *table["before"]["ge"], *table["before"]["around"], "between", "ideally", "not"]
    )
    lead = r"(?:(?:but|and|maybe|preferably|say|well|ok|so|then|not|no)\s+)*"
    amount = rf"[$€£]?\s?{NUMBER}"
    more = rf"(?:\s*(?:-|–|to|and|&|or)\s*{amount})?(?:\s*,?\s*(?:more like|rather|better)\s+{amount})?"
    return expression(rf"\s*{lead}{bounds}\s*{amount}{more}\s*(?:or so|max|tops|please|thanks)?\s*[.!]?\s*")


def _read_pair(low: str, first: Amount, second: Amount, floor: int, asked: bool) -> Mention | None:
    """Return the range that two amounts make: "20 to 30 dollars", "over $20 but under $40"."""
    gap = _GAP.fullmatch(low, first.end, second.start)
    if gap is not None:
        return _read_range(low, first, second, floor, asked)
    one = _bound(low, first, floor)
    two = _bound(low, second, one.end)
    if {one.op, two.op} != {"le", "ge"} or not _LINK.fullmatch(low, one.end, max(one.end, two.start)):
        return None
    money = asked or first.currency or second.currency
    upper, bound = (first, one) if one.op == "le" else (second, two)
    bare = min(first.value, second.value) >= _LEAST_BARE and not _avoided(low, one.start, upper.value)
    if not money and not (bare and _is_price(low, upper, bound, asked=False)):
        return None
    if not second.currency and _patterns().measure.match(low, second.end):
        return None
    return _between(first, second, one.start, two.end)


def _read_range(low: str, first: Amount, second: Amount, floor: int, asked: bool) -> Mention | None:
    gap = low[first.end : second.start]
    between = _patterns().between.search(low, max(floor, first.start - _WINDOW), first.start)
    joined = gap.split()[:1] in (["and"], ["&"], ["n"]) or "&" in gap
    if not between and (joined or ("or" in gap and not (second.currency and first.value < second.value))):
        return None
    currency = first.currency or second.currency or bool(_patterns().span_word.match(low, second.end))
    named = _priced(low, first) and not (first.spelled and second.spelled)
    if not (currency or asked or named) or (not currency and _patterns().measure.match(low, second.end)):
        return None
    if _patterns().other_after.match(low, second.end):
        return None
    return _between(first, second, between.start() if between else first.start, second.end)


def _between(first: Amount, second: Amount, start: int, end: int) -> Mention:
    values = sorted((first.value, second.value))
    return Mention("budget", list(values), start, end, op="between", source="grammar")


def _read_single(low: str, amount: Amount, floor: int, asked: bool) -> Mention | None:
    bound = _bound(low, amount, floor)
    if not _is_price(low, amount, bound, asked) or _other_money(low, amount):
        return None
    if not (amount.currency or asked) and _patterns().measure.match(low, amount.end):
        return None
    op = bound.op
    if op is None:
        op = "le" if asked or bound.certain or _priced(low, amount) else "around"
    mention = Mention("budget", tidy(amount.value), bound.start, bound.end, op=op, source="grammar")
    if op == "around" and bound.op is None:
        mention.strength, mention.confidence = "soft", 0.8
    return mention


def _is_price(low: str, amount: Amount, bound: _Bound, asked: bool) -> bool:
    if amount.currency:
        return True
    if bound.certain or asked:
        return not amount.spelled or amount.value > 1
    if amount.spelled:
        return False
    if _priced(low, amount) and (bound.op is not None or _led(low, amount)):
        return True
    topped = _patterns().bare_after.match(low, amount.end)
    if (bound.before != "le" and not topped) or amount.value < _LEAST_BARE or _avoided(low, bound.start, amount.value):
        return False
    if _patterns().bare_lead.match(low, bound.start):
        return True
    return bool(_patterns().bare_follow.match(low, topped.end() if topped else amount.end))


def _other_money(low: str, amount: Amount) -> bool:
    """Return whether the money is no price of a thing: "$20 off", "an extra $50", "2 for $20"."""
    if _patterns().other_after.match(low, amount.end):
        return True
    return _patterns().other_before.search(low, max(0, amount.start - _WINDOW), amount.start) is not None


def _avoided(low: str, start: int, value: float) -> bool:
    """Return whether what stands just before a bound, after any earlier number, makes it an age, size or rating."""
    linked = _LINKED.search(low, max(0, start - 30), start)
    start, window = (linked.start(), 24) if linked else (start, 12)
    left = re.split(r"\d", low[max(0, start - window) : start])[-1]
    young = value <= _ADULT and _patterns().bare_young.search(left)
    return bool(young or _patterns().bare_avoid.search(left))


def _bound(low: str, amount: Amount, floor: int) -> _Bound:
    """Return how an amount is bounded by the words on either side, looking back no further than `floor`."""
    before, start = _bound_before(low, amount, floor)
    after, end = (None, amount.end) if before else _bound_after(low, amount)
    op: Op | None = "around" if amount.ish else (before or after)
    bound = _Bound(op, start, end, before)
    verdict = _patterns().too_much.match(low, end)
    if verdict and op != "le":
        return _Bound("le", start, verdict.end(), before, certain=True)
    verdict = _patterns().too_little.match(low, end)
    if verdict and op != "ge":
        return _Bound("ge", start, verdict.end(), before, certain=True)
    spent = _patterns().to_spend.match(low, end)
    if spent:
        bound.end, bound.certain = spent.end(), True
    elif amount.currency and op is None:
        bound.certain = _patterns().owned.search(low, max(floor, start - _WINDOW), start) is not None
    return bound


def _bound_before(low: str, amount: Amount, floor: int) -> tuple[Op | None, int]:
    origin = max(floor, amount.start - _WINDOW)
    left = low[origin : amount.start]
    best: tuple[Op | None, int] = (None, amount.start)
    for op, pattern in _patterns().before:
        match = pattern.search(left)
        if match and origin + match.start() < best[1]:
            best = (op, origin + match.start())
    bound, start = best
    if bound in ("le", "ge") and _patterns().negated.search(low, max(floor, start - _WINDOW), start):
        bound = "le" if bound == "ge" else "ge"
    return bound, start


def _bound_after(low: str, amount: Amount) -> tuple[Op | None, int]:
    for op, pattern in _patterns().after:
        match = pattern.match(low, amount.end)
        if match:
            return op, match.end()
    return None, amount.end


def _priced(low: str, amount: Amount) -> bool:
    return bool(_patterns().price_word.search(low, *clause_bounds(low, amount.start, amount.end)))


def _led(low: str, amount: Amount) -> bool:
    """Return whether a price word leads to the amount through words that link: "my budget is about", "spend"."""
    start, _ = clause_bounds(low, amount.start, amount.end)
    return _patterns().led.search(low, start, amount.start) is not None
