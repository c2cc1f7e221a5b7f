"""The record of each node: short, readable, and a pure function of state, update and basis."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.events import (
    AttributeAsked,
    ConstraintAdded,
    ConstraintReplaced,
    ConstraintRetracted,
    Event,
    Fact,
    IntentReset,
    PreferenceDeclined,
    ProductsChosen,
    ProductsRejected,
    QueryTextAdded,
    TurnUndone,
    dump,
)
from graph.shopping import NODES
from graph.state import State, TurnState, gather_steps, gather_times
from graph.watching import LONG, SHORT, TELLERS, cut, step_of
from tools.reading import Move, Reading

NAVY = Fact(attribute="color", value="navy")
BOOTS = Fact(attribute="category", value="boots")
CHEAP = Fact(attribute="budget", value=60.0, op="le", strength="hard")
HELD = dump([ConstraintAdded(turn=1, fact=NAVY), ConstraintAdded(turn=1, fact=CHEAP)])


def parts(step: dict[str, Any]) -> tuple[str, str, str]:
    return step["in"], step["decided"], step["why"]


def test_every_node_has_words_of_its_own() -> None:
    assert set(TELLERS) == set(NODES)


def test_route() -> None:
    update = {"message": "just looking", "turn": 3, "mode": "browsing", "notices": ["I read the first 9 characters."]}
    assert parts(step_of("route", State(), update, {})) == (
        '12 characters: "just looking"',
        "turn 3, browsing",
        "words of browsing; I read the first 9 characters.",
    )


def test_canonicalize() -> None:
    reading = Reading(moves=[Move(act="add", fact=NAVY)], confidence=0.75, unexplained=["zanzibar"])
    state = TurnState(message="navy zanzibar", events=dump([AttributeAsked(turn=1, attribute="color")]))
    assert parts(step_of("canonicalize", state, {"reading": reading.model_dump(mode="json")}, {})) == (
        '"navy zanzibar", asked for color',
        "color navy",
        "facts: 1 by lexicon; confidence 0.75; not explained: zanzibar",
    )


def test_translate_and_fall_back() -> None:
    state = TurnState(reading={"confidence": 0.4})
    failed = {"translation": {"status": "unavailable", "reason": "no model configured"}}
    assert parts(step_of("translate", state, failed, {})) == (
        "the rules' reading, confidence 0.40",
        "unavailable",
        "no model configured",
    )
    fallen = TurnState(translation=failed["translation"])
    update = {"translation": {"status": "fell_back", "reason": "no model configured"}}
    assert parts(step_of("fall_back", fallen, update, {})) == (
        "translation unavailable",
        "the rules' reading stands",
        "no model configured",
    )


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (ConstraintAdded(turn=2, fact=BOOTS), "+ category boots"),
        (ConstraintReplaced(turn=2, attribute="color", fact=NAVY), "instead of color: color navy"),
        (ConstraintReplaced(turn=2), "instead of all preferences: nothing"),
        (ConstraintReplaced(turn=2, attribute="words"), "instead of the words before: nothing"),
        (ConstraintRetracted(turn=2, attribute="color", value="navy"), "- color navy"),
        (PreferenceDeclined(turn=2, attribute="brand"), "no preference on brand"),
        (QueryTextAdded(turn=2, text="shiny"), 'words "shiny"'),
        (ProductsRejected(turn=2, products=["A", "B"]), "2 turned down"),
        (ProductsChosen(turn=2, products=["A"]), "chosen A"),
        (IntentReset(turn=2, keep=["budget"]), "new intent, keeps budget"),
        (TurnUndone(turn=2, undone=1), "turn 1 taken back"),
    ],
)
def test_track_words_each_event(event: Event, words: str) -> None:
    state = TurnState(events=HELD, reading={"moves": [{"act": "add"}]}, notices=["old"])
    update = {"events": dump([event]), "notices": ["old", "new"]}
    assert parts(step_of("track", state, update, {})) == ("1 move, 2 facts held", words, "acts: add; new")


def test_retrieve() -> None:
    found = {"by text": 1640, "by facts": 300}
    update = {"query": "navy boots", "candidates": list(range(1812))}
    assert parts(step_of("retrieve", TurnState(), update, found)) == (
        'query "navy boots"',
        "1,812 candidates",
        "1,640 by text, 300 by facts",
    )


def test_filter_names_what_dropped_most_and_what_was_given_up() -> None:
    basis = {"withheld": 10, "dropped": {"color navy": 88, "at most $60": 412}}
    state = TurnState(candidates=list(range(812)))
    update: dict[str, Any] = {"candidates": list(range(57)), "relaxed": []}
    assert parts(step_of("filter", state, update, basis)) == (
        "812 candidates",
        "57 left",
        "nothing relaxed; 10 withheld; at most $60 dropped 412, color navy dropped 88",
    )
    update["relaxed"] = [{"fact": "color navy"}]
    assert step_of("filter", state, update, {})["why"] == "gave up color navy"


def test_rank_says_what_the_leader_leads_by() -> None:
    basis = {"leader": "A1", "terms": {"prior": 0.5, "text": 0.0, "fact:0": -2.0, "words": 1.2}}
    state = TurnState(events=HELD, candidates=[1, 2])
    assert parts(step_of("rank", state, {"candidates": [2, 1], "scores": [-0.3, -1.0]}, basis)) == (
        "2 candidates",
        "A1 leads by 0.70; 2 kept",
        "-0.30 = color navy -2.00 words +1.20 prior +0.50",
    )
    assert parts(step_of("rank", TurnState(), {"candidates": [], "scores": []}, {})) == ("0 candidates", "none", "")


def test_clarify_says_why_this_question() -> None:
    basis = {
        "leaders": 30,
        "reason": "",
        "splits": {"size": 0.62, "brand": 0.41},
        "worth": {"size": 0.31, "brand": 0.2},
    }
    state = TurnState(turn=2, events=[*HELD, *dump([PreferenceDeclined(turn=2, attribute="style")])])
    update = {"ask_attribute": "size", "options": ["9", "10"], "commit": 3}
    assert parts(step_of("clarify", state, update, basis)) == (
        "turn 2, 30 leaders",
        "asks size (9, 10); shows 3",
        "splits the leaders 0.62 of the time, worth 0.31; brand 0.20; known: color, budget; declined: style",
    )
    nothing = {"ask_attribute": None, "options": [], "commit": 10}
    told = step_of("clarify", TurnState(), nothing, {"reason": "the shopper has nothing to add"})
    assert parts(told)[1:] == ("asks nothing; shows 10", "the shopper has nothing to add")


def test_respond() -> None:
    state = State(candidates=[1, 2], commit=1, ask_attribute="size", notices=["I gave up."])
    update = {"recommendations": [{"parent_asin": "A1", "score": 1.0}]}
    assert parts(step_of("respond", state, update, {"unmet": ["size 9"]})) == (
        "1 product to show",
        "asks size; 1 shown: A1",
        "none is known to meet: size 9; said: I gave up.",
    )


def test_a_node_of_ones_own_is_told_by_what_it_wrote() -> None:
    told = step_of("own_brand_first", TurnState(candidates=[1]), {"candidates": [1], "commit": 1}, {"moved": 3})
    assert parts(told) == ("1 candidate", "wrote candidates (1), commit", "moved 3")


@given(st.text(max_size=200), st.integers(4, 120))
def test_cut_text_is_one_short_line(text: str, most: int) -> None:
    short = cut(text.encode(errors="replace").decode(), most)
    assert len(short.encode()) <= most
    assert "\n" not in short


def test_cut_leaves_what_fits_alone() -> None:
    assert cut("navy  boots\n", 11) == "navy boots"
    assert cut("é" * 10, 10) == "ééé…"


@given(st.text(max_size=400))
def test_a_record_is_small_and_the_same_each_time(message: str) -> None:
    state = TurnState(message=message, events=dump([QueryTextAdded(turn=1, text=message)]))
    reading = Reading(unexplained=[message] * 9).model_dump(mode="json")
    step = step_of("canonicalize", state, {"reading": reading}, {})
    assert sum(len(part.encode()) for part in step.values()) <= 2 * SHORT + LONG + len("canonicalize")
    assert step == step_of("canonicalize", state, {"reading": reading}, {})


def test_records_of_a_turn_follow_each_other_and_the_next_turn_begins_anew() -> None:
    route, rank = {"node": "route"}, {"node": "rank"}
    assert gather_steps([route], [rank]) == [route, rank]
    assert gather_steps([route, rank], [route]) == [route]
    assert gather_steps([rank], []) == [rank]
    assert gather_times({"route": 1.0}, {"rank": 2.0}) == {"route": 1.0, "rank": 2.0}
    assert gather_times({"route": 1.0, "rank": 2.0}, {"route": 3.0}) == {"route": 3.0}


def test_an_empty_answer_is_told_as_one() -> None:
    step = step_of("respond", TurnState(commit=0), {"recommendations": [], "ask_attribute": None}, {})
    assert parts(step) == ("0 products to show", "nothing shown", "")
