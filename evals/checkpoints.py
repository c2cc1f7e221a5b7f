"""How much a conversation stores: checkpoint bytes of each turn with the SQLite saver at durability "exit"."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from catalog.search import ProductIndex
from evals.answer import Answer
from evals.official.generate import generate_sessions
from evals.official.shopper import OfficialSession, OfficialShopper
from evals.store import all_products, open_store
from graph.agent import ShoppingAgent
from graph.savers import DATABASE, sqlite_saver

_ASK_ANYTHING = Answer(message="Is there anything else?", ask_attribute="other", recommendations=[])
_SESSION_TURNS = 4
"""Messages taken of one shopper; by then its whole card is told."""


class CheckpointGrowth(BaseModel):
    """Bytes written for each turn of one conversation."""

    model_config = ConfigDict(frozen=True)

    turns: int
    bytes_per_turn: list[int]
    growth: float = Field(description="Bytes by which a turn's checkpoint exceeds the one before (least squares).")


def measure_checkpoints(catalog: Path, *, turns: int = 40, seed: int = 0) -> CheckpointGrowth:
    """Hold one conversation of `turns` messages, each with new facts, and weigh what each turn stores."""
    index = open_store(catalog)
    try:
        sessions = generate_sessions(all_products(index), -(-turns // _SESSION_TURNS), "popularity", seed)
        messages = conversation(sessions)[:turns]
        sizes = _weigh(index, messages)
    finally:
        index.close()
    return CheckpointGrowth(turns=turns, bytes_per_turn=sizes, growth=slope(sizes))


def _weigh(index: ProductIndex, messages: Sequence[str]) -> list[int]:
    """Send the messages to an agent with a store of its own; returns the bytes that each turn wrote."""
    with tempfile.TemporaryDirectory(prefix="shopgraph-checkpoints-") as folder:
        saver, database = sqlite_saver(Path(folder)), Path(folder) / DATABASE
        with closing(saver.conn):
            agent = ShoppingAgent(catalog=index, policy="full", checkpointer=saver)
            agent.reset("long", {})
            sizes, before = [], stored_bytes(database)
            for turn, message in enumerate(messages, start=1):
                agent.respond("long", message, turn)
                now = stored_bytes(database)
                sizes.append(sum(size for row, size in now.items() if before.get(row) != size))
                before = now
    return sizes


def conversation(sessions: Sequence[OfficialSession]) -> list[str]:
    """Return the messages of several shoppers one after another, each with something new in it."""
    messages: list[str] = []
    for session in sessions:
        shopper = OfficialShopper(session)
        messages.append(shopper.opening())
        messages += [shopper.reply(turn, _ASK_ANYTHING, []) for turn in range(2, _SESSION_TURNS + 1)]
    return messages


def stored_bytes(database: Path) -> dict[tuple[str, ...], int]:
    """Return the bytes of every row of a checkpoint store, by the row's key."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        checkpoints = connection.execute(
            "SELECT 'checkpoint', thread_id, checkpoint_ns, checkpoint_id, length(checkpoint) + length(metadata) "
            "FROM checkpoints"
        ).fetchall()
        writes = connection.execute(
            "SELECT 'write', thread_id, checkpoint_ns, checkpoint_id, task_id, CAST(idx AS TEXT), length(value) "
            "FROM writes"
        ).fetchall()
    return {tuple(row[:-1]): int(row[-1] or 0) for row in [*checkpoints, *writes]}


def slope(sizes: Sequence[int]) -> float:
    """Return the least-squares growth from one value to the next; 0 for fewer than two values."""
    if len(sizes) < 2:
        return 0.0
    return float(np.polyfit(np.arange(len(sizes)), np.asarray(sizes, dtype=float), 1)[0])
