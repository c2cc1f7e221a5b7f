from __future__ import annotations

from evals.answer import Answer
from evals.natural.session import Switch
from evals.natural.shopper import NaturalShopper
from tests.unit.evals.natural_shelf import fact, session

COLOR = fact("color", "navy", "It should be navy.")
WOOL = fact("material", "wool", "I want wool.")


def answer(message: str, attribute: str | None) -> Answer:
    return Answer.model_validate({"message": message, "ask_attribute": attribute, "recommendations": []})


ASK_COLOR = answer("Which color?", "color")
ASK_ALL = answer("Anything else?", "other")


def test_each_good_question_brings_out_one_fact() -> None:
    shopper = NaturalShopper(session(COLOR, WOOL))
    assert shopper.opening() == "I need a hoodie."
    assert shopper.reply(2, ASK_COLOR, []) == "It should be navy."
    assert shopper.reply(3, answer("Which fabric?", "material"), []) == "I want wool."


def test_two_facts_of_a_kind_take_two_questions() -> None:
    both = fact("quality", "warm", "It should be warm."), fact("part", "pockets", "With pockets, please.")
    shopper = NaturalShopper(session(*both))
    feature = answer("Which features matter?", "feature")
    assert [shopper.reply(turn, feature, []) for turn in (2, 3)] == ["It should be warm.", "With pockets, please."]


def test_a_repeated_question_is_answered_as_before_and_so_marked() -> None:
    of = session(COLOR)
    shopper = NaturalShopper(of)
    shopper.reply(2, ASK_COLOR, [])
    again = shopper.reply(3, ASK_COLOR, [])
    assert again == of.moves["already_told"][0].replace("{fact}", "It should be navy.")


def test_a_broad_question_brings_out_one_fact_once() -> None:
    of = session(COLOR, WOOL)
    shopper = NaturalShopper(of)
    assert shopper.reply(2, ASK_ALL, []) in (COLOR.said, WOOL.said)
    assert shopper.reply(3, ASK_ALL, []) == of.moves["too_broad"][0]


def test_a_broad_question_with_nothing_left_finds_the_shopper_exhausted() -> None:
    of = session(COLOR)
    shopper = NaturalShopper(of)
    shopper.reply(2, ASK_COLOR, [])
    assert shopper.reply(3, ASK_ALL, []) == of.moves["exhausted"][0]


def test_unasked_unclear_irrelevant_and_indifferent_replies_reveal_nothing() -> None:
    of = session(COLOR)
    shopper = NaturalShopper(of)
    assert shopper.reply(2, None, []) == of.moves["not_right"][0]
    assert shopper.reply(3, answer("Which color?", "size"), []) == of.moves["unclear"][0]
    assert shopper.reply(4, answer("What is your email?", "other"), []) == of.moves["irrelevant"][0]
    size = shopper.reply(5, answer("Which size?", "size"), [])
    assert size == of.moves["no_preference"][0].replace("{attribute}", "size")
    assert shopper.reply(6, ASK_COLOR, []) == "It should be navy."


def test_what_stands_in_the_profile_is_said_to_stand_there() -> None:
    of = session(fact("color", "navy", "It should be navy.", "profile", tag="navy"), WOOL, scenario="profile_hidden")
    assert of.user_profile.preference_tags == ["navy"]
    assert "navy" in of.user_profile.summary
    said = NaturalShopper(of).reply(2, ASK_COLOR, [])
    assert said == of.moves["in_profile"][0].replace("{fact}", "It should be navy.")


def test_a_broad_question_finds_the_profile_when_nothing_else_is_left() -> None:
    of = session(fact("color", "navy", "It should be navy.", "profile", tag="navy"), scenario="profile_hidden")
    shopper = NaturalShopper(of)
    assert shopper.reply(2, ASK_ALL, []) == of.moves["in_profile"][0].replace("{fact}", "It should be navy.")
    assert shopper.reply(3, ASK_ALL, []) == of.moves["exhausted"][0]
    assert shopper.reply(4, ASK_COLOR, []) == of.moves["already_told"][0].replace("{fact}", "It should be navy.")


def test_a_change_of_mind_comes_at_its_turn_and_hits_count_from_there() -> None:
    old, new = fact("color", "red", "red", "old"), fact("color", "navy", "It should be navy.", "new")
    of = session(
        old, new, WOOL, scenario="intent_override", switch=Switch(turn=3, message="Forget red. It should be navy.")
    )
    shopper = NaturalShopper(of)
    assert "red" in shopper.reply(2, ASK_COLOR, [])
    assert shopper.reply(3, ASK_COLOR, []) == "Forget red. It should be navy."
    assert shopper.reply(4, ASK_COLOR, []).endswith("It should be navy.")
    assert [shopper.counts(turn) for turn in (1, 2, 3, 4)] == [False, False, True, True]
