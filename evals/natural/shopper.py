"""The simulated shopper of protocol P2: one fact for each good question."""

from __future__ import annotations

from collections.abc import Sequence

from evals.answer import Answer
from evals.draws import pick
from evals.natural.facts import Fact
from evals.natural.question import Question, read_question
from evals.natural.session import NaturalSession
from evals.natural.tables import Move, tables


class NaturalShopper:
    """Plays one session.

    Example: asked "Which color do you have in mind?" with `ask_attribute` "color", a shopper who wants navy says "It
    should be navy."; asked again, "I already told you: It should be navy."
    """

    def __init__(self, session: NaturalSession) -> None:
        self._session = session
        self._told: list[Fact] = session.in_slot("opening", "old")
        self._untold: list[Fact] = session.in_slot("hidden")
        self._switched = session.switch is None
        self._volunteered = False
        self._uses: dict[Move, int] = {}

    def opening(self) -> str:
        """Return the first message."""
        return self._session.opening

    def reply(self, turn: int, answer: Answer | None, shown: Sequence[str]) -> str:  # noqa: ARG002 - lists say nothing
        """Return the message of `turn` after an answer that did not end the session."""
        switch = self._session.switch
        if switch is not None and turn >= switch.turn and not self._switched:
            self._switched = True
            self._told = [fact for fact in self._told if fact.slot != "old"] + self._session.in_slot("new")
            return switch.message
        return self._answer(read_question(answer))

    def counts(self, turn: int) -> bool:
        """Return whether a hit at `turn` counts: not before the change of mind."""
        return self._session.switch is None or turn >= self._session.switch.turn

    def _answer(self, question: Question) -> str:
        match question.reading:
            case "none":
                return self._say("not_right")
            case "unclear":
                return self._say("unclear")
            case "irrelevant":
                return self._say("irrelevant")
            case "broad":
                return self._volunteer()
            case "asked":
                return self._tell_about(question)

    def _volunteer(self) -> str:
        """Answer a question about everything: once with a fact, which the session id draws."""
        waiting = self._untold or [fact for fact in self._session.in_slot("profile") if fact not in self._told]
        if not waiting:
            return self._say("exhausted")
        if self._volunteered:
            return self._say("too_broad")
        self._volunteered = True
        fact = pick(waiting, self._session.session_id, "volunteered")
        return self._tell(fact) if self._untold else self._recall(fact)

    def _tell_about(self, question: Question) -> str:
        def answers(facts: Sequence[Fact]) -> list[Fact]:
            return [fact for fact in facts if fact.kind in question.kinds]

        if untold := answers(self._untold):
            return self._tell(untold[0])
        if told := answers(self._told):
            return self._say("already_told", told[-1].said)
        if known := answers(self._session.in_slot("profile")):
            return self._recall(known[0])
        if not self._untold and self._uses.get("no_preference", 0):
            return self._say("exhausted")
        return self._say("no_preference", attribute=tables().attribute_names[question.attribute or "other"])

    def _recall(self, fact: Fact) -> str:
        """Point to the profile, which states the fact."""
        self._told.append(fact)
        return self._say("in_profile", fact.said)

    def _tell(self, fact: Fact) -> str:
        self._untold.remove(fact)
        self._told.append(fact)
        return fact.said

    def _say(self, move: Move, fact: str = "", attribute: str = "") -> str:
        """Return the next of the session's sentences for a move."""
        sentences = self._session.moves[move]
        number = self._uses.get(move, 0)
        self._uses[move] = number + 1
        return sentences[number % len(sentences)].replace("{fact}", fact).replace("{attribute}", attribute)
