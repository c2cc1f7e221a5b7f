from __future__ import annotations

import pytest

from evals.errors import EvaluationError
from evals.natural.facts import Claim, is_true, record
from evals.natural.generate import natural_sessions
from evals.natural.signature import Shelf, claims_of, kind_of
from evals.natural.speech import Speaker, article
from evals.natural.tables import KINDS, MOVES, NUMBERS, tables
from evals.natural.validate import validate_sessions
from tests.unit.evals.natural_shelf import sessions, shelf


def test_generated_sessions_break_no_rule() -> None:
    assert validate_sessions(shelf(), sessions()) == []


def test_the_same_arguments_give_the_same_sessions_and_another_seed_gives_others() -> None:
    assert sessions(14, 5) == sessions(14, 5)
    assert {item.target for item in sessions(14, 5)} != {item.target for item in sessions(14, 6)}


def test_every_scenario_gets_its_share() -> None:
    scenarios = [item.scenario for item in sessions(21)]
    assert {scenarios.count(name) for name in tables().scenarios} == {3}


def test_the_facts_single_the_target_out_and_the_opening_does_not() -> None:
    records = [record(product) for product in shelf()]
    for of in sessions():
        opening = [fact.claim for fact in of.in_slot("opening")]
        assert [item.parent_asin for item in records if all(is_true(claim, item) for claim in of.signature)] == [
            of.target
        ]
        left = sum(all(is_true(claim, item) for claim in opening) for item in records)
        assert left == 1 if of.scenario == "direct_search" else left >= 3


def test_too_few_products_are_said_to_be_too_few() -> None:
    with pytest.raises(EvaluationError, match="ask for n <= "):
        natural_sessions(shelf(12), 50, "uniform", 1)


def test_a_kind_is_the_longest_name_that_the_category_agrees_with() -> None:
    product = shelf()[0]
    named = product.model_copy(update={"title": "Slip On Running Shoes with Shorts Pattern", "categories": ("Shoes",)})
    assert kind_of(named) == "running shoes"
    assert kind_of(product.model_copy(update={"title": "Something Else Entirely Here"})) is None


def test_a_kind_is_what_the_category_ends_in() -> None:
    bag = shelf()[0].model_copy(update={"title": "Marlow Flat Shoe Bag for Work", "categories": ("Shoe Bags",)})
    assert kind_of(bag) == "bag"


def test_words_that_mean_something_else_in_a_compound_are_no_facts() -> None:
    title = "Marlow Canvas Belt with D-ring and Lace-Up Grommets, Wome..."
    belts = [shelf()[0].model_copy(update={"parent_asin": f"B{n}", "title": title, "categories": ()}) for n in range(3)]
    assert kind_of(belts[0]) == "belt"
    said = {(claim.kind, claim.value) for claim in claims_of(belts[0], Shelf(belts), "belt")}
    assert ("closure", "lace up") in said
    assert ("word", "grommets") in said
    assert not said & {("material", "lace"), ("word", "wome"), ("word", "ring")}


def test_an_extra_large_one_is_not_a_large_one() -> None:
    shirt = record(shelf()[0].model_copy(update={"title": "Marlow Shirt, XX-Large"}))
    assert not is_true(Claim("size", "large"), shirt)
    assert not is_true(Claim("size", "x-large"), shirt)
    assert is_true(
        Claim("size", "x-large"), record(shelf()[0].model_copy(update={"title": "Marlow Shirt - Extra Large"}))
    )


def test_unknown_numbers_and_silent_texts_meet_no_wish() -> None:
    silent = record(shelf()[0].model_copy(update={"price": None, "average_rating": None}))
    assert not is_true(Claim("budget", "1000"), silent)
    assert not is_true(Claim("rating", "1"), silent)
    assert not is_true(Claim("color", "turquoise"), silent)
    assert is_true(Claim("color", "orange", avoided=True), silent)


def test_a_rejected_colour_covers_its_shades() -> None:
    navy = record(shelf()[0].model_copy(update={"title": "Long Sleeve Navy Hoodie"}))
    assert not is_true(Claim("color", "blue", avoided=True), navy)


def test_articles() -> None:
    assert article("hoodie") == "a hoodie"
    assert article("hoodie", "olive ") == "an olive hoodie"
    assert article("jeans", "olive ") == "olive jeans"
    assert article("onesie") == "a onesie"


def test_every_kind_and_move_has_forms_with_a_place_for_what_is_said() -> None:
    words = tables()
    for kind in KINDS:
        if kind != "category":
            assert len(words.say[kind].sentence) >= 6
            assert all("{value}" in form for form in (*words.say[kind].clause, *words.say[kind].sentence))
    assert all(len(words.moves[move]) >= 3 for move in MOVES)
    assert sum(words.scenarios.values()) == 100


def test_no_wish_sounds_like_a_rejection_and_every_rejection_does() -> None:
    words = tables()
    cues = tuple(f" {cue.replace(chr(39), ' ')} " for cue in words.avoid.cues)
    for kind, forms in words.say.items():
        for form in (*forms.clause, *forms.sentence):
            assert not any(cue in f" {form.lower()} " for cue in cues), (kind, form)
    assert set(KINDS) >= NUMBERS


def test_the_sentences_of_a_session_are_drawn_by_its_id_alone() -> None:
    assert Speaker("a").moves() == Speaker("a").moves()
    assert any(Speaker("a").moves() != Speaker(name).moves() for name in "bcd")
