"""The simulated shopper of protocol P1: says what its card allows, one answer at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from evals.answer import Answer
from evals.draws import pick
from evals.official.cards import HiddenCard, value_class
from evals.official.tables import tables
from evals.sessions import Session

VALUES_A_REPLY = 2
"""Card values revealed by one answer, at most."""

OVERRIDE_TURNS = (3, 4)
"""Turns at which a shopper with a change of mind states it; the session id draws which."""


class OfficialSession(Session):
    """A session of P1: the category phrase and the hidden card of its target."""

    category: str
    hard: tuple[str, ...]
    soft: tuple[str, ...]

    @property
    def card(self) -> HiddenCard:
        """The hidden card."""
        return HiddenCard(self.hard, self.soft)


class Voice(Protocol):
    """How a shopper of this protocol puts into words what he has to say."""

    def opening(self, value: str) -> str:
        """Return the first message; `value` is the card value that the scenario opens with, or empty."""

    def override(self, value: str) -> str:
        """Return the message that takes the earlier preference back and states `value`."""

    def reveal(self, values: Sequence[str]) -> str:
        """Return the answer that states `values`."""

    def no_preference(self, attribute: str) -> str:
        """Return the answer of a shopper who leaves `attribute` to the agent."""

    def exhausted(self, attribute: str) -> str:
        """Return the answer of a shopper who has nothing to say about `attribute`."""

    def not_right(self) -> str:
        """Return the answer to products without a question."""


class TemplateVoice:
    """The sentences of the public protocol."""

    def __init__(self, session: OfficialSession) -> None:
        self._session = session

    def opening(self, value: str) -> str:
        """Fill in the scenario's sentence that the session id draws."""
        sentence = pick(tables().opening[self._session.scenario], self._session.session_id, "opening")
        return sentence.format(category=self._session.category, value=value)

    def override(self, value: str) -> str:
        """Take the earlier preference back and state `value`."""
        return tables().reply.override.format(value=value)

    def reveal(self, values: Sequence[str]) -> str:
        """State `values`."""
        return tables().reply.reveal.format(values="; ".join(values))

    def no_preference(self, attribute: str) -> str:
        """Leave `attribute` to the agent."""
        return tables().reply.no_preference.format(attribute=attribute)

    def exhausted(self, attribute: str) -> str:
        """Have nothing to say about `attribute`."""
        return tables().reply.exhausted.format(attribute=attribute)

    def not_right(self) -> str:
        """Ask to be asked."""
        return tables().reply.not_right


class OfficialShopper:
    """Plays one session, by default in the sentences of the public protocol.

    Example: with the card `("cotton", "color: navy")` a buying shopper opens with "... A key requirement is:
    cotton." and answers a question about colour with "For that, what matters is: color: navy."
    """

    def __init__(self, session: OfficialSession, voice: Voice | None = None) -> None:
        self._session = session
        self._voice: Voice = voice or TemplateVoice(session)
        self._told: set[str] = set()
        self._shrugged = False
        self.override_turn = override_turn(session)
        self.stated: list[str] = []
        """Card values said so far in any way, each once; what the bound of P1 may know."""

    @property
    def undisclosed(self) -> list[str]:
        """The card values that an answer may still reveal, in the order of the card."""
        return [value for value in self._session.card.values if value not in self._told]

    def opening(self) -> str:
        """Return the first message: the category, and a value where the scenario opens with one."""
        session = self._session
        value = ""
        if session.scenario == "buying":
            value = session.hard[0]
            self._told.add(value)
        elif session.scenario == "intent_override":
            value = session.soft[-1]
        if value:
            self.stated.append(value)
        return self._voice.opening(value)

    def reply(self, turn: int, answer: Answer | None, shown: Sequence[str]) -> str:  # noqa: ARG002 - P1 ignores lists
        """Return the message of `turn` after an answer that did not end the session."""
        if turn == self.override_turn:
            self._tell([self._session.hard[0]])
            return self._voice.override(self._session.hard[0])
        asked = answer.ask_attribute if answer else None
        if asked is None:
            return self._voice.not_right()
        name = tables().attribute_names.get(asked, asked)
        if self._session.scenario == "boundary" and not self._shrugged:
            self._shrugged = True
            return self._voice.no_preference(name)
        values = [value for value in self.undisclosed if asked in ("other", value_class(value))][:VALUES_A_REPLY]
        if not values:
            return self._voice.exhausted(name)
        self._tell(values)
        return self._voice.reveal(values)

    def counts(self, turn: int) -> bool:
        """Return whether a hit at `turn` counts: not before the change of mind."""
        return self.override_turn is None or turn >= self.override_turn

    def _tell(self, values: Sequence[str]) -> None:
        self._told.update(values)
        self.stated.extend(value for value in values if value not in self.stated)


def override_turn(session: Session) -> int | None:
    """Return the turn at which the shopper's mind changes, drawn from the session id; None in other scenarios."""
    if session.scenario != "intent_override":
        return None
    return pick(OVERRIDE_TURNS, session.session_id, "override")
