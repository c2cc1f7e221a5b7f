from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from evals.checkpoints import conversation, slope, stored_bytes
from evals.timing import node_times
from evals.traces import TurnTrace
from tests.unit.evals.shelf import sessions


def timed(**node_ms: float) -> TurnTrace:
    return TurnTrace(
        session_id="s", scenario="buying", turn=1, message="m", stage_ranks={}, counts=True, node_ms=dict(node_ms)
    )


def test_node_shares_add_up_and_the_longest_comes_first() -> None:
    rows = node_times([timed(rank=1, retrieve=6), timed(rank=1, retrieve=8), timed()])
    assert [(row.node, row.p50_ms, row.share) for row in rows] == [("retrieve", 7, 14 / 16), ("rank", 1, 2 / 16)]
    assert rows[0].p95_ms == pytest.approx(7.9)


def test_an_agent_without_node_times_has_no_rows() -> None:
    assert node_times([timed()]) == []


def test_growth_is_the_slope_of_the_sizes() -> None:
    assert slope([100, 150, 200, 250]) == pytest.approx(50)
    assert slope([7]) == 0


def test_a_conversation_has_something_new_in_each_message() -> None:
    messages = conversation(sessions(10))
    assert len(messages) == 40
    assert "For that, what matters is" in messages[1]


def test_stored_bytes_weigh_every_row_by_its_key(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "CREATE TABLE checkpoints (thread_id, checkpoint_ns, checkpoint_id, checkpoint BLOB, metadata BLOB)"
        )
        connection.execute(
            "CREATE TABLE writes (thread_id, checkpoint_ns, checkpoint_id, task_id, idx INTEGER, value BLOB)"
        )
        connection.execute("INSERT INTO checkpoints VALUES ('t', '', 'c1', x'0011', x'22')")
        connection.execute(
            "INSERT INTO writes VALUES ('t', '', 'c1', 'task', 0, x'00112233'), ('t', '', 'c1', 'x', 1, NULL)"
        )
    assert stored_bytes(path) == {
        ("checkpoint", "t", "", "c1"): 3,
        ("write", "t", "", "c1", "task", "0"): 4,
        ("write", "t", "", "c1", "x", "1"): 0,
    }
