"""Where output goes: rich tables on a terminal, plain lines in a pipe, strict JSON for machines."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from graph.cli.text import printable

if TYPE_CHECKING:
    from rich.console import Console, RenderableType


def on_terminal() -> bool:
    """Return whether a person reads the output."""
    return sys.stdout.isatty()


def in_conversation() -> bool:
    """Return whether a person both types and reads."""
    return sys.stdin.isatty() and on_terminal()


def write(text: str = "") -> None:
    """Write one block of plain text and a line end, without control codes."""
    sys.stdout.write(printable(text) + "\n")


def write_json(value: Any, *, indent: bool = False) -> None:
    """Write one strict JSON document (NaN and infinities become null) on a line of its own."""
    import orjson

    options = orjson.OPT_APPEND_NEWLINE | orjson.OPT_SERIALIZE_NUMPY | (orjson.OPT_INDENT_2 if indent else 0)
    sys.stdout.write(orjson.dumps(value, option=options).decode())


def console() -> Console:
    """Return the terminal as rich draws on it; nothing in the text is markup, emoji code or highlighted."""
    from rich.console import Console

    return Console(markup=False, emoji=False, highlight=False)


def draw(renderable: RenderableType) -> None:
    """Draw a table or panel on the terminal."""
    console().print(renderable)


@contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int | None], None]]:
    """Give a function of (stage, done, total or None) that moves a bar on stderr; silent when that is no terminal."""
    if not sys.stderr.isatty():
        yield lambda _stage, _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, Any] = {}

        def move(stage: str, done: int, total: int | None) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total)
            bar.update(tasks[stage], completed=done, total=total)

        yield move
