"""Many conversations at once on one agent, and many calls at once on one conversation."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from catalog.errors import InputError
from catalog.search import ProductIndex
from graph.agent import ShoppingAgent
from graph.savers import memory_saver
from graph.shopping import build_graph
from tests.stores import TOWN, Stores

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def index(stores: Stores) -> ProductIndex:
    return stores.index(TOWN)


def _values(agent: ShoppingAgent, conversation: str) -> set[tuple[str, object]]:
    return {(fact.facet_key, fact.value) for fact in agent.belief(conversation).constraints}


@pytest.mark.parametrize("stored", [False, True], ids=["memory", "sqlite"])
def test_two_calls_at_once_on_one_conversation_lose_nothing(index: ProductIndex, tmp_path: Path, stored: bool) -> None:
    """LG-07, threads: the turns are served one after the other, whichever comes first."""
    agent = ShoppingAgent(catalog=index, state=tmp_path if stored else None, policy="full")
    agent.respond("s", "boots")
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda said: agent.turn("s", said), ["only black ones", "under $50"]))
    assert sorted(answer["turn"] for answer in answers) == [2, 3]
    assert _values(agent, "s") == {("category", "boots"), ("color", "black"), ("budget", 50.0)}


def test_two_agents_over_one_folder_in_one_process_lose_nothing(index: ProductIndex, tmp_path: Path) -> None:
    agents = [ShoppingAgent(catalog=index, state=tmp_path, policy="full") for _ in range(2)]
    agents[0].respond("s", "boots")
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda agent, said: agent.turn("s", said), agents, ["only black ones", "under $50"]))
    assert sorted(answer["turn"] for answer in answers) == [2, 3]
    assert _values(agents[0], "s") == {("category", "boots"), ("color", "black"), ("budget", 50.0)}


SPEAKER = """
import sys
from graph.agent import ShoppingAgent
agent = ShoppingAgent(catalog=sys.argv[1], state=sys.argv[2], policy="full")
agent.respond("warm up " + sys.argv[3], "boots")
print("ready", flush=True)
sys.stdin.readline()
for message in sys.argv[3:]:
    print(agent.turn("s", message)["turn"])
