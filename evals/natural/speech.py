"""Put facts into words: forms of the data file, drawn by the session id."""

from __future__ import annotations

from collections.abc import Sequence

from evals.draws import pick
from evals.natural.facts import Claim, Fact, Slot, bare
from evals.natural.session import SWITCH_TURNS, Switch
from evals.natural.tables import MOVES, Move, tables
from evals.official.generate import anonymous_profile
from evals.sessions import Profile

MOST_CLAUSES = 2
"""Facts said within the first sentence of an opening; the others get a sentence of their own."""

BEFORE = " …"
"""Ends a clause that stands before the kind of product."""

_MOVE_SENTENCES = 3


class Speaker:
    """Words for the facts of one session."""

    def __init__(self, session_id: str) -> None:
        self._id = session_id

    def answer(self, claim: Claim, slot: Slot) -> Fact:
        """Return a fact said in a sentence of its own."""
        forms = tables().avoid.sentence if claim.avoided else tables().say[claim.kind].sentence
        form = pick(forms, self._id, "sentence", claim.kind, claim.value)
        return _fact(claim, slot, _capital(form.format(value=claim.value)))

    def profile_fact(self, claim: Claim) -> Fact:
        """Return a fact that the profile states."""
        tag = pick(tables().say[claim.kind].tag, self._id, "tag", claim.value).format(value=claim.value)
        return self.answer(claim, "profile").model_copy(update={"tag": tag})

    def opening(self, scenario: str, category: str, claims: Sequence[tuple[Claim, Slot]]) -> tuple[str, list[Fact]]:
        """Return the first message and its facts, the kind of product first."""
        # A rejection ends the sentence: what follows it would be rejected too.
        ordered = sorted(claims, key=lambda item: item[0].avoided)
        spoken = 1 if any(claim.avoided for claim, _ in ordered[MOST_CLAUSES:]) else MOST_CLAUSES
        facts, clauses, sentences, before = [_fact(Claim("category", category), "opening", category)], "", "", ""
        for number, (claim, slot) in enumerate(ordered):
            fact = self._clause(claim, slot) if number < spoken else self.answer(claim, slot)
            if number >= spoken:
                sentences += f" {fact.said}"
            elif fact.said.endswith(BEFORE):
                fact = fact.model_copy(update={"said": fact.said.removesuffix(BEFORE)})
                before += f"{fact.said} "
            else:
                clauses += f", {fact.said}" if claim.avoided else f" {fact.said}"
            facts.append(fact)
        frame = pick(tables().opening[scenario], self._id, "opening")
        return _capital(frame.format(category=article(category, before), clauses=clauses)) + sentences, facts

    def switch(self, old: Claim, new: Claim) -> tuple[Switch, Fact]:
        """Return the change of mind and the fact that it states."""
        fact = self.answer(new, "new")
        message = pick(tables().switch.message, self._id, "switch").format(old=old.value, new=fact.said)
        return Switch(turn=pick(SWITCH_TURNS, self._id, "turn"), message=message), fact

    def moves(self) -> dict[Move, tuple[str, ...]]:
        """Return what the shopper says when there is no fact to reveal, three sentences for each move."""
        return {move: self._some(tables().moves[move], move) for move in MOVES}

    def profile(self, facts: Sequence[Fact]) -> Profile:
        """Return a profile that carries facts in its tags and its summary, or says nothing when there are none."""
        neutral = anonymous_profile(self._id)
        tags = [fact.tag for fact in facts if fact.tag]
        if not tags:
            return neutral
        summary = pick(tables().profile.summary, self._id, "summary").format(
            frequency=neutral.purchase_frequency, style=neutral.rating_style, tags=" and ".join(tags)
        )
        return neutral.model_copy(update={"preference_tags": tags, "summary": _capital(summary)})

    def _clause(self, claim: Claim, slot: Slot) -> Fact:
        forms = tables().avoid.clause if claim.avoided else tables().say[claim.kind].clause
        return _fact(claim, slot, pick(forms, self._id, "clause", claim.kind, claim.value).format(value=claim.value))

    def _some(self, sentences: Sequence[str], move: Move) -> tuple[str, ...]:
        first = sentences.index(pick(sentences, self._id, "move", move))
        return tuple(sentences[(first + step) % len(sentences)] for step in range(_MOVE_SENTENCES))


def article(category: str, before: str = "") -> str:
    """Return a kind of product as a shopper asks for one, with adjectives `before` it.

    Example: `article("hoodie")` is "a hoodie", `article("hoodie", "olive ")` is "an olive hoodie".
    """
    named = next(name for name in tables().vocabulary["category"] if bare(name) == category)
    if named == category:
        return before + category
    return f"{'an' if before[0].lower() in 'aeio' else 'a'} {before}{category}" if before else named


def _fact(claim: Claim, slot: Slot, said: str) -> Fact:
    return Fact(kind=claim.kind, value=claim.value, avoided=claim.avoided, slot=slot, said=said)


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
