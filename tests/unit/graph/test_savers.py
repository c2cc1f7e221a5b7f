"""Where conversations are kept, and the lock of each."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage
from langgraph.graph import START, StateGraph

from catalog.errors import ConversationError
from graph.events import BeliefState
from graph.savers import DATABASE, Locks, memory_saver, serializer, sqlite_saver


def test_json_and_chat_messages_come_back_as_they_were() -> None:
    value = {"text": "naïve 👟", "list": [1, 2.5, None, True], "chat": [HumanMessage("hi", id="1")]}
    assert serializer().loads_typed(serializer().dumps_typed(value)) == value


def test_no_class_of_ours_is_built_from_what_is_stored() -> None:
    stored = serializer().dumps_typed({"belief": BeliefState()})
    restored = serializer().loads_typed(stored)
    assert not isinstance(restored["belief"], BeliefState)


def test_a_folder_is_made_and_written_with_a_log_ahead(tmp_path: Path) -> None:
    saver = sqlite_saver(tmp_path / "deep" / "folder")
    assert (tmp_path / "deep" / "folder" / DATABASE).exists()
    assert saver.conn.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    saver.conn.close()


def test_a_file_that_is_no_store_is_named_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"no database" * 100)
    with pytest.raises(ConversationError, match=r"conversations\.sqlite cannot be used .* --state"):
        sqlite_saver(tmp_path)


def test_a_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    with pytest.raises(ConversationError, match="cannot be used"):
        sqlite_saver(tmp_path / "state")


def test_memory_savers_share_nothing() -> None:
    assert memory_saver().storage is not memory_saver().storage


@pytest.mark.parametrize("stored", [False, True], ids=["memory", "folder"])
def test_one_conversation_is_served_by_one_at_a_time(tmp_path: Path, stored: bool) -> None:
    locks = Locks(tmp_path if stored else None)
    entered, inside, most = threading.Barrier(4), [], []

    def turn() -> None:
        entered.wait()
        for _ in range(20):
            with locks.hold("s"):
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=turn) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(most) == 80
    assert max(most) == 1


def test_different_conversations_do_not_wait_for_each_other() -> None:
    locks = Locks()
    done = threading.Event()
    with locks.hold("one"):
        other = threading.Thread(target=lambda: locks.hold("two").__enter__() or done.set())
        other.start()
        assert done.wait(timeout=30)
        other.join()


def test_the_lock_is_freed_when_a_turn_fails(tmp_path: Path) -> None:
    locks = Locks(tmp_path)
    for _ in range(2):
        with pytest.raises(RuntimeError), locks.hold("s"):
            raise RuntimeError("the turn failed")


def test_a_memory_saver_forgets_one_conversation_and_keeps_the_others() -> None:
    saver = memory_saver()
    graph = StateGraph(dict)
    graph.add_node("note", lambda state: state)
    graph.add_edge(START, "note")
    compiled = graph.compile(checkpointer=saver)
    one, two = ({"configurable": {"thread_id": name}} for name in ("one", "two"))
    for config in (one, two):
        compiled.invoke({"said": "hello"}, config)
    saver.delete_thread("one")
    saver.delete_thread("never held")
    assert saver.get_tuple(one) is None
    assert saver.get_tuple(two) is not None
    assert not [key for key in (*saver.blobs, *saver.writes) if key[0] == "one"]
