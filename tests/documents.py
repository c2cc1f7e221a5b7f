"""Documents made from the code: `python -m tests.documents` writes them, the tests compare them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from graph.cli.app import build_app
from tests.api_page import PAGE, filled
from tests.studio_page import write_page

ROOT = Path(__file__).resolve().parents[1]
CLI = ROOT / "docs" / "cli.md"
MERMAID = ROOT / "docs" / "graph.mmd"
WIDTH = 100
"""Columns of a help page, whatever the terminal."""


def commands(command: Any, parent: typer.Context | None = None) -> Iterator[tuple[str, str]]:
    """Yield (`shopgraph catalog build`, its help) for the command and everything below it."""
    context = typer.Context(
        command, info_name=command.name, parent=parent, max_content_width=WIDTH, terminal_width=WIDTH
    )
    yield context.command_path, command.get_help(context)
    for child in getattr(command, "commands", {}).values():
        yield from commands(child, context)


def cli_document() -> str:
    """Return docs/cli.md: the help of every command."""
    root = typer.main.get_command(build_app())
    root.name = "shopgraph"
    pages = "\n".join(f"## {path}\n\n```text\n{text.rstrip()}\n```\n" for path, text in commands(root))
    return f"# The `shopgraph` command\n\nWritten by `make docs` from `--help`; a test compares the two.\n\n{pages}"


def mermaid_document() -> str:
    """Return docs/graph.mmd: the compiled graph as LangGraph draws it."""
    from graph.shopping import graph

    return graph.get_graph().draw_mermaid()


if __name__ == "__main__":
    CLI.write_text(cli_document(), encoding="utf-8")
    MERMAID.write_text(mermaid_document(), encoding="utf-8")
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    write_page()
