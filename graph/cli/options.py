"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

CatalogOption = Annotated[
    Path | None,
    typer.Option(
        "--catalog",
        metavar="X.duckdb",
        help="Catalog file. Default: $SHOPGRAPH_CATALOG, else .shopgraph/sample.duckdb, else one in the state folder.",
    ),
]

PolicyName = Literal["full", "confident"]

PolicyOption = Annotated[
    PolicyName | None,
    typer.Option(
        "--policy",
        help="full: always ten products. confident: what the evidence supports. Default: $SHOPGRAPH_POLICY, else full.",
    ),
]

StateOption = Annotated[
    Path | None,
    typer.Option(
        "--state",
        metavar="FOLDER",
        help="Where conversations are kept. Default: $SHOPGRAPH_STATE, else $XDG_STATE_HOME/shopgraph.",
    ),
]

ConversationOption = Annotated[
    str | None,
    typer.Option("--conversation", metavar="ID", help="Continue (or begin) the conversation of this name."),
]

ContinueOption = Annotated[bool, typer.Option("--continue", "-c", help="Continue the latest conversation.")]

TraceOption = Annotated[bool, typer.Option("--trace", help="Show what each node decided, why, and how long it took.")]

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document for a program to read.")]
