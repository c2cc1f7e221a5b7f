"""The state machine: ten nodes, their edges, and what they are bound to."""

from __future__ import annotations

import inspect
import threading
import time
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.channels import LastValue
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from catalog.errors import CatalogError, InputError
from catalog.open import open_catalog
from catalog.search import ProductIndex
from graph.channels import value_channel
from graph.logs import log_failure, log_step
from graph.settings import Policy, load_settings
from graph.spans import node_span
from graph.state import BASIS, Context, ShopperInput, ShopperOutput, State, Translating, TurnState, configured_context
from graph.turns import ShoppingGraph as ShoppingGraph
from graph.turns import one_turn_at_a_time
from graph.watching import step_of
from nodes.canonicalize import canonicalize
from nodes.clarify import clarify
from nodes.fall_back import fall_back
from nodes.filter import filter as filter_
from nodes.rank import rank
from nodes.respond import respond
from nodes.retrieve import retrieve
from nodes.route import route
from nodes.track import track
from nodes.translate import translate
from tools.shop import Shop

Catalog = str | Path | ProductIndex
Node = Callable[..., dict[str, Any]]
"""A function of the state, and of `shop` and `context` where its parameters name them, that returns an update."""

NODES: dict[str, tuple[Node, type[TurnState]]] = {
    "route": (route, State),
    "canonicalize": (canonicalize, TurnState),
    "translate": (translate, TurnState),
    "fall_back": (fall_back, TurnState),
    "track": (track, TurnState),
    "retrieve": (retrieve, TurnState),
    "filter": (filter_, TurnState),
    "rank": (rank, TurnState),
    "clarify": (clarify, TurnState),
    "respond": (respond, State),
}
"""Each node and the channels that it reads: only two of them need the chat view."""


class Shops:
    """The catalogs that a graph may serve, opened on first use and kept."""

    def __init__(
        self, default: Catalog | None, named: Mapping[str, Catalog], without: frozenset[str] = frozenset()
    ) -> None:
        self._without = without
        self._sources: dict[str, Catalog | None] = {"default": default, **named}
        self._shops: dict[str, Shop] = {}
        self._lock = threading.Lock()

    @property
    def names(self) -> list[str]:
        """What a run may call its catalog: `default` first."""
        return list(self._sources)

    def get(self, name: str) -> Shop:
        """Return the shop of a configured catalog; raises `InputError` or `CatalogError`."""
        shop = self._shops.get(name)
        if shop is None:
            with self._lock:
                shop = self._shops.get(name) or self._open(name)
                self._shops[name] = shop
        return shop

    def _open(self, name: str) -> Shop:
        if name not in self._sources:
            known = ", ".join(sorted(self._sources))
            raise InputError(f"No catalog is configured as {name!r}: use one of {known}, or set SHOPGRAPH_CATALOGS.")
        source = self._sources[name]
        if source is None:
            raise CatalogError(
                "No catalog is configured: set SHOPGRAPH_CATALOG to a file that `shopgraph catalog build` wrote, "
                "or pass catalog=..."
            )
        if isinstance(source, (str, Path)):
            source = open_catalog(source, cache_bytes=load_settings().cache_mb << 20)
        return Shop.of(source, self._without)


def build_graph(
    catalog: Catalog | None = None,
    checkpointer: Any = None,
    *,
    catalogs: Mapping[str, Catalog] | None = None,
    after: Mapping[str, Node] | None = None,
) -> ShoppingGraph:
    """Compile the shopping graph. It is safe for threads and event loops, and serves a thread's runs one by one.

    Args:
        catalog: A catalog file, an open `ProductIndex`, or None for SHOPGRAPH_CATALOG. A file is opened on first use.
        checkpointer: A LangGraph saver; None keeps no conversations (the LangGraph server brings its own).
        catalogs: Further catalogs that a run may choose by name through `Context.catalog`.
        after: Nodes of your own, each under the name of the node that it runs after (one of `PIPELINE`).

    Returns:
        The compiled graph: input `ShopperInput`, output `ShopperOutput`, context `Context`.

    Raises:
        InputError: The environment holds a setting that cannot be used, or `after` names no node of `PIPELINE`.
    """
    return assemble(configured_shops(catalog, catalogs), checkpointer, after, load_settings().policy)


