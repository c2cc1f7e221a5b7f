"""Play frozen sessions against an agent in worker processes. Targets and cards never leave this process."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from evals.answer import TOP_K, Answer, counted, parse_answer
from evals.errors import AgentUnavailableError, InvalidAnswerError, TargetLeakError
from evals.process import AgentSpec, Worker, WorkerFault
from evals.scoring import Outcome, TurnFault
from evals.sessions import LAST_TURN, Session, carries_id
from evals.shopper import Shopper
from evals.stages import dropped_by, rank_in, stage_ranks
from evals.traces import SessionTrace, TurnTrace
from graph.state import clean_json, clean_text

TURN_TIMEOUT = 10.0
"""Seconds that an agent has for a turn."""

Exist = Callable[[Sequence[str]], Sequence[bool]]
"""Whether each id is in the catalog."""


class _Turn(BaseModel):
    """What came back for one message."""

    model_config = ConfigDict(frozen=True)

    answer: Answer | None = None
    milliseconds: float | None = None
    diagnostics: dict[str, Any] = {}
    faults: tuple[TurnFault, ...] = ()


class SessionPlayer:
    """Plays sessions one after another on one worker, which it restarts when the agent breaks it."""

    def __init__(self, worker: Worker, exist: Exist, timeout: float = TURN_TIMEOUT) -> None:
        self._worker = worker
        self._exist = exist
        self._timeout = timeout

    def play(self, session: Session, shopper: Shopper) -> SessionTrace:
        """Play one session to its hit or its tenth turn; whatever the agent does wrong is a miss of that turn."""
        reset_fault = self._reset(session)
        turns: list[TurnTrace] = []
        message = shopper.opening()
        for turn in range(1, LAST_TURN + 1):
            _guard(message, session)
            result = self._respond(session, message, turn)
            shown = counted(result.answer, self._exist) if result.answer else []
            turns.append(_trace(session, turn, message, result, shown, shopper.counts(turn)))
            rank = rank_in(shown, session.target)
            if rank is not None and shopper.counts(turn):
                return SessionTrace(outcome=_outcome(session, turn, rank), turns=turns, reset_fault=reset_fault)
            if turn < LAST_TURN:
                message = shopper.reply(turn + 1, result.answer, shown)
        return SessionTrace(outcome=_outcome(session, None, None), turns=turns, reset_fault=reset_fault)

    def _reset(self, session: Session, turn: int = 0) -> TurnFault | None:
        profile = session.user_profile.model_dump(mode="json")
        _guard(session.user_profile.model_dump_json(), session)
        try:
            if not self._worker.alive:
                self._worker.start()
            request = {"op": "reset", "session_id": session.session_id, "user_profile": profile}
            self._worker.ask(request, self._timeout)
        except WorkerFault as fault:
            return _fault(session, turn, fault.kind, fault.text)
        except AgentUnavailableError as error:
            return _fault(session, turn, "crash", str(error))
        return None

    def _respond(self, session: Session, message: str, turn: int) -> _Turn:
        """Ask for one answer. A worker that an earlier turn has ended is started again, without that memory."""
        request = {
            "op": "respond", "session_id": session.session_id, "user_message": message, "turn": turn, "top_k": TOP_K
        }  # fmt: skip
        restart_fault = None if self._worker.alive else self._reset(session, turn)
        if restart_fault:
            return _Turn(faults=(restart_fault,))
        try:
            reply = self._worker.ask(request, self._timeout)
            answer = parse_answer(reply.get("answer"))
        except WorkerFault as fault:
            return _Turn(faults=(_fault(session, turn, fault.kind, fault.text),))
        except InvalidAnswerError as error:
            return _Turn(faults=(_fault(session, turn, "shape", str(error)),))
        diagnostics, faults = self._diagnose(session, turn)
        return _Turn(answer=answer, milliseconds=reply.get("ms"), diagnostics=diagnostics, faults=faults)

    def _diagnose(self, session: Session, turn: int) -> tuple[dict[str, Any], tuple[TurnFault, ...]]:
        """Ask for the turn's diagnostics; failing to give them costs no score, but is listed."""
        if not self._worker.diagnoses:
            return {}, ()
        try:
            reply = self._worker.ask({"op": "diagnose", "session_id": session.session_id}, self._timeout)
        except WorkerFault as fault:
            return {}, (_fault(session, turn, f"diagnose {fault.kind}", fault.text),)
        diagnostics = reply.get("diagnostics")
        return (clean_json(diagnostics), ()) if isinstance(diagnostics, dict) else ({}, ())


