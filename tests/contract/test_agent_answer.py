"""Every agent that ships keeps the contract: exactly its keys, real distinct ids, whatever the shopper says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from catalog.errors import InputError
from catalog.open import open_catalog
from catalog.search import ProductIndex
from evals.answer import Answer, parse_answer
from evals.keyword import KeywordAgent
from evals.official.generate import anonymous_profile
from graph.agent import ShoppingAgent

MESSAGES = [
    "I'm looking for Dresses Casual. A key requirement is: cotton.",
    "color: navy; Machine wash",
    "Actually, ignore my earlier preference. What I need is: leather boots under $80.",
    "not black please",
    "whatever you think is best",
    "I have no additional preference for other details.",
    "",
    "   \n\t",
    "🙂🙂🙂",
    "'; DROP TABLE products; --",
    "\x00\x01\x02",
    "a lone \ud800 surrogate",
    "99999999999999999999999999 shoes",
    "cotton " * 2000,
    "ﺳﺮﻭﺍﻝ 赤いドレス",
]

PROFILE = anonymous_profile("contract").model_dump(mode="json")


@pytest.fixture(scope="module")
def index(sample_catalog: Path) -> Iterator[ProductIndex]:
    opened = open_catalog(sample_catalog)
    yield opened
    opened.close()


@pytest.fixture(params=["keyword", "full", "confident"])
def agent(request: pytest.FixtureRequest, index: ProductIndex) -> Any:
    return KeywordAgent(index) if request.param == "keyword" else ShoppingAgent(catalog=index, policy=request.param)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda text: ascii(text)[:24])
def test_any_message_gets_an_answer_of_the_contract(agent: Any, index: ProductIndex, message: str) -> None:
    agent.reset("s", PROFILE)
    answer = parse_answer(agent.respond("s", message, 1, top_k=10))
    _check(answer, index)


def test_a_whole_conversation_keeps_the_contract(agent: Any, index: ProductIndex) -> None:
    agent.reset("s", PROFILE)
    for turn, message in enumerate(MESSAGES[:10], start=1):
        _check(parse_answer(agent.respond("s", message, turn)), index)


def test_a_smaller_top_k_is_kept(agent: Any) -> None:
    agent.reset("s", PROFILE)
    assert len(agent.respond("s", "cotton dress", 1, top_k=3)["recommendations"]) <= 3


def test_answers_repeat(agent: Any) -> None:
    answers = []
    for session in ("one", "two"):
        agent.reset(session, PROFILE)
        answers.append([agent.respond(session, message, turn) for turn, message in enumerate(MESSAGES[:4], start=1)])
    assert answers[0] == answers[1]


def test_sessions_do_not_mix(index: ProductIndex) -> None:
    agent = ShoppingAgent(catalog=index, policy="full")
    agent.reset("alone", PROFILE)
    alone = agent.respond("alone", MESSAGES[0], 1)
    agent.reset("other", PROFILE)
    agent.respond("other", "a silver necklace for my mother", 1)
    agent.reset("again", PROFILE)
    assert agent.respond("again", MESSAGES[0], 1) == alone


def test_a_reset_forgets(index: ProductIndex) -> None:
    agent = ShoppingAgent(catalog=index, policy="full")
    agent.reset("s", PROFILE)
    first = agent.respond("s", MESSAGES[0], 1)
    agent.respond("s", "in red", 2)
    agent.reset("s", PROFILE)
    assert agent.respond("s", MESSAGES[0], 1) == first


@pytest.mark.parametrize("session_id", ["", "  ", None, 7])
def test_a_session_id_that_names_nothing_is_refused(index: ProductIndex, session_id: Any) -> None:
    with pytest.raises(InputError):
        ShoppingAgent(catalog=index).reset(session_id, PROFILE)


def _check(answer: Answer, index: ProductIndex) -> None:
    ids = [item.parent_asin for item in answer.recommendations]
    assert len(ids) == len(set(ids)) <= 10
    assert None not in index.ids(ids)
    assert answer.message.strip()
    scores = [item.score for item in answer.recommendations if item.score is not None]
    assert scores == sorted(scores, reverse=True)
