"""Dialogue moves that need no catalog."""

from __future__ import annotations

import pytest

from tests.unit.tools.lexicons import brief, held, moves, read


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("start over", ["reset"]),
        ("Let's start over.", ["reset"]),
        ("ok, new search", ["reset"]),
        ("reset", ["reset"]),
        ("forget everything", ["reset"]),
        ("undo", ["undo"]),
        ("go back", ["undo"]),
        ("please undo that", ["undo"]),
        ("none of these", ["negate"]),
        ("not quite right, ask me about one thing", ["negate"]),
        ("I don't like any of these", ["negate"]),
        ("show me something else", ["negate"]),
        ("he'd say no to all ten", ["negate"]),
        ("no, mine isn't here", ["negate"]),
        ("I don't like the second one", ["negate 2"]),
        ("not the first one", ["negate 1"]),
        ("the second one", ["refer 2"]),
        ("I'll take the first", ["refer 1"]),
        ("number three", ["refer 3"]),
        ("like #2 please", ["refer 2"]),
        ("option 4", ["refer 4"]),
        ("the last one", ["refer -1"]),
        ("number 9", ["refer 9"]),
        ("the first and the third one", ["refer 1 3"]),
        ("tell me about the second one", ["ask_info 2"]),
        ("is the first one leather?", ["ask_info 1"]),
        ("how much is number 3?", ["ask_info budget 3"]),
        ("compare 1 and 3", ["compare 1 3"]),
        ("compare the first and the second", ["compare 1 2"]),
        ("which one is better?", ["compare"]),
        ("forget the budget", ["remove budget"]),
        ("Remove color.", ["remove color"]),
        ("drop the brand please", ["remove brand"]),
        ("never mind the price", ["remove budget"]),
        ("No preference for size.", ["no_preference size"]),
        ("I have no additional preference for brand.", ["no_preference brand"]),
        ("no additional preference for use_case", ["no_preference use_case"]),
        ("no additional preference for other", ["no_preference other"]),
        ("any colour is fine", ["no_preference color"]),
        ("any brand works", ["no_preference brand"]),
        ("I don't care about the brand", ["no_preference brand"]),
        ("size doesn't matter", ["no_preference size"]),
        ("cost is not a problem for me", ["no_preference budget"]),
        ("I don't have any budget restrictions", ["no_preference budget"]),
        ("no budget limit", ["no_preference budget"]),
        ("not picky about color", ["no_preference color"]),
        ("you decide", ["no_preference all"]),
        ("whatever", ["no_preference all"]),
        ("up to you", ["no_preference all"]),
        ("no preference, use your judgment", ["no_preference all"]),
        ("surprise me", ["no_preference all"]),
        ("I have no preference on the color; use your judgment.", ["no_preference color"]),
        ("any size", ["no_preference size"]),
        ("let's go back one step", ["undo"]),
        ("I can pay a bit more", ["relax budget"]),
        ("hi", ["other"]),
        ("thanks!", ["other"]),
        ("\U0001f45f", ["other"]),
        ("", ["other"]),
        ("how are you?", ["other"]),
    ],
)
def test_moves(text, found):
    reading = read(text)
    assert moves(reading) == found
    assert brief(reading) == []


@pytest.mark.parametrize(
    "text", ["no", "anything", "any", "don't care", "not really", "no idea", "whatever", "you pick", "nope"]
)
def test_short_answers_decline_what_was_asked(text):
    assert moves(read(text, asked="brand")) == ["no_preference brand"]


def test_a_bare_no_to_no_question_declines_everything_only_when_it_says_so():
    assert moves(read("no", asked=None)) == ["other"]
    assert moves(read("no preference", asked=None)) == ["no_preference all"]


def test_a_no_beside_a_fact_is_only_a_no():
    reading = read("no, black boots please", asked="brand")
    assert brief(reading) == ["color=black", "category=boots"]
    assert moves(reading) == []


@pytest.mark.parametrize("text", ["first of all, black boots", "boots for the last week", "red boots, my first pair"])
def test_no_reference(text):
    assert not [move for move in read(text).moves if move.act == "refer"]


def test_go_back_in_a_sentence_is_no_undo():
    assert "undo" not in read("boots I can wear when I go back to work").acts


def test_a_question_about_a_product_states_no_fact():
    reading = read("is the second one waterproof?")
    assert reading.acts == ["ask_info"]
    assert reading.facts == []


@pytest.mark.parametrize(
    "text",
    [
        "do you have any other boots?",
        "any size XXL boots?",
        "boots without any zipper",
        "let's go back to boots",
        "keep looking at boots",
    ],
)
def test_looking_for_more_is_not_declining(text):
    assert not {"no_preference", "undo"} & set(read(text).acts)


def test_a_description_without_a_question_mark_is_no_question():
    assert "ask_info" not in read("is the same color but longer, red").acts


def test_one_message_may_carry_several_moves():
    reading = read("forget the budget, no leather, and any color is fine", belief=held("budget<=50"))
    assert moves(reading) == ["remove budget", "no_preference color"]
    assert brief(reading) == ["-material=leather"]
