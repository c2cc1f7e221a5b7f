"""The shopper of protocol P3: P1's rules, a person's words, and eyes for the products shown."""

from __future__ import annotations

from collections.abc import Sequence

from evals.answer import Answer
from evals.errors import SessionFileError
from evals.official.shopper import OfficialShopper
from evals.realistic.bank import bank_sha256
from evals.realistic.session import Look, RealisticSession
from evals.realistic.voice import RealisticVoice, Statement


class RealisticShopper:
    """Plays one session; without `look` it never speaks of the products shown.

    Raises `SessionFileError` when the session was made to be spoken in other sentences than are here.
    """

    def __init__(self, session: RealisticSession, look: Look | None = None) -> None:
        if session.bank != bank_sha256(session.manner.half):
            raise SessionFileError(
                f"session {session.session_id} was made for other sentences than this version has "
                f"({session.bank[:12]}); generate the file anew"
            )
        self._look = look
        self._target = session.target
        self._voice = RealisticVoice(session)
        self._rules = OfficialShopper(session, self._voice)

    @property
    def statements(self) -> Sequence[Statement]:
        """What the messages so far have stated."""
        return self._voice.statements

    def opening(self) -> str:
        """Return the first message."""
        return self._rules.opening()

    def reply(self, turn: int, answer: Answer | None, shown: Sequence[str]) -> str:
        """Return the message of `turn`; an agent that gave no answer is not understood."""
        if self._look is not None:
            self._voice.see(next(iter(self._look([self._target])), None), self._look(shown))
        if answer is None and turn != self._rules.override_turn:
            return self._voice.unclear()
        return self._rules.reply(turn, answer, shown)

    def counts(self, turn: int) -> bool:
        """Return whether a hit at `turn` ends the session."""
        return self._rules.counts(turn)
