"""People who have nothing to say, or nothing more."""

from __future__ import annotations

import pytest

from tests.unit.tools.lexicons import brief, moves, read
from tools.exhaustion import read_exhaustion, refuses
from tools.mentions import Claims
from tools.reading import Move
from tools.words import read_text

ALL = Move(act="no_preference", attribute="all")


@pytest.mark.parametrize(
    "text",
    [
        "that about covers it",
        "nope, nothing further",
        "I gave you all I know",
        "no other wishes, thanks",
        "you've got the whole list",
        "right, we're done here",
        "can we stop the questions please?",
        "just show me what you've got",
        "honestly I can't think of anything else",
    ],
)
def test_the_end_of_a_wish_declines_everything_whatever_was_asked(text):
    assert moves(read(text, asked="brand")) == ["no_preference all"]
    assert moves(read(text)) == ["no_preference all"]


@pytest.mark.parametrize(
    "text",
    [
        "haven't the faintest",
        "hmm, couldn't say",
        "who knows?",
        "no idea what a gusset is",
        "I'd only be guessing",
        "my aunt would know, I wouldn't",
        "never gave it a thought, never thought about it",
        "you had that from me, I said so before",
        "read my first message",
        "we've been through this already",
        "I'd rather not say",
        "next question",
        "skip that",
        "no thanks",
        "makes no odds to me",
        "whichever you reckon",
        "I'm not that fussed",
        "couldn't care less",
        "you know better than I do",
    ],
)
def test_a_shrug_declines_what_was_asked(text):
    reading = read(text, asked="material")
    assert moves(reading) == ["no_preference material"]
    assert (brief(reading), reading.query_text) == ([], "")


@pytest.mark.parametrize("text", ["no clue", "hard to say", "see what I wrote earlier"])
def test_without_a_question_a_shrug_declines_the_open_one(text):
    assert moves(read(text)) == ["no_preference other"]


def test_refusing_means_so_only_in_an_answer():
    assert moves(read("skip that", asked="size")) == ["no_preference size"]
    assert "no_preference" not in read("skip that").acts
    assert refuses("skip that") and not refuses("skip the leather")


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("no clue, red maybe", ["color=red"]),
        ("not sure, suede I suppose", ["material=suede"]),
        ("I couldn't say but no wool", ["-material=wool"]),
        ("I wouldn't know, just a hood", ["style=hooded"]),
    ],
)
def test_a_shrug_beside_a_fact_is_none(text, facts):
    reading = read(text, asked="brand")
    assert brief(reading) == facts
    assert "no_preference" not in reading.acts


def test_the_end_of_a_wish_counts_beside_a_fact():
    reading = read("black boots, that's everything")
    assert brief(reading) == ["color=black", "category=boots"]
    assert moves(reading) == ["no_preference all"]


def test_something_unexplained_beside_a_shrug_is_a_wish():
    assert read("idk, sort of floaty and bohemian", asked="style").acts == ["add"]


@pytest.mark.parametrize(
    "text",
    [
        "anything else in stock?",
        "any good ones?",
        "what sizes do you have?",
        "can you choose a jacket for me",
        "are any of these boots great?",
        "is there nothing else?",
        "nothing else will do",
        "don't tell me that's all you have",
        "that was easy!",
        "don't mind me",
        "I'll go for it",
        "forget what I said",
        "whatever keeps me dry in a storm",
    ],
)
def test_what_only_sounds_like_declining(text):
    assert "no_preference" not in read(text).acts


def test_praise_is_no_answer_that_declines():
    assert read("ha, you're brilliant", asked="color").acts == ["other"]


def test_what_is_said_after_but_belongs_to_what_stands_before_it():
    assert "no_preference" not in read("leather is nice but isn't essential").acts
    assert "no_preference" not in read("anything but suede", asked="material").acts


def test_of_a_long_message_the_last_clauses_are_read():
    talk = read_text("black, " * 30 + "that's all")
    assert read_exhaustion(talk, Claims(len(talk.low)), None).stated == [ALL]


@pytest.mark.parametrize("text", ["", "   ", "?!", "no " * 1300, "no, " * 1000, "already " * 500, "\U0001f937"])
def test_any_text_is_read(text):
    assert len(read_exhaustion(read_text(text), Claims(len(text)), "color").stated) <= 1


@pytest.mark.parametrize("text", ["thinking about boots, no firm ideas", "boots, without any fixed plan yet"])
def test_vague_plans_at_the_start_decline_nothing(text):
    assert not [move for move in moves(read(text)) if move.startswith("no_preference")]
