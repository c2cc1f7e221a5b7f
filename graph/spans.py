"""Spans of turns and nodes for OpenTelemetry, when its usual environment variables ask for them.

Without them nothing is imported, opened or said. A program that has set up a tracer provider of its own gets the spans
there. Spans carry numbers and names only, no text of the shopper or the catalog.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, cast

from langchain_core.runnables import RunnableConfig

from graph.logs import LOGGER

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

PARENT = "__shopgraph_span"
"""Key of a run's configuration that carries the span of its turn; names with two underscores are stored nowhere."""

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_lock = threading.Lock()
_asked: list[bool] = []
"""Holds something once the environment was asked; that is done at the first turn, and once."""


def wanted(environment: Mapping[str, str]) -> bool:
    """Return whether the environment asks for spans: an OTLP endpoint or exporter is named, the SDK is not disabled."""
    if environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return False
    exporter = environment.get("OTEL_TRACES_EXPORTER", "").strip().lower()
    return exporter == "otlp" or (not exporter and any(environment.get(name) for name in _ENDPOINTS))


def tracer() -> Tracer | None:
    """Return the tracer, None when nobody asked for spans."""
    if not _asked:
        with _lock:
            if not _asked and wanted(os.environ):
                _set_up()
            _asked.append(True)
    trace: Any = sys.modules.get("opentelemetry.trace")
    if trace is None or isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        return None
    return cast("Tracer", trace.get_tracer("shopgraph"))


def _set_up() -> None:
    """Install a provider that exports by OTLP over HTTP, unless the program has one."""
    if find_spec("opentelemetry") is None or find_spec("opentelemetry.exporter.otlp.proto.http") is None:
        LOGGER.warning("OTEL_* asks for spans, but OpenTelemetry is not installed: pip install 'shopgraph[otel]'")
        return
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    if isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        named = os.environ.get("OTEL_SERVICE_NAME") or "service.name" in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
        provider = TracerProvider(resource=Resource.create({} if named else {"service.name": "shopgraph"}))
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        trace.set_tracer_provider(provider)


@contextmanager
def turn_span(config: RunnableConfig | None, conversation: str | None) -> Iterator[RunnableConfig | None]:
    """Span a run; yields the configuration under which the spans of its nodes are children of it.

    The span is handed on by the configuration and not by the current context: a stream may be read in one context and
    closed in another.
    """
    tracing = tracer()
    if tracing is None:
        yield config
        return
    from opentelemetry import trace

    span = tracing.start_span("shopgraph.turn", attributes=_attributes(conversation=conversation))
    configurable = {**((config or {}).get("configurable") or {}), PARENT: trace.set_span_in_context(span)}
    try:
        yield {**(config or {}), "configurable": configurable}
    except Exception as error:
        span.set_status(trace.StatusCode.ERROR, type(error).__name__)
        raise
    finally:
        span.end()


@contextmanager
def node_span(name: str, config: RunnableConfig) -> Iterator[None]:
    """Span the work of one node. An error is told by its class: its text may quote the shopper."""
    tracing = tracer()
    if tracing is None:
        yield
        return
    configurable = config.get("configurable") or {}
    with tracing.start_as_current_span(
        f"shopgraph.{name}",
        context=configurable.get(PARENT),
        attributes=_attributes(conversation=configurable.get("thread_id"), node=name),
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            yield
        except Exception as error:
            from opentelemetry.trace import StatusCode

            span.set_status(StatusCode.ERROR, type(error).__name__)
            raise


def _attributes(**values: Any) -> dict[str, str]:
    return {f"shopgraph.{name}": str(value) for name, value in values.items() if value is not None}
