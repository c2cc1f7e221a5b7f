"""The log of turns and nodes: `SHOPGRAPH_LOG` (plain or json) and `SHOPGRAPH_LOG_LEVEL` say how and how much.

At `info` a line a node: ids, names, numbers. What was said, found and decided is only told at `debug`.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from catalog.errors import InputError, ShopgraphError

if TYPE_CHECKING:
    from typing import TextIO

    from langchain_core.runnables import RunnableConfig

LEVELS = ("debug", "info", "warning", "error", "critical")
FORMATS = ("plain", "json")

LOGGER = logging.getLogger("shopgraph")
"""The one logger; a program that embeds the graph adds its own handlers, and may set another level."""

LOGGER.addHandler(logging.NullHandler())
_asked = os.environ.get("SHOPGRAPH_LOG_LEVEL", "").strip().lower()
LOGGER.setLevel(_asked.upper() if _asked in LEVELS else logging.WARNING)

_TOLD = "shopgraph"
"""Attribute of a log record that holds its fields."""


class JsonLines(logging.Formatter):
    """One JSON object a line: `time`, `level`, `event`, then the fields of the record."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, _TOLD, {}),
        }
        return json.dumps(fields, ensure_ascii=False, default=str)


class Plain(logging.Formatter):
    """Time, level, what happened, and the fields as `name=value`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        when = datetime.fromtimestamp(record.created, UTC).strftime("%H:%M:%S")
        fields = " ".join(f"{name}={value!r}" for name, value in getattr(record, _TOLD, {}).items())
        return " ".join(filter(None, (when, record.levelname.lower(), record.getMessage(), fields)))


class _Stderr(logging.StreamHandler[Any]):
    """Writes to what stderr is at that moment."""

    @property
    def stream(self) -> TextIO:
        return sys.stderr

    @stream.setter
    def stream(self, value: TextIO) -> None:
        """Ignore what the base class sets."""


def configure(environment: Mapping[str, str] | None = None) -> None:
    """Write the log to stderr as the environment says; called where a program starts.

    Raises `InputError` when a variable holds what it may not.
    """
    settings = os.environ if environment is None else environment
    form = _one_of(settings, "SHOPGRAPH_LOG", FORMATS, "plain")
    level = _one_of(settings, "SHOPGRAPH_LOG_LEVEL", LEVELS, "warning")
    handler = _Stderr()
    handler.setFormatter(JsonLines() if form == "json" else Plain())
    LOGGER.handlers = [handler]
    LOGGER.setLevel(level.upper())


def _one_of(settings: Mapping[str, str], name: str, allowed: tuple[str, ...], default: str) -> str:
    value = settings.get(name, "").strip().lower() or default
    if value not in allowed:
        raise InputError(f"{name} is {settings[name]!r}: use one of {', '.join(allowed)}, or unset it.")
    return value


def log_step(step: Mapping[str, Any], took_ms: float, turn: int, config: RunnableConfig) -> None:
    """Log the work of a node: its time at `info`, its record too at `debug`."""
    if not LOGGER.isEnabledFor(logging.INFO):
        return
    fields: dict[str, Any] = {**_where(config), "turn": turn, "node": step["node"], "took_ms": took_ms}
    if LOGGER.isEnabledFor(logging.DEBUG):
        LOGGER.debug("node", extra={_TOLD: {**fields, **step}})
    else:
        LOGGER.info("node", extra={_TOLD: fields})


@contextmanager
def log_failure(node: str, state: Any, config: RunnableConfig) -> Iterator[None]:
    """Log a node that fails by the class of its error, whose text may quote the shopper and is told at `debug` only."""
    try:
        yield
    except Exception as error:
        expected = isinstance(error, ShopgraphError)
        fields = {**_where(config), "turn": state.turn, "node": node, "error": type(error).__name__}
        LOGGER.log(logging.INFO if expected else logging.ERROR, "node failed", extra={_TOLD: fields})
        LOGGER.debug("why the node failed", extra={_TOLD: {**fields, "text": str(error)}})
        raise


def _where(config: RunnableConfig) -> dict[str, Any]:
    return {"conversation": (config.get("configurable") or {}).get("thread_id")}
