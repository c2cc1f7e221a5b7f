"""`shopgraph eval`: measure an agent on a frozen catalog."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from graph.cli import session_files
from graph.cli.options import CatalogOption, JsonOption, PolicyName
from graph.cli.output import write, write_json
from graph.cli.session_files import SeedOption, SessionsOption
from graph.cli.store import named_catalog

app = typer.Typer(help="Measure an agent on a frozen catalog.", no_args_is_help=True, rich_markup_mode=None)

PlayedOption = Annotated[
    Literal["official", "reworded", "natural", "realistic"] | None,
    typer.Option("--protocol", help="Refuse a session file of another protocol. Default: the file's own."),
]
TIERS = "structured, grammar, lexicon, typos, paraphrase, moves or polarity"
HalfName = Literal["tuned", "held"]
LabelsOption = Annotated[
    list[Path] | None,
    typer.Option("--labels", metavar="FILE...", help="Labelled messages: rows of facts, moves or a verdict."),
]
TurnsOption = Annotated[
    Path | None,
    typer.Option("--turns", metavar="F.jsonl[.gz]", help='Unlabelled rows {"text"}: errors, times, unknown words.'),
]
WithoutOption = Annotated[
    list[str] | None,
    typer.Option("--without", metavar="TIER", help=f"Leave a tier of the reader out: {TIERS}. Repeatable."),
]

MissesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--misses",
        metavar="N|HALF",
        help="How many misses a file's halves show (20), and whose: tuned unless held is named. Repeatable.",
    ),
]

app.command()(session_files.generate)
app.command()(session_files.reword)
app.command()(session_files.validate)


@app.command()
def run(
    sessions: SessionsOption,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder for report.json, traces.jsonl, report.html.")
    ],
    catalog: CatalogOption = None,
    protocol: PlayedOption = None,
    agent: Annotated[
        str, typer.Option("--agent", metavar="NAME", help="shopgraph, keyword, or module:Class of your own.")
    ] = "shopgraph",
    policy: Annotated[
        PolicyName, typer.Option("--policy", help="How many products an answer commits to.")
    ] = "confident",
    jobs: Annotated[int, typer.Option("--jobs", metavar="N", min=1, help="Worker processes.")] = 1,
    without: WithoutOption = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Play a session file against an agent in isolated workers, and score it.

    \b
    Examples:
      shopgraph eval run --catalog store.duckdb --sessions sessions.jsonl --out runs/shopgraph --jobs 2
      shopgraph eval run --catalog store.duckdb --sessions sessions.jsonl --out runs/keyword --agent keyword
    """
    from evals.commands import run as run_sessions
    from graph.cli.scores import print_report

    report = run_sessions(
        named_catalog(catalog),
        sessions,
        out,
        protocol=protocol,
        agent=agent,
        policy=policy,
        jobs=jobs,
        seed=seed,
        without=without or [],
    )
    if as_json:
        write_json(report.model_dump(mode="json"))
        return
    print_report(report)
    write(f"Details: {out / 'report.html'}")


@app.command()
def bound(sessions: SessionsOption, catalog: CatalogOption = None, as_json: JsonOption = False) -> None:
    """Score an agent that reads the shoppers' cards perfectly: what no agent can pass by much.

    \b
    Example:
      shopgraph eval bound --catalog store.duckdb --sessions sessions.jsonl
    """
    from evals.commands import bound as bound_sessions
    from graph.cli.scores import print_bound

    bounds = bound_sessions(named_catalog(catalog), sessions)
    if as_json:
        write_json([row.model_dump(mode="json") for row in bounds])
        return
    for row in bounds:
        print_bound(row)


