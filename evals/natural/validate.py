"""Prove that a session file of protocol P2 is sound: against the catalog, by the evaluation's own test of facts."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from catalog.product import Product
from evals.natural.facts import Claim, Fact, Record, bare, is_true, limit, matching
from evals.natural.scenarios import FEWEST_LEFT, MOST_HIDDEN
from evals.natural.session import SWITCH_TURNS, NaturalSession
from evals.natural.signature import Shelf
from evals.natural.speech import Speaker
from evals.natural.tables import MOVES, NUMBERS, tables
from evals.natural.words import holds, longest_run, plain, spellings
from evals.sessions import carries_id
from evals.validation import Problem

LONGEST_QUOTE = 4
"""Consecutive words of a title that a shopper may say."""

_PLACES = {"already_told": "{fact}", "in_profile": "{fact}", "no_preference": "{attribute}"}


class _Case(NamedTuple):
    """A session and what its facts are tested on."""

    session: NaturalSession
    product: Product
    target: Record
    shelf: Shelf

    def matching(self, claims: Sequence[Claim]) -> list[Record]:
        """Return the catalog's records of which all claims are true, each tested anew."""
        named = next((claim for claim in claims if claim.kind == "category"), None)
        pool = self.shelf.called(named.value) if named else self.shelf.records.values()
        return matching([claim for claim in claims if claim != named], pool)


Findings = Iterator[str]


def validate_sessions(products: Sequence[Product], sessions: Sequence[NaturalSession]) -> list[Problem]:
    """Return every rule that a session breaks; none for a file that may be frozen."""
    shelf = Shelf(products)
    problems = []
    targets = Counter(session.target for session in sessions)
    for session in sessions:
        product = shelf.products.get(session.target)
        if product is None:
            problems.append(Problem(session.session_id, "target", f"the catalog has no product {session.target}"))
            continue
        if targets[session.target] > 1:
            problems.append(Problem(session.session_id, "target", f"{session.target} is the target of others too"))
        case = _Case(session, product, shelf.records[session.target], shelf)
        for rule, findings in _RULES.items():
            problems += [Problem(session.session_id, rule, text) for text in findings(case)]
    return problems


def fingerprint(session: NaturalSession) -> str:
    """Return the SHA-256 of everything that a session holds apart from the fingerprint itself."""
    return hashlib.sha256(session.model_copy(update={"sha256": ""}).model_dump_json().encode()).hexdigest()


def leaks(session: NaturalSession, product: Product) -> list[str]:
    """Return the texts of a session that carry the target's id, its title, or a long run of its title."""
    title = plain(product.title)
    profile = session.user_profile
    found = []
    for text in [*session.texts, profile.summary, " ".join(profile.preference_tags)]:
        said = plain(text)
        if carries_id(text, product.parent_asin) or title in said or longest_run(said, title) > LONGEST_QUOTE:
            found.append(text)
    return found


def _intact(case: _Case) -> Findings:
    if case.session.sha256 != fingerprint(case.session):
        yield "the session is not the one that was frozen: its SHA-256 differs"


def _leak(case: _Case) -> Findings:
    for text in leaks(case.session, case.product):
        yield f"{text!r} gives away the target's id or title"


def _true(case: _Case) -> Findings:
    for fact in case.session.facts:
        if fact.slot != "old" and not is_true(fact.claim, case.target):
            yield f"{_named(fact)} is false of the target"


def _unique(case: _Case) -> Findings:
    left = case.matching(case.session.signature)
    if [item.parent_asin for item in left] != [case.session.target]:
        yield f"the facts are true together of {len(left)} products, not of the target alone"


def _decoy(case: _Case) -> Findings:
    """An old preference is false of the target, a rejected value is safe; both are real among its rivals."""
    named = [fact.claim for fact in case.session.facts if fact.kind == "category"]
    rivals = case.matching(named)
    for fact in case.session.facts:
        if fact.slot != "old" and not fact.avoided:
            continue
        wanted = fact.claim._replace(avoided=False)
        if fact.value not in tables().family.get(fact.kind, {}):
            yield f"{_named(fact)} has no family of words by which it could be false of a product"
        elif not is_true(wanted._replace(avoided=True), case.target):
            yield f"{_named(fact)} may be true of the target"
        if not matching([wanted], rivals):
            yield f"{_named(fact)} is true of no product of the kind"


def _said(case: _Case) -> Findings:
    session = case.session
    opening = plain(session.opening)
    for fact in session.facts:
        if plain(bare(fact.value)) not in plain(fact.said):
            yield f"{fact.said!r} does not state {_named(fact)}"
        elif not _right_way(fact):
            yield f"{fact.said!r} states {_named(fact)} the wrong way round"
        if fact.slot in ("opening", "old") and plain(fact.said) not in opening:
            yield f"the opening does not state {_named(fact)}"
        if fact.kind in NUMBERS and limit(fact.value) is None:
            yield f"{_named(fact)} is no number"


