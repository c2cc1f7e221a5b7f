"""One turn of a conversation after the other, for threads and event loops alike."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future
from contextlib import aclosing, asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph

from catalog.errors import ConversationError
from graph.editing import EditableGraph
from graph.spans import turn_span
from graph.state import Context, ShopperInput, ShopperOutput, State


class Ticket:
    """A place in the queue of one conversation; `called` is done when its turn has come."""

    def __init__(self, conversation: str) -> None:
        self.conversation = conversation
        self.called: Future[None] = Future()
        self.holder = _here()


class TurnQueue:
    """Serves the turns of one conversation one after the other, first come, first served.

    Unlike a lock it may be waited for by threads and by event loops at once, it stops no loop, takes no thread for
    waiting, and survives the cancelling of a task that waits.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._queues: dict[str, deque[Ticket]] = {}

    @contextmanager
    def hold(self, conversation: str) -> Iterator[None]:
        """Wait for the turns that came before, then keep others out."""
        ticket = self.join(conversation)
        try:
            ticket.called.result()
            _hold(ticket)
            yield
        finally:
            self.leave(ticket)

    @asynccontextmanager
    async def ahold(self, conversation: str) -> AsyncIterator[None]:
        """Wait for the turns that came before without stopping the event loop, then keep others out."""
        ticket = self.join(conversation)
        try:
            await asyncio.wrap_future(ticket.called)
            _hold(ticket)
            yield
        finally:
            self.leave(ticket)

    def join(self, conversation: str) -> Ticket:
        """Take a place in the queue; `leave` gives it back, whether it was called or not.

        Raises:
            ConversationError: The caller itself holds the conversation, and would wait for itself for ever.
        """
        ticket = Ticket(conversation)
        with self._guard:
            queue = self._queues.setdefault(conversation, deque())
            if queue and queue[0] in _HELD.get() and queue[0].holder == ticket.holder:
                raise ConversationError(
                    f"A turn of conversation {conversation!r} is still being streamed here: read its stream to the end "
                    "or close it before the next turn."
                )
            queue.append(ticket)
            if queue[0] is ticket:
                ticket.called.set_result(None)
        return ticket

    def leave(self, ticket: Ticket) -> None:
        """Give a place back and call the next one."""
        with self._guard:
            queue = self._queues.get(ticket.conversation)
            if queue is None or ticket not in queue:
                return
            led = queue[0] is ticket
            queue.remove(ticket)
            while led and queue and not queue[0].called.set_running_or_notify_cancel():
                queue.popleft()
            if not queue:
                del self._queues[ticket.conversation]
            elif led:
                queue[0].called.set_result(None)

    def __len__(self) -> int:
        """Return how many conversations have a turn in progress."""
        return len(self._queues)


_HELD: ContextVar[tuple[Ticket, ...]] = ContextVar("shopgraph_held", default=())
"""Tickets called in this context, so that a caller that would wait for itself is told so."""


def _hold(ticket: Ticket) -> None:
    _HELD.set((*_HELD.get()[-3:], ticket))


def _here() -> tuple[int, int | None]:
    """Return the thread and, in an event loop, the task that runs."""
    try:
        task = asyncio.current_task()
    except RuntimeError:
        task = None
    return threading.get_ident(), None if task is None else id(task)


class ShoppingGraph(EditableGraph):
    """The compiled graph: runs on one thread id wait for each other, whether they come from threads or event loops.

    Without this, two runs at once on one thread id read the same checkpoint and one of the two turns is lost without an
    error. A run as a part of another graph waits for nobody: its thread is that of the graph around it.
    """

    turns: TurnQueue

    def __init__(self, *, turns: TurnQueue | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.turns = TurnQueue() if turns is None else turns

    def stream(self, input: Any, config: RunnableConfig | None = None, **options: Any) -> Iterator[Any]:  # noqa: A002 - the base class names it so
        """Run the graph and yield what it streams; see LangGraph's `stream`. A stream holds its thread to its end."""
        thread = self._thread(config)
        with turn_span(config, thread) as spanned:
            if thread is None:
                yield from super().stream(input, spanned, **options)
                return
            with self.turns.hold(thread):
                yield from super().stream(input, spanned, **options)

    async def astream(self, input: Any, config: RunnableConfig | None = None, **options: Any) -> AsyncIterator[Any]:  # noqa: A002 - the base class names it so
        """Run the graph in an event loop and yield what it streams; see LangGraph's `astream`."""
        thread = self._thread(config)
        with turn_span(config, thread) as spanned:
            parts = super().astream(input, spanned, **options)
            if thread is None:
                async for part in parts:
                    yield part
                return
            async with self.turns.ahold(thread), aclosing(cast(Any, parts)):
                async for part in parts:
                    yield part

    def _thread(self, config: RunnableConfig | None) -> str | None:
        """Return the thread id of a run; None when it has none, or runs as a part of another graph."""
        own, given = ((source or {}).get("configurable") or {} for source in (self.config, config))
        named = {**own, **given}
        if "__pregel_task_id" in named or named.get("thread_id") is None:
            return None
        return str(named["thread_id"])


def one_turn_at_a_time(graph: CompiledStateGraph[State, Context, ShopperInput, ShopperOutput]) -> ShoppingGraph:
    """Make a compiled graph one whose runs on a thread wait for each other."""
    # LangGraph's compile() always makes its own class. `copy` and `with_config` keep this one, and its queue.
    graph.__class__ = ShoppingGraph
    served = cast(ShoppingGraph, graph)
    served.turns = TurnQueue()
    return served
