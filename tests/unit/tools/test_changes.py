"""Changes of mind: replacing, withdrawing, relative wishes."""

from __future__ import annotations

import pytest

from catalog.product import Product
from graph.events import BeliefState
from tests.unit.tools.lexicons import brief, held, moves, read


@pytest.mark.parametrize(
    ("text", "belief", "attribute", "fact"),
    [
        ("actually, black instead", ["color=navy"], "color", "color=black"),
        ("make it Skechers instead", ["brand=nike"], "brand", "brand=skechers"),
        ("change the colour to red", ["color=navy"], "color", "color=red"),
        ("Actually, change the color to navy.", ["color=red"], "color", "color=navy"),
        ("change the size to 13", ["size=9"], "size", "size=13"),
        ("switch the brand to Wexley", ["brand=nike"], "brand", "brand*wexley"),
        ("same but in blue", ["color=black", "size=9"], "color", "color=blue"),
        ("actually show me backpacks", ["category=boots", "color=black"], "category", "category=backpacks"),
        ("show me boots", ["category=jeans"], "category", "category=boots"),
        ("I want a pair of jeans", ["category=boots"], "category", "category=jeans"),
        ("what about jeans?", ["category=boots"], "category", "category=jeans"),
        ("no wait, red", ["color=navy"], "color", "color=red"),
        ("under $30", ["budget<=50"], "budget", "budget<=30"),
        ("size 10", ["size=9"], "size", "size=10"),
        ("red would be good", ["color=navy"], "color", "color=red"),
    ],
)
def test_a_new_value_replaces_the_held_one(text, belief, attribute, fact):
    reading = read(text, belief=held(*belief))
    replaced = [move for move in reading.moves if move.act == "replace"]
    assert [move.attribute for move in replaced] == [attribute]
    assert brief(reading) == [fact]


@pytest.mark.parametrize(
    ("text", "belief"),
    [
        ("also red", ["color=navy"]),
        ("navy blue", ["color=navy"]),
        ("at least $20", ["budget<=50"]),
        ("actually it should be waterproof", ["color=navy"]),
        ("cotton", ["material=wool"]),
        ("color: red", ["color=navy"]),
    ],
)
def test_what_is_new_or_compatible_is_added(text, belief):
    assert read(text, belief=held(*belief)).acts == ["add"]


def test_instead_of_withdraws_what_is_held_and_forbids_nothing():
    reading = read("canvas instead of leather", belief=held("material=leather"))
    assert reading.acts == ["replace"]
    assert brief(reading) == ["material=canvas"]


@pytest.mark.parametrize(
    "text",
    [
        "doesn't have to be leather any more",
        "it doesnt need to be leather",
        "leather isn't a must",
        "forget the leather",
        "no longer needs to be leather",
        "I don't need leather",
        "not necessarily leather",
    ],
)
def test_a_value_is_taken_back_without_being_excluded(text):
    reading = read(text, belief=held("material=leather", "color=black"))
    assert moves(reading) == ["remove material leather"]
    assert brief(reading) == []
    assert "leather" not in reading.query_text


def test_not_needing_what_was_never_asked_for_excludes_it():
    assert brief(read("I don't need leather")) == ["-material=leather"]


@pytest.mark.parametrize("text", ["ignore my earlier preference", "forget what I said", "I changed my mind"])
def test_taking_everything_back_without_a_new_fact(text):
    (move,) = read(text, belief=held("color=navy")).moves
    assert (move.act, move.attribute, move.value, move.fact) == ("replace", None, "all", None)


def _shown(*prices: float | None) -> list[Product]:
    return [
        Product(parent_asin=f"P{i}", title="Tent", price=price, average_rating=4.0 + i / 10)
        for i, price in enumerate(prices)
    ]


def test_cheaper_means_below_the_cheapest_shown():
    assert brief(read("cheaper", shown=_shown(100, 140))) == ["budget<100"]
    assert brief(read("something even cheaper please", shown=_shown(60, None))) == ["budget<60"]
    assert brief(read("too expensive", shown=_shown(100, 140))) == ["budget<100"]


def test_cheaper_than_the_one_pointed_at():
    reading = read("cheaper than the second one", shown=_shown(100, 140))
    assert brief(reading) == ["budget<140"]
    assert reading.acts == ["add"]


