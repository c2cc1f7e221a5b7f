"""The reader as a whole: query text, strength, confidence, and that it never raises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.product import ATTRIBUTES, FINER_NAMES
from graph.events import BeliefState
from tests.unit.tools.lexicons import READER, brief, read
from tools.reading import Question
from tools.words import READ_LIMIT


def test_a_whole_request():
    reading = read("I need black boots, not suede, ideally under $50, at least 4 stars")
    assert brief(reading) == ["color=black", "category=boots", "-material=suede", "budget<=50", "rating>=4"]
    assert [fact.strength for fact in reading.facts] == ["hard", "hard", "hard", "soft", "hard"]
    assert reading.acts == ["add", "negate"]
    assert reading.query_text == "black boots"
    assert reading.confidence == 1.0


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("hi, could you show me some cozy boots?", "cozy boots"),
        ("I'm looking for a summit jacket under $50", "summit jacket"),
        ("A key requirement is: Rolls up small; dries fast", "Rolls up small dries fast"),
        ("no preference for size", ""),
        ("thanks!", ""),
        ("what's in stock, let's see boots", "boots"),
        ("dress without sleeves", "dress sleeveless"),
        ("no laces boots", "slip on boots"),
        ("no-show socks", "no-show socks"),
        ("What I need is: Department: womens; color: navy", "womens navy"),
        ("I have no preference on the color; use your judgment.", ""),
        ("my budget is a hundred bucks", ""),
        ("ring ring", "ring ring"),
        ("the brand Gap", "Gap"),
        ("not Nike, trail shoes", "trail shoes"),
    ],
)
def test_query_text_keeps_the_words_that_retrieve(text, query):
    assert read(text).query_text == query


@pytest.mark.parametrize(
    ("text", "strength"),
    [
        ("must be leather", "hard"),
        ("leather only", "hard"),
        ("it has to be leather", "hard"),
        ("leather", "hard"),
        ("ideally leather", "soft"),
        ("maybe leather", "soft"),
        ("I like leather", "soft"),
        ("leather would be nice", "soft"),
        ("leather is preferred", "soft"),
        ("leather if possible", "soft"),
    ],
)
def test_strength(text, strength):
    assert [fact.strength for fact in read(text).facts] == [strength]


def test_a_hedge_stays_in_its_clause():
    reading = read("ideally leather, size 9")
    assert [fact.strength for fact in reading.facts] == ["soft", "hard"]


def test_confidence_falls_with_what_is_not_understood():
    clear, odd, empty = read("black boots"), read("black boots flumox grizzle"), read("")
    assert clear.confidence == 1.0
    assert odd.confidence == 0.5
    assert odd.unexplained == ["flumox", "grizzle"]
    assert empty.confidence == 0.0


def test_only_the_first_characters_of_a_very_long_message_are_read():
    reading = read("black boots " + "x" * READ_LIMIT + " leather")
    assert "material=leather" not in brief(reading)
    assert brief(reading)[:2] == ["color=black", "category=boots"]


@pytest.mark.parametrize(
    "text",
    [
        "\x00\x01\x02",
        "\ud800 boots",
        "\ufffd" * 50,
        "a" * 100_000,
        "no " * 30_000,
        "1" * 100_000,
        ": " * 50_000,
        "$" * 9_000,
        "not a " * 700,
        "(((((",
        "\u0130\u0130 boots",
        "\u200b\u200bboots",
        "size " * 800,
        "between " * 500,
        "4 " * 2_000,
    ],
)
def test_hard_texts_are_read_without_fault(text):
    reading = READER.read(text, Question(attribute="budget"), BeliefState())
    assert 0.0 <= reading.confidence <= 1.0
    reading.model_dump_json()


_WORDS = """
not no without boots black navy or and , . ; : under $50 50 size 9 large the second one any color
is fine instead of actually leather don't want anything but 4 stars reviews key requirement is color: navy; suede -nike
start over change cheaper than
"""
_PIECES = st.sampled_from(_WORDS.split())
_TEXTS = st.one_of(st.text(max_size=200), st.lists(_PIECES, max_size=30).map(" ".join))


@given(_TEXTS, st.sampled_from([None, "other", *ATTRIBUTES]))
def test_any_text_is_read_and_every_fact_is_grounded_in_it(text, asked):
    reading = READER.read(text, Question(attribute=asked), BeliefState())
    for fact in reading.facts:
        assert fact.span is not None
        start, end = fact.span
        assert 0 <= start < end <= len(text)
        assert fact.text == text[start:end]
        assert fact.attribute in ATTRIBUTES
        assert fact.detail is None or FINER_NAMES[fact.detail] == fact.attribute
    positive = [f for f in reading.facts if f.polarity == "positive"]
    negative = [f for f in reading.facts if f.polarity == "negative"]
    assert all(
        (f.facet_key, f.value, f.span) not in [(n.facet_key, n.value, n.span) for n in negative] for f in positive
    )


@given(_TEXTS)
def test_reading_twice_gives_the_same(text):
    first = READER.read(text, Question(), BeliefState())
    assert READER.read(text, Question(), BeliefState()) == first


@given(st.text(alphabet="abc $50'\u2019", max_size=60))
def test_curly_and_straight_apostrophes_act_alike(text):
    curly = READER.read(text.replace("'", "\u2019"), Question(), BeliefState())
    straight = READER.read(text.replace("\u2019", "'"), Question(), BeliefState())
    assert brief(curly) == brief(straight)


def test_a_cue_inside_a_value_is_a_word_of_the_value():
    assert read("navy only").facts[0].firm
    fact = read("let's say hand wash only").facts[0]
    assert (fact.value, fact.firm) == ("hand wash only", False)
