"""A full turn through the graph, without a store of conversations."""

from __future__ import annotations

from typing import Any, cast

from catalog.duckdb_index import DuckDBIndex
from catalog.open import open_catalog
from graph.settings import Policy
from graph.shopping import build_graph
from graph.state import Context


class FullTurn:
    """Answers one fresh message a call, as the first of a conversation."""

    def __init__(self, index: DuckDBIndex, policy: Policy) -> None:
        """Build the graph over an open catalog."""
        self.index = index
        self._graph = build_graph(index)
        self._context = Context(policy=policy)

    @classmethod
    def of_file(cls, catalog: str, policy: str) -> FullTurn:
        """Open a catalog and build the graph over it."""
        return cls(open_catalog(catalog), cast(Policy, policy))

    def __call__(self, message: str) -> dict[str, Any]:
        """Return the output of the turn."""
        return cast(dict[str, Any], self._graph.invoke(cast(Any, {"message": message}), context=self._context))
