"""One-line cases of what a message says (`tests/understanding/*.yaml`), read in the light of what came before.

A case has a message `say`, what stands `before` it (messages), what the agent `asked` (with `options`) and `shown`
(ids); `facts` are all that must be read besides those of `maybe`, `not` those that must not be (an attribute: none of
it), `acts` and `held` all of them, `ordinals` the places referred to. Facts are written as tests/dialogues/README.md
says; case, hyphens and plurals do not count, nor does strength unless ` soft` is written.

`python -m tests.integration.test_understanding [FILE...]` lists every failing case with what was read and what was
expected.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from catalog.search import ProductIndex
from evals.understanding.folding import fold_value
from graph.events import AttributeAsked, ProductsShown, believe, dump
from graph.state import TurnState
from nodes.canonicalize import canonicalize
from nodes.track import track
from tests.integration.test_dialogues import written
from tests.stores import Row, Stores
from tools.language import Reader
from tools.reading import Reading
from tools.shop import Shop

FOLDER = Path(__file__).resolve().parents[1] / "understanding"
READ_KEYS = {"say", "before", "asked", "options", "shown"}
CHECK_KEYS = {"facts", "maybe", "not", "acts", "held", "ordinals"}
TOLD_KEYS = {"note", "cases"}
_WRITTEN = re.compile(r"(?P<minus>-?)(?P<key>\w+?) ?(?:(?P<sign>[<>]=?|=|~|\.\.|\*|\||one_of)(?P<value>.*))?")
_ALTERNATIVES = ("=", "|", "one_of")
"""Ways to write a choice of values: `color=navy` is the choice of one."""


class Wanted(NamedTuple):
    """A fact as a case writes it; a bare attribute name has no sign and stands for any fact of that attribute."""

    minus: bool
    key: str
    sign: str
    values: tuple[str, ...]
    soft: bool

    @classmethod
    def of(cls, text: str) -> Wanted:
        """Parse `-material=suede`, `budget<=50`, `price..20,30` or `size=9 soft`."""
        bare = text.strip().removesuffix(" soft")
        match = _WRITTEN.fullmatch(bare)
        if match is None:
            raise ValueError(f"{text!r} is no fact: write color=navy, -material=suede or budget<=50")
        sign = "=" if match["sign"] in _ALTERNATIVES else match["sign"] or ""
        parts = re.split(r"[,|]", match["value"] or "") if sign in ("=", "..") else [match["value"] or ""]
        values = [_folded(part) for part in parts]
        kept = tuple(values if sign == ".." else sorted(set(values)))
        return cls(match["minus"] == "-", match["key"], sign, kept, text.endswith(" soft"))

    def covers(self, other: Wanted) -> bool:
        """Whether a fact that was read is the one meant here."""
        if (self.minus, self.key) != (other.minus, other.key) or (self.soft and not other.soft):
            return False
        return not self.sign or (self.sign, self.values) == (other.sign, other.values)


class Outcome(NamedTuple):
    """What came of one case: the faults found, each in a line of its own."""

    say: str
    read: list[str]
    acts: list[str]
    faults: list[str]


def _folded(value: str) -> str:
    try:
        return f"{float(value.replace('$', '')):g}"
    except ValueError:
        return fold_value(value)


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


def play(case: dict[str, Any], shop: Shop) -> Outcome:
    """Read the message of a case as the graph's nodes would, and say what is not as the case expects."""
    if unknown := set(case) - READ_KEYS - CHECK_KEYS - TOLD_KEYS:
        raise ValueError(f"unknown keys {sorted(unknown)} in the case {case['say']!r}")
    events: list[dict[str, Any]] = []
    before = case.get("before", [])
    for turn, message in enumerate(before, 1):
        _, events = _turn(message, turn, events, shop)
    events = events + dump(_answer(case, len(before), shop.index))
    reading, events = _turn(case["say"], len(before) + 1, events, shop)
    read = [written(fact) for fact in reading.facts]
    held = [written(fact) for fact in believe(events).constraints]
    return Outcome(case["say"], read, reading.acts, list(_faults(case, reading, read, held)))


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


def _faults(case: dict[str, Any], reading: Reading, read: list[str], held: list[str]) -> Iterator[str]:
    allowed = case.get("maybe", [])
    if "facts" in case:
        yield from _difference("fact", case["facts"], read, allowed)
    if "held" in case:
        yield from _difference("held", case["held"], held, allowed)
    got = [Wanted.of(line) for line in read]
    for text in case.get("not", []):
        if any(Wanted.of(str(text)).covers(fact) for fact in got):
            yield f"read, though it must not be: {text}"
    if "acts" in case and set(case["acts"]) != set(reading.acts):
        yield f"acts {sorted(reading.acts)}, expected {sorted(case['acts'])}"
    ordinals = [ordinal for move in reading.moves for ordinal in move.ordinals]
    if "ordinals" in case and set(case["ordinals"]) != set(ordinals):
        yield f"ordinals {ordinals}, expected {case['ordinals']}"


def _difference(name: str, expected: list[Any], read: list[str], allowed: list[Any]) -> Iterator[str]:
    wanted = {str(text): Wanted.of(str(text)) for text in expected}
    extras = [Wanted.of(str(text)) for text in allowed]
    got = {text: Wanted.of(text) for text in read}
    for text, want in wanted.items():
        if not any(want.covers(fact) for fact in got.values()):
            yield f"{name} missing: {text}"
    for text, fact in got.items():
        if not any(want.covers(fact) for want in (*wanted.values(), *extras)):
            yield f"{name} not expected: {text}"


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
    outcome = play(case, open_shop(path, stores))
    assert not outcome.faults, f"{outcome.faults}, read {outcome.read}, acts {outcome.acts}"


def report(paths: list[Path], folder: Path) -> int:
    """Print every failing case of the files and their totals; returns how many fail."""
    stores, failed = Stores(folder), 0
    for path in paths:
        shop, cases = open_shop(path, stores), cases_of(path)
        faulty = [outcome for outcome in (_played(case, shop) for case in cases) if outcome.faults]
        for outcome in faulty:
            lines = [f"{path.stem}: {outcome.say}", f"  read {outcome.read}, acts {outcome.acts}"]
            sys.stdout.write("\n".join([*lines, *(f"  {fault}" for fault in outcome.faults)]) + "\n")
        sys.stdout.write(f"{path.name}: {len(cases) - len(faulty)} of {len(cases)} cases pass\n")
        failed += len(faulty)
    return failed


def _played(case: dict[str, Any], shop: Shop) -> Outcome:
    """Play a case; one that is badly written is a failing one here, so that the others are still listed."""
    try:
        return play(case, shop)
    except ValueError as error:
        return Outcome(case["say"], [], [], [str(error)])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        named = [Path(argument) for argument in sys.argv[1:]]
        sys.exit(1 if report(named or case_files(), Path(scratch)) else 0)