def test_cheaper_without_a_price_shown_leans_to_low_prices():
    assert brief(read("cheaper", shown=_shown(None))) == ["budget=low"]
    assert brief(read("cheaper")) == ["budget=low"]


def test_cheaper_again_keeps_the_bound_where_no_price_is_shown():
    assert brief(read("cheaper", belief=held("budget<100"), shown=_shown(None))) == ["budget<100"]


@pytest.mark.parametrize(
    "text",
    ["which one is the cheapest?", "which is cheapest", "what's the cheapest?", "which of these is the cheapest?"],
)
def test_the_cheapest_of_those_shown_is_pointed_at(text):
    (move,) = read(text, shown=_shown(100, None, 60)).moves
    assert (move.act, move.ordinals, move.attribute, move.leads) == ("refer", [3], "budget", True)


def test_two_that_are_named_are_compared():
    assert read("which is cheaper, the first or the second?", shown=_shown(100, 60)).acts == ["compare"]


def test_better_rated_means_above_the_best_shown():
    assert brief(read("anything better rated?", shown=_shown(10, 20))) == ["rating>4.1"]


def test_even_cheaper_replaces_the_bound_held():
    reading = read("even cheaper", belief=held("budget<=100"), shown=_shown(60, 80))
    assert brief(reading) == ["budget<60"]
    assert reading.acts == ["replace"]


@pytest.mark.parametrize(
    ("text", "color"),
    [
        ("go back to the first colour", "navy"),
        ("let's go back to the original color please", "navy"),
        ("back to the previous color", "black"),
        ("return to my earlier colour", "black"),
    ],
)
def test_a_value_that_was_given_up_comes_back_by_its_place(text: str, color: str) -> None:
    given_up = [entry.model_copy(update={"weight": 0.4}) for entry in held("color=navy", "color=black").entries]
    belief = BeliefState(entries=[*given_up, *held("color=red", "budget<=80").entries])
    reading = read(text, belief=belief)
    assert (reading.acts, brief(reading), reading.query_text) == (["replace"], [f"color={color}"], "")


def test_going_back_to_nothing_that_was_given_up_is_an_undo() -> None:
    assert read("go back to the first colour", belief=held("color=red")).acts == ["undo"]


@pytest.mark.parametrize(
    ("text", "belief"),
    [
        ("something to wear with boots", ["category=jeans"]),
        ("I want to wear them with boots", ["category=jeans"]),
        ("show me boots", []),
        ("show me boots", ["category=boots"]),
    ],
)
def test_a_kind_of_thing_is_another_search_only_where_it_is_asked_for(text, belief):
    reading = read(text, belief=held(*belief))
    assert "replace" not in reading.acts


@pytest.mark.parametrize(
    "text",
    [
        "thinking about it again, what I care about more is the wool",
        "let me put it differently, forget the rest: wool",
        "come to think of it, it's really about wool",
        "never mind the earlier bit, wool is what counts",
    ],
)
def test_a_change_of_mind_that_says_only_what_is_held_takes_the_rest_back(text: str) -> None:
    reading = read(text, belief=held("color=navy", "material=wool"))
    assert next((move.act, move.value) for move in reading.moves) == ("replace", "all")


def test_what_is_held_said_again_without_a_change_of_mind_takes_nothing_back() -> None:
    reading = read("it should be wool, as I said", belief=held("color=navy", "material=wool"))
    assert not any(move.act == "replace" for move in reading.moves)


@pytest.mark.parametrize(
    "text",
    [
        "I've changed my mind about leather. Let's go with suede",
        "scrap what I said about leather, suede please",
        "on second thought, leather was a mistake. Suede",
        "oops, I typed leather but it's suede",
        "did I say leather? make that suede",
        "I've gone off leather, suede now",
    ],
)
def test_what_is_taken_back_is_no_wish(text: str) -> None:
    reading = read(text, belief=held("material=leather"))
    assert brief(reading) == ["material=suede"]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Nike is overpriced, who else is there", "-brand=nike"),
        ("navy washes me out", "-color=navy"),
        ("please take Nike off the list", "-brand=nike"),
        ("had leather once, never again", "-material=leather"),
        ("I'm done with Nike", "-brand=nike"),
        ("any bright thing, but I'd skip navy", "-color=navy"),
        ("steering clear of wool", "-material=wool"),
    ],
)
def test_what_people_are_through_with_is_excluded(text: str, fact: str) -> None:
    assert fact in brief(read(text))
