"""The golden conversations are answered as they were recorded (`tests/golden`)."""

from __future__ import annotations

from typing import Any

import pytest

from catalog.search import ProductIndex
from graph.cli.retold import print_comparison, print_summary
from graph.replay.compare import compare
from graph.replay.record import read_export
from graph.replay.rerun import rerun
from graph.shopping import Shops
from tests.golden import FOLDER, recorded, scripts
from tests.stores import TOWN, Stores


@pytest.fixture(scope="module")
def index(stores: Stores) -> ProductIndex:
    return stores.index(TOWN)


@pytest.mark.parametrize("mode", ["forced", "free"])
@pytest.mark.parametrize("name", list(scripts()))
def test_a_golden_conversation_is_answered_as_before(name: str, mode: Any, index: ProductIndex) -> None:
    found = compare(rerun(read_export(recorded(name)), Shops(index, {}), mode))
    for one in found:
        if not one.same:
            print_comparison(one, index)
    print_summary(found)
    differ = [one.stored.turn for one in found if not one.same]
    assert differ == [], f"turns {differ} of {name} differ, see above; if that is meant: python -m tests.golden {name}"


@pytest.mark.parametrize("name", list(scripts()))
def test_what_is_recorded_is_what_the_script_says(name: str) -> None:
    turns, script = read_export(recorded(name)), scripts()[name]
    assert [turn.message for turn in turns] == script["says"]
    assert {turn.served.policy for turn in turns} == {script.get("policy", "full")}
    assert turns[0].user_profile == script.get("profile", {})


def test_nothing_is_recorded_that_no_script_says() -> None:
    assert {file.stem for file in FOLDER.glob("*.jsonl")} == set(scripts())


def test_golden_conversations_are_of_all_kinds() -> None:
    conversations = [read_export(recorded(name)) for name in scripts()]
    turns = [turn for conversation in conversations for turn in conversation]
    acts = {act for turn in turns for act in turn.acts}
    assert {
        "add",
        "remove",
        "replace",
        "negate",
        "no_preference",
        "refer",
        "ask_info",
        "reset",
        "undo",
        "other",
    } <= acts
    assert len(conversations) >= 8
    assert max(map(len, conversations)) >= 12
    assert any(turn.relaxed for turn in turns)
    assert any(turn.belief.rejected for turn in turns)
