"""One-line cases of what a message says (`tests/understanding/*.yaml`), read in the light of what came before.

tests/understanding/README.md says how a case is written.

`python -m tests.integration.test_understanding [FILE...]` lists every failing case with what was read and what was
expected.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, get_args

import pytest
import yaml

from catalog.search import ProductIndex
from graph.events import AttributeAsked, Fact, ProductsShown, believe, dump
from graph.state import TurnState
from nodes.canonicalize import canonicalize
from nodes.track import track
from tests.integration.test_dialogues import written
from tests.notation import differences, expected, forbidden
from tests.stores import Row, Stores
from tools.language import Reader
from tools.reading import Act, Reading
from tools.shop import Shop

FOLDER = Path(__file__).resolve().parents[1] / "understanding"
READ_KEYS = {"say", "before", "asked", "options", "shown"}
CHECK_KEYS = {"facts", "maybe", "not", "acts", "held", "ordinals"}
ALL_ACTS = {"moves"}
"""Files whose `acts` are all acts of a message; elsewhere they are some of them."""


class Outcome(NamedTuple):
    """What came of one case: the faults found, each in a line of its own."""

    say: str
    read: list[str]
    acts: list[str]
    faults: list[str]


@cache
def store_rows(path: Path) -> list[Row]:
    """Return the products of the store that the cases of a file speak of: `X_store.yaml`, else `store.yaml`."""
    own = path.with_name(f"{path.stem}_store.yaml")
    page = yaml.safe_load((own if own.exists() else path.with_name("store.yaml")).read_text(encoding="utf-8"))
    return [_row(product) for product in (page["products"] if isinstance(page, dict) else page)]


def _row(product: dict[str, Any]) -> Row:
    row: Row = {
        "parent_asin": str(product["id"]),
        "title": product["title"],
        "price": product.get("price"),
        "average_rating": product.get("rating", 4.0),
        "rating_number": product.get("reviews", 10),
        "details": product.get("details", {}),
        "store": product.get("store"),
        "categories": _listed(product.get("categories"), " > "),
        "features": _listed(product.get("features"), " | "),
        "description": _listed(product.get("description"), "\n"),
    }
    return {key: value for key, value in row.items() if value not in (None, [], {})}


def _listed(value: Any, separator: str) -> list[str]:
    return value.split(separator) if isinstance(value, str) else list(value or [])


def play(case: dict[str, Any], shop: Shop, *, all_acts: bool) -> Outcome:
    """Read the message of a case as the graph's nodes would, and say what is not as the case expects."""
    if unknown := set(case) - READ_KEYS - CHECK_KEYS:
        raise ValueError(f"unknown keys {sorted(unknown)} in the case {case['say']!r}")
    events: list[dict[str, Any]] = []
    before = case.get("before", [])
    for turn, message in enumerate(before, 1):
        _, events = _turn(message, turn, events, shop)
    events = events + dump(_answer(case, len(before), shop.index))
    reading, events = _turn(case["say"], len(before) + 1, events, shop)
    faults = [
        *_fact_faults(case, reading.facts, believe(events).constraints),
        *_act_faults(case, reading.acts, all_acts),
        *_ordinal_faults(case, reading),
    ]
    return Outcome(case["say"], [written(fact) for fact in reading.facts], reading.acts, faults)


def _turn(message: str, turn: int, events: list[dict[str, Any]], shop: Shop) -> tuple[Reading, list[dict[str, Any]]]:
    state = TurnState(message=message, turn=turn, events=events)
    state = state.model_copy(update=canonicalize(state, shop))
    return Reading.model_validate(state.reading), events + track(state, shop)["events"]


def _answer(case: dict[str, Any], turn: int, index: ProductIndex) -> Iterator[Any]:
    """Yield the events of the answer that the shopper looks at: the products shown and the question asked."""
    shown = [str(parent_asin) for parent_asin in case.get("shown", [])]
    absent = [name for name, row in zip(shown, index.ids(shown), strict=True) if row is None]
    if absent:
        raise ValueError(f"no product {absent} in the store of the case {case['say']!r}")
    if shown:
        yield ProductsShown(turn=turn, products=shown)
    if case.get("asked"):
        yield AttributeAsked(turn=turn, attribute=case["asked"], options=[str(o) for o in case.get("options", [])])


