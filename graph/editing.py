"""The compiled graph as people edit it: from Studio, through a server or in a program, by `update_state`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import StateUpdate

from catalog.errors import InputError
from graph.state import Context, ShopperInput, ShopperOutput, State

RESERVED = (END, "__input__", "__copy__")
"""Names that `update_state` knows beside those of nodes: clear what is to come, give an input, copy a checkpoint."""


class EditableGraph(CompiledStateGraph[State, Context, ShopperInput, ShopperOutput]):
    """A compiled graph that refuses an edit of a channel or node that it does not have: LangGraph would drop it."""

    def bulk_update_state(self, config: RunnableConfig, supersteps: Sequence[Sequence[StateUpdate]]) -> RunnableConfig:
        """Apply edits (`update_state` comes here too); raises `InputError` and stores none when one is wrong."""
        self._check_names(supersteps)
        return super().bulk_update_state(config, supersteps)

    async def abulk_update_state(
        self, config: RunnableConfig, supersteps: Sequence[Sequence[StateUpdate]]
    ) -> RunnableConfig:
        """Apply edits on an event loop; see `bulk_update_state`."""
        self._check_names(supersteps)
        return await super().abulk_update_state(config, supersteps)

    def _check_names(self, supersteps: Sequence[Sequence[StateUpdate]]) -> None:
        for update in (update for step in supersteps for update in step):
            if update.as_node is not None and update.as_node not in {*self.nodes, *RESERVED}:
                raise InputError(f"No node is called {update.as_node!r}: name one of {', '.join(self.builder.nodes)}.")
            names: dict[str, Any] = update.values if isinstance(update.values, dict) else {}
            if unknown := sorted(str(name) for name in names.keys() - State.model_fields.keys()):
                raise InputError(
                    f"The state has no {', '.join(map(repr, unknown))}: it has {', '.join(State.model_fields)}."
                )
