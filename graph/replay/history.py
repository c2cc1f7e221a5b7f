"""Conversations as a saver holds them: read turn by turn along their line of checkpoints, and copied up to a turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise, takewhile
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import StateSnapshot

from catalog.errors import ConversationError, InputError, ShopgraphError
from graph.replay.record import NodeState, TurnRecord, record_of
from graph.savers import Saver
from graph.shopping import Shops, assemble
from graph.turns import ShoppingGraph

CHANNELS = (
    *("mode", "reading", "translation", "query", "candidates", "relaxed", "scores", "ask_attribute", "options"),
    *("commit", "notices", "reply", "recommendations"),
)
"""Channels of a turn that say what a node did; `events` is looked at apart, the turn's own alone."""

_NO_CATALOG = Shops(None, {})


def thread_config(thread: str) -> RunnableConfig:
    """Return the configuration that names a conversation to LangGraph."""
    return {"configurable": {"thread_id": thread}}


def read_conversation(saver: Saver, thread: str) -> list[TurnRecord]:
    """Return the answered turns of a stored conversation, first to last.

    Raises `ConversationError` when what is stored is damaged; a conversation that is not stored has no turns.
    """
    graph = assemble(_NO_CATALOG, saver)
    with _readable(thread):
        return list(_records(thread, _turns(_line(graph, thread_config(thread)))))


def read_latest(
    graph: ShoppingGraph, thread: RunnableConfig, turn: TurnRecord, running: Sequence[dict[str, Any]]
) -> TurnRecord:
    """Return the record of the answer that a graph has just given to the message of a stored turn.

    Nodes are read only when the stored turn has them. `running` holds the events that the stored turn began with:
    the record's own `before` says so where this answer began with others.
    """
    newest: list[StateSnapshot] = []
    for snapshot in _back(graph, thread):
        if newest and (_ends_turn(snapshot) or not turn.nodes):
            newest.append(snapshot)
            break
        newest.append(snapshot)
    group = newest[::-1]
    values = group[-1].values
    return record_of(turn.conversation, turn.message, values, running, _nodes(group))


def copy_turns(saver: Saver, thread: str, turns: int, target: str) -> None:
    """Copy the checkpoints of a conversation's first turns to another id; the original is only read.

    With `turns` 0 only what stood before the first message is copied: the profile.

    Raises `InputError` when the conversation has fewer turns, `ConversationError` when it is damaged.
    """
    graph = assemble(_NO_CATALOG, saver)
    with _readable(thread):
        line = _line(graph, thread_config(thread))
        ends = [place for place, snapshot in enumerate(line) if _ends_turn(snapshot)]
        if not 0 <= turns <= len(ends):
            raise InputError(
                f"Conversation {thread!r} cannot be continued from turn {turns}: it has {len(ends)} turns. "
                f"Name one from 0 (before the first message) to {len(ends)}."
            )
        copied = line[: ends[turns - 1] + 1] if turns else list(takewhile(_is_edit, line))
        for snapshot in copied:
            _copy(saver, snapshot, target)


def _copy(saver: Saver, snapshot: StateSnapshot, target: str) -> None:
    stored = saver.get_tuple(snapshot.config)
    if stored is None:
        raise KeyError(f"checkpoint {snapshot.config} is gone")
    parent = stored.parent_config["configurable"]["checkpoint_id"] if stored.parent_config else None
    config: RunnableConfig = {"configurable": {"thread_id": target, "checkpoint_ns": ""}}
    if parent is not None:
        config["configurable"]["checkpoint_id"] = parent
    saver.put(config, stored.checkpoint, stored.metadata, stored.checkpoint["channel_versions"])


@contextmanager
def _readable(thread: str) -> Iterator[None]:
    try:
        yield
    except ShopgraphError:
        raise
    except Exception as damage:
        # Damaged bytes fail in any way, down to a missing key.
        raise ConversationError(
            f"What is stored of conversation {thread!r} cannot be read ({type(damage).__name__}: {damage}). Take the "
            "state folder from a backup, or use another conversation."
        ) from damage


def _back(graph: ShoppingGraph, config: RunnableConfig | None) -> Iterator[StateSnapshot]:
    """Yield the newest checkpoint and its ancestors: branches that a fork or a retry left behind are passed by."""
    while config is not None:
        snapshot = graph.get_state(config)
        if snapshot.metadata is None:
            return
        yield snapshot
        own, config = snapshot.config, snapshot.parent_config
        if config is not None and _id(config) >= _id(own):
            raise ValueError(f"checkpoint {_id(own)} comes before its parent")


def _line(graph: ShoppingGraph, config: RunnableConfig) -> list[StateSnapshot]:
    return list(_back(graph, config))[::-1]


def _id(config: RunnableConfig) -> str:
    return str(config["configurable"]["checkpoint_id"])


def _turns(line: Sequence[StateSnapshot]) -> Iterator[list[StateSnapshot]]:
    """Yield the checkpoints of each answered turn, its end last; what comes before it began (an edit) is the first."""
    group: list[StateSnapshot] = []
    for snapshot in line:
        group.append(snapshot)
        if _ends_turn(snapshot):
            yield group
            group = [snapshot]


def _source(snapshot: StateSnapshot) -> str:
    return str((snapshot.metadata or {}).get("source"))


def _is_edit(snapshot: StateSnapshot) -> bool:
    return _source(snapshot) == "update"


def _ends_turn(snapshot: StateSnapshot) -> bool:
    """Tell the end of an answered turn from a step within one, from one that broke off, and from an edit by hand."""
    return (
        _source(snapshot) == "loop"
        and not snapshot.next
        and bool(snapshot.values.get("turn") and snapshot.values.get("reply"))
    )


def _records(thread: str, turns: Iterator[list[StateSnapshot]]) -> Iterator[TurnRecord]:
    running: list[dict[str, Any]] = []
    for group in turns:
        values = group[-1].values
        yield record_of(thread, _spoken(values), values, running, _nodes(group))
        running = values["events"]


def _spoken(values: dict[str, Any]) -> str:
    """Return what the shopper said in the turn just answered: the human message that its answer follows."""
    said = ""
    for message in values["messages"]:
        if message.type == "human":
            said = str(message.text)
        elif message.id == f"turn-{values['turn']}-agent":
            return said
    raise KeyError(f"the chat view holds no answer of turn {values['turn']}")


def _nodes(group: Sequence[StateSnapshot]) -> list[NodeState]:
    """Return what each node left in the channels, or nothing when only the turn's end was stored."""
    turn = group[-1].values["turn"]
    steps = [
        NodeState(before.next[0], _channels(after.values, turn))
        for before, after in pairwise(group)
        if len(before.next) == 1 and before.next[0] != "__start__"
    ]
    return steps if len(steps) > 1 else []


def _channels(values: dict[str, Any], turn: int) -> dict[str, Any]:
    own = [row for row in values.get("events", []) if row["turn"] == turn or turn == 1]
    return {**{name: values[name] for name in CHANNELS if name in values}, "events": own}
