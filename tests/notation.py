"""Facts as the one-line cases write them (tests/understanding/README.md), compared with facts that were read.

Both sides are cut into atoms, so that a choice is its values and a range its two bounds, however either was kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from catalog.product import FINER_NAMES
from catalog.sizes import canonical_size
from evals.understanding.folding import fold_value, fold_words
from evals.understanding.matching import family
from graph.events import Fact

_FACT = re.compile(r"(?P<minus>-?)(?P<key>[a-z_]+)(?:(?P<sign>[<>]=?|=|~|\.\.|\*)(?P<value>.*))?", re.DOTALL)
_EITHER = re.compile(r"\|(?=-?[a-z_]+(?:[<>=~*]|\.\.))")
_BOUNDS = {"<": "<=", ">": ">=", "lt": "<=", "le": "<=", "gt": ">=", "ge": ">=", "around": "~", "contains": "*"}


class Atom(NamedTuple):
    """One value or one bound of one attribute; without a sign it stands for any fact of the attribute.

    `said` are the words that a fact was read from: a catalog has its own name for many a value (gray, t-shirt).
    """

    minus: bool
    key: str
    sign: str
    value: str
    soft: bool
    said: str = ""

    @property
    def attribute(self) -> str:
        """The attribute that the key is a finer name of, or the key itself."""
        return FINER_NAMES.get(self.key, self.key)


class Expected(NamedTuple):
    """A fact that a case expects: the ways in which it may be read, each a list of atoms that belong together."""

    text: str
    ways: list[list[Atom]]


def expected(item: str | list[str]) -> Expected:
    """Parse an item of a case: `-material=suede`, `budget..20,30`, `size=9 soft`, `color=black|navy`.

    A list, or `a=x|b=y`, gives several ways. Raises `ValueError` for text that is no fact.
    """
    texts = item if isinstance(item, list) else _EITHER.split(str(item))
    return Expected(" or ".join(texts), [_parsed(text) for text in texts])


def _parsed(text: str) -> list[Atom]:
    bare = text.strip().removesuffix(" soft")
    match = _FACT.fullmatch(bare)
    if match is None:
        raise ValueError(f"{text!r} is no fact: write color=navy, -material=suede or budget<=50")
    minus, key, sign = match["minus"] == "-", match["key"], match["sign"] or ""
    value, soft = match["value"] or "", text.endswith(" soft")
    if sign == "..":
        low, high = sorted(float(end) for end in value.split(","))
        return [Atom(minus, key, ">=", f"{low:g}", soft), Atom(minus, key, "<=", f"{high:g}", soft)]
    values = re.split(r"[|,]", value) if sign == "=" else [value]
    return [Atom(minus, key, _BOUNDS.get(sign, sign), part.strip(), soft) for part in values]


def atoms(fact: Fact) -> list[Atom]:
    """Return the atoms of a fact that was read."""
    minus, key, soft = fact.polarity == "negative", fact.facet_key, fact.strength == "soft"
    if fact.op == "between" and fact.numbers:
        low, high = fact.numbers
        return [Atom(minus, key, ">=", f"{low:g}", soft), Atom(minus, key, "<=", f"{high:g}", soft)]
    values = [*fact.values, *(f"{number:g}" for number in fact.numbers)]
    return [Atom(minus, key, _BOUNDS.get(fact.op, "="), value, soft, fact.text) for value in values]


def differences(wanted: Sequence[Expected], maybe: Sequence[Expected], read: Sequence[Fact]) -> Iterator[str]:
    """Yield what is missing of the wanted facts, and what was read that is neither wanted nor allowed."""
    got = [atom for fact in read for atom in atoms(fact)]
    for item in wanted:
        if not any(all(any(covers(atom, other) for other in got) for atom in way) for way in item.ways):
            yield f"missing: {item.text}"
    named = [atom for item in (*wanted, *maybe) for way in item.ways for atom in way]
    for other in got:
        if not any(covers(atom, other) for atom in named):
            yield f"not expected: {'-' * other.minus}{other.key}{other.sign}{other.value}{' soft' * other.soft}"


def forbidden(item: Expected, read: Sequence[Fact]) -> bool:
    """Return whether a fact was read that must not be: of exactly this attribute, and this value when one is named."""
    got = [atom for fact in read for atom in atoms(fact)]
    return any(_exactly(atom, other) for way in item.ways for atom in way for other in got)


def covers(want: Atom, got: Atom) -> bool:
    """Return whether an atom that was read is the one meant: families merged, values leniently."""
    if want.minus != got.minus or family(want.key) != family(got.attribute) or (want.soft and not got.soft):
        return False
    return not want.sign or _agree(want, got, exactly=False)


def _exactly(want: Atom, got: Atom) -> bool:
    same = want.minus == got.minus and want.key in (got.key, got.attribute)
    return same and (not want.sign or _agree(want, got, exactly=True))


def _agree(want: Atom, got: Atom, *, exactly: bool) -> bool:
    if want.sign != got.sign and {want.sign, got.sign} != {"=", "*"}:
        return False
    try:
        return float(want.value) == float(got.value)
    except ValueError:
        return _same_text(want, got) or (not exactly and want.key != "size" and _alike(want, got))


def _same_text(want: Atom, got: Atom) -> bool:
    one, other = want.value, got.value
    if want.key == "size":
        one, other = canonical_size(one) or one, canonical_size(other) or other
    return fold_value(one) == fold_value(other) or sorted(fold_words(one)) == sorted(fold_words(other))


def _alike(want: Atom, got: Atom) -> bool:
    """Return whether all words of one value are among the other's, or the value is just what was said.

    Of free text one word is enough.
    """
    if fold_value(want.value) == fold_value(got.said):
        return True
    words, others = set(fold_words(want.value)), set(fold_words(got.value))
    both = words & others
    return bool(both) and (want.sign == "*" or both in (words, others))
