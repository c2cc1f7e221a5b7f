"""Records the golden conversations anew, after a change that was meant: `python -m tests.golden [NAME...]`.

What differs from the files on disk is printed first, turn by turn.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from catalog.search import ProductIndex
from graph.cli.retold import print_comparison, print_summary
from graph.replay.compare import compare
from graph.replay.record import TurnRecord, read_export, write_export
from graph.replay.rerun import Replayed
from tests.golden import hold, recorded, scripts
from tests.stores import TOWN, Stores


def record(name: str, index: ProductIndex) -> None:
    """Hold one conversation, print what differs from its file, and write the file."""
    turns = hold(scripts()[name], index)
    file = recorded(name)
    sys.stdout.write(f"== {name}: ")
    if file.exists():
        _show(read_export(file), turns, index)
    else:
        sys.stdout.write(f"new, {len(turns)} turns\n")
    write_export(turns, file)


def _show(before: list[TurnRecord], turns: list[TurnRecord], index: ProductIndex) -> None:
    if [turn.message for turn in before] != [turn.message for turn in turns]:
        sys.stdout.write(f"other messages are said, {len(turns)} turns\n")
        return
    found = compare([Replayed(old, new) for old, new in zip(before, turns, strict=True)])
    print_summary(found)
    for one in found:
        if not one.same:
            print_comparison(one, index)


if __name__ == "__main__":
    names = sys.argv[1:] or list(scripts())
    with tempfile.TemporaryDirectory() as scratch:
        town = Stores(Path(scratch)).index(TOWN)
        for each in names:
            record(each, town)
        town.close()
