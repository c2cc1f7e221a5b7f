"""Facts: what a card value states, of which kind, and how it is said, in the record's words or in others."""

from __future__ import annotations

import re
from typing import NamedTuple

from evals.draws import pick, unit
from evals.official.cards import value_class
from evals.realistic.bank import Kind, OtherWords, Words, bank
from evals.realistic.numbers import cardinal
from evals.realistic.session import RealisticSession
from evals.realistic.speech import plain, speech

SHORT = 4
"""Words up to which a value is said as a material or a style, or by its key; a longer one is a feature's text."""

CLAUSE = 3
"""Words that a clause needs to say something on its own: fewer are a heading."""

LONGEST_TOLD = 8
"""Words of a long text that are still said where facts are said in other words: nobody recites a paragraph."""

_BREAK = re.compile(r"[:;!?()\[\]【】★✔✓|]|\.(?=\s|$)| - |, ")
_PRICE = re.compile(r"budget around \$([\d.]+)")


class Fact(NamedTuple):
    """A fact that a person can say: `kind` chooses the sentences, `value` goes into them, with `key` for a detail.

    Example: the card value `color: navy` is `Fact("color: navy", "color", "color", "navy")`.
    """

    card: str
    kind: Kind
    key: str
    value: str


def read_fact(card: str, keyed: bool) -> Fact:
    """Read a card value; `keyed` when it is a detail of the record, not a text with a heading."""
    price = _PRICE.fullmatch(card)
    if price:
        return Fact(card, "budget", "", f"${price.group(1)}")
    key, colon, value = card.partition(": ")
    if colon and (keyed or max(len(key.split()), len(value.split())) <= SHORT):
        return Fact(card, speech().kind_of_key(key), key, value)
    return Fact(card, _kind_of(card), "", card)


def say_fact(session: RealisticSession, card: str) -> Fact:
    """Return a fact of the session as this person says it: its value is verbatim, or in other words."""
    fact = read_fact(card, card in session.keyed)
    manner = session.manner
    if manner.level == "light" or card in session.literal or unit(session.session_id, "reworded", card) >= manner.share:
        return fact
    return reword(fact, bank(manner.half).words, session.session_id)


def reword(fact: Fact, words: OtherWords, seed: str) -> Fact:
    """Say a fact in other words: by another name, a sum spelled out, or a long text's first words.

    A fact that has no other words is said in its own, in lower case.
    """
    if fact.kind == "budget":
        return fact._replace(value=_money(float(fact.value.removeprefix("$")), seed))
    found = _other_name(fact, words, seed)
    if found is not None:
        return found
    return fact._replace(key=fact.key.lower(), value=_shortened(fact.value))


def _kind_of(card: str) -> Kind:
    """Return the kind of a value without a key: a long text is a feature, whatever it is about."""
    kind = value_class(card)
    if kind in ("material", "style") and ":" not in card and len(card.split()) <= SHORT:
        return "material" if kind == "material" else "style"
    return "use_case" if kind == "use_case" and len(card.split()) == 1 else "feature"


def _other_name(fact: Fact, words: OtherWords, seed: str) -> Fact | None:
    """Return the fact under another name; None when its value holds none that can be said otherwise."""
    tables: dict[Kind, list[tuple[Kind, Words]]] = {
        "color": [("color", words.color)],
        "size": [("size", words.size)],
        "department": [("department", words.department)],
        "use_case": [("use_case", words.use_case)],
        "material": [("material", words.material)],
    }
    said: list[tuple[Kind, Words]] = [("feature", words.feature), ("style", words.style), ("use_case", words.use_case)]
    for kind, table in tables.get(fact.kind, said):
        key = _named(fact, kind, table)
        if key is not None:
            told = fact.kind if fact.kind == "detail" else kind
            return fact._replace(kind=told, key=fact.key.lower(), value=pick(table[key], seed, "word", fact.card))
    return None


def _named(fact: Fact, kind: Kind, table: Words) -> str | None:
    """Return the longest name in `table` that the value surely states: the whole value, or a part nothing turns round.

    A colour, a size and a department are only said otherwise as a whole: `light blue` is no `cobalt`.
    """
    value = plain(fact.value)
    if kind in ("color", "size", "department"):
        return next((key for key in table if value in _spellings(key, kind)), None)
    purpose = r"(?:for|while|during)\b[^.;]*\b" if kind == "use_case" and fact.kind != "use_case" else ""
    before, after = "|".join(speech().denied.before), "|".join(speech().denied.after)
    for key in sorted(table, key=len, reverse=True):
        stated = rf"{purpose}(?<!\w)({re.escape(plain(key))})(?:s|able)?(?!\w)(?! (?:{after})\b)"
        match = re.search(stated, value)
        if match and not re.search(rf"\b(?:{before})(?: \w+)?\s*$", value[: match.start(1)]):
            return key
    return None


def _spellings(key: str, kind: Kind) -> tuple[str, ...]:
    name = plain(key)
    if kind == "department":
        return name, f"{name}s", f"{name}'s", f"{name} adult"
    return name, name.replace("gray", "grey"), f"{name} blue" if name == "navy" else name


def _money(amount: float, seed: str) -> str:
    """Spell out a sum, to the nearest unit, from a hundred on to the nearest five: people round."""
    step = 5 if amount >= 100 else 1
    return pick(speech().money.forms, seed, "money").format(amount=cardinal(max(1, round(amount / step) * step)))


def _shortened(value: str) -> str:
    """Return the first clause of a text that is no heading, in lower case and at most `LONGEST_TOLD` words."""
    if len(value.split()) <= LONGEST_TOLD:
        return value.lower()
    clauses = (part.strip(" *•-") for part in _BREAK.split(value))
    told = next((part for part in clauses if len(part.split()) >= CLAUSE), value).lower().split()
    words = told[:LONGEST_TOLD]
    while len(words) < len(told) and len(words) > CLAUSE and words[-1] in speech().cut.words:
        words.pop()
    return " ".join(words)