def configured_shops(
    catalog: Catalog | None = None,
    catalogs: Mapping[str, Catalog] | None = None,
    without: frozenset[str] = frozenset(),
) -> Shops:
    """Return the shops of the given catalogs, or of those that the environment names.

    `without` names tiers of the language reader to leave out, to measure what each contributes.
    """
    settings = load_settings()
    return Shops(catalog if catalog is not None else settings.catalog, catalogs or settings.catalogs, without)


def assemble(
    shops: Shops, checkpointer: Any = None, after: Mapping[str, Node] | None = None, policy: Policy = "full"
) -> ShoppingGraph:
    """Wire the ten nodes, and those of the caller, over a set of shops and compile them.

    `policy` is that of a run which names none.
    """
    added = dict(after or {})
    if unknown := set(added) - set(PIPELINE):
        raise InputError(f"A node is to run after {sorted(unknown)}: name some of {', '.join(PIPELINE)}.")
    context = configured_context(policy, shops.names)
    builder = StateGraph(State, context_schema=context, input_schema=ShopperInput, output_schema=ShopperOutput)
    for name, channel in builder.channels.items():
        if type(channel) is LastValue:
            builder.channels[name] = value_channel(State, name)
    for name, (node, reads) in NODES.items():
        builder.add_node(name, watched(name, node, shops, context()), input_schema=reads)
    for node in added.values():
        builder.add_node(node.__name__, watched(node.__name__, node, shops, context()), input_schema=TurnState)
    builder.add_edge(START, "route")
    builder.add_edge("route", "canonicalize")
    builder.add_conditional_edges("canonicalize", after_canonicalize, ["translate", "track"])
    builder.add_conditional_edges("translate", after_translate, ["track", "fall_back"])
    builder.add_edge("fall_back", "track")
    path = [name for place in PIPELINE for name in (place, *([added[place].__name__] if place in added else []))]
    for before, following in pairwise((*path, END)):
        builder.add_edge(before, following)
    return one_turn_at_a_time(builder.compile(checkpointer=checkpointer, name="shopgraph"))


PIPELINE = ("track", "retrieve", "filter", "rank", "clarify", "respond")


def after_canonicalize(state: Translating) -> str:
    """Send the message to the model only when a run asks for one; the rules' reading goes straight on.

    Read from the state: LangGraph follows the edge after a person's edit too, outside any run and its context.
    """
    return "translate" if state.translation.get("status") == "wanted" else "track"


def after_translate(state: Translating) -> str:
    """Take the fallback edge unless the translation was validated."""
    return "track" if state.translation.get("status") == "accepted" else "fall_back"


def watched(name: str, node: Node, shops: Shops, default: Context) -> Callable[..., dict[str, Any]]:
    """Give a node the shop and context that its parameters name, and tell what it decided.

    The record (`graph.watching`) goes into the node's update, with its time to the custom stream and to the log; with
    OpenTelemetry configured, the node is a span.
    """
    wanted = inspect.signature(node).parameters

    def run(state: Any, runtime: Runtime[Context], config: RunnableConfig) -> dict[str, Any]:
        started = time.perf_counter()
        context = runtime.context or default
        extra: dict[str, Any] = {}
        with node_span(name, config), log_failure(name, state, config):
            if "shop" in wanted:
                extra["shop"] = shops.get(context.catalog)
            if "context" in wanted:
                extra["context"] = context
            update = dict(node(state, **extra))
        took = round((time.perf_counter() - started) * 1000, 3)
        basis = update.pop(BASIS, {})
        step = step_of(name, state, update, basis)
        runtime.stream_writer({"node": name, "took_ms": took, **step})
        log_step(step, took, update.get("turn", state.turn), config)
        return {**update, "steps": [step], "took_ms": {name: took}}

    return run


graph = build_graph()
"""What `langgraph.json` names: the catalog comes from SHOPGRAPH_CATALOG, the saver from the server."""
