from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from catalog.product import Product
from evals.answer import Answer
from evals.errors import EvaluationError
from evals.official.cards import hidden_card
from evals.official.shopper import OfficialShopper
from evals.reworded.generate import reword_sessions
from evals.reworded.sentences import Sentences, read_sentences, shipped
from evals.reworded.shopper import RewordedSession, RewordedShopper, frames
from evals.session_files import generate
from tests.unit.evals.shelf import shelf

ASK = Answer.model_validate({"message": "?", "ask_attribute": "other", "recommendations": []})


def written(product: Product, **changes: Any) -> Sentences:
    values = hidden_card(product, clean=True).values
    row = {
        "session_id": "w1",
        "target": product.parent_asin,
        "scenario": "browsing",
        "opening": "something snug to throw over my shoulders",
        "values": tuple(f"said otherwise {number}" for number in range(len(values))),
        "no_preference": "couldn't care less",
        "exhausted": ("that's my lot", "no more from me"),
        "not_right": "none of those, ask away",
    }
    return Sentences.model_validate(row | changes)


def reworded(verbatim: bool = False, **changes: Any) -> RewordedSession:
    product = shelf()[0]
    return reword_sessions([product], [written(product, **changes)], verbatim=verbatim)[0]


def test_the_facts_are_said_in_the_written_words_by_the_rules_of_p1() -> None:
    session = reworded()
    spoken, templated = RewordedShopper(session), OfficialShopper(session)
    assert spoken.opening() == "something snug to throw over my shoulders"
    templated.opening()
    assert spoken.reply(2, ASK, []) == "said otherwise 0. said otherwise 1."
    templated.reply(2, ASK, [])
    assert spoken.undisclosed == templated.undisclosed
    assert spoken.stated == templated.stated


def test_a_shopper_with_nothing_to_add_says_so_in_the_next_of_his_sentences() -> None:
    spoken = RewordedShopper(reworded())
    spoken.opening()
    while spoken.undisclosed:
        spoken.reply(2, ASK, [])
    assert [spoken.reply(turn, ASK, []) for turn in (5, 6, 7)] == ["that's my lot", "no more from me", "that's my lot"]


def test_an_override_and_the_replies_without_facts_are_the_written_ones() -> None:
    session = reworded(scenario="intent_override", override="actually no, this instead")
    spoken = RewordedShopper(session)
    assert spoken.override_turn is not None
    assert spoken.reply(spoken.override_turn, ASK, []) == "actually no, this instead"
    assert RewordedShopper(session).reply(9, None, []) == "none of those, ask away"
    assert RewordedShopper(reworded(scenario="boundary")).reply(2, ASK, []) == "couldn't care less"


@pytest.mark.parametrize("scenario", ["buying", "intent_override", "browsing", "boundary"])
def test_verbatim_sessions_say_the_records_words_in_no_sentence_of_the_template(scenario: str) -> None:
    override = "changed" if scenario == "intent_override" else None
    session = reworded(verbatim=True, scenario=scenario, override=override)
    opening = RewordedShopper(session).opening()
    assert session.category in opening
    assert opening != OfficialShopper(session).opening()
    reply = RewordedShopper(session).reply(9, ASK, []) if scenario == "browsing" else ""
    assert all(value in reply for value in (session.card.values[:2] if reply else ()))


def test_every_scenario_has_frames_and_each_has_its_places() -> None:
    assert set(frames().opening) == {"buying", "intent_override", "browsing", "boundary"}
    assert all("{value}" in frame for frame in (*frames().value, *frames().override))
    for scenario, sentences in frames().opening.items():
        assert all("{category}" in frame for frame in sentences)
        assert all(("{value}" in frame) == (scenario in ("buying", "intent_override")) for frame in sentences)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"target": "NOWHERE"}, "no product NOWHERE"),
        ({"values": ("only one",)}, "write one for each"),
        ({"opening": "get me {id} now"}, "carries the id"),
    ],
)
def test_sentences_that_do_not_fit_the_catalog_are_refused(changes: dict[str, Any], message: str) -> None:
    product = shelf()[0]
    row = written(product)
    filled = {
        key: text.replace("{id}", product.parent_asin) if key == "opening" else text for key, text in changes.items()
    }
    with pytest.raises(EvaluationError, match=message):
        reword_sessions([product], [row.model_copy(update=filled)])


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("", "holds no sentences"),
        ('{"session_id": "a"}\n', "line 1: target"),
        ("not json\n", "line 1"),
    ],
)
def test_a_bad_file_of_sentences_is_named_with_the_line(tmp_path: Path, lines: str, message: str) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(lines)
    with pytest.raises(EvaluationError, match=message):
        read_sentences(str(path))
    with pytest.raises(EvaluationError, match="give a file or one of"):
        read_sentences(str(tmp_path / "absent.jsonl"))


def test_an_override_belongs_to_its_scenario_alone(tmp_path: Path) -> None:
    row = written(shelf()[0])
    path = tmp_path / "mine.jsonl"
    path.write_text(row.model_copy(update={"override": "no, wait"}).model_dump_json() + "\n")
    with pytest.raises(EvaluationError, match="an override belongs to the scenario intent_override"):
        read_sentences(str(path))


def test_the_shipped_sentences_are_read_and_no_two_sessions_share_an_opening() -> None:
    rows = [row for name in shipped() for row in read_sentences(name)]
    assert len(rows) >= 240
    assert len({row.opening.lower() for row in rows}) == len(rows)


def test_reworded_sessions_are_not_drawn(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="make them with 'eval reword'"):
        generate(tmp_path / "absent.duckdb", tmp_path / "out.jsonl", protocol="reworded")
