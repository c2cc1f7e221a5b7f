"""`shopgraph catalog`: make a store of products and look at it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from graph.cli.options import JsonOption
from graph.cli.output import draw, on_terminal, progress_bar, write, write_json
from graph.cli.store import opened_catalog

if TYPE_CHECKING:
    from catalog.manifest import Manifest

app = typer.Typer(help="Build, sample and inspect catalogs of products.", no_args_is_help=True, rich_markup_mode=None)

SemanticOption = Annotated[
    bool | None,
    typer.Option(
        "--semantic/--no-semantic",
        help="Store vectors of the products' sentences. Default: when shopgraph[semantic] is installed.",
        show_default=False,
    ),
]
ExactOption = Annotated[
    bool,
    typer.Option("--exact", help="Have the model itself encode each sentence: nearer, minutes instead of seconds."),
]


@app.command()
def build(
    sources: Annotated[
        list[Path], typer.Argument(metavar="SRC...", help="Product files: .jsonl, .csv, .parquet, each also .gz.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="X.duckdb", help="Catalog file to write.")],
    mapping: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="FIELD=COLUMN", help="Which column holds a field; may be repeated."),
    ] = None,
    max_rejects: Annotated[
        float,
        typer.Option("--max-rejects", metavar="PCT", min=0, max=100, help="Fail above this share of bad rows."),
    ] = 5.0,
    currency: Annotated[
        str, typer.Option("--currency", metavar="CODE", help="The catalog's currency. Default: what most prices state.")
    ] = "",
    memory: Annotated[
        str | None, typer.Option("--memory", metavar="SIZE", help="The engine's memory limit, such as 512MB.")
    ] = None,
    semantic: SemanticOption = None,
    exact: ExactOption = False,
) -> None:
    """Turn product files into one catalog file with its search index.

    Columns are known by their usual names in feeds and shops; --map names the others. Bad rows are counted by reason
    and written beside the output. The file appears only when it is complete, so a build may replace a catalog in use.

    \b
    Examples:
      shopgraph catalog build products.jsonl.gz --out store.duckdb
      shopgraph catalog build feed.csv --map parent_asin=sku --map title=name --out store.duckdb

    \b
    Fields: parent_asin, title, features, description, price, categories, details,
    average_rating, rating_number, store.
    """
    columns = _columns(mapping or [])
    from catalog.build import build_catalog

    with progress_bar() as progress:
        manifest = build_catalog(
            sources,
            out,
            mapping=columns,
            max_rejects=max_rejects,
            currency=currency,
            memory_limit=memory,
            semantic=semantic,
            exact=exact,
            progress=progress,
        )
    _show(manifest, out)


@app.command()
def sample(
    out: Annotated[Path, typer.Option("--out", metavar="F.jsonl", help="File to write.")],
    products: Annotated[int, typer.Option("--products", metavar="N", min=1, help="How many products.")] = 50_000,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Same seed, same store.")] = 7,
    prices: Annotated[
        Literal["sparse", "dense"],
        typer.Option("--prices", help="sparse: a fifth of the products has a price, as in real data; dense: most do."),
    ] = "sparse",
) -> None:
    """Write an invented clothing, shoes and jewelry store, to try things on.

    \b
    Example:
      shopgraph catalog sample --products 50000 --seed 7 --out store.jsonl
    """
    from catalog.sample import write_sample

    with progress_bar() as progress:
        write_sample(out, products=products, seed=seed, prices=prices, progress=progress)
    write(f"Wrote {products:,} products to {out}")


@app.command()
def info(
    catalog: Annotated[Path, typer.Argument(metavar="X.duckdb", help="Catalog file.")],
    as_json: JsonOption = False,
) -> None:
    """Show what a catalog was built from, and what it holds."""
    with opened_catalog(catalog) as index:
        manifest = index.manifest
    if as_json:
        write_json(manifest.model_dump(mode="json"), indent=True)
    else:
        _show(manifest, catalog)


def _columns(pairs: list[str]) -> dict[str, str]:
    """Read `FIELD=COLUMN` options."""
    columns: dict[str, str] = {}
    for pair in pairs:
        field, equals, column = (part.strip() for part in pair.partition("="))
        if not (field and equals and column):
            raise typer.BadParameter(f"{pair!r} is not FIELD=COLUMN, e.g. title=name", param_hint="'--map'")
        if field in columns:
            raise typer.BadParameter(f"field {field!r} is mapped twice", param_hint="'--map'")
        columns[field] = column
    return columns


def _show(manifest: Manifest, path: Path) -> None:
    rows = _rows(manifest, path)
    if not on_terminal():
        for name, value in rows:
            write(f"{name}: {value}")
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, pad_edge=False)
    for name, value in rows:
        table.add_row(Text(name, "bold"), Text(value))
    draw(table)


def _rows(manifest: Manifest, path: Path) -> list[tuple[str, str]]:
    """Return the manifest as (name, value) lines."""
    from catalog.semantic import evidence_state

    rows = [("catalog", f"{path} ({path.stat().st_size / 1e6:.1f} MB)")]
    rows += [
        ("source", f"{source.name}: {source.rows:,} rows, {source.bytes:,} bytes, sha256 {source.sha256}")
        for source in manifest.sources
    ]
    rows += [
        ("rows read", f"{manifest.rows_read:,}"),
        ("products", f"{manifest.products:,}"),
        ("duplicates merged", f"{manifest.duplicates:,}"),
        ("rejected", _counts(manifest.rejected)),
        ("repaired", _counts(manifest.notes)),
        ("currency", manifest.currency),
        ("products that state", _counts(manifest.facets)),
        ("search terms", f"{manifest.terms:,}"),
        ("lexicon surfaces", f"{manifest.lexicon_surfaces:,}"),
        ("sentence evidence", evidence_state(manifest)),
        ("content sha256", manifest.catalog_sha256),
        ("built by", f"shopgraph {manifest.shopgraph_version}, duckdb {manifest.duckdb_version}"),
        ("schema", str(manifest.schema_version)),
    ]
    return rows


def _counts(counts: dict[str, int]) -> str:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{name} {count:,}" for name, count in ordered) or "none"
