"""`shopgraph replay`: a stored conversation printed, exported, answered again, or continued from one of its turns."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from typer.core import TyperCommand

from catalog.errors import CatalogError, ConversationError, InputError
from graph.cli.conversation import open_conversation
from graph.cli.options import CatalogOption, JsonOption, PolicyName, StateOption, TraceOption
from graph.cli.output import write, write_json
from graph.cli.render import print_turn, turn_json
from graph.cli.retold import comparison_json, print_comparison, print_record, print_summary, record_json
from graph.cli.store import find_catalog, opened_catalog

if TYPE_CHECKING:
    from catalog.search import ProductIndex
    from graph.replay.compare import Comparison
    from graph.replay.record import TurnRecord

EXPORTED = ".jsonl"
"""How the name of an exported conversation ends."""


class ReplayCommand(TyperCommand):
    """The command, whose `--against` may stand alone or be followed by a catalog."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]  # typer's own class
        """Give an `--against` that nothing follows an empty value."""
        given = []
        for place, argument in enumerate(args):
            alone = argument == "--against" and (place + 1 == len(args) or args[place + 1].startswith("-"))
            given.append("--against=" if alone else argument)
        return super().parse_args(ctx, given)


def replay(
    thread: Annotated[
        str, typer.Argument(metavar="THREAD", help="The conversation's id, or a file that --export wrote (F.jsonl).")
    ],
    turn: Annotated[int | None, typer.Option("--turn", metavar="N", min=1, help="This turn only.")] = None,
    export: Annotated[
        Path | None, typer.Option("--export", metavar="F.jsonl", help="Write one JSON object a turn to this file.")
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="[X.duckdb]",
            help="Answer the messages again, with the code of today and this catalog (default: that of --catalog), "
            "and show what differs.",
        ),
    ] = None,
    mode: Annotated[
        Literal["forced", "free"] | None,
        typer.Option(
            "--mode",
            help="With --against. forced (default): each turn begins from what is stored before it. "
            "free: from what the turns before it came to now.",
        ),
    ] = None,
    fork: Annotated[
        tuple[int, str] | None,
        typer.Option("--fork", metavar="N TEXT", help="Go on from turn N with another message, in a new conversation."),
    ] = None,
    catalog: CatalogOption = None,
    policy: Annotated[
        PolicyName | None,
        typer.Option(
            "--policy", help="With --against or --fork: the policy to serve with. Default: that of each turn."
        ),
    ] = None,
    state: StateOption = None,
    trace: TraceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Print a stored conversation turn by turn; the conversation itself is never changed.

    With --against, exit 1 when any turn differs and 0 when none does.

    \b
    Examples:
      shopgraph replay 5f3c09d2
      shopgraph replay 5f3c09d2 --turn 3 --json
      shopgraph replay 5f3c09d2 --export boots.jsonl
      shopgraph replay boots.jsonl --against
      shopgraph replay 5f3c09d2 --against new.duckdb --mode free
      shopgraph replay 5f3c09d2 --fork 2 "actually, in brown"
    """
    _check_usage(thread, turn, export, against, mode, fork, trace)
    from graph.settings import load_settings

    settings = load_settings()
    turns = _read(thread, state or settings.state_folder)
    _check_turn(thread, turn, turns)
    if export is not None:
        from graph.replay.record import write_export

        write_export(turns, export)
        write(f"Wrote {_count(turns)} to {export}")
    elif against is not None:
        path = Path(against) if against else find_catalog(catalog, settings)
        _answer_again(turns, turn, path, mode or "forced", policy, as_json)
    elif fork is not None:
        _fork(thread, turns, fork, (catalog, policy, state), as_json)
    else:
        with _catalog_for_titles(catalog) as index:
            _print(turns if turn is None else [turns[_place(turns, turn)]], index, trace, as_json)


def _check_usage(
    thread: str,
    turn: int | None,
    export: Path | None,
    against: str | None,
    mode: str | None,
    fork: object,
    trace: bool,
) -> None:
    """Refuse options that do not go together: exit code 2."""
    doing = [n for n, v in (("--export", export), ("--against", against), ("--fork", fork)) if v is not None]
    if len(doing) > 1:
        raise typer.BadParameter(f"{' and '.join(doing)} were both given: use one of them at a time")
    if mode is not None and against is None:
        raise typer.BadParameter("--mode says how to answer again: give --against too", param_hint="'--mode'")
    if trace and doing:
        raise typer.BadParameter(f"{doing[0]} prints no stored turn: leave --trace out", param_hint="'--trace'")
    if turn is not None and (export is not None or fork is not None):
        raise typer.BadParameter(f"{doing[0]} takes no single turn: leave --turn out", param_hint="'--turn'")
    if thread.endswith(EXPORTED) and (export is not None or fork is not None):
        raise typer.BadParameter(f"{doing[0]} needs a stored conversation, not an exported file", param_hint="'THREAD'")


def _read(thread: str, folder: Path) -> list[TurnRecord]:
    """Return the turns of an exported file, or of a conversation stored in the folder."""
    from graph.replay.history import read_conversation
    from graph.replay.record import read_export
    from graph.savers import latest_threads, stored_conversations

    if thread.endswith(EXPORTED):
        return read_export(Path(thread))
    with stored_conversations(folder) as saver:
        turns = read_conversation(saver, thread)
        if not turns:
            known = ", ".join(latest_threads(saver)) or "none"
            raise ConversationError(
                f"Conversation {thread!r} has no answered turn in {folder}. The latest that are stored there: {known}. "
                "Name one of them, or another folder with --state."
            )
    return turns


def _count(turns: Sequence[TurnRecord]) -> str:
    return f"{len(turns)} turn{'' if len(turns) == 1 else 's'} of conversation {turns[0].conversation}"


def _place(turns: Sequence[TurnRecord], turn: int) -> int:
    return turn - turns[0].turn


def _check_turn(thread: str, turn: int | None, turns: Sequence[TurnRecord]) -> None:
    first, last = turns[0].turn, turns[-1].turn
    if turn is not None and not first <= turn <= last:
        raise InputError(
            f"Conversation {thread!r} has no turn {turn}: its turns are {first} to {last}. Name one of them."
        )


@contextmanager
def _catalog_for_titles(named: Path | None) -> Iterator[ProductIndex | None]:
    """Open the catalog that titles come from; None when none was named and there is none by default."""
    from graph.settings import load_settings

    try:
        path = find_catalog(named, load_settings())
    except CatalogError:
        yield None
        return
    with opened_catalog(path) as index:
        yield index


def _print(turns: Sequence[TurnRecord], index: ProductIndex | None, trace: bool, as_json: bool) -> None:
    if as_json:
        rows = [record_json(turn, index) for turn in turns]
        write_json({"conversation": turns[0].conversation, "turns": rows})
        return
    for turn in turns:
        print_record(turn, index, trace=trace)
    if index is None:
        write("Products have no titles here, since there is no catalog: name one with --catalog.")


def _answer_again(
    turns: Sequence[TurnRecord],
    turn: int | None,
    path: Path,
    mode: Literal["forced", "free"],
    policy: PolicyName | None,
    as_json: bool,
) -> None:
    """Answer the messages again and show what differs; exits 1 when anything does."""
    from graph.replay.compare import compare
    from graph.replay.rerun import rerun
    from graph.shopping import Shops

    with opened_catalog(path) as index:
        found = compare(rerun(turns, Shops(index, {}), mode, policy, only=turn))
        if as_json:
            write_json(comparison_json(found, mode, path))
        else:
            _show(found, mode, path, index)
    if not all(one.same for one in found):
        raise typer.Exit(1)


def _show(found: Sequence[Comparison], mode: str, path: Path, index: ProductIndex) -> None:
    first = found[0].stored
    write(f"Conversation {first.conversation}, answered again ({mode}) from {path}")
    held_over = first.served.catalog_sha256
    if held_over is not None and held_over != index.manifest.catalog_sha256:
        write("It was held over a catalog of other products: what differs may come from them.")
    write()
    for one in found:
        print_comparison(one, index)
    print_summary(found)


def _fork(
    thread: str,
    turns: Sequence[TurnRecord],
    fork: tuple[int, str],
    shop: tuple[Path | None, PolicyName | None, Path | None],
    as_json: bool,
) -> None:
    """Copy the turns up to one into a new conversation, and say the other message there."""
    from graph.replay.history import copy_turns
    from graph.savers import sqlite_saver
    from graph.settings import load_settings

    after, message = fork
    catalog, policy, state = shop
    if after != 0:
        _check_turn(thread, after, turns)
    name = secrets.token_hex(4)
    kept_policy = turns[max(_place(turns, after), 0)].served.policy
    with open_conversation(catalog, policy or kept_policy, state, name=name) as talk:
        saver = sqlite_saver(state or load_settings().state_folder)
        try:
            copy_turns(saver, thread, after, name)
        finally:
            saver.conn.close()
        answer = talk.say(message)
    if as_json:
        write_json(turn_json(answer))
        return
    write(f"Conversation {name}: turns 1 to {after} of {thread}, then: {message}" if after else f"Conversation {name}")
    print_turn(answer)
    write(f"Go on with: shopgraph ask --conversation {name} TEXT")
