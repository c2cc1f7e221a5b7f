"""The simulated shopper of protocol P1: says what its card allows, one answer at a time."""

from __future__ import annotations

from collections.abc import Sequence

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


class OfficialShopper:
    """Plays one session.

    Example: with the card `("cotton", "color: navy")` a buying shopper opens with "... A key requirement is:
    cotton." and answers a question about colour with "For that, what matters is: color: navy."
    """

    def __init__(self, session: OfficialSession) -> None:
        self._session = session
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
        sentence = pick(tables().opening[session.scenario], session.session_id, "opening")
        value = ""
        if session.scenario == "buying":
            value = session.hard[0]
            self._told.add(value)
        elif session.scenario == "intent_override":
            value = session.soft[-1]
        if value:
            self.stated.append(value)
        return sentence.format(category=session.category, value=value)

    def reply(self, turn: int, answer: Answer | None, shown: Sequence[str]) -> str:  # noqa: ARG002 - P1 ignores lists
        """Return the message of `turn` after an answer that did not end the session."""
        words = tables().reply
        if turn == self.override_turn:
            self._tell([self._session.hard[0]])
            return words.override.format(value=self._session.hard[0])
        asked = answer.ask_attribute if answer else None
        if asked is None:
            return words.not_right
        name = tables().attribute_names.get(asked, asked)
        if self._session.scenario == "boundary" and not self._shrugged:
            self._shrugged = True
            return words.no_preference.format(attribute=name)
        values = [value for value in self.undisclosed if asked in ("other", value_class(value))][:VALUES_A_REPLY]
        if not values:
            return words.exhausted.format(attribute=name)
        self._tell(values)
        return words.reveal.format(values="; ".join(values))

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