def _fact_faults(case: dict[str, Any], read: list[Fact], held: list[Fact]) -> Iterator[str]:
    maybe = [expected(item) for item in case.get("maybe", []) if item not in get_args(Act)]
    for name, facts in (("facts", read), ("held", held)):
        if name in case:
            wanted = [expected(item) for item in case[name]]
            yield from (f"{name} {line}" for line in differences(wanted, maybe, facts))
    for item in map(expected, case.get("not", [])):
        if forbidden(item, read):
            yield f"read, though it must not be: {item.text}"


def _act_faults(case: dict[str, Any], read: list[str], all_acts: bool) -> Iterator[str]:
    wanted = [set(item.split("|")) for item in case.get("acts", [])]
    allowed = set(case.get("maybe", [])).union(*wanted)
    extra = set(read) - allowed if all_acts and "acts" in case else set()
    if extra or any(ways.isdisjoint(read) for ways in wanted):
        yield f"acts {sorted(read)}, expected {case['acts']}"


def _ordinal_faults(case: dict[str, Any], reading: Reading) -> Iterator[str]:
    """Places count from 1, or from the end as -1: both name a place of the list shown."""
    last = len(case.get("shown", []))
    places = [place + last + 1 if place < 0 else place for move in reading.moves for place in move.ordinals]
    if "ordinals" in case and set(places) != {n + last + 1 if n < 0 else n for n in case["ordinals"]}:
        yield f"ordinals {places}, expected {case['ordinals']}"


def cases_of(path: Path) -> list[dict[str, Any]]:
    """Return the cases of a file in their order."""
    return list(yaml.safe_load(path.read_text(encoding="utf-8"))["cases"])


def case_files() -> list[Path]:
    """Return the files that hold cases; the others are stores."""
    return [path for path in sorted(FOLDER.glob("*.yaml")) if not path.stem.endswith("store")]


def _parameters() -> Iterator[Any]:
    for path in case_files():
        for case in cases_of(path):
            yield pytest.param(path, case, id=f"{path.stem}: {case['say'][:80]}")


def open_shop(path: Path, stores: Stores) -> Shop:
    """Return the shop that the cases of a file speak of."""
    index = stores.index(store_rows(path))
    return Shop(index=index, reader=Reader(index.lexicon))


@pytest.mark.parametrize(("path", "case"), list(_parameters()))
def test_a_message_is_understood(path: Path, case: dict[str, Any], stores: Stores) -> None:
    outcome = play(case, open_shop(path, stores), all_acts=path.stem in ALL_ACTS)
    assert not outcome.faults, f"{outcome.faults}, read {outcome.read}, acts {outcome.acts}"


def report(paths: list[Path], folder: Path) -> int:
    """Print every failing case of the files and their totals; returns how many fail."""
    stores, failed = Stores(folder), 0
    for path in paths:
        shop, cases = open_shop(path, stores), cases_of(path)
        faulty = [outcome for outcome in (_played(case, shop, path) for case in cases) if outcome.faults]
        for outcome in faulty:
            lines = [f"{path.stem}: {outcome.say}", f"  read {outcome.read}, acts {outcome.acts}"]
            sys.stdout.write("\n".join([*lines, *(f"  {fault}" for fault in outcome.faults)]) + "\n")
        sys.stdout.write(f"{path.name}: {len(cases) - len(faulty)} of {len(cases)} cases pass\n")
        failed += len(faulty)
    return failed


def _played(case: dict[str, Any], shop: Shop, path: Path) -> Outcome:
    """Play a case; one that is badly written is a failing one here, so that the others are still listed."""
    try:
        return play(case, shop, all_acts=path.stem in ALL_ACTS)
    except ValueError as error:
        return Outcome(case["say"], [], [], [str(error)])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        named = [Path(argument) for argument in sys.argv[1:]]
        sys.exit(1 if report(named or case_files(), Path(scratch)) else 0)
