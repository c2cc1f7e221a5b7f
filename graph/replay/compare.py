"""What differs between a stored turn and the same message answered now, and where it began to differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import orjson

from graph.replay.record import STATED, Belief, TurnRecord
from graph.replay.rerun import Replayed

Lines = list[str]


class Difference(NamedTuple):
    """One thing that a turn came to, as lines: stored, and now."""

    field: str
    stored: Lines
    now: Lines


class Beginning(NamedTuple):
    """Where a turn began to differ: the first node that did something else, where the nodes' steps were stored.

    `parts` are the channels that differ after it (a checkpoint was stored after each node) or the parts of its record;
    without a node, the first of the fields that differ.
    """

    node: str | None
    parts: list[str]

    def __str__(self) -> str:
        parts = ", ".join(self.parts)
        return parts if self.node is None else f"{self.node} ({parts})" if parts else self.node


class Comparison(NamedTuple):
    """A stored turn beside the same message answered now; `began_at` is None when they are the same."""

    stored: TurnRecord
    now: TurnRecord | None
    differences: list[Difference]
    began_at: Beginning | None

    @property
    def inherited(self) -> bool:
        """Whether the turn began from another state than the stored one (free mode, after an earlier difference)."""
        return self.now is not None and self.now.before is not None

    @property
    def same(self) -> bool:
        """Whether the shopper would have noticed nothing."""
        return not self.differences


def compare(replayed: Sequence[Replayed]) -> list[Comparison]:
    """Compare each turn in what it understood, believed, asked, showed and said, in the order of the nodes.

    Scores, times and the words of a query are no difference while the products stand in the same order.
    """
    return [_compare(one) for one in replayed]


def _compare(one: Replayed) -> Comparison:
    if one.now is None:
        failed = Difference("failure", ["none"], [one.failure])
        return Comparison(one.stored, None, [failed], Beginning(None, [failed.field]))
    looked = {field: (look(one.stored), look(one.now)) for field, look in COMPARED.items()}
    sides = {field: (stored, _as_stored(stored, now)) for field, (stored, now) in looked.items()}
    found = [Difference(field, *_told_apart(*side)) for field, side in sides.items() if side[0] != side[1]]
    if not found:
        return Comparison(one.stored, one.now, [], None)
    return Comparison(one.stored, one.now, found, _beginning(one.stored, one.now, found))


def _as_stored(stored: list[Any], now: list[Any]) -> list[Any]:
    """Return what is now with the keys that were stored: one that a later version adds is no difference."""
    keys = {key for row in stored if isinstance(row, dict) for key in row}
    return [{key: row[key] for key in row if key in keys} if keys and isinstance(row, dict) else row for row in now]


def _facts(turn: TurnRecord) -> list[Any]:
    return [{key: row[key] for key in ("words", *STATED) if key in row} for row in turn.facts]


def _question(turn: TurnRecord) -> list[Any]:
    options = f" ({', '.join(turn.options)})" if turn.options else ""
    return [f"{turn.ask_attribute or 'nothing'}{options}"]


COMPARED: dict[str, Callable[[TurnRecord], list[Any]]] = {
    "acts": lambda turn: list(turn.acts),
    "facts": _facts,
    "belief": lambda turn: belief_rows(turn.belief),
    "relaxed": lambda turn: list(turn.relaxed),
    "products": lambda turn: [row.parent_asin for row in turn.products],
    "question": _question,
    "reply": lambda turn: [turn.reply],
}
"""What is compared, in the order in which the nodes decide it."""


def belief_rows(belief: Belief) -> list[Any]:
    """Return all that is believed, one thing a row: a constraint as a mapping, anything else in words."""
    return [
        *belief.constraints,
        *({**row, "words": f"{row['words']}, replaced"} for row in belief.replaced),
        *(f"no preference on {attribute}" for attribute in belief.declined),
        *(f"turned down {product}" for product in sorted(belief.rejected)),
        *(f"chosen {product}" for product in belief.chosen),
        *([f"wish number {belief.epoch + 1}"] if belief.epoch else []),
    ]


def in_words(row: Any) -> str:
    """Return a compared thing on one line: `color navy [hard, turn 3]`."""
    if not isinstance(row, dict):
        return str(row)
    words = str(row.get("words") or row.get("fact"))
    notes = [str(row["strength"])] if "strength" in row else []
    notes += ["firm"] if row.get("firm") else []
    notes += [f"turn {row['turn']}"] if "turn" in row else []
    return f"{words} [{', '.join(notes)}]" if notes else words


def _told_apart(stored: list[Any], now: list[Any]) -> tuple[Lines, Lines]:
    """Return both in words, or in full where the words are the same and the things are not."""
    lines = [in_words(row) for row in stored], [in_words(row) for row in now]
    if lines[0] != lines[1]:
        return lines
    return [orjson.dumps(row).decode() for row in stored], [orjson.dumps(row).decode() for row in now]


DECIDED_BY = {"acts": "canonicalize", "facts": "canonicalize", "belief": "track", "relaxed": "filter"}
"""The node that decides a field, for the fields that one node alone decides."""


def _beginning(stored: TurnRecord, now: TurnRecord, found: list[Difference]) -> Beginning:
    """Name the first node or field; a record is short, so that a field may differ before the records do."""
    field = found[0].field
    node = _first_node(stored, now)
    if node is None:
        return Beginning(None, [field])
    told = [step["node"] for step in stored.steps]
    decider = DECIDED_BY.get(field)
    if now.before is None and decider in told and told.index(decider) < told.index(node.node):
        return Beginning(decider, [field])
    return node


def _first_node(stored: TurnRecord, now: TurnRecord) -> Beginning | None:
    if stored.nodes and now.nodes:
        return _by_channels(stored, now)
    for before, after in zip(stored.steps, now.steps, strict=False):
        changed = [key for key in before if before[key] != after.get(key)]
        if changed:
            return Beginning(str(before.get("node")), changed)
    return None


def _by_channels(stored: TurnRecord, now: TurnRecord) -> Beginning | None:
    # Candidates are rows of one catalog: they say nothing about another.
    of_one = stored.served.catalog_sha256 == now.served.catalog_sha256
    for before, after in zip(stored.nodes, now.nodes, strict=False):
        changed = [
            name
            for name in before.channels.keys() & after.channels.keys()
            if before.channels[name] != after.channels[name] and (of_one or name != "candidates")
        ]
        if changed or before.node != after.node:
            return Beginning(before.node, sorted(changed))
    return None
