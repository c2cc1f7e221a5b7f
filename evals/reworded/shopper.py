"""The shopper of protocol P1 who speaks hand-written sentences."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

from evals.draws import pick
from evals.official.shopper import OfficialSession, OfficialShopper
from evals.reworded.sentences import Sentences


class RewordedSession(OfficialSession):
    """A session of P1 and the sentences in which it is spoken."""

    sentences: Sentences
    verbatim: bool = False
    """Whether the facts are said in the record's own words, inside other sentences."""


class Frames(BaseModel):
    """Sentences around the record's own words: `{category}` and `{value}` are filled in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    opening: dict[str, tuple[str, ...]]
    value: tuple[str, ...]
    override: tuple[str, ...]


@cache
def frames() -> Frames:
    """Return the sentences of `evals/data/frames.toml`."""
    text = files("evals").joinpath("data/frames.toml").read_text(encoding="utf-8")
    return Frames.model_validate(tomllib.loads(text))


class WrittenVoice:
    """Speaks a session's sentences: the facts reworded, or verbatim inside a frame that the session id draws."""

    def __init__(self, session: RewordedSession) -> None:
        self._session = session
        self._said = session.sentences
        self._refusals = 0

    def opening(self, value: str) -> str:
        """Say what kind of product is wanted, and `value` where the scenario opens with one."""
        session = self._session
        if not session.verbatim:
            return self._said.opening
        frame = pick(frames().opening[session.scenario], session.session_id, "opening frame")
        return frame.format(category=session.category, value=value)

    def override(self, value: str) -> str:
        """Take the earlier preference back and state `value`."""
        if self._session.verbatim or self._said.override is None:
            return pick(frames().override, self._session.session_id, "override frame").format(value=value)
        return self._said.override

    def reveal(self, values: Sequence[str]) -> str:
        """State `values`, a sentence each."""
        return " ".join(_closed(self._fact(value)) for value in values)

    def no_preference(self, attribute: str) -> str:  # noqa: ARG002 - the sentences fit any attribute
        """Leave it to the agent."""
        return self._said.no_preference

    def exhausted(self, attribute: str) -> str:  # noqa: ARG002 - the sentences fit any attribute
        """Have nothing to add, each time in the next of the session's sentences."""
        said = self._said.exhausted[self._refusals % len(self._said.exhausted)]
        self._refusals += 1
        return said

    def not_right(self) -> str:
        """Ask to be asked."""
        return self._said.not_right

    def _fact(self, value: str) -> str:
        if self._session.verbatim:
            return pick(frames().value, self._session.session_id, value).format(value=value)
        return self._said.values[self._session.card.values.index(value)]


class RewordedShopper(OfficialShopper):
    """Plays one session: P1's rules, a person's words."""

    def __init__(self, session: RewordedSession) -> None:
        super().__init__(session, WrittenVoice(session))


def _closed(sentence: str) -> str:
    """End a sentence with a mark, so that the next one does not run on."""
    return sentence if sentence.rstrip().endswith((".", "!", "?", "…")) else sentence.rstrip() + "."
