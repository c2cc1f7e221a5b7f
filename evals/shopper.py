"""What the runner needs of a simulated shopper, whatever the protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from evals.answer import Answer


class Shopper(Protocol):
    """One simulated person in one session. Turns count from 1."""

    def opening(self) -> str:
        """Return the message of turn 1."""
        ...

    def reply(self, turn: int, answer: Answer | None, shown: Sequence[str]) -> str:
        """Return the message of `turn`, given what the agent did in the turn before.

        `answer` is None when the agent failed; `shown` are the ids that counted, best first.
        """
        ...

    def counts(self, turn: int) -> bool:
        """Return whether a hit at `turn` ends the session (not so before a change of mind)."""
        ...
