"""The `shopgraph replay` command, run in this process: what it prints, writes and refuses, and its exit codes."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from catalog.search import ProductIndex
from graph.agent import ShoppingAgent
from graph.cli.app import run
from graph.replay.record import TurnRecord
from graph.savers import DATABASE
from tests.stores import TOWN, Stores

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs" / "replay.md").read_text(encoding="utf-8")
SAID = ["leather boots for women", "under $120, not in red", "actually navy", "the second one"]


class Result(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture(scope="module")
def index(stores: Stores) -> ProductIndex:
    return stores.index(TOWN)


@pytest.fixture(scope="module")
def stored(index: ProductIndex, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state folder with one conversation, `boots`; tests copy it."""
    folder = tmp_path_factory.mktemp("stored")
    agent = ShoppingAgent(index, policy="full", state=folder)
    for message in SAID:
        agent.respond("boots", message)
    agent._saver.conn.close()  # type: ignore[attr-defined]  # the SQLite saver's own
    return folder


@pytest.fixture
def shop(stored: Path, stores: Stores, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a catalog `store.duckdb` and the conversation `boots` in `state`."""
    shutil.copytree(stored, tmp_path / "state")
    for name in ("store.duckdb", "new.duckdb"):
        (tmp_path / name).symlink_to(stores.path(TOWN))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHOPGRAPH_STATE", "state")
    monkeypatch.setenv("SHOPGRAPH_CATALOG", "store.duckdb")
    return tmp_path


@pytest.fixture
def replay(shop: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*arguments: object) -> Result:
        code = run(["replay", *map(str, arguments)])
        return Result(code, *capsys.readouterr())

    return call


# --- printing ------------------------------------------------------------------------------------------------------


def test_a_conversation_is_printed_turn_by_turn(replay: Any) -> None:
    told = replay("boots")
    assert (told.code, told.err) == (0, "")
    assert re.findall(r"^Shopper: (.*)$", told.out, re.MULTILINE) == SAID
    second = told.out.split("--- turn ")[2]
    assert "Acts: add, negate (at most $120; not color red)" in second
    assert "  material leather [hard, turn 1]" in second
    assert "  not color red [hard, turn 2]" in second
    assert re.search(r"^Asked: \w+", second, re.MULTILINE)
    assert re.search(r"^ 1\. BOOT\d\d Corvane .* Boots Size \d+$", second, re.MULTILINE)
    assert "\nAgent: Here are " in second


def test_one_turn_with_what_each_node_decided(replay: Any) -> None:
    told = replay("boots", "--turn", 3, "--trace")
    assert told.out.count("--- turn ") == 1
    assert "Shopper: actually navy" in told.out
    assert re.search(r"^  filter +\d+\.\d\d ms  \d+ candidates -> ", told.out, re.MULTILINE)


def test_a_program_reads_the_same(replay: Any) -> None:
    document = json.loads(replay("boots", "--json").out)
    assert document["conversation"] == "boots"
    assert [turn["message"] for turn in document["turns"]] == SAID
    first = document["turns"][0]["products"][0]
    assert first["title"].startswith("Corvane ")
    assert [row["turn"] for row in json.loads(replay("boots", "--turn", "2", "--json").out)["turns"]] == [2]


def test_without_a_catalog_products_have_ids_only(replay: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHOPGRAPH_CATALOG")
    told = replay("boots")
    assert told.code == 0
    assert re.search(r"^ 1\. BOOT\d\d$", told.out, re.MULTILINE)
    assert "name one with --catalog" in told.out


def test_reading_changes_nothing(replay: Any, shop: Path) -> None:
    before = (shop / "state" / DATABASE).read_bytes()
    for arguments in (["boots"], ["boots", "--against"], ["boots", "--export", "x.jsonl"]):
        assert replay(*arguments).code == 0
    assert (shop / "state" / DATABASE).read_bytes() == before


# --- answering again -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [[], ["--mode", "forced"], ["--mode", "free"]])
@pytest.mark.parametrize("against", [["--against"], ["--against", "store.duckdb"], ["--against=store.duckdb"]])
def test_the_same_code_and_catalog_differ_in_nothing(replay: Any, mode: list[str], against: list[str]) -> None:
    told = replay("boots", *against, *mode)
    assert (told.code, told.err) == (0, "")
    assert told.out.count("  the same\n") == len(SAID)
    assert told.out.endswith("4 turns answered again, all the same\n")


def test_a_difference_is_shown_and_fails(replay: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    replay("boots", "--export", "boots.jsonl")
    monkeypatch.setattr("nodes.rank.KEPT", 2)
    for source in ("boots", "boots.jsonl"):
        told = replay(source, "--against")
        assert (told.code, told.err) == (1, "")
        assert "  first to differ: rank (" in told.out
        assert re.search(r"^  products\n    -  ?\d+\. BOOT\d\d Corvane ", told.out, re.MULTILINE)
        assert re.search(r"^  reply\n    - Here are .*\n    \+ Here are 2 products", told.out, re.MULTILINE)
        assert re.search(r"^4 turns answered again, \d differ: 1, ", told.out, re.MULTILINE)


def test_a_difference_as_json(replay: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nodes.rank.KEPT", 2)
    told = replay("boots", "--against", "--turn", "2", "--json")
    document = json.loads(told.out)
    assert (told.code, document["different"], document["mode"]) == (1, 1, "forced")
    (turn,) = document["turns"]
    assert (turn["turn"], turn["same"], turn["began_at"]["node"]) == (2, False, "rank")
    assert {row["field"] for row in turn["differences"]} >= {"products", "reply"}
    assert json.loads(replay("boots", "--against", "--json", "--policy", "full").out)["different"] >= 1


def test_another_catalog_is_told(replay: Any, stores: Stores) -> None:
    fewer = [row for row in TOWN if row["parent_asin"] != "BOOT05"]
    told = replay("boots", "--against", stores.path(fewer))
    assert told.code == 1
    assert "held over a catalog of other products" in told.out
    assert "- " in told.out
    assert "BOOT05" in told.out


# --- going on ------------------------------------------------------------------------------------------------------


def test_a_fork_goes_on_in_a_new_conversation(replay: Any, capsys: pytest.CaptureFixture[str]) -> None:
    before = replay("boots").out
    told = replay("boots", "--fork", 2, "actually brown")
    assert told.code == 0
    name = re.search(r"--conversation (\w+) TEXT", told.out)
    assert name is not None
    assert "color brown" in told.out
    forked = replay(name[1]).out
    assert re.findall(r"^Shopper: (.*)$", forked, re.MULTILINE) == [*SAID[:2], "actually brown"]
    assert replay("boots").out == before
    assert run(["ask", "--continue", "--json", "undo"]) == 0
    assert json.loads(capsys.readouterr().out)["conversation"] == name[1]


def test_a_fork_as_json(replay: Any) -> None:
    answer = json.loads(replay("boots", "--fork", 0, "a linen dress", "--json").out)
    assert (answer["turn"], answer["conversation"] != "boots") == (1, True)


# --- refusing ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["nobody"], r"'nobody' has no answered turn in state\. .*: boots\. Name one of them"),
        (["boots", "--state", "nowhere"], r"No conversation is stored in nowhere: .*--state"),
        (["boots", "--turn", "9"], r"'boots' has no turn 9: its turns are 1 to 4\. Name one"),
        (["boots", "--against", "--turn", "9"], r"no turn 9"),
        (["boots", "--fork", "9", "boots"], r"no turn 9"),
        (["boots", "--fork", "-1", "boots"], r"no turn -1"),
        (["boots", "--against", "none.duckdb"], r"none\.duckdb"),
        (["boots", "--catalog", "none.duckdb"], r"none\.duckdb"),
        (["none.jsonl", "--against"], r"There is no exported conversation at none\.jsonl\. .*--export"),
        (["boots", "--export", "nowhere/boots.jsonl"], r"nowhere"),
    ],
)
def test_what_cannot_be_done_is_said(replay: Any, arguments: list[str], problem: str) -> None:
    told = replay(*arguments)
    assert told.code == 1
    assert re.search(problem, told.err), told.err
    assert told.err.startswith("shopgraph: ")
    assert "Traceback" not in told.err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["boots", "--turn", "0"],
        ["boots", "--turn", "x"],
        ["boots", "--mode", "free"],
        ["boots", "--against", "--mode", "sideways"],
        ["boots", "--against", "--export", "x.jsonl"],
        ["boots", "--fork", "1"],
        ["boots", "--fork", "1", "boots", "--against"],
        ["boots", "--export", "x.jsonl", "--turn", "1"],
        ["boots", "--against", "--trace"],
        ["boots.jsonl", "--fork", "1", "boots"],
    ],
)
def test_wrong_usage_is_exit_code_two(replay: Any, arguments: list[str]) -> None:
    told = replay(*arguments)
    assert told.code == 2
    assert "Traceback" not in told.err


def test_a_missing_catalog_is_said_before_anything_is_forked(
    replay: Any, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SHOPGRAPH_CATALOG")
    before = (shop / "state" / DATABASE).read_bytes()
    for arguments in (["--fork", "1", "boots"], ["--against"]):
        told = replay("boots", *arguments)
        assert told.code == 1
        assert "There is no catalog" in told.err
    assert (shop / "state" / DATABASE).read_bytes() == before


@pytest.mark.parametrize("damage", ["truncated", "no database", "half a checkpoint"])
def test_a_damaged_store_is_said(replay: Any, shop: Path, damage: str) -> None:
    import sqlite3

    file = shop / "state" / DATABASE
    if damage == "half a checkpoint":
        with sqlite3.connect(file) as connection:
            connection.execute("UPDATE checkpoints SET checkpoint = substr(checkpoint, 1, 300)")
        connection.close()
    else:
        file.write_bytes(file.read_bytes()[:5000] if damage == "truncated" else b"no database at all" * 100)
    told = replay("boots")
    assert told.code == 1
    assert re.search(r"cannot be read \(.*\)\. Take (it|the state folder) from a backup", told.err), told.err


# --- the document --------------------------------------------------------------------------------------------------


def test_the_document_describes_every_key_of_an_export() -> None:
    described = re.findall(r"^\| `(\w+)` \|", DOCUMENT, re.MULTILINE)
    exported = [name for name, field in TurnRecord.model_fields.items() if not field.exclude]
    assert described == exported


def test_the_commands_and_the_program_of_the_document_run(replay: Any) -> None:
    commands = re.findall(r"^shopgraph replay (.*)$", DOCUMENT, re.MULTILINE)
    assert len(commands) >= 7
    commands.sort(key=lambda command: "--export" not in command)
    for command in commands:
        assert replay(*shlex.split(command)).code == 0, command
    (program,) = re.findall(r"^```python\n(.*?)^```", DOCUMENT, re.MULTILINE | re.DOTALL)
    exec(compile(program, "docs/replay.md", "exec"), {})
