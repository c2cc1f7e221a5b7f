"""Golden dialogues: what is held, shown, said and asked after each message (`tests/dialogues/*.yaml`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from catalog.constraint import Verdict
from catalog.duckdb_index import DuckDBIndex
from graph.agent import ShoppingAgent
from graph.events import BeliefState, Fact
from graph.state import ShopperOutput
from tests.stores import TOWN, Row, Stores
from tools.answer import ASKABLE
from tools.concession import phrase
from tools.constants import dialogue_constants

FOLDER = Path(__file__).resolve().parents[1] / "dialogues"
SIGNS = {"eq": "=", "le": "<=", "lt": "<", "ge": ">=", "gt": ">", "around": "~", "between": "..", "contains": "*"}
TURN_KEYS = {"say", "held", "holds", "lacks", "first", "only", "shows", "hides", "says", "silent"} | {
    "relaxed",
    "asks",
    "never_asks",
}


def _dialogues() -> Iterator[Any]:
    for path in sorted(FOLDER.glob("*.yaml")):
        page = yaml.safe_load(path.read_text(encoding="utf-8"))
        for dialogue in page["dialogues"]:
            name = " ".join([f"{path.stem}: {dialogue['name']}", *dialogue.get("cases", [])])
            yield pytest.param(page, dialogue, id=name)


def _rows(page: dict[str, Any]) -> list[Row]:
    if page.get("store") == "town":
        return TOWN
    return [
        {
            "parent_asin": product["id"],
            "title": product["title"],
            "price": product.get("price"),
            "rating_number": product.get("reviews", 10),
            "details": product.get("details", {}),
            "store": product.get("store"),
            "features": product.get("features", []),
        }
        for product in page["products"]
    ]


def written(fact: Fact) -> str:
    """Return a constraint as the dialogues write it; see tests/dialogues/README.md."""
    values = fact.value if isinstance(fact.value, list) else [fact.value]
    value = ",".join(f"{v:g}" if isinstance(v, float) else str(v) for v in values)
    sign = SIGNS.get(fact.op, fact.op)
    mark = "" if fact.strength == "hard" else " soft"
    return f"{'-' if fact.polarity == 'negative' else ''}{fact.facet_key}{sign}{value}{mark}"


@pytest.mark.parametrize(("page", "dialogue"), list(_dialogues()))
def test_dialogue(page: dict[str, Any], dialogue: dict[str, Any], stores: Stores) -> None:
    index = stores.index(_rows(page))
    agent = ShoppingAgent(catalog=index, policy=dialogue.get("policy", "full"))
    never: set[str] = set()
    for turn in dialogue["turns"]:
        assert set(turn) <= TURN_KEYS, f"unknown keys in {turn}"
        before = agent.belief("s")
        answer = agent.turn("s", turn["say"])
        never |= set(turn.get("never_asks", []))
        belief = agent.belief("s")
        _keeps_the_contract(index, answer, before, belief)
        _expected(turn, answer, belief)
        assert answer["ask_attribute"] not in never, turn["say"]


def _expected(turn: dict[str, Any], answer: dict[str, Any], belief: BeliefState) -> None:
    said, reply = turn["say"], answer["reply"]
    held = [written(fact) for fact in belief.constraints]
    shown = [row["parent_asin"] for row in answer["recommendations"]]
    if "held" in turn:
        assert sorted(held) == sorted(turn["held"]), said
    assert set(turn.get("holds", [])) <= set(held), said
    assert not set(turn.get("lacks", [])) & {fact.removesuffix(" soft") for fact in held}, said
    assert shown[: len(turn.get("first", []))] == turn.get("first", []), said
    if "only" in turn:
        assert sorted(shown) == sorted(turn["only"]), said
    assert set(turn.get("shows", [])) <= set(shown), said
    assert not set(turn.get("hides", [])) & set(shown), said
    assert all(words in reply for words in turn.get("says", [])), reply
    assert not any(words in reply for words in turn.get("silent", [])), reply
    if "relaxed" in turn:
        assert [written(Fact.model_validate(row)) for row in answer["relaxed"]] == turn["relaxed"], said
        given_up = [fact for fact in belief.constraints if written(fact) in turn["relaxed"]]
        assert all(phrase(fact) in reply or fact.attribute == "category" for fact in given_up), reply
    if "asks" in turn:
        assert (answer["ask_attribute"] or "nothing") == turn["asks"], said


def _keeps_the_contract(index: DuckDBIndex, answer: dict[str, Any], before: BeliefState, belief: BeliefState) -> None:
    """Hold one answer to what is true of all: a fair schema, real products, nothing excluded, a question that fits."""
    ShopperOutput.model_validate(answer)
    shown = [row["parent_asin"] for row in answer["recommendations"]]
    assert len(shown) == len(set(shown)) <= 10
    assert None not in index.ids(shown)
    assert [set(row) for row in answer["recommendations"]] == [{"parent_asin", "score", "evidence"}] * len(shown)
    rows = np.asarray(index.ids(shown), np.int32)
    relaxed = [row["fact"] for row in answer["relaxed"]]
    if not relaxed:
        for fact in belief.constraints:
            if fact.strength == "hard":
                assert not (index.judge(fact, rows) == Verdict.VIOLATED).any(), written(fact)
    _asks_in_words(answer, before, belief)


def _asks_in_words(answer: dict[str, Any], before: BeliefState, belief: BeliefState) -> None:
    attribute = answer["ask_attribute"]
    if attribute is None or not answer["recommendations"]:
        # With nothing to show, the question is whether something may give way.
        assert attribute is not None or "?" not in answer["reply"]
        return
    assert attribute in ASKABLE
    assert attribute not in belief.declined
    assert attribute == "other" or not before.of(attribute) or not belief.of(attribute)
    question = dialogue_constants().questions[attribute]
    spoken = [_as_pattern(wording) for wording in (*question.wordings, *question.with_options)]
    assert any(pattern.search(answer["reply"]) for pattern in spoken)
    assert len(answer["options"]) < 2 or all(option in answer["reply"] for option in answer["options"])


def _as_pattern(wording: str) -> re.Pattern[str]:
    """Return the pattern of a wording with any kind of product and any options."""
    return re.compile(re.escape(wording).replace(r"\{it\}", "(?:it|the .+)").replace(r"\{options\}", ".+") + "$")
