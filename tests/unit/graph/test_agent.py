"""The programmatic contract: arguments, ids, diagnostics."""

from __future__ import annotations

from typing import Any

import pytest

from catalog.errors import CatalogError, InputError
from catalog.search import ProductIndex
from graph.agent import DIAGNOSED, ShoppingAgent
from graph.shopping import NODES
from tests.stores import TOWN, Stores


@pytest.fixture(scope="module")
def index(stores: Stores) -> ProductIndex:
    return stores.index(TOWN)


@pytest.fixture
def agent(index: ProductIndex) -> ShoppingAgent:
    return ShoppingAgent(catalog=index, policy="full", diagnostics=True)


def test_the_answer_has_exactly_the_keys_of_the_contract(agent: ShoppingAgent) -> None:
    answer = agent.respond("s", "red boots", turn=1)
    assert set(answer) == {"message", "ask_attribute", "recommendations", "usage"}
    assert answer["usage"] == {"prompt_tokens": 0, "completion_tokens": 0}
    assert all(set(row) == {"parent_asin", "score"} for row in answer["recommendations"])


@pytest.mark.parametrize(("top_k", "most"), [(1, 1), (3, 3), (0, 1), (-5, 1), (100, 10)])
def test_top_k_is_bounded(agent: ShoppingAgent, top_k: int, most: int) -> None:
    assert len(agent.respond("s", "leather boots", top_k=top_k)["recommendations"]) == most


@pytest.mark.parametrize("session", ["", "  ", "\t\n", None, 1, 1.5, b"s", ["s"], True])
def test_a_session_id_that_names_nothing_is_refused_everywhere(agent: ShoppingAgent, session: Any) -> None:
    for call in (lambda: agent.reset(session), lambda: agent.respond(session, "boots"), lambda: agent.belief(session)):
        with pytest.raises(InputError, match="session id"):
            call()


@pytest.mark.parametrize("message", [None, 7, b"boots", ["boots"]])
def test_a_message_that_is_no_text_is_refused_and_nothing_is_lost(agent: ShoppingAgent, message: Any) -> None:
    agent.respond("s", "red boots")
    with pytest.raises(InputError, match="pass a string"):
        agent.respond("s", message)
    assert agent.turn("s", "size 9")["turn"] == 2
    assert [f.value for f in agent.belief("s").constraints] == ["red", "boots", "9"]


@pytest.mark.parametrize("turn", [0, -1, "1", 1.5])
def test_a_turn_that_is_no_turn_is_refused(agent: ShoppingAgent, turn: Any) -> None:
    with pytest.raises(InputError, match="turn"):
        agent.respond("s", "boots", turn=turn)


@pytest.mark.parametrize("profile", ["casual", 7, ["casual"]])
def test_a_profile_that_is_no_mapping_is_refused(agent: ShoppingAgent, profile: Any) -> None:
    with pytest.raises(InputError, match="user profile"):
        agent.reset("s", profile)


def test_an_unknown_policy_is_refused(index: ProductIndex) -> None:
    with pytest.raises(InputError, match="'bold'"):
        ShoppingAgent(catalog=index, policy="bold")


def test_without_a_catalog_the_first_turn_says_what_to_set() -> None:
    with pytest.raises(CatalogError, match="SHOPGRAPH_CATALOG"):
        ShoppingAgent().respond("s", "boots")


def test_ids_that_differ_by_unstorable_characters_only_are_cleaned(agent: ShoppingAgent) -> None:
    agent.respond("s\ud800", "red boots")
    assert [f.value for f in agent.belief("s\ud800").constraints] == ["red", "boots"]


def test_diagnostics_tell_each_step(agent: ShoppingAgent) -> None:
    answer = agent.respond("s", "red boots under $100, not size 9")
    told = agent.diagnose("s")
    assert told["acts"] == ["add", "add", "add", "negate"]
    assert {fact["attribute"] for fact in told["facts"]} == {"color", "category", "budget", "size"}
    assert set(told["constraints"]) == {"color red", "category boots", "at most $100", "not size 9"}
    assert set(told["query"].split()) >= {"red", "boots"}
    assert set(told["shown"]) <= set(told["ranked"]) <= set(told["filtered"]) <= set(told["retrieved"])
    assert told["shown"] == [row["parent_asin"] for row in answer["recommendations"]]
    gone = [product for products in told["dropped"].values() for product in products]
    assert set(gone) == set(told["retrieved"]) - set(told["filtered"])
    assert len(gone) == len(set(gone))
    assert set(told["dropped"]) <= {*told["constraints"], "the kind is not stated"}
    assert (told["ask_attribute"], told["message"]) == (answer["ask_attribute"], answer["message"])
    assert set(told["node_ms"]) == set(NODES) - {"translate", "fall_back"}


def test_diagnostics_rank_as_the_turn_did_and_name_what_is_withheld(index: ProductIndex) -> None:
    agent = ShoppingAgent(catalog=index, policy="confident", diagnostics=True)
    first = agent.respond("s", "boots")["recommendations"][0]["parent_asin"]
    assert agent.diagnose("s")["ranked"][0] == first
    agent.respond("s", "black")
    told = agent.diagnose("s")
    assert told["ranked"][: len(told["shown"])] == told["shown"]
    assert told["dropped"]["withheld"] == [first]


def test_diagnostics_change_no_answer(index: ProductIndex, agent: ShoppingAgent) -> None:
    plain = ShoppingAgent(catalog=index, policy="full")
    for message in ("red boots", "under $100"):
        assert plain.turn("s", message) == agent.turn("s", message)
    assert plain.diagnose("s") == {}


def test_diagnostics_of_old_conversations_are_dropped(agent: ShoppingAgent) -> None:
    agent.respond("first", "boots")
    for number in range(DIAGNOSED):
        agent._last[str(number)] = agent._last["first"]
    agent.respond("last", "boots")
    assert len(agent._last) == DIAGNOSED
    assert agent.diagnose("first") == {}
    assert agent.diagnose("last")["shown"]