"""


def test_two_processes_at_once_on_one_conversation_lose_nothing(stores: Stores, tmp_path: Path) -> None:
    """LG-07, processes: both wait at the same line, then speak at once."""
    catalog = stores.path(TOWN)
    said = [["only black ones", "size 9", "thanks"], ["under $50", "with a zipper", "hello"]]
    speakers = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", SPEAKER, str(catalog), str(tmp_path), *messages],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        for messages in said
    ]
    for speaker in speakers:
        assert speaker.stdout is not None
        assert speaker.stdout.readline().strip() == "ready"
    for speaker in speakers:
        assert speaker.stdin is not None
        speaker.stdin.write("\n")
        speaker.stdin.flush()
    turns = [int(turn) for speaker in speakers for turn in speaker.communicate(timeout=120)[0].split()]
    assert [speaker.returncode for speaker in speakers] == [0, 0]
    assert sorted(turns) == [1, 2, 3, 4, 5, 6]
    agent = ShoppingAgent(catalog=stores.index(TOWN), state=tmp_path)
    assert {("color", "black"), ("size", "9"), ("budget", 50.0)} <= _values(agent, "s")


COLORS = ["black", "navy", "red", "brown", "green", "blue", "white"]


@pytest.mark.parametrize("policy", ["full", "confident"])
def test_twenty_conversations_on_one_agent_keep_to_themselves(index: ProductIndex, policy: Any) -> None:
    """LG-17: each conversation answers as it does alone."""
    said = {f"shopper {n}": [f"{COLORS[n % 7]} things", f"under ${40 + n}", "not size 9"] for n in range(20)}
    alone = ShoppingAgent(catalog=index, policy=policy)
    expected = {name: [alone.respond(name, message) for message in messages] for name, messages in said.items()}
    together = ShoppingAgent(catalog=index, policy=policy)
    with ThreadPoolExecutor(20) as pool:
        answers = pool.map(lambda name: [together.respond(name, message) for message in said[name]], said)
        assert dict(zip(said, answers, strict=True)) == expected
    for number, name in enumerate(said):
        held = _values(together, name)
        assert {value for key, value in held if key == "color"} == {COLORS[number % 7]}
        assert ("budget", 40.0 + number) in held


def test_one_compiled_graph_serves_runs_with_different_contexts(index: ProductIndex, stores: Stores) -> None:
    other = stores.path([row for row in TOWN if row["parent_asin"].startswith("PACK")])
    graph = build_graph(catalog=index, catalogs={"bags": other}, checkpointer=memory_saver())

    def run(number: int) -> tuple[bool, int]:
        context: Any = {
            "catalog": "bags" if number % 2 else "default",
            "policy": "full" if number % 4 < 2 else "confident",
        }
        config: Any = {"configurable": {"thread_id": str(number)}}
        shown = [
            row["parent_asin"] for row in graph.invoke({"message": "boots"}, config, context=context)["recommendations"]
        ]
        return all(asin.startswith("PACK") for asin in shown), len(shown)

    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(run, range(40)))
    assert got == [run(40 + number) for number in range(4)] * 10
    assert [only_bags for only_bags, _ in got[:4]] == [False, True, False, True]
    assert got[0][1] > got[2][1]


def test_locks_of_past_conversations_do_not_pile_up(index: ProductIndex, tmp_path: Path) -> None:
    agent = ShoppingAgent(catalog=index, state=tmp_path)
    for number in range(30):
        agent.reset(f"conversation {number}")
    assert len(agent._locks.queue) == 0
    assert len(list((tmp_path / "locks").iterdir())) <= 256


# --- an event loop and threads together ----------------------------------------------------------------------------

SPEAKERS = 8
SAID = ["size 9", "under $90", "not red", "leather", "show me others"]


def _said(conversation: int, place: int) -> str:
    """Return what is said in a conversation: the first message tells it from its neighbours."""
    return f"{COLORS[conversation % 7]} boots under ${60 + conversation}" if place == 0 else SAID[place % len(SAID)]


def _served(turns: dict[str, list[dict[str, Any]]], name: str) -> list[int]:
    return sorted(output["turn"] for output in turns[name])


def test_eight_threads_and_a_loop_share_one_agent(index: ProductIndex) -> None:
    """200 turns of 10 conversations: each turn is served once, and each conversation hears its own products only."""
    agent = ShoppingAgent(catalog=index, policy="full")
    names = [f"conversation {number}" for number in range(10)]
    for number, name in enumerate(names):
        agent.turn(name, _said(number, 0))
    turns: dict[str, list[dict[str, Any]]] = {name: [] for name in names}

    def speak(speaker: int) -> None:
        for place in range(1, 13):
            number = (speaker + place) % 10
            turns[names[number]].append(agent.turn(names[number], _said(number, place)))

    async def speak_in_loop() -> None:
        async def one(number: int, place: int) -> None:
            turns[names[number]].append(await agent.aturn(names[number], _said(number, place)))

        await asyncio.gather(*(one(n % 10, 1 + n % 7) for n in range(94)))

    with ThreadPoolExecutor(SPEAKERS) as pool:
        speaking = [pool.submit(speak, speaker) for speaker in range(SPEAKERS)]
        asyncio.run(speak_in_loop())
        for spoken in speaking:
            spoken.result(timeout=300)
    assert sum(len(served) for served in turns.values()) + len(names) == 200
    for number, name in enumerate(names):
        assert _served(turns, name) == list(range(2, len(turns[name]) + 2))
        values = _values(agent, name)
        assert ("color", COLORS[number % 7]) in values
        assert ("size", "9") in values
        assert {value for key, value in values if key == "color"} <= {COLORS[number % 7], "red"}


def test_eight_threads_and_a_loop_share_one_compiled_graph(index: ProductIndex) -> None:
    """`invoke` and `stream` from threads beside `ainvoke` and `astream`: 200 turns, no turn lost or doubled."""
    graph = build_graph(catalog=index, checkpointer=memory_saver())
    names = [f"thread {number}" for number in range(5)]
    turns: dict[str, list[int]] = {name: [] for name in names}

    def config(name: str) -> Any:
        return {"configurable": {"thread_id": name}}

    def speak(speaker: int) -> None:
        for place in range(13):
            name = names[(speaker + place) % 5]
            if place % 2:
                turns[name].append(graph.invoke({"message": SAID[place % 5]}, config(name))["turn"])
            else:
                *_, last = graph.stream({"message": SAID[place % 5]}, config(name), stream_mode="values")
                turns[name].append(last["turn"])

    async def one(number: int) -> None:
        name = names[number % 5]
        if number % 2:
            turns[name].append((await graph.ainvoke({"message": SAID[number % 5]}, config(name)))["turn"])
        else:
            stream = graph.astream({"message": SAID[number % 5]}, config(name), stream_mode="values")
            turns[name].append([part["turn"] async for part in stream][-1])

    async def speak_in_loop() -> None:
        await asyncio.gather(*(one(number) for number in range(96)))

    with ThreadPoolExecutor(SPEAKERS) as pool:
        speaking = [pool.submit(speak, speaker) for speaker in range(SPEAKERS)]
        asyncio.run(speak_in_loop())
        for spoken in speaking:
            spoken.result(timeout=300)
    assert sum(len(served) for served in turns.values()) == 200
    for name in names:
        assert sorted(turns[name]) == list(range(1, len(turns[name]) + 1))
        values = graph.get_state(config(name)).values
        assert values["turn"] == len(turns[name])
        assert len(values["messages"]) == 2 * len(turns[name])
    assert len(graph.turns) == 0


def test_turns_of_a_conversation_are_served_in_the_order_in_which_a_loop_asked_for_them(index: ProductIndex) -> None:
    agent = ShoppingAgent(catalog=index, policy="full")
    said = ["boots", "only black ones", "size 9", "under $90", "not size 7"]

    async def main() -> list[dict[str, Any]]:
        return await asyncio.gather(*(agent.aturn("s", message) for message in said))

    answers = asyncio.run(main())
    assert [answer["turn"] for answer in answers] == [1, 2, 3, 4, 5]
    assert [answer["messages"][-2].text for answer in answers] == said


def test_a_turn_whose_task_is_cancelled_is_brought_to_its_end_and_the_next_one_waits(index: ProductIndex) -> None:
    agent = ShoppingAgent(catalog=index, policy="full")
    begun, go_on = threading.Event(), threading.Event()

    def pause(step: dict[str, Any]) -> None:
        if step["node"] == "route":
            begun.set()
            go_on.wait(timeout=60)

    async def main() -> dict[str, Any]:
        first = asyncio.create_task(agent.aturn("s", "red boots", on_step=pause))
        await asyncio.to_thread(begun.wait, 60)
        waiting = asyncio.create_task(agent.aturn("s", "given up before it began"))
        second = asyncio.create_task(agent.aturn("s", "size 9"))
        await asyncio.sleep(0)
        first.cancel()
        waiting.cancel()
        await asyncio.wait([first, waiting])
        assert not second.done()
        go_on.set()
        return await second

    assert asyncio.run(main())["turn"] == 2
    assert {("color", "red"), ("category", "boots"), ("size", "9")} <= _values(agent, "s")


def test_a_loop_answers_with_the_keys_of_the_contract(index: ProductIndex, tmp_path: Path) -> None:
    agent = ShoppingAgent(catalog=index, state=tmp_path)

    async def main() -> dict[str, Any]:
        with pytest.raises(InputError, match="pass a string"):
            await agent.arespond("s", 7)  # type: ignore[arg-type]  # what is tested
        return await agent.arespond("s", "red boots", turn=1, top_k=1)

    answer = asyncio.run(main())
    assert answer == ShoppingAgent(catalog=index).respond("s", "red boots", turn=1, top_k=1)