def _switch(case: _Case) -> Findings:
    switch, old, new = case.session.switch, case.session.in_slot("old"), case.session.in_slot("new")
    if switch is None:
        if old or new:
            yield "an old or new preference without a change of mind"
        return
    if len(old) != 1 or len(new) != 1 or old[0].kind != new[0].kind or old[0].avoided:
        yield "a change of mind needs one old preference and one new of the same kind"
        return
    message = plain(switch.message)
    if plain(new[0].said) not in message or plain(bare(old[0].value)) not in message:
        yield f"{switch.message!r} does not replace {_named(old[0])} by {_named(new[0])}"
    if switch.turn not in SWITCH_TURNS:
        yield f"the change of mind comes at turn {switch.turn}, not at one of {SWITCH_TURNS}"


def _profile(case: _Case) -> Findings:
    session = case.session
    profile, facts = session.user_profile, session.in_slot("profile")
    neutral = Speaker(session.session_id).profile([])
    if not facts:
        if profile != neutral:
            yield "the profile is not the one that says nothing of the target"
        return
    if profile.preference_tags != [fact.tag for fact in facts]:
        yield "the profile's tags are not those of its facts"
    for fact in facts:
        tag = plain(fact.tag or "")
        if plain(bare(fact.value)) not in tag or tag not in plain(profile.summary):
            yield f"the profile does not state {_named(fact)} in tags and summary"
    if neutral.model_copy(update={"preference_tags": [], "summary": ""}) != profile.model_copy(
        update={"preference_tags": [], "summary": ""}
    ):
        yield "the profile's other values are not those drawn from the session's id"


def _moves(case: _Case) -> Findings:
    for move in MOVES:
        sentences = case.session.moves.get(move, ())
        if not sentences or any(_PLACES.get(move, "") not in sentence for sentence in sentences):
            yield f"no sentences for {move}, or one without {_PLACES.get(move, 'text')}"


def _scenario(case: _Case) -> Findings:
    session = case.session
    opening, hidden = session.in_slot("opening"), session.in_slot("hidden")
    kinds = [fact.kind for fact in opening]
    if session.scenario not in tables().scenarios:
        yield f"unknown scenario {session.scenario!r}"
        return
    if kinds.count("category") != 1 or any(fact.kind == "category" for fact in session.facts if fact not in opening):
        yield "the kind of product is not stated once, in the opening"
    if len(hidden) > MOST_HIDDEN:
        yield f"{len(hidden)} facts wait for a question; {MOST_HIDDEN} at most may"
    if not _SHAPES[session.scenario](session):
        yield f"the facts do not lie as {session.scenario} lays them"
    left = len(case.matching([fact.claim for fact in opening]))
    if session.scenario != "direct_search" and left < FEWEST_LEFT:
        yield f"the opening leaves {left} products, fewer than {FEWEST_LEFT}"


def _right_way(fact: Fact) -> bool:
    """Return whether a sentence asks for the value or rejects it as the fact does, and bounds a number on its side."""
    around = plain(fact.said).replace(plain(bare(fact.value)), "  ")
    words = tables()
    if _cued(around, words.avoid.cues) != fact.avoided:
        return False
    if fact.kind == "budget":
        return _cued(around, words.bounds.upper)
    return fact.kind not in NUMBERS or _cued(around, words.bounds.lower)


def _cued(text: str, cues: Sequence[str]) -> bool:
    return holds(text, tuple(spellings(cue)[0] for cue in cues))


def _named(fact: Fact) -> str:
    return f"{'not ' if fact.avoided else ''}{fact.kind} {fact.value!r}"


def _shaped(*slots: str, among: Callable[[Fact], bool] = lambda _: True) -> Callable[[NaturalSession], bool]:
    """Return the test that facts stand in these slots and, the kind of product apart, in no slot outside them."""

    def test(session: NaturalSession) -> bool:
        facts = [fact for fact in session.facts if fact.kind != "category"]
        return any(among(fact) for fact in facts) and all(fact.slot in slots for fact in facts)

    return test


_RULES: dict[str, Callable[[_Case], Findings]] = {
    "intact": _intact,
    "leak": _leak,
    "true": _true,
    "unique": _unique,
    "decoy": _decoy,
    "said": _said,
    "switch": _switch,
    "profile": _profile,
    "moves": _moves,
    "scenario": _scenario,
}

_SHAPES: dict[str, Callable[[NaturalSession], bool]] = {
    "direct_search": _shaped("opening"),
    "multi_constraint": lambda session: (
        len(session.in_slot("opening")) >= 3 and bool(session.in_slot("hidden")) and not session.in_slot("profile")
    ),
    "profile_hidden": _shaped("opening", "profile", "hidden", among=lambda fact: fact.slot == "profile"),
    "clarification_required": _shaped("hidden"),
    "negative_constraint": _shaped("opening", "hidden", among=lambda fact: fact.avoided),
    "budget_rating": _shaped("opening", "hidden", among=lambda fact: fact.kind in NUMBERS and fact.slot == "opening"),
    "intent_override": _shaped("opening", "old", "new", "hidden", among=lambda fact: fact.slot == "new"),
}
