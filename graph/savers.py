"""Where conversations are kept, and the lock that serves one conversation's turns one after the other."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from catalog.errors import ConversationError
from graph.turns import TurnQueue

if TYPE_CHECKING:
    from langgraph.checkpoint.sqlite import SqliteSaver

# What only a folder of stored conversations needs is imported where it is used: it would delay every start.

DATABASE = "conversations.sqlite"


def serializer() -> JsonPlusSerializer:
    """Return a serializer that loads JSON types and chat messages and refuses every other class.

    Whoever can write the store must not be able to run code through it (CVE-2025-64439 and its kind).
    """
    return JsonPlusSerializer(pickle_fallback=False, allowed_json_modules=None, allowed_msgpack_modules=None)


class MemorySaver(InMemorySaver):
    """Keeps conversations in memory; forgetting one that it does not hold costs nothing."""

    def delete_thread(self, thread_id: str) -> None:
        """Forget a conversation."""
        # The base class looks through all that it holds: 5 ms among 400 conversations, at each beginning of one.
        if thread_id in self.storage:
            super().delete_thread(thread_id)


def memory_saver() -> InMemorySaver:
    """Return a saver that forgets everything when the process ends."""
    return MemorySaver(serde=serializer())


def sqlite_saver(folder: Path) -> SqliteSaver:
    """Open (or create) the conversation store of a folder; raises `ConversationError` when it cannot be used."""
    from langgraph.checkpoint.sqlite import SqliteSaver

    path = folder / DATABASE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, check_same_thread=False, timeout=30)
        # A turn is acknowledged after its checkpoint: with WAL, NORMAL loses none of it to a killed process, only
        # to a power cut, and costs a tenth of a full sync (2.7-3.8 ms a turn against 40-70).
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        saver = SqliteSaver(connection, serde=serializer())
        saver.setup()
    except (OSError, sqlite3.Error) as error:
        raise ConversationError(
            f"The conversation store {path} cannot be used ({error}). Move it away, or name another folder "
            "with --state."
        ) from error
    return saver


@contextmanager
def stored_conversations(folder: Path) -> Iterator[SqliteSaver]:
    """Open the conversation store of a folder to read it: nothing is created, nothing can be changed.

    Raises `ConversationError` when there is none, or when it turns out to be damaged.
    """
    from langgraph.checkpoint.sqlite import SqliteSaver

    path = folder / DATABASE
    if not path.is_file():
        raise ConversationError(f"No conversation is stored in {folder}: name the folder of one with --state.")
    try:
        with closing(
            sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False)
        ) as opened:
            saver = SqliteSaver(opened, serde=serializer())
            # Setting up would write: the tables are there, or the file is no conversation store.
            saver.is_setup = True
            yield saver
    except sqlite3.Error as error:
        raise ConversationError(
            f"The conversation store {path} cannot be read ({error}). Take it from a backup, copy it to where it may "
            "be written to, or name another folder with --state."
        ) from error


def latest_threads(saver: SqliteSaver, limit: int = 10) -> list[str]:
    """Return the ids of the conversations of a store, the one that was written to last first."""
    query = "SELECT thread_id FROM checkpoints GROUP BY thread_id ORDER BY max(checkpoint_id) DESC LIMIT ?"
    with saver.cursor(transaction=False) as cursor:
        return [str(row[0]) for row in cursor.execute(query, (limit,)).fetchall()]


class Locks:
    """One turn a conversation: in this process by a queue, among processes that share a folder by a file lock."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self.queue = TurnQueue()

    @contextmanager
    def hold(self, conversation: str) -> Iterator[None]:
        """Wait for the conversation's turns that came before, then keep others out."""
        with self.queue.hold(conversation), self.shut_out(conversation):
            yield

    @contextmanager
    def shut_out(self, conversation: str) -> Iterator[None]:
        """Keep other processes out of a conversation that this process has to itself."""
        if self._folder is None:
            yield
            return
        from filelock import FileLock

        folder = self._folder / "locks"
        folder.mkdir(parents=True, exist_ok=True)
        # One of 256 files, so that locks of past conversations do not pile up.
        name = hashlib.sha256(conversation.encode()).hexdigest()[:2]
        with FileLock(folder / f"{name}.lock"):
            yield


Saver = BaseCheckpointSaver[str]
