"""Conversations that earlier versions stored are read, answered again and continued (`tests/fixtures/checkpoints`)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from catalog.search import ProductIndex
from graph.agent import ShoppingAgent
from graph.replay.history import copy_turns, read_conversation
from graph.replay.record import TurnRecord
from graph.replay.rerun import rerun
from graph.savers import latest_threads, sqlite_saver, stored_conversations
from graph.shopping import Shops
from tests.checkpoint_fixture import BY_AGENT, BY_GRAPH, PROFILE
from tests.stores import TOWN, Stores

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "checkpoints"
VERSIONS = sorted(folder.name for folder in FOLDER.iterdir() if folder.is_dir())
NODES = ["route", "canonicalize", "track", "retrieve", "filter", "rank", "clarify", "respond"]


@pytest.fixture(scope="module")
def index(stores: Stores) -> ProductIndex:
    return stores.index(TOWN)


@pytest.fixture
def expected(version: str) -> dict[str, list[dict[str, Any]]]:
    turns: dict[str, list[dict[str, Any]]] = json.loads((FOLDER / version / "expected.json").read_text("utf-8"))
    return turns


def _read(folder: Path, thread: str) -> list[TurnRecord]:
    with stored_conversations(folder) as saver:
        return read_conversation(saver, thread)


def _told(turn: TurnRecord) -> dict[str, Any]:
    return {
        "message": turn.message,
        "held": [row["words"] for row in turn.belief.constraints],
        "ask_attribute": turn.ask_attribute,
        "products": [row.parent_asin for row in turn.products],
        "reply": turn.reply,
    }


def test_the_version_before_replay_is_kept() -> None:
    assert "v0.1" in VERSIONS


@pytest.mark.parametrize("thread", [BY_AGENT, BY_GRAPH])
@pytest.mark.parametrize("version", VERSIONS)
def test_history_is_read_as_it_was_told(version: str, thread: str, expected: dict[str, Any]) -> None:
    turns = _read(FOLDER / version, thread)
    assert [_told(turn) for turn in turns] == expected[thread]
    assert [turn.turn for turn in turns] == list(range(1, len(turns) + 1))
    assert {turn.before for turn in turns} == {None}, "the events of the turns add up without an edit"


@pytest.mark.parametrize("version", VERSIONS)
def test_profile_and_steps_are_read_where_they_were_stored(version: str) -> None:
    by_agent, by_graph = _read(FOLDER / version, BY_AGENT), _read(FOLDER / version, BY_GRAPH)
    assert {json.dumps(turn.user_profile) for turn in by_agent} == {json.dumps(PROFILE)}
    assert [turn.nodes for turn in by_agent] == [[]] * len(by_agent)
    assert [[state.node for state in turn.nodes] for turn in by_graph] == [NODES] * len(by_graph)


@pytest.mark.parametrize("version", VERSIONS)
def test_reading_leaves_the_store_as_it_was(version: str, tmp_path: Path) -> None:
    shutil.copytree(FOLDER / version, tmp_path, dirs_exist_ok=True)
    before = (tmp_path / "conversations.sqlite").read_bytes()
    with stored_conversations(tmp_path) as saver:
        assert sorted(latest_threads(saver)) == sorted([BY_AGENT, BY_GRAPH])
        read_conversation(saver, BY_AGENT)
    assert (tmp_path / "conversations.sqlite").read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["conversations.sqlite", "expected.json"]


@pytest.mark.parametrize("thread", [BY_AGENT, BY_GRAPH])
@pytest.mark.parametrize("version", VERSIONS)
def test_an_old_conversation_goes_on(
    version: str, thread: str, expected: dict[str, Any], index: ProductIndex, tmp_path: Path
) -> None:
    shutil.copytree(FOLDER / version, tmp_path, dirs_exist_ok=True)
    told = expected[thread]
    agent = ShoppingAgent(catalog=index, policy="full", state=tmp_path)
    answer = agent.turn(thread, "and with at least 4 stars")
    assert answer["turn"] == len(told) + 1
    assert answer["recommendations"]
    held = [row["words"] for row in _read(tmp_path, thread)[-1].belief.constraints]
    assert held == [*told[-1]["held"], "rating at least 4"]
    agent.turn(thread, "undo")
    assert _told(_read(tmp_path, thread)[-1])["held"] == told[-1]["held"]


@pytest.mark.parametrize("mode", ["forced", "free"])
@pytest.mark.parametrize("thread", [BY_AGENT, BY_GRAPH])
@pytest.mark.parametrize("version", VERSIONS)
def test_an_old_conversation_is_answered_again(version: str, thread: str, mode: Any, index: ProductIndex) -> None:
    """Today's answers may be others; what each turn starts from and holds is not lost on the way."""
    turns = _read(FOLDER / version, thread)
    for one in rerun(turns, Shops(index, {}), mode):
        assert one.failure == ""
        assert one.now is not None
        assert (one.now.turn, one.now.message) == (one.stored.turn, one.stored.message)
        assert len(one.now.nodes) == len(one.stored.nodes)


@pytest.mark.parametrize("version", VERSIONS)
def test_an_old_conversation_is_forked(version: str, index: ProductIndex, tmp_path: Path) -> None:
    shutil.copytree(FOLDER / version, tmp_path, dirs_exist_ok=True)
    before = _read(tmp_path, BY_GRAPH)
    saver = sqlite_saver(tmp_path)
    copy_turns(saver, BY_GRAPH, 1, "fork")
    saver.conn.close()
    ShoppingAgent(catalog=index, policy="full", state=tmp_path).turn("fork", "in black")
    forked = _read(tmp_path, "fork")
    assert _told(forked[0]) == _told(before[0])
    assert [turn.message for turn in forked] == [before[0].message, "in black"]
    assert _read(tmp_path, BY_GRAPH) == before
