"""A conversation as the commands use it: an open catalog, an agent, and the name that the turns are kept under."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from catalog.errors import ConversationError, InputError
from graph.cli.render import ShownProduct, Turn
from graph.cli.store import find_catalog, opened_catalog

if TYPE_CHECKING:
    from catalog.search import ProductIndex
    from graph.agent import ShoppingAgent, Watcher
    from graph.cli.options import PolicyName
    from graph.events import BeliefState

LATEST = "latest-conversation"
"""File of the state folder that names the conversation that `--continue` goes on with."""


class Conversation:
    """One shopper's conversation over one catalog."""

    def __init__(
        self, agent: ShoppingAgent, index: ProductIndex, name: str, catalog: Path, watch: Watcher | None = None
    ) -> None:
        self._agent = agent
        self._watch = watch
        self._index = index
        self._shown: list[ShownProduct] | None = None
        self.name = name
        self.catalog = catalog
        self.turns = 0
        """Turns answered by this process."""

    @property
    def size(self) -> int:
        """Products of the catalog."""
        return self._index.size

    @property
    def evidence_off(self) -> str:
        """Why sentences of the catalog cannot be compared by meaning, empty when they can."""
        from catalog.semantic import why_off

        return why_off(self._index.manifest)

    def say(self, message: str) -> Turn:
        """Answer one message."""
        from tools.reading import Reading
        from tools.retelling import understood

        output = self._agent.turn(self.name, message, self._watch)
        self.turns += 1
        reading = Reading.model_validate(output["reading"])
        rows = output["recommendations"]
        products = self._index.products([i for i in self._index.ids([r["parent_asin"] for r in rows]) if i is not None])
        self._shown = [
            ShownProduct(product, row["score"], row["evidence"]) for product, row in zip(products, rows, strict=True)
        ]
        return Turn(
            conversation=self.name,
            number=output["turn"],
            understood=understood(reading),
            acts=reading.acts,
            facts=[fact.model_dump(mode="json", exclude_defaults=True) for fact in reading.facts],
            reply=output["reply"],
            ask_attribute=output["ask_attribute"],
            options=output["options"],
            relaxed=output["relaxed"],
            shown=self._shown,
        )

    def undo(self) -> Turn:
        """Take the last turn back."""
        return self.say("undo")

    def reset(self) -> Turn:
        """Begin a new wish; what was said before no longer counts."""
        return self.say("start over")

    def belief(self) -> BeliefState:
        """Return what is believed of the shopper's present wish."""
        return self._agent.belief(self.name)

    def shown(self) -> list[ShownProduct]:
        """Return the products of the last answer, also when another process gave it."""
        if self._shown is None:
            import numpy as np

            from tools.explanation import evidence_of

            belief = self.belief()
            ids = np.array([i for i in self._index.ids(belief.last_shown) if i is not None], np.int32)
            evidence = evidence_of(self._index, ids, belief.constraints, [])
            self._shown = [
                ShownProduct(product, None, rows)
                for product, rows in zip(self._index.products(ids), evidence, strict=True)
            ]
        return self._shown


@contextmanager
def open_conversation(
    catalog: Path | None,
    policy: PolicyName | None,
    state: Path | None,
    *,
    name: str | None = None,
    latest: bool = False,
    keep: bool = True,
    watch: Watcher | None = None,
) -> Iterator[Conversation]:
    """Open a conversation and close its files afterwards.

    Raises `CatalogError` when there is no catalog, `ConversationError` when the store cannot be used or there is
    nothing to continue, and `InputError` for a blank name. With `keep` False nothing is written; `watch` is told the
    record of each node.
    """
    import sqlite3

    from graph.agent import ShoppingAgent
    from graph.savers import memory_saver, sqlite_saver
    from graph.settings import load_settings

    settings = load_settings()
    folder = state or settings.state_folder
    path = find_catalog(catalog, settings)
    chosen = _name(name, latest, folder)
    with opened_catalog(path) as index, ExitStack() as closing:
        if keep:
            saver = sqlite_saver(folder)
            closing.callback(saver.conn.close)
            _remember(folder, chosen)
        agent = ShoppingAgent(
            index,
            policy or settings.policy,
            state=folder if keep else None,
            checkpointer=saver if keep else memory_saver(),
        )
        try:
            yield Conversation(agent, index, chosen, path, watch)
        except sqlite3.Error as error:
            raise ConversationError(f"The conversations in {folder} cannot be read or written ({error}).") from error


def _name(name: str | None, latest: bool, folder: Path) -> str:
    """Return the conversation to use: the named one, the latest one, or a new one."""
    if name is not None:
        from graph.state import clean_text

        if latest:
            raise InputError("--conversation and --continue were both given: use one of them.")
        if not name.strip():
            raise InputError("The conversation's name is blank: give it one, or leave --conversation out.")
        return clean_text(name)
    if not latest:
        return secrets.token_hex(4)
    return _latest(folder / LATEST)


def _latest(file: Path) -> str:
    try:
        name = file.read_text(encoding="utf-8").strip()
    except FileNotFoundError as error:
        raise ConversationError(
            f"There is no conversation to continue in {file.parent}: leave --continue out to begin one."
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConversationError(f"{file} cannot be read ({error}): {_CHOOSE}") from error
    if not name:
        raise ConversationError(f"{file} names no conversation: {_CHOOSE}")
    return name


_CHOOSE = "name the conversation with --conversation, or leave --continue out to begin one."


def _remember(folder: Path, name: str) -> None:
    """Name the latest conversation; a process that is killed here leaves the old name or the new one, never half."""
    file = folder / LATEST
    part = file.with_name(f"{LATEST}.{os.getpid()}")
    try:
        part.write_text(name + "\n", encoding="utf-8")
        part.replace(file)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise ConversationError(
            f"{file} cannot be written ({error}). Move it away, or name another --state."
        ) from error
