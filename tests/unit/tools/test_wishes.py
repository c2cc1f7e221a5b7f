"""Talk about one's day is no evidence; what asks for something is."""

from __future__ import annotations

import pytest

from tests.unit.tools.lexicons import brief, read
from tools.wishes import is_talk, tells


@pytest.mark.parametrize(
    "text",
    [
        "the postman just fell off his bike",
        "my uncle's boiler packed up again",
        "we had curry last night",
        "I've been queuing since six",
        "sorry, the baby woke up",
        "hang on, kettle",
        "it's bucketing down here",
        "did you catch the final yesterday?",
        "dinner's nearly ready",
        "lovely weather this morning",
        "never used one of these bots before",
        "my gran says hello",
        "stuck in traffic again",
        "I need a nap",
        "happy easter!",
        "ouch, my knee's acting up",
        "gosh, long day",
    ],
)
def test_talk_is_no_evidence(text):
    reading = read(text)
    assert (brief(reading), reading.query_text, reading.acts) == ([], "", ["other"])


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("my umbrella blew away, got any umbrellas?", "umbrellas"),
        ("we're hosting on sunday so I need napkins", "napkins"),
        ("what a morning. kettles please", "kettles"),
        ("I think I like the tartan", "tartan"),
        ("I'm hoping to get a ukulele", "ukulele"),
        ("comfort is key", "comfort key"),
        ("a lamp that you can dim", "lamp dim"),
        ("hopefully something whimsical", "hopefully whimsical"),
    ],
)
def test_a_clause_that_asks_is_a_wish(text, query):
    reading = read(text)
    assert reading.query_text.lower() == query
    assert "add" in reading.acts


@pytest.mark.parametrize(
    "text",
    [
        "my daughter just rang me",
        "I saw a woman in the office",
        "the men are outside",
        "we watched the running on my sofa",
        "my brother got back from hiking",
    ],
)
def test_a_fact_that_only_talk_holds_is_none(text):
    reading = read(text)
    assert (brief(reading), reading.query_text) == ([], "")


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("my backpack broke last week", ["category=backpacks"]),
        ("the dog chewed my sneakers", ["category=sneakers"]),
        ("I saw a red one yesterday", ["color=red"]),
        ("we went hiking and I need boots", ["use_case=hiking", "category=boots"]),
        ("my sister is getting married, the wedding is in june", ["occasion=wedding"]),
        ("boots for my brother who is always running", ["category=boots", "department=men", "use_case=running"]),
        ("for my daughter", ["department=girls"]),
        ("it rained all week so waterproof please", ["feature=waterproof"]),
        ("I'm in the market for jeans", ["category=jeans"]),
        ("I'm comparing jackets and still looking around", ["category=jackets"]),
        ("just exploring, maybe shoes", ["category=shoes"]),
        ("I'm going through sandals", ["category=sandals"]),
        ("we're packing jackets for the hiking trip", ["category=jackets", "use_case=hiking"]),
    ],
)
def test_a_fact_stays_where_something_is_wished_planned_or_lost(text, facts):
    assert set(facts) <= set(brief(read(text)))


def test_a_fact_that_answers_the_question_stays():
    assert brief(read("we're just back from hiking", asked="use_case")) == ["use_case=hiking"]
    assert brief(read("we're just back from hiking")) == []


def test_words_of_talk_are_no_answer():
    assert brief(read("the trail bus is late again", asked="brand")) == []


def test_an_aside_is_the_reason_of_who_goes_away_only():
    assert read("brb, parcel").acts == ["other"]
    assert read("sorry, doorbells").acts == ["add"]


@pytest.mark.parametrize(
    ("clause", "certain", "talk"),
    [
        ("i spilled tea on the carpet", True, True),
        ("she paints like a master", False, True),
        ("i want to buy a rug", False, False),
        ("i want to go home", False, True),
        ("i love tartan", False, False),
        ("it looks ugly", False, False),
        ("we usually go to the lake", False, True),
        ("he's getting married in june", False, True),
    ],
)
def test_what_is_told_for_certain(clause, certain, talk):
    assert (tells(clause), is_talk(clause)) == (certain, talk)


@pytest.mark.parametrize("text", ["so " * 1300, "(my dog, " * 440, "i want " * 570, "'s " * 1300, "a-" * 2000])
def test_any_text_is_read(text):
    assert read(text).moves


@pytest.mark.parametrize("text", ["I did mean leather ones", "we did want leather", "I did ask for leather"])
def test_a_stressed_did_is_a_wish(text):
    assert brief(read(text)) == ["material=leather"]
