"""The command tree, and what becomes of errors: one plain message on stderr, never a traceback."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from catalog.errors import ShopgraphError
from graph.cli import ask, catalog, chat, demo, evaluation, replay, understand
from graph.cli.text import printable
from graph.logs import configure

HELP = """Find products by talking: shopgraph keeps what you want across turns, over a product catalog of yours.

\b
Try it:
  shopgraph catalog sample --products 2000 --seed 7 --out store.jsonl
  shopgraph catalog build store.jsonl --out store.duckdb
  shopgraph demo --catalog store.duckdb
  shopgraph chat --catalog store.duckdb

Every command explains itself: shopgraph COMMAND --help.

Exit codes: 0 ok, 1 failed, 2 wrong usage.
"""


def build_app() -> typer.Typer:
    """Return the command tree; importing it loads no engine, so that `--help` is quick."""
    app = typer.Typer(
        name="shopgraph", help=HELP, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False
    )
    app.command()(chat.chat)
    app.command()(demo.demo)
    app.command()(ask.ask)
    app.command()(understand.understand)
    app.command(cls=replay.ReplayCommand)(replay.replay)
    app.add_typer(catalog.app, name="catalog")
    app.add_typer(evaluation.app, name="eval")
    return app


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    command = typer.main.get_command(build_app())
    try:
        configure()
        command.main(args=list(arguments), prog_name="shopgraph")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except ShopgraphError as error:
        return _fail(str(error))
    except OSError as error:
        named = f"{error.filename}: " if error.filename else ""
        return _fail(f"{named}{error.strerror or error}")
    return 0


def _fail(message: str) -> int:
    sys.stdout.flush()
    sys.stderr.write(f"shopgraph: {printable(message)}\n")
    return 1
