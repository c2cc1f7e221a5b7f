"""The programmatic contract: `ShoppingAgent.reset` and `.respond`."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from pathlib import Path
from typing import Any, SupportsIndex, cast

from langchain_core.runnables import RunnableConfig

from catalog.errors import ConversationError, InputError, ShopgraphError
from graph.diagnosis import stages_of
from graph.events import BeliefState, believe
from graph.savers import Locks, Saver, memory_saver, sqlite_saver
from graph.settings import Policy
from graph.shopping import Catalog, assemble, configured_shops
from graph.state import Context, ShopperOutput, State, clean_json
from tools.explanation import describe
from tools.language import TIERS

STEP_LIMIT = 25
"""Nodes of one turn at most; ten run. The limit is per turn: a conversation may be as long as it likes."""

OUTPUT = frozenset(ShopperOutput.model_fields)
"""Channels that an answer holds; a stream of values holds all of them."""

Watcher = Callable[[dict[str, Any]], None]
"""What is told the record of each node; see `graph.watching`."""

DIAGNOSED = 256
"""Conversations whose last diagnostics are kept in memory."""


class ShoppingAgent:
    """A conversational product-search agent over one catalog. Safe for threads and event loops, also together.

    Turns of one conversation are served one after the other, in the order in which they were asked for; turns of
    different conversations run side by side.

    Example:
        agent = ShoppingAgent(catalog="store.duckdb")
        agent.reset("s1", {"preference_tags": ["casual"]})
        answer = agent.respond("s1", "a rain jacket under $60", turn=1)
        answer = await agent.arespond("s1", "in navy")  # the same, in an event loop
    """

    def __init__(
        self,
        catalog: Catalog | None = None,
        policy: Policy = "confident",
        state: str | Path | None = None,
        checkpointer: Saver | None = None,
        diagnostics: bool = False,
        without: Sequence[str] = (),
    ) -> None:
        """Open an agent.

        Args:
            catalog: A catalog file or an open index; None takes SHOPGRAPH_CATALOG.
            policy: `confident` shows what the evidence supports, `full` always ten.
            state: Folder of stored conversations (SQLite); None keeps them in memory.
            checkpointer: A LangGraph saver instead of `state`.
            diagnostics: Keep each turn's inner workings for `diagnose`.
            without: Tiers of the language reader to leave out (see `tools.language.TIERS`), for ablations.

        Raises:
            InputError: The policy is unknown, or a tier.
            CatalogError: The catalog cannot be opened (on the first turn).
        """
        if policy not in ("full", "confident"):
            raise InputError(f"The policy is {policy!r}: it must be 'full' or 'confident'.")
        if unknown := set(without) - TIERS:
            raise InputError(f"The reader has no tiers {sorted(unknown)}: name some of {', '.join(sorted(TIERS))}.")
        folder = Path(state) if state is not None else None
        saver = checkpointer or (memory_saver() if folder is None else sqlite_saver(folder))
        self._saver: Saver = saver
        self._locks = Locks(folder)
        self._shops = configured_shops(catalog, without=frozenset(without))
        self._graph = assemble(self._shops, saver)
        self._context = Context(policy=policy)
        self._diagnostics = diagnostics
        self._guard = threading.Lock()
        self._workers = ThreadPoolExecutor(thread_name_prefix="shopgraph")
        self._last: OrderedDict[str, tuple[dict[str, dict[str, Any]], dict[str, float]]] = OrderedDict()

    def reset(self, session_id: str, user_profile: Mapping[str, Any] | None = None) -> None:
        """Forget the conversation of this id, if any, and begin it anew with an anonymous profile."""
        thread = _checked_id(session_id)
        if user_profile is not None and not isinstance(user_profile, Mapping):
            raise InputError(f"The user profile is a {type(user_profile).__name__}: pass a mapping or None.")
        with self._locks.hold(thread):
            self._saver.delete_thread(thread)
            if user_profile:
                profile = {"user_profile": _checked_profile(user_profile)}
                self._graph.update_state(_config(thread), profile, as_node="respond")

    def respond(self, session_id: str, user_message: str, turn: int | None = None, top_k: int = 10) -> dict[str, Any]:
        """Answer one message of a conversation.

        Args:
            session_id: The conversation; it goes on where it was left, also in another process.
            user_message: What the shopper says. Any text; a blank one is answered with a question.
            turn: The caller's turn number; the conversation counts its own.
            top_k: Recommendations at most, 1 to 10.

        Returns:
            `message`, `ask_attribute`, `recommendations` (`parent_asin`, `score`; best first) and `usage`.

        Raises:
            InputError: The id is blank or no string, the message is no string, the turn is not 1 or more, or `top_k` is
                no whole number.
            ConversationError: What is stored of the conversation is damaged.
        """
        most = _checked_numbers(turn, top_k)
        return _answer(self.turn(session_id, user_message), most)

    async def arespond(
        self, session_id: str, user_message: str, turn: int | None = None, top_k: int = 10
    ) -> dict[str, Any]:
        """Answer one message in an event loop; see `respond`."""
        most = _checked_numbers(turn, top_k)
        return _answer(await self.aturn(session_id, user_message), most)

    def turn(self, session_id: str, user_message: str, on_step: Watcher | None = None) -> dict[str, Any]:
        """Answer one message and return the graph's whole output (`graph.state.ShopperOutput`).

        Each row of its `recommendations` carries the `evidence` of its product. `on_step` is called with the record of
        each node (`node`, `took_ms`, `in`, `decided`, `why`) as soon as it has decided.
        """
        thread, message = _checked_id(session_id), _checked_message(user_message)
        with self._locks.hold(thread):
            return self._serve(thread, message, on_step)

    async def aturn(self, session_id: str, user_message: str, on_step: Watcher | None = None) -> dict[str, Any]:
        """Answer one message in an event loop; see `turn`.

        The work is done by a thread of the agent's own, which also calls `on_step`. A turn that waits is given up when
        its task is cancelled; one that has begun is brought to its end, and the next one waits for it.
        """
        thread, message = _checked_id(session_id), _checked_message(user_message)
        ticket = self._locks.queue.join(thread)
        try:
            await asyncio.wrap_future(ticket.called)
            work = self._workers.submit(copy_context().run, self._serve_alone, thread, message, on_step)
        except BaseException:
            self._locks.queue.leave(ticket)
            raise
        work.add_done_callback(lambda _: self._locks.queue.leave(ticket))
        return await asyncio.wrap_future(work)

    def _serve_alone(self, thread: str, message: str, on_step: Watcher | None) -> dict[str, Any]:
        with self._locks.shut_out(thread):
            return self._serve(thread, message, on_step)

    def _serve(self, thread: str, message: str, on_step: Watcher | None) -> dict[str, Any]:
        with self._stored(thread):
            output = self._run(thread, {"message": message}, on_step)
        evidence = output.get("evidence", {})
        rows = [{**row, "evidence": evidence.get(row["parent_asin"], [])} for row in output["recommendations"]]
        return {**output, "recommendations": rows}

    def belief(self, session_id: str) -> BeliefState:
        """Return what is believed of the shopper's present intent."""
        thread = _checked_id(session_id)
        with self._stored(thread):
            return self._read(thread)

    def _read(self, thread: str) -> BeliefState:
        values = self._graph.get_state(_config(thread)).values
        if values:
            State.model_validate(values)
        return believe(values.get("events", []))

    @contextmanager
    def _stored(self, thread: str) -> Iterator[None]:
        """Raise `ConversationError` instead of whatever a turn fails with when its stored conversation is damaged.

        The store is read again only after a failure, so that a good turn pays nothing for it.
        """
        try:
            yield
        except (ShopgraphError, sqlite3.Error):
            raise
        except Exception as failure:
            try:
                self._read(thread)
            except Exception as damage:  # noqa: BLE001 - damaged bytes fail in any way, down to a missing key
                raise ConversationError(
                    f"What is stored of conversation {thread!r} cannot be read ({type(damage).__name__}): begin "
                    "another one, or reset this one."
                ) from failure
            raise

    def diagnose(self, session_id: str) -> dict[str, Any]:
        """Return the inner workings of the last turn; empty unless the agent was made with `diagnostics`."""
        if session_id not in self._last:
            return {}
        return self._diagnosis(session_id, *self._last[session_id])

    def _run(self, thread: str, values: dict[str, Any], on_step: Watcher | None) -> dict[str, Any]:
        if not self._diagnostics and on_step is None:
            return cast(
                dict[str, Any],
                self._graph.invoke(cast(Any, values), _config(thread), context=self._context, durability="exit"),
            )
        nodes: dict[str, dict[str, Any]] = {}
        times: dict[str, float] = {}
        output: dict[str, Any] = {}
        stream = self._graph.stream(
            cast(Any, values),
            _config(thread),
            context=self._context,
            durability="exit",
            stream_mode=["updates", "custom", "values"],
        )
        for kind, part in stream:
            if kind == "updates":
                nodes.update(cast(dict[str, dict[str, Any]], part))
            elif kind == "custom":
                step = cast(dict[str, Any], part)
                times[step["node"]] = step["took_ms"]
                if on_step is not None:
                    on_step(step)
            else:
                output = {key: value for key, value in cast(dict[str, Any], part).items() if key in OUTPUT}
        if self._diagnostics:
            self._keep(thread, nodes, times)
        return output

    def _keep(self, thread: str, nodes: dict[str, dict[str, Any]], times: dict[str, float]) -> None:
        with self._guard:
            self._last[thread] = (nodes, times)
            while len(self._last) > DIAGNOSED:
                self._last.popitem(last=False)

    def _diagnosis(self, thread: str, nodes: dict[str, dict[str, Any]], times: dict[str, float]) -> dict[str, Any]:
        reading = nodes["canonicalize"]["reading"]
        events = self._graph.get_state(_config(thread)).values["events"]
        shop = self._shops.get("default")
        return {
            "acts": [move["act"] for move in reading.get("moves", [])],
            "facts": [move["fact"] for move in reading.get("moves", []) if move.get("fact")],
            "constraints": [describe(fact) for fact in believe(events).constraints],
            "query": nodes["retrieve"]["query"],
            **stages_of(shop, nodes, events, self._context.policy)._asdict(),
            "shown": shop.index.parent_asins(nodes["respond"]["candidates"]),
            "ask_attribute": nodes["clarify"]["ask_attribute"],
            "message": nodes["respond"]["reply"],
            "node_ms": times,
        }


