"""Whole conversations: what must hold at every turn, whatever is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from catalog.constraint import Verdict
from catalog.duckdb_index import DuckDBIndex
from graph.agent import ShoppingAgent
from graph.events import BeliefState
from tests.integration.test_checkpoints import FORTY
from tests.stores import TOWN, Stores
from tools.answer import ASKABLE

POLICIES = ("full", "confident")


@pytest.fixture(scope="module")
def index(stores: Stores) -> DuckDBIndex:
    return stores.index(TOWN)


def talk(index: DuckDBIndex, *said: str, policy: Any = "full") -> tuple[ShoppingAgent, list[dict[str, Any]]]:
    agent = ShoppingAgent(catalog=index, policy=policy)
    return agent, [agent.turn("s", message) for message in said]


def shown(answer: dict[str, Any]) -> list[str]:
    return [row["parent_asin"] for row in answer["recommendations"]]


def wishes(belief: BeliefState) -> list[tuple[str, object, str, str]]:
    return [(f.facet_key, f.value, f.polarity, f.strength) for f in belief.constraints]


@pytest.mark.parametrize("policy", POLICIES)
def test_every_turn_of_a_long_conversation_keeps_the_contract(index: DuckDBIndex, policy: str) -> None:
    agent = ShoppingAgent(catalog=index, policy=policy)
    for number, message in enumerate(FORTY, 1):
        answer = agent.turn("s", message)
        belief, names = agent.belief("s"), shown(answer)
        assert answer["turn"] == number
        assert len(names) == len(set(names)) <= 10
        assert None not in index.ids(names)
        assert answer["ask_attribute"] in {None, *ASKABLE}
        assert (answer["ask_attribute"] is not None) == ("?" in answer["reply"])
        assert answer["ask_attribute"] not in belief.declined
        if answer["ask_attribute"] not in (None, "other") and names:
            # With nothing to show, the question offers another value of a wish that stands in the way.
            assert not belief.of(answer["ask_attribute"])
        if not answer["relaxed"]:
            rows = np.asarray(index.ids(names), np.int32)
            hard = [fact for fact in belief.constraints if fact.strength == "hard"]
            assert not any((index.judge(fact, rows) == Verdict.VIOLATED).any() for fact in hard), message


def test_sixty_turns_work_like_two(index: DuckDBIndex) -> None:
    """LG-13: the step limit is per turn."""
    agent = ShoppingAgent(catalog=index)
    for number in range(1, 61):
        assert agent.turn("s", ("red", "under $90", "size 9")[number % 3])["turn"] == number
    fresh, _ = talk(index, "red", "under $90", "size 9", policy="confident")
    assert sorted(wishes(agent.belief("s"))) == sorted(wishes(fresh.belief("s")))


# --- withholding ---------------------------------------------------------------------------------------------------


def test_confident_shows_nothing_twice_in_one_intent(index: DuckDBIndex) -> None:
    _, answers = talk(index, "boots", "of leather", "hm", "for women", "well", policy="confident")
    names = [name for answer in answers for name in shown(answer)]
    assert len(names) == len(set(names)) >= 5


def test_an_override_allows_what_was_shown(index: DuckDBIndex) -> None:
    _, answers = talk(index, "navy boots", "hm", "actually make it size 9 and black", "navy again", policy="confident")
    assert shown(answers[0]) == ["BOOT05"]
    assert not set(shown(answers[0])) & set(shown(answers[1]))
    assert shown(answers[3])[0] in {"BOOT03", "BOOT04", "BOOT05"}


def test_full_withholds_what_was_rejected_and_nothing_else(index: DuckDBIndex) -> None:
    agent, answers = talk(index, "canvas backpacks", "not the first one", "hm")
    rejected = shown(answers[0])[0]
    assert agent.belief("s").rejected == [rejected]
    assert all(rejected not in shown(answer) for answer in answers[1:])
    assert set(shown(answers[0])[1:4]) & set(shown(answers[2]))


def test_starting_over_allows_what_was_rejected(index: DuckDBIndex) -> None:
    _, answers = talk(index, "canvas backpacks", "not the first one", "start over", "canvas backpacks")
    assert shown(answers[0])[0] in shown(answers[3])


# --- undoing -------------------------------------------------------------------------------------------------------

STEPS = ["red boots", "under $90", "actually navy", "not size 9", "show me backpacks instead", "canvas"]


@pytest.mark.parametrize("length", range(1, len(STEPS) + 1))
def test_undo_is_the_belief_of_the_shorter_conversation(index: DuckDBIndex, length: int) -> None:
    undone, _ = talk(index, *STEPS[:length], "undo")
    shorter, _ = talk(index, *STEPS[: length - 1])
    one, other = undone.belief("s"), shorter.belief("s")
    assert one.entries == other.entries
    assert one.query_texts == other.query_texts
    assert (one.epoch, one.declined, one.rejected, one.withdrawn) == (
        other.epoch,
        other.declined,
        other.rejected,
        other.withdrawn,
    )


def test_undo_all_the_way_is_a_conversation_that_knows_nothing(index: DuckDBIndex) -> None:
    agent, _ = talk(index, *STEPS, *["undo"] * (len(STEPS) + 2))
    assert wishes(agent.belief("s")) == []


def test_what_is_said_after_an_undo_counts(index: DuckDBIndex) -> None:
    agent, _ = talk(index, "red boots", "under $90", "undo", "under $60")
    assert [f.value for f in agent.belief("s").of("budget")] == [60]


# --- odd messages --------------------------------------------------------------------------------------------------

ODD = {
    "blank": "",
    "spaces": " \t\n ",
    "emoji": "👟👗🎒",
    "signs": "!!! ??? ---",
    "binary": "".join(map(chr, range(32))) * 20,
    "surrogates": "\ud83d\udc4d\ud800",
    "markup": "<script>alert(1)</script> {{7*7}} %s",
    "query": "'; DROP TABLE products; -- \" OR 1=1",
    "scripts": "赤いブーツ أحذية сапоги",
    "marks": "b̷o̷o̷t̷s̷ \u202eevil\u202c \ufeff",
    "numbers": "1e999 -0 0x7f 99999999999999999999999999 ½ ٣",
    "long": "boots " * 16_667,
    "long word": "x" * 100_000,
    "brackets": "(" * 5_000,
    "digits": "9" * 50_000,
}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", ODD)
def test_an_odd_message_is_answered_and_the_next_turn_works(index: DuckDBIndex, name: str, policy: str) -> None:
    agent, answers = talk(index, "red leather", ODD[name], "size 9", policy=policy)
    assert [answer["turn"] for answer in answers] == [1, 2, 3]
    assert all(answer["recommendations"] or "that fit" in answer["reply"] for answer in answers)
    assert max(len(answer["reply"]) for answer in answers) < 1_500
    held = [fact.value for fact in agent.belief("s").constraints]
    assert {"red", "leather", "9"} <= set(held)


@pytest.mark.parametrize("name", ["blank", "spaces", "emoji", "signs", "binary"])
def test_a_message_that_says_nothing_changes_no_wish(index: DuckDBIndex, name: str) -> None:
    agent, _ = talk(index, "red boots under $90")
    before = wishes(agent.belief("s"))
    assert agent.turn("s", ODD[name])["reply"].startswith("Tell me in a few words what you are looking for.")
    assert wishes(agent.belief("s")) == before


def test_a_message_beyond_the_limit_is_read_in_part_and_said_so(index: DuckDBIndex) -> None:
    _, (answer,) = talk(index, "red boots " + "x" * 100_000)
    assert answer["reply"].startswith("I read the first 100,000 characters of your message.")
    assert shown(answer)[0] in {"BOOT06", "BOOT07", "BOOT08"}


# --- profile -------------------------------------------------------------------------------------------------------


def test_a_profile_breaks_ties_and_no_more(index: DuckDBIndex) -> None:
    plain, liking = (ShoppingAgent(catalog=index, policy="full") for _ in range(2))
    liking.reset("s", {"preference_tags": ["linen", "white"], "summary": "buys white linen"})
    assert shown(plain.turn("s", "black boots"))[:3] == shown(liking.turn("s", "black boots"))[:3]
    assert {e.fact.source for e in liking.belief("s").entries} == {"profile", "lexicon"}


def test_the_same_words_get_the_same_answers(index: DuckDBIndex) -> None:
    assert talk(index, *FORTY[:15])[1] == talk(index, *FORTY[:15])[1]