def play_all(
    spec: AgentSpec,
    sessions: Sequence[Session],
    shopper: Callable[[Session], Shopper],
    exist: Exist,
    *,
    jobs: int = 1,
    timeout: float = TURN_TIMEOUT,
    advance: Callable[[], None] = lambda: None,
) -> list[SessionTrace]:
    """Play all sessions on `jobs` workers; traces stand in the order of `sessions`, whoever played them.

    `advance` is called, from any thread, after each session. Raises `AgentUnavailableError` when the agent
    cannot be loaded and `TargetLeakError` when a session would give its target away; both end the run.
    """
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    for number in range(len(sessions)):
        waiting.put(number)
    done: dict[int, SessionTrace] = {}
    broken: list[BaseException] = []

    def work() -> None:
        try:
            with Worker(spec) as worker:
                player = SessionPlayer(worker, exist, timeout)
                while not broken:
                    number = waiting.get_nowait()
                    done[number] = player.play(sessions[number], shopper(sessions[number]))
                    advance()
        except queue.Empty:
            return
        except Exception as error:  # noqa: BLE001 - raised again in the calling thread below
            broken.append(error)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(min(jobs, len(sessions)))]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    except KeyboardInterrupt as stop:
        broken.append(stop)
        for thread in threads:
            thread.join()
    if broken:
        raise broken[0]
    return [done[number] for number in range(len(sessions))]


def _guard(text: str, session: Session) -> None:
    if carries_id(text, session.target):
        raise TargetLeakError(
            f"session {session.session_id}: a message would carry the target's id; the session file was edited, "
            "generate it anew"
        )


def _outcome(session: Session, turn: int | None, rank: int | None) -> Outcome:
    return Outcome(
        session_id=session.session_id, scenario=session.scenario, groups=session.groups, turn=turn, rank=rank
    )


def _fault(session: Session, turn: int, kind: str, text: str) -> TurnFault:
    return TurnFault(session_id=session.session_id, turn=turn, kind=kind, text=clean_text(text))


def _trace(
    session: Session, turn: int, message: str, result: _Turn, shown: list[str], counts: bool
) -> TurnTrace:  # fmt: skip
    answer, told = result.answer, result.diagnostics
    usage = answer.usage if answer else None
    return TurnTrace(
        session_id=session.session_id,
        scenario=session.scenario,
        turn=turn,
        message=message,
        acts=_listed(told.get("acts")),
        facts=_listed(told.get("facts")),
        constraints=_listed(told.get("constraints")),
        query=told["query"] if isinstance(told.get("query"), str) else None,
        stage_ranks=stage_ranks(told, shown, session.target),
        dropped_by=dropped_by(told, session.target),
        question=answer.ask_attribute if answer else None,
        reply=answer.message if answer else None,
        shown=shown,
        counts=counts,
        latency_ms=result.milliseconds,
        node_ms=_times(told.get("node_ms")),
        prompt_tokens=usage.prompt_tokens if usage else 0,
        completion_tokens=usage.completion_tokens if usage else 0,
        faults=list(result.faults),
    )


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _times(value: Any) -> dict[str, float]:
    if not isinstance(value, dict):
        return {}
    return {str(node): float(ms) for node, ms in value.items() if isinstance(ms, (int, float))}