def _config(thread: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread}, "recursion_limit": STEP_LIMIT}


def _answer(output: dict[str, Any], most: int) -> dict[str, Any]:
    """Return the contract's answer of a turn, with at most `most` recommendations."""
    usage = output.get("usage") or {}
    return {
        "message": output["reply"],
        "ask_attribute": output.get("ask_attribute"),
        "recommendations": [
            {"parent_asin": row["parent_asin"], "score": float(row["score"])}
            for row in output["recommendations"][:most]
        ],
        "usage": {
            "prompt_tokens": int(usage.get("prompt_tokens", 0)),
            "completion_tokens": int(usage.get("completion_tokens", 0)),
        },
    }


def _checked_numbers(turn: object, top_k: object) -> int:
    """Return how many recommendations an answer may hold, 1 to 10."""
    if turn is not None and (not isinstance(turn, int) or turn < 1):
        raise InputError(f"The turn is {turn!r}: pass 1, 2, ... or None.")
    if not isinstance(top_k, SupportsIndex):
        raise InputError(f"top_k is {top_k!r}: pass a number from 1 to 10.")
    return max(1, min(top_k.__index__(), 10))


def _checked_message(message: object) -> str:
    if not isinstance(message, str):
        raise InputError(f"The message is a {type(message).__name__}: pass a string.")
    return message


def _checked_profile(profile: Mapping[str, Any]) -> Any:
    try:
        return clean_json(dict(profile))
    except RecursionError as error:
        raise InputError("The user profile is nested too deeply, or holds itself: pass plain JSON values.") from error


def _checked_id(session_id: object) -> str:
    """Return a usable conversation id: SQLite would let None, "None" and 1, "1" share a conversation."""
    if not isinstance(session_id, str):
        raise InputError(f"The session id is a {type(session_id).__name__} ({session_id!r}): pass a string.")
    cleaned = clean_json(session_id)
    if not cleaned.strip():
        raise InputError("The session id is blank: pass a name for the conversation.")
    return str(cleaned)
