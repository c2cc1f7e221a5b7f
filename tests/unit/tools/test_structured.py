"""The structured form: frames, keys, value lists and free text that must survive."""

from __future__ import annotations

import pytest

from tests.unit.tools.lexicons import brief, read


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("A key requirement is: color: navy.", ["color=navy"]),
        ("A key requirement is: cotton.", ["material=cotton"]),
        ("The key requirement: leather", ["material=leather"]),
        ("I would like color: red.", ["color=red"]),
        ("I'd like brand: Clarks.", ["brand=clarks"]),
        ("I would like size: XX-Large.", ["size=2xl"]),
        ("I do not want material: suede.", ["-material=suede"]),
        ("I don't want brand: Nike.", ["-brand=nike"]),
        ("Please avoid: polyester", ["-material=polyester"]),
        ("color: navy", ["color=navy"]),
        ("Colour: Grey", ["color=grey"]),
        ("Department: womens", ["department=women"]),
        ("Closure type: Zipper", ["closure=zipper"]),
        ("color: navy\nsize: 9\nbrand: Skechers", ["color=navy", "size=9", "brand=skechers"]),
        ("color: navy, size: 9 wide, brand: Skechers", ["color=navy", "size=9 wide", "brand=skechers"]),
        ("hmm, color: navy I think", ["color=navy"]),
        ("color: navy please", ["color=navy"]),
        ("well, color: red would be the main thing for me, honestly", ["color=red"]),
        ("color: navy stripes", ["color*navy stripes"]),
        ("color: navy and sand", ["color*navy and sand"]),
        ("budget: under $40", ["budget<=40"]),
        ("price: 25-40", ["budget..25,40"]),
        ("rating: at least 4", ["rating>=4"]),
        ("What matters to me is: budget around $30", ["budget~30"]),
        ("For that, what matters is: Zipper closure; 100% Cotton", ["closure=zipper", "feature*100% cotton"]),
        ("What I need is: cotton; color: blue", ["material=cotton", "color=blue"]),
        ("Must have: waterproof; leather", ["feature*waterproof", "material=leather"]),
        ("My requirements are: black, leather, size 9", ["color=black", "material=leather", "size=9"]),
        (
            "A key requirement is: Wash: machine cold; tumble dry on low",
            ["feature*wash: machine cold; tumble dry on low"],
        ),
        (
            "I need: SUMMIT FIT: our widest toe box yet, made for long days; see chart",
            ["feature*summit fit: our widest toe box yet, made for long days; see chart"],
        ),
        ("Care instructions: Hand wash only", ["feature*care instructions: hand wash only"]),
        ("Nice to have: breathable mesh panels", ["feature*breathable mesh panels"]),
    ],
)
def test_facts_of_the_structured_form(text, facts):
    assert brief(read(text)) == facts


def test_a_frame_follows_plain_words_in_the_same_message():
    reading = read("I'm looking for Dresses Casual. A key requirement is: cotton.")
    assert brief(reading) == ["category=dresses casual", "material=cotton"]
    assert reading.facts[1].strength == "hard"
    assert reading.facts[1].source == "structured"


def test_an_override_takes_everything_back_and_keeps_the_free_text_whole():
    reading = read("Actually, ignore my earlier preference. What I need is: Dries fast; never iron it. Imported")
    (move,) = reading.moves
    assert (move.act, move.attribute, move.value) == ("replace", None, "all")
    assert move.fact is not None
    assert move.fact.text == "Dries fast; never iron it. Imported"
    assert move.fact.polarity == "positive"


def test_a_value_cut_at_180_characters_survives_verbatim():
    bullet = ("PACKS SMALL: " + "rolls into a pouch, easily; " * 8)[:180].rstrip()
    (fact,) = read(f"A key requirement is: {bullet}").facts
    assert (fact.attribute, fact.op) == ("feature", "contains")
    assert fact.text == bullet.rstrip(" ;")


def test_softer_frames_give_soft_facts():
    assert read("Nice to have: leather").facts[0].strength == "soft"
    assert read("Must have: leather").facts[0].strength == "hard"


@pytest.mark.parametrize(
    "text",
    ["question: do you have a gift wrap?", "hi: hello", "it is 10:30 now", "see http://example.org/x", ":", "::: :"],
)
def test_no_structured_fact_where_there_is_none(text):
    assert not [fact for fact in read(text).facts if fact.source == "structured"]


def test_a_key_in_a_sentence_ends_where_the_shopper_talks_on():
    assert brief(read("find vintage boots, size: 9 wide, help me please")) == [
        "style=vintage",
        "category=boots",
        "size=9 wide",
    ]


def test_an_unknown_value_of_a_known_key_is_contained_not_equal():
    """Equality with a value that the catalog does not hold would be violated by every product."""
    (fact,) = read("color: glacier mist").facts
    assert (fact.attribute, fact.op, fact.value) == ("color", "contains", "glacier mist")
