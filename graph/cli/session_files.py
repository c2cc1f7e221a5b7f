"""`shopgraph eval generate`, `reword` and `validate`: the files that an evaluation plays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from graph.cli.options import CatalogOption, JsonOption
from graph.cli.output import write, write_json
from graph.cli.store import named_catalog

if TYPE_CHECKING:
    from evals.session_files import Generated

ProtocolOption = Annotated[
    Literal["official", "natural", "realistic"],
    typer.Option("--protocol", help="How the simulated shopper talks. official: P1, natural: P2, realistic: P3."),
]
SessionsOption = Annotated[
    Path, typer.Option("--sessions", metavar="F.jsonl", help="Session file that `eval generate` wrote.")
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="S", help="Same seed, same result.")]


def generate(
    out: Annotated[Path, typer.Option("--out", metavar="F.jsonl", help="Session file to write; never replaced.")],
    catalog: CatalogOption = None,
    protocol: ProtocolOption = "official",
    n: Annotated[int, typer.Option("--n", metavar="N", min=1, help="How many sessions.")] = 200,
    draw: Annotated[
        Literal["popularity", "uniform"],
        typer.Option("--draw", help="Targets drawn as purchases fall, or each product alike."),
    ] = "popularity",
    seed: SeedOption = 0,
    clean: Annotated[bool, typer.Option("--clean", help="Leave a source's bookkeeping keys off the cards.")] = False,
    level: Annotated[
        Literal["light", "heavy"] | None,
        typer.Option("--level", help="realistic: facts in the record's words, or many in others. Default: light."),
    ] = None,
    half: Annotated[
        Literal["train", "test"] | None,
        typer.Option("--half", help="realistic: sentences to tune on, or to report. Default: train."),
    ] = None,
    share: Annotated[
        float | None,
        typer.Option(
            "--share", metavar="X", min=0, max=1, help="realistic, heavy: share of facts in other words. Default: 0.7."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Draw shoppers with hidden targets from a catalog and freeze them in a file.

    \b
    Examples:
      shopgraph eval generate --catalog store.duckdb --n 200 --draw popularity --seed 11 --out sessions.jsonl
      shopgraph eval generate --catalog store.duckdb --protocol natural --n 100 --out natural.jsonl
      shopgraph eval generate --catalog store.duckdb --protocol realistic --level heavy --out realistic.jsonl
    """
    from evals.realistic.session import Manner
    from evals.session_files import generate as generate_sessions

    given = {name: value for name, value in (("level", level), ("half", half), ("share", share)) if value is not None}
    made = generate_sessions(
        named_catalog(catalog),
        out,
        protocol=protocol,
        n=n,
        draw=draw,
        seed=seed,
        clean=clean,
        manner=Manner.model_validate(given) if given else None,
    )
    _print_generated(made, as_json)


def reword(
    sentences: Annotated[
        str,
        typer.Option("--sentences", metavar="NAME|F.jsonl", help="Sentences that ship by name, or a file of yours."),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="F.jsonl", help="Session file to write; never replaced.")],
    catalog: CatalogOption = None,
    verbatim: Annotated[
        bool, typer.Option("--verbatim", help="Say the facts in the record's own words, inside other sentences.")
    ] = False,
    clean: Annotated[
        bool, typer.Option("--clean/--no-clean", help="Leave a source's bookkeeping keys off the cards.")
    ] = True,
    as_json: JsonOption = False,
) -> None:
    """Freeze sessions in which shoppers speak hand-written sentences: P1's rules, other words.

    \b
    Example:
      shopgraph eval reword --catalog store.duckdb --sentences sample-dev --out reworded.jsonl
    """
    from evals.session_files import reword as reword_sessions

    _print_generated(reword_sessions(named_catalog(catalog), sentences, out, clean=clean, verbatim=verbatim), as_json)


def validate(sessions: SessionsOption, catalog: CatalogOption = None, as_json: JsonOption = False) -> None:
    """Prove that a session file is sound: facts true, signatures unique, nothing given away; exit code 1 when not.

    \b
    Example:
      shopgraph eval validate --catalog store.duckdb --sessions natural.jsonl
    """
    from evals.session_files import validate as validate_sessions

    checked = validate_sessions(named_catalog(catalog), sessions)
    if as_json:
        write_json(checked.model_dump(mode="json"))
    else:
        for problem in checked.problems:
            write(f"session {problem.session_id}, {problem.rule}: {problem.text}")
        found = f"{len(checked.problems)} problems" if checked.problems else "every rule holds"
        write(f"{checked.header.sessions} sessions of protocol {checked.header.protocol}: {found}")
        write(f"sha256 {checked.sha256}")
    if checked.problems:
        raise typer.Exit(1)


def _print_generated(made: Generated, as_json: bool) -> None:
    if as_json:
        write_json(made.model_dump(mode="json"))
        return
    scenarios = ", ".join(f"{name} {count}" for name, count in sorted(made.scenarios.items()))
    write(f"Wrote {made.header.sessions} sessions ({scenarios}) to {made.path}")
    write(f"sha256 {made.sha256}")
