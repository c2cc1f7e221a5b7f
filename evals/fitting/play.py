"""Play generated sessions in this process and keep every choice that the ranking had to make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from langchain_core.runnables import RunnableConfig

from catalog.search import Ids, ProductIndex
from evals.answer import TOP_K, Answer
from evals.fitting.features import Choice
from evals.official.shopper import OfficialSession, OfficialShopper
from evals.sessions import LAST_TURN
from graph.events import BeliefState, believe
from graph.savers import memory_saver
from graph.shopping import ShoppingGraph, build_graph
from graph.state import Context, TurnState
from tools.clarification import empty_answers
from tools.evidence import weigh
from tools.pool import known
from tools.shop import Shop

RIVALS = 300
"""Candidates of a choice at most, the best by the present score: what is below has no chance to speak of."""

CONFIDENT = Context(policy="confident")


class Question(NamedTuple):
    """An attribute that was asked for and what came of it.

    `empty` answers in a row had brought nothing before; `new` facts came; `reciprocal` is 1 / rank of the wanted
    product a turn later, 0 where it was no candidate.
    """

    attribute: str
    empty: int
    new: int
    reciprocal: float


class Played(NamedTuple):
    """What the sessions of one catalog show."""

    choices: list[Choice]
    questions: list[Question]


class Seen(NamedTuple):
    """What `rank` is about to do in a turn."""

    belief: BeliefState
    query: str
    ids: Ids
    scores: np.ndarray[Any, np.dtype[np.float32]]


def play_sessions(
    index: ProductIndex, sessions: Sequence[OfficialSession], advance: Callable[[], None] = lambda: None
) -> Played:
    """Play sessions against the graph, policy `confident`, each to its hit or its last turn."""
    played = Played([], [])
    seen: list[Seen] = []

    def observe(state: TurnState, shop: Shop) -> dict[str, Any]:
        belief, ids = believe(state.events), np.sort(known(shop.index, state.candidates))
        seen.append(Seen(belief, state.query, ids, weigh(shop.index, belief, state.query, ids, shop.ranking).total))
        return {}

    saver = memory_saver()
    graph = build_graph(index, saver, after={"filter": observe})
    for session in sessions:
        _play_one(graph, index, session, seen, played)
        saver.delete_thread(session.session_id)
        advance()
    return played


def _play_one(
    graph: ShoppingGraph, index: ProductIndex, session: OfficialSession, seen: list[Seen], played: Played
) -> None:
    shopper = OfficialShopper(session)
    message, asked = shopper.opening(), None
    (wanted,) = index.ids([session.target])
    config = cast(RunnableConfig, {"configurable": {"thread_id": session.session_id}})
    values: dict[str, Any] = {"user_profile": session.user_profile.model_dump(mode="json")}
    for turn in range(1, LAST_TURN + 1):
        output = graph.invoke(cast(Any, {**values, "message": message}), config, context=CONFIDENT)
        values, now = {}, seen.pop()
        if shopper.counts(turn):
            played.choices.extend(_choice(now, wanted))
            # What is said with a change of mind answers no question.
            if asked is not None and now.belief.replaced_at != turn:
                played.questions.append(_question(asked, now, turn, wanted))
        shown = [row["parent_asin"] for row in output["recommendations"]][:TOP_K]
        if turn == LAST_TURN or (session.target in shown and shopper.counts(turn)):
            return
        attribute = output["ask_attribute"]
        asked = (attribute, empty_answers(now.belief)) if attribute else None
        answer = Answer(message=output["reply"], ask_attribute=attribute, recommendations=[])
        message = shopper.reply(turn + 1, answer, shown)


def _choice(now: Seen, wanted: int | None) -> list[Choice]:
    """Return the choice of a turn; none where the wanted product was no candidate."""
    if wanted is None or wanted not in now.ids:
        return []
    place = int(np.searchsorted(now.ids, wanted))
    kept = np.argsort(-now.scores, kind="stable")[:RIVALS]
    if place not in kept:
        kept[-1] = place
    return [Choice(now.belief, now.query, now.ids[kept], int(np.flatnonzero(kept == place)[0]))]


def _question(asked: tuple[str, int], now: Seen, turn: int, wanted: int | None) -> Question:
    new = sum(entry.turn == turn for entry in now.belief.entries)
    better = (now.scores > now.scores[now.ids == wanted]).sum() if wanted in now.ids else None
    return Question(*asked, new, 0.0 if better is None else 1.0 / (1 + int(better)))