@app.command()
def queries(
    qrels: Annotated[
        Path, typer.Option("--qrels", metavar="F.tsv", help="Judgments: query, parent_asin and rating, tab-separated.")
    ],
    catalog: CatalogOption = None,
    against: Annotated[
        Literal["stock", "none"],
        typer.Option("--against", help="stock: DuckDB's own match_bm25, indexed beside the catalog at first use."),
    ] = "stock",
    worst: Annotated[int, typer.Option("--worst", metavar="N", min=0, help="Lost queries to list.")] = 10,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Rank queries that people have judged: by retrieval alone, and by the first answer of a conversation.

    \b
    Example:
      shopgraph eval queries --catalog store.duckdb --qrels judged.tsv
    """
    from evals.commands import queries as measure
    from graph.cli.scores import print_queries

    report = measure(named_catalog(catalog), qrels, against=None if against == "none" else against, seed=seed)
    if as_json:
        write_json(report.model_dump(mode="json"))
    else:
        print_queries(report, worst)


@app.command()
def understanding(
    labels: LabelsOption = None,
    more: Annotated[list[Path] | None, typer.Argument(metavar="FILE", help="Further label files.")] = None,
    turns: TurnsOption = None,
    catalog: CatalogOption = None,
    half: Annotated[
        Literal["tuned", "held", "all"],
        typer.Option("--half", help="Rows to score: of each source in a file the first half is the tuned one."),
    ] = "all",
    misses: MissesOption = None,
    without: WithoutOption = None,
    words: Annotated[int, typer.Option("--words", metavar="N", min=0, help="Unknown words of --turns to list.")] = 100,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="F.json", help="Where to write the result, misses included.")
    ] = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Score how messages are read: facts, negation, traps and moves, against labels made by people.

    \b
    Examples:
      shopgraph eval understanding --catalog store.duckdb --labels facts.jsonl moves.jsonl
      shopgraph eval understanding --catalog store.duckdb --turns chats.jsonl.gz --words 50
    """
    from evals.commands import understanding as measure
    from evals.understanding.report import write_report
    from graph.cli.scores import print_understanding

    files = [*(labels or []), *(more or [])]
    if not files and turns is None:
        raise typer.BadParameter("give --labels, --turns or both")
    shown, named = _misses(misses or [])
    report = measure(
        named_catalog(catalog),
        files,
        turns=turns,
        halves=("tuned", "held") if half == "all" else (half,),
        misses=named,
        without=frozenset(without or []),
        words=words,
        seed=seed,
    )
    if output is not None:
        write_report(output, report)
    if as_json:
        write_json(report.model_dump(mode="json"))
    else:
        print_understanding(report, shown)


PriorOption = Annotated[
    bool,
    typer.Option("--prior", help="Fit the weight of popularity too: one draw gains by it what the other loses."),
]


@app.command()
def fit(
    catalogs: Annotated[
        list[Path] | None,
        typer.Option(
            "--catalog", metavar="X.duckdb", help="Catalog to fit on, none whose figures you report. Repeatable."
        ),
    ] = None,
    check: Annotated[
        list[Path] | None,
        typer.Option("--check", metavar="X.duckdb", help="Catalog to judge the result on, not fitted. Repeatable."),
    ] = None,
    n: Annotated[int, typer.Option("--n", metavar="N", min=1, help="Sessions of each catalog and draw.")] = 150,
    draw: Annotated[
        Literal["popularity", "uniform", "both"], typer.Option("--draw", help="How targets are drawn.")
    ] = "both",
    seed: SeedOption = 0,
    penalty: Annotated[
        float, typer.Option("--penalty", metavar="L2", help="Pull towards the present constants; above 0.")
    ] = 10.0,
    prior: PriorOption = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="ranking.toml", help="Where to write the fitted constants.")
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option("--questions", metavar="questions.toml", help="Where to write the counted chances of an answer."),
    ] = None,
    date: Annotated[str | None, typer.Option("--date", help="Date to note in the files; none by default.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Estimate the ranking's constants from generated sessions, never from those that you report.

    Plays sessions of these catalogs (protocol P1) and fits the weights of the evidence score to the choices that they
    show (conditional logit), drawn towards the present constants. The written file replaces tools/data/ranking.toml.

    \b
    Example:
      shopgraph eval fit --catalog gadgets.duckdb --catalog toys.duckdb --check store.duckdb --out ranking.toml
    """
    from evals.fitting.commands import fit as fit_ranking
    from evals.fitting.commands import write_questions, write_ranking
    from graph.cli.fitted import print_fit

    report = fit_ranking(
        catalogs or [named_catalog(None)],
        check=check or [],
        n=n,
        seed=seed,
        draws=("popularity", "uniform") if draw == "both" else (draw,),
        penalty=penalty,
        prior=prior,
    )
    if out is not None:
        write_ranking(report, out, date)
    if questions is not None:
        write_questions(report, questions, date)
    if as_json:
        write_json(report.model_dump(mode="json"))
    else:
        print_fit(report)


@app.command()
def speed(
    catalog: CatalogOption = None,
    policy: Annotated[
        PolicyName, typer.Option("--policy", help="How many products an answer commits to.")
    ] = "confident",
    n: Annotated[int, typer.Option("--n", metavar="N", min=0, help="Sessions to time; 0: none.")] = 40,
    turns: Annotated[
        int, typer.Option("--turns", metavar="N", min=0, help="Turns of the stored conversation; 0: none.")
    ] = 40,
    queries: Annotated[
        int, typer.Option("--queries", metavar="N", min=0, help="Queries of 8, 3 and 20 words to time beside others.")
    ] = 300,
    against: Annotated[
        str, typer.Option("--against", metavar="LIST", help="Engines beside: some of stock,fts5,tantivy.")
    ] = "fts5",
    rankings: Annotated[
        int, typer.Option("--rankings", metavar="N", min=0, help="Of the queries, how many rankings to check.")
    ] = 50,
    processes: Annotated[
        bool, typer.Option("--processes/--no-processes", help="Measure cold start, memory, and two processes at once.")
    ] = True,
    products: Annotated[
        int | None, typer.Option("--products", metavar="N", min=1, help="Make a catalog of N from this one, beside it.")
    ] = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Time the answers, node by node, beside other engines, and weigh what a long conversation stores.

    \b
    Examples:
      shopgraph eval speed --catalog store.duckdb
      shopgraph eval speed --catalog store.duckdb --n 0 --turns 0 --against stock,fts5,tantivy
      shopgraph eval speed --catalog store.duckdb --products 500000
    """
    from evals.commands import speed as measure
    from graph.cli.scores import print_speed

    report = measure(
        named_catalog(catalog),
        policy=policy,
        n=n,
        turns=turns,
        seed=seed,
        products=products,
        queries=queries,
        against=[name for name in against.split(",") if name],
        rankings=rankings,
        processes=processes,
    )
    if as_json:
        write_json(report.model_dump(mode="json"))
    else:
        print_speed(report)


def _misses(given: list[str]) -> tuple[int, list[HalfName]]:
    """Return how many misses to print, and of which halves; what is held out is shown only when it is named."""
    known: tuple[HalfName, ...] = ("tuned", "held")
    counts = [int(word) for word in given if word.isdecimal()]
    for word in given:
        if not word.isdecimal() and word not in known:
            raise typer.BadParameter(f"--misses {word}: give a number, tuned or held")
    return counts[-1] if counts else 20, [half for half in known if half in given] or ["tuned"]
