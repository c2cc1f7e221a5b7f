"""The queue that serves a conversation's turns one after the other, and the graph that uses it."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from catalog.errors import ConversationError
from catalog.search import ProductIndex
from graph.savers import memory_saver
from graph.shopping import build_graph
from graph.turns import TurnQueue
from tests.stores import TOWN, Stores

WAIT = 30
S: Any = {"configurable": {"thread_id": "s"}}


@pytest.fixture(scope="module")
def index(stores: Stores) -> ProductIndex:
    return stores.index(TOWN)


# --- the queue -----------------------------------------------------------------------------------------------------


def test_threads_are_served_in_the_order_in_which_they_came() -> None:
    queue, served = TurnQueue(), []

    def turn(number: int) -> None:
        with queue.hold("s"):
            served.append(number)

    threads = [threading.Thread(target=turn, args=(number,)) for number in range(8)]
    with queue.hold("s"):
        for number, thread in enumerate(threads, 1):
            thread.start()
            while len(queue._queues["s"]) <= number:
                threading.Event().wait(0.001)
        assert served == []
    for thread in threads:
        thread.join(WAIT)
    assert served == list(range(8))
    assert len(queue) == 0


def test_a_loop_and_threads_wait_in_one_queue() -> None:
    queue, inside, most = TurnQueue(), [], []

    def visit() -> None:
        inside.append(1)
        most.append(len(inside))
        inside.pop()

    def work() -> None:
        for _ in range(50):
            with queue.hold("s"):
                visit()

    async def task() -> None:
        for _ in range(50):
            async with queue.ahold("s"):
                visit()
                await asyncio.sleep(0)

    async def tasks() -> None:
        await asyncio.gather(*(task() for _ in range(4)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    asyncio.run(tasks())
    for thread in threads:
        thread.join(WAIT)
    assert (len(most), max(most)) == (400, 1)
    assert len(queue) == 0


def test_a_loop_that_waits_goes_on_with_other_work() -> None:
    queue = TurnQueue()

    async def main() -> list[str]:
        told: list[str] = []

        async def second() -> None:
            async with queue.ahold("s"):
                told.append("second")

        async with queue.ahold("s"):
            waiting = asyncio.create_task(second())
            async with queue.ahold("other"):
                await asyncio.sleep(0)
                told.append("other")
        await waiting
        return told

    assert asyncio.run(main()) == ["other", "second"]


def test_a_waiter_that_is_cancelled_is_passed_over() -> None:
    queue = TurnQueue()

    async def wait() -> str:
        async with queue.ahold("s"):
            return "served"

    async def main() -> list[Any]:
        async with queue.ahold("s"):
            tasks = [asyncio.create_task(wait()) for _ in range(4)]
            await asyncio.sleep(0)
            tasks[0].cancel()
            tasks[2].cancel()
            await asyncio.sleep(0)
        return await asyncio.gather(*tasks, return_exceptions=True)

    first, second, third, fourth = asyncio.run(main())
    assert (second, fourth) == ("served", "served")
    assert isinstance(first, asyncio.CancelledError)
    assert isinstance(third, asyncio.CancelledError)
    assert len(queue) == 0


def test_a_waiter_that_is_cancelled_as_it_is_called_passes_the_turn_on() -> None:
    queue = TurnQueue()

    async def wait() -> str:
        async with queue.ahold("s"):
            return "served"

    async def main() -> list[Any]:
        first = queue.join("s")
        tasks = [asyncio.create_task(wait()) for _ in range(2)]
        await asyncio.sleep(0)
        queue.leave(first)
        tasks[0].cancel()
        return await asyncio.gather(*tasks, return_exceptions=True)

    cancelled, served = asyncio.run(main())
    assert isinstance(cancelled, asyncio.CancelledError)
    assert served == "served"
    assert len(queue) == 0


def test_a_turn_inside_a_turn_is_refused_and_not_waited_for() -> None:
    queue = TurnQueue()
    with queue.hold("s"):
        with pytest.raises(ConversationError, match="still being streamed"), queue.hold("s"):
            pass
        with queue.hold("other"):
            pass
    with queue.hold("s"):
        pass


def test_a_task_that_another_one_started_waits_for_it() -> None:
    queue = TurnQueue()

    async def wait() -> str:
        async with queue.ahold("s"):
            return "served"

    async def main() -> str:
        async with queue.ahold("s"):
            with pytest.raises(ConversationError):
                await wait()
            child = asyncio.create_task(wait())
            await asyncio.sleep(0)
        return await child

    assert asyncio.run(main()) == "served"


# --- the graph -----------------------------------------------------------------------------------------------------


def test_a_stream_holds_its_conversation_until_it_is_read_or_closed(index: ProductIndex) -> None:
    graph = build_graph(catalog=index, checkpointer=memory_saver())
    stream = graph.stream({"message": "boots"}, S)
    next(stream)
    with pytest.raises(ConversationError, match="still being streamed"):
        graph.invoke({"message": "in red"}, S)
    assert graph.invoke({"message": "a dress"}, {"configurable": {"thread_id": "other"}})["turn"] == 1
    stream.close()
    assert len(graph.turns) == 0
    assert graph.invoke({"message": "in red"}, S)["turn"] == 1


def test_a_turn_that_fails_lets_the_next_one_in(index: ProductIndex) -> None:
    graph = build_graph(catalog=index, checkpointer=memory_saver())
    for _ in range(2):
        with pytest.raises(Exception, match="nowhere"):
            graph.invoke({"message": "boots"}, S, context={"catalog": "nowhere"})
    assert graph.invoke({"message": "boots"}, S)["reply"]


class SlowIndex:
    """Waits in a search until it is let go."""

    def __init__(self, index: ProductIndex) -> None:
        self._index = index
        self.begun, self.go_on = threading.Event(), threading.Event()

    def __getattr__(self, name: str) -> Any:
        if name == "search":
            self.begun.set()
            self.go_on.wait(WAIT)
        return getattr(self._index, name)


def test_a_run_whose_task_is_cancelled_leaves_the_conversation_to_the_next(index: ProductIndex) -> None:
    slow: Any = SlowIndex(index)
    graph = build_graph(catalog=slow, checkpointer=memory_saver())

    async def main() -> dict[str, Any]:
        task = asyncio.create_task(graph.ainvoke({"message": "red boots"}, S))
        await asyncio.to_thread(slow.begun.wait, WAIT)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        slow.go_on.set()
        return await graph.ainvoke({"message": "boots in navy"}, S)

    output = asyncio.run(main())
    assert output["turn"] == 1
    assert output["messages"][0].text == "boots in navy"
    assert len(graph.turns) == 0


def test_copies_of_a_graph_share_its_queue(index: ProductIndex) -> None:
    graph = build_graph(catalog=index, checkpointer=memory_saver())
    named = graph.with_config({"configurable": {"thread_id": "s"}})
    copy = graph.copy({"name": "copy"})
    assert copy.turns is graph.turns is named.turns
    stream = named.stream({"message": "boots"})
    next(stream)
    with pytest.raises(ConversationError, match="still being streamed"):
        copy.invoke({"message": "in red"}, S)
    stream.close()


def test_without_a_thread_nobody_waits(index: ProductIndex) -> None:
    graph = build_graph(catalog=index)
    stream = graph.stream({"message": "boots"})
    next(stream)
    assert graph.invoke({"message": "a dress"})["turn"] == 1
    assert len(graph.turns) == 0
    stream.close()


def test_as_a_part_of_another_graph_it_waits_for_nobody(index: ProductIndex) -> None:
    from langgraph.graph import START, StateGraph

    from graph.state import ShopperInput, ShopperOutput, State

    outer = StateGraph(State, input_schema=ShopperInput, output_schema=ShopperOutput)
    outer.add_node("shop", build_graph(catalog=index))
    outer.add_edge(START, "shop")
    output = outer.compile(checkpointer=memory_saver()).invoke({"message": "red boots"}, S)
    assert output["recommendations"][0]["parent_asin"] == "BOOT08"
