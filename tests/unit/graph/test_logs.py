"""The log: its formats, its levels, and what it never tells."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from catalog.errors import InputError
from catalog.search import ProductIndex
from graph.agent import ShoppingAgent
from graph.logs import LOGGER, configure
from tests.stores import TOWN, Stores

ROOT = Path(__file__).resolve().parents[3]
SAID = "something zanzibar in red leather under $90"


@pytest.fixture(autouse=True)
def _the_log_as_it_was() -> Iterator[None]:
    # Commands that earlier tests ran in this process may have configured it.
    handlers, level = LOGGER.handlers, LOGGER.level
    LOGGER.handlers = [logging.NullHandler()]
    LOGGER.setLevel(logging.WARNING)
    yield
    LOGGER.handlers = handlers
    LOGGER.setLevel(level)


@pytest.fixture(scope="module")
def index(stores: Stores) -> ProductIndex:
    return stores.index(TOWN)


def lines(capsys: pytest.CaptureFixture[str], index: ProductIndex, **environment: str) -> list[str]:
    configure({f"SHOPGRAPH_{name}": value for name, value in environment.items()})
    ShoppingAgent(catalog=index).respond("talk 7", SAID)
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err.splitlines()


def test_a_good_turn_is_not_told_by_default(index: ProductIndex, capsys: pytest.CaptureFixture[str]) -> None:
    assert lines(capsys, index) == []


def test_json_lines_name_conversation_turn_and_node(index: ProductIndex, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [json.loads(line) for line in lines(capsys, index, LOG="json", LOG_LEVEL="info")]
    assert [row["node"] for row in rows][:3] == ["route", "canonicalize", "track"]
    assert {(row["conversation"], row["turn"], row["level"], row["event"]) for row in rows} == {
        ("talk 7", 1, "info", "node")
    }
    assert all(set(row) == {"time", "level", "event", "conversation", "turn", "node", "took_ms"} for row in rows)


def test_plain_lines_say_the_same(index: ProductIndex, capsys: pytest.CaptureFixture[str]) -> None:
    told = lines(capsys, index, LOG_LEVEL="INFO")
    assert len(told) == 8
    assert "info node conversation='talk 7' turn=1 node='route'" in told[0]


def test_texts_are_told_at_debug_only(index: ProductIndex, capsys: pytest.CaptureFixture[str]) -> None:
    info = "\n".join(lines(capsys, index, LOG="json", LOG_LEVEL="info"))
    debug = "\n".join(lines(capsys, index, LOG="json", LOG_LEVEL="debug"))
    for text in ("zanzibar", "leather", "Corvane", "BOOT"):
        assert text not in info
    assert "zanzibar" in debug
    assert json.loads(debug.splitlines()[0])["decided"] == "turn 1, buying"


class BrokenIndex:
    """Raises an error that quotes the shopper."""

    def __init__(self, index: ProductIndex) -> None:
        self._index = index

    def __getattr__(self, name: str) -> Any:
        if name == "search":
            raise RuntimeError(f"cannot search for {SAID}")
        return getattr(self._index, name)


@pytest.mark.parametrize("level", ["info", "error"])
def test_a_failure_is_told_by_its_class(index: ProductIndex, capsys: pytest.CaptureFixture[str], level: str) -> None:
    configure({"SHOPGRAPH_LOG": "json", "SHOPGRAPH_LOG_LEVEL": level})
    broken: Any = BrokenIndex(index)
    with pytest.raises(RuntimeError, match="zanzibar"):
        ShoppingAgent(catalog=broken).respond("talk 7", SAID)
    row = json.loads(capsys.readouterr().err.splitlines()[-1])
    assert (row["event"], row["node"], row["error"], row["turn"]) == ("node failed", "retrieve", "RuntimeError", 1)
    assert "zanzibar" not in str(row)


def test_an_expected_error_is_no_error_of_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    configure({"SHOPGRAPH_LOG_LEVEL": "warning"})
    with pytest.raises(Exception, match="No catalog is configured"):
        ShoppingAgent().respond("s", "boots")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("name", "value"), [("SHOPGRAPH_LOG", "xml"), ("SHOPGRAPH_LOG_LEVEL", "loud"), ("SHOPGRAPH_LOG_LEVEL", "10")]
)
def test_a_setting_that_cannot_be_used_is_refused(name: str, value: str) -> None:
    with pytest.raises(InputError, match=name):
        configure({name: value})


def test_configuring_twice_doubles_nothing(index: ProductIndex, capsys: pytest.CaptureFixture[str]) -> None:
    configure({})
    assert len(lines(capsys, index, LOG_LEVEL="info")) == 8


def test_a_program_that_configures_nothing_sees_nothing(
    index: ProductIndex, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    script = "from graph.logs import LOGGER\nLOGGER.error('a node failed')"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    ShoppingAgent(catalog=index).respond("s", SAID)
    assert capsys.readouterr().err == ""
    assert caplog.records == []


def test_a_program_may_listen_with_handlers_of_its_own(index: ProductIndex, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", logger="shopgraph"):
        ShoppingAgent(catalog=index).respond("s", SAID)
    assert [record.levelname for record in caplog.records] == ["INFO"] * 8
