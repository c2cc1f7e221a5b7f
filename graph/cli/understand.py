"""`shopgraph understand`: what a message says, without searching for anything."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from catalog.errors import InputError
from graph.cli.options import CatalogOption, JsonOption
from graph.cli.output import write, write_json
from graph.cli.store import find_catalog, opened_catalog

if TYPE_CHECKING:
    from catalog.search import ProductIndex
    from tools.language import Reader
    from tools.reading import Reading


def understand(
    text: Annotated[str | None, typer.Argument(metavar="TEXT", help="One message of a shopper.")] = None,
    source: Annotated[
        Path | None,
        typer.Option("--input", metavar="F.jsonl", help='Rows {"id", "text", "prev_user"?, "prev_system"?}.'),
    ] = None,
    target: Annotated[
        Path | None, typer.Option("--output", metavar="G.jsonl", help='Rows {"id", "acts", "facts"} to write.')
    ] = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the dialogue acts and the facts that are read from a message, or from every row of a file.

    \b
    Examples:
      shopgraph understand "not the red one, something in navy under $50"
      shopgraph understand --input messages.jsonl --output facts.jsonl
    """
    if (text is None) == (source is None) or (source is None) != (target is None):
        raise typer.BadParameter("give either TEXT, or --input and --output together")
    from graph.settings import load_settings
    from tools.language import Reader

    with opened_catalog(find_catalog(catalog, load_settings())) as index:
        reader = Reader(index.lexicon)
        if source is not None and target is not None:
            count = _convert(source, target, reader, index)
            write(f"Read {count:,} messages into {target}")
        elif text is not None:
            _show(_read(reader, index, {"text": text}), as_json)


def _convert(source: Path, target: Path, reader: Reader, index: ProductIndex) -> int:
    """Write one row for each row of the source; the target appears only when all of them were read."""
    rows = [{"id": row["id"], **_row(_read(reader, index, row))} for row in _rows(source)]
    target.write_text("".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows), encoding="utf-8")
    return len(rows)


def _rows(source: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file; raises `InputError` that names the line that is none."""
    for number, line in enumerate(source.read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{source}, line {number} is not JSON ({error}): write one object a line.") from error
        if not isinstance(row, dict) or "id" not in row or not isinstance(row.get("text"), str):
            raise InputError(f'{source}, line {number}: an object with "id" and a string "text" is needed.')
        yield row


def _read(reader: Reader, index: ProductIndex, row: dict[str, Any]) -> Reading:
    """Read one message in the light of what was said before it."""
    from evals.understanding.context import before, read_message

    user, system = (str(row.get(key) or "") for key in ("prev_user", "prev_system"))
    return read_message(reader, row["text"], before(reader, index, prev_user=user, prev_system=system))


def _row(reading: Reading) -> dict[str, Any]:
    """Return acts and facts in the shape that evaluation reads."""
    keys = ("attribute", "op", "value", "polarity", "strength")
    facts = [
        {**{key: getattr(fact, key) for key in keys}, "span": list(fact.span) if fact.span else None}
        for fact in reading.facts
    ]
    return {"acts": reading.acts, "facts": facts}


def _show(reading: Reading, as_json: bool) -> None:
    if as_json:
        write_json(_row(reading))
        return
    from tools.retelling import understood

    write(f"acts: {', '.join(reading.acts)}")
    write(f"understood: {'; '.join(understood(reading))}")
    for fact in reading.facts:
        span = f'  "{fact.text}" at {fact.span[0]}-{fact.span[1]}' if fact.span else ""
        name = fact.attribute if fact.detail is None else f"{fact.attribute}/{fact.detail}"
        write(f"  {name} {fact.op} {fact.value} ({fact.polarity}, {fact.strength}, by {fact.source}){span}")
    if reading.unexplained:
        write(f"left as search text: {' '.join(reading.unexplained)}")
