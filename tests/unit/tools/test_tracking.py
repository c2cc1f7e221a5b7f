"""From what was understood to what happened: the events of one turn."""

from __future__ import annotations

from typing import Any

import pytest

from graph.events import (
    AttributeAsked,
    ConstraintAdded,
    ConstraintReplaced,
    Event,
    Fact,
    ProductsShown,
    TurnUndone,
    dump,
    fold,
)
from tests.stores import TOWN, Stores
from tools.reading import Move, Reading
from tools.shop import Shop
from tools.tracking import Tracker


@pytest.fixture(scope="module")
def shop(stores: Stores) -> Shop:
    return Shop.of(stores.index(TOWN))


def fact(attribute: str, value: Any, **extra: Any) -> Fact:
    return Fact.model_validate({"attribute": attribute, "value": value, **extra})


RED, LINEN, CHEAP = fact("color", "red"), fact("material", "linen"), fact("budget", 50.0, op="le")
BOOTS, NINE = fact("category", "boots"), fact("size", "9")
SHOWN = ProductsShown(turn=1, products=["BOOT00", "DRES02", "PACK01"])


def track(shop: Shop, history: list[Event], *moves: Move, turn: int = 2, **reading: Any) -> Tracker:
    tracker = Tracker(fold(history), dump(history), turn, shop.index)
    tracker.message(Reading(moves=list(moves), **reading))
    return tracker


def belief_after(shop: Shop, history: list[Event], *moves: Move, turn: int = 2) -> list[object]:
    return [f.value for f in fold([*history, *track(shop, history, *moves, turn=turn).events]).constraints]


def holding(*facts: Fact) -> list[Event]:
    return [ConstraintAdded(turn=1, fact=f) for f in facts]


def test_what_is_added_or_excluded_is_held(shop: Shop) -> None:
    not_linen = LINEN.model_copy(update={"polarity": "negative"})
    events = track(shop, [], Move(act="add", fact=RED), Move(act="negate", fact=not_linen)).events
    assert [(f.value, f.polarity) for f in fold(events).constraints] == [("red", "positive"), ("linen", "negative")]


def test_the_raw_words_are_kept_in_single_spaces(shop: Shop) -> None:
    events = track(shop, [], query_text="  warm \n  boots ").events
    assert fold(events).query_texts == [(2, "warm boots")]
    assert track(shop, [], query_text="  ").events == []


def test_a_replacement_demotes_the_value_of_its_attribute(shop: Shop) -> None:
    move = Move(act="replace", fact=fact("color", "navy"), attribute="color")
    assert belief_after(shop, holding(RED, CHEAP), move) == [50.0, "navy"]


def test_taking_everything_back_spares_the_kind_of_product(shop: Shop) -> None:
    move = Move(act="replace", value="all", fact=NINE)
    assert belief_after(shop, holding(BOOTS, RED, CHEAP), move) == ["boots", "9"]


def test_a_replacement_without_a_new_value_withdraws_the_named_one(shop: Shop) -> None:
    assert belief_after(shop, holding(RED, CHEAP), Move(act="replace", attribute="color")) == [50.0]


def test_another_kind_of_product_begins_a_new_intent(shop: Shop) -> None:
    history = holding(BOOTS, RED, CHEAP, NINE, fact("department", "women"), LINEN)
    move = Move(act="replace", fact=fact("category", "backpack"), attribute="category")
    belief = fold([*history, *track(shop, history, move).events])
    assert [f.value for f in belief.constraints] == ["red", 50.0, "women", "backpack"]
    assert belief.epoch == 1


def test_a_narrower_kind_of_product_is_no_new_intent(shop: Shop) -> None:
    history = holding(BOOTS, NINE)
    move = Move(act="replace", fact=fact("category", "ankle boots"), attribute="category")
    belief = fold([*history, *track(shop, history, move).events])
    assert [f.value for f in belief.constraints] == ["9", "ankle boots"]
    assert belief.epoch == 0


def test_the_first_kind_of_product_replaces_nothing(shop: Shop) -> None:
    move = Move(act="replace", fact=BOOTS, attribute="category")
    assert fold(track(shop, [], move).events).epoch == 0


def test_withdrawing_one_value_keeps_the_others(shop: Shop) -> None:
    history = holding(LINEN, fact("material", "cotton"))
    assert belief_after(shop, history, Move(act="remove", attribute="material", value="linen")) == ["cotton"]


def test_a_message_takes_back_before_it_adds(shop: Shop) -> None:
    moves = (Move(act="add", fact=fact("color", "navy")), Move(act="remove", attribute="color"))
    assert belief_after(shop, holding(RED), *moves) == ["navy"]


def test_no_preference_unprompted_withdraws_what_was_held(shop: Shop) -> None:
    history = holding(RED, CHEAP)
    belief = fold([*history, *track(shop, history, Move(act="no_preference", attribute="color")).events])
    assert ([f.value for f in belief.constraints], belief.declined) == ([50.0], ["color"])


def test_no_preference_as_an_answer_withdraws_nothing(shop: Shop) -> None:
    history = [*holding(RED), AttributeAsked(turn=1, attribute="color")]
    assert belief_after(shop, history, Move(act="no_preference", attribute="color")) == ["red"]


@pytest.mark.parametrize(("attribute", "declined"), [(None, "all"), ("all", "all"), ("other", "other")])
def test_no_preference_on_everything_withdraws_nothing(shop: Shop, attribute: str | None, declined: str) -> None:
    history = holding(RED)
    belief = fold([*history, *track(shop, history, Move(act="no_preference", attribute=attribute)).events])
    assert ([f.value for f in belief.constraints], belief.declined) == (["red"], [declined])


def test_relaxing_makes_a_requirement_a_wish(shop: Shop) -> None:
    history = holding(CHEAP)
    belief = fold([*history, *track(shop, history, Move(act="relax", attribute="budget")).events])
    assert [(f.value, f.strength) for f in belief.constraints] == [(50.0, "soft")]


def test_starting_over_forgets_and_then_adds(shop: Shop) -> None:
    assert belief_after(shop, holding(RED), Move(act="reset"), Move(act="add", fact=LINEN)) == ["linen"]


@pytest.mark.parametrize(
    ("ordinals", "rejected"), [([], ["BOOT00", "DRES02", "PACK01"]), ([2], ["DRES02"]), ([-1, 1], ["PACK01", "BOOT00"])]
)
def test_rejecting_what_was_shown(shop: Shop, ordinals: list[int], rejected: list[str]) -> None:
    tracker = track(shop, [SHOWN], Move(act="negate", ordinals=ordinals))
    assert fold(tracker.events).rejected == rejected


def test_rejecting_before_anything_was_shown_does_nothing(shop: Shop) -> None:
    assert track(shop, [], Move(act="negate")).events == []


def test_pointing_at_a_product_tells_its_name_and_price(shop: Shop) -> None:
    tracker = track(shop, [SHOWN], Move(act="ask_info", ordinals=[1, 2]))
    assert tracker.notices == [
        "Number 1 is Corvane Black Leather Ankle Boots Size 7, $30.00.",
        "Number 2 is Old Harrow Women's Red Linen Sleeveless Dress, price unknown.",
    ]


@pytest.mark.parametrize(
    ("history", "ordinals", "notice"),
    [([SHOWN], [9], "Only 3 products were shown."), ([], [1], "No products were shown yet.")],
)
def test_a_place_that_is_not_on_the_list_is_said_not_to_be(
    shop: Shop, history: list[Event], ordinals: list[int], notice: str
) -> None:
    assert track(shop, history, Move(act="refer", ordinals=ordinals)).notices == [notice]


def test_a_product_of_another_catalog_is_not_described(shop: Shop) -> None:
    history: list[Event] = [ProductsShown(turn=1, products=["NOT-HERE"])]
    assert track(shop, history, Move(act="refer", ordinals=[1])).notices == []


@pytest.mark.parametrize("act", ["other", "compare", "refer", "remove", "relax", "add"])
def test_a_move_without_what_it_is_about_changes_nothing(shop: Shop, act: Any) -> None:
    assert track(shop, holding(RED), Move(act=act)).events == []


def test_words_that_nothing_here_says_are_named_but_not_all_of_them(shop: Shop) -> None:
    words = ["boots", "umbrella", "x" * 50, "teapot", "kayak"]
    (notice,) = track(shop, [], unexplained=words).notices
    assert notice == f'No product here mentions "umbrella", "{"x" * 30}", "teapot".'
    assert track(shop, [], unexplained=["boots"]).notices == []


# --- undoing -------------------------------------------------------------------------------------------------------


def test_undo_voids_the_latest_turn_and_nothing_else_of_the_message(shop: Shop) -> None:
    history = [*holding(RED), ConstraintAdded(turn=2, fact=CHEAP)]
    tracker = track(shop, history, Move(act="undo"), Move(act="add", fact=LINEN), turn=3)
    assert tracker.events == [TurnUndone(turn=3, undone=2)]


def test_undo_again_goes_further_back(shop: Shop) -> None:
    history = [
        *holding(RED),
        ConstraintAdded(turn=2, fact=CHEAP),
        TurnUndone(turn=3, undone=2),
        ProductsShown(turn=3, products=["BOOT00"]),
    ]
    assert track(shop, history, Move(act="undo"), turn=4).events == [TurnUndone(turn=4, undone=1)]


def test_undo_spares_the_profile(shop: Shop) -> None:
    tracker = track(shop, [ConstraintAdded(turn=0, fact=LINEN)], Move(act="undo"), turn=1)
    assert (tracker.events, tracker.notices) == ([], ["There is nothing to undo."])


def test_undo_of_a_replacement_brings_the_old_value_back(shop: Shop) -> None:
    history = [*holding(RED), ConstraintReplaced(turn=2, attribute="color", fact=fact("color", "navy"))]
    assert belief_after(shop, history, Move(act="undo"), turn=3) == ["red"]


# --- profile -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tags", [None, "linen", [], [None, 3]])
def test_a_profile_without_usable_tags_states_nothing(shop: Shop, tags: Any) -> None:
    tracker = Tracker(fold([]), [], 1, shop.index)
    tracker.profile({"preference_tags": tags}, shop.reader)
    assert tracker.events == []


def test_a_profile_states_soft_facts_of_no_turn(shop: Shop) -> None:
    tracker = Tracker(fold([]), [], 1, shop.index)
    tracker.profile({"preference_tags": ["only linen", "red", "red"]}, shop.reader)
    entries = fold(tracker.events).entries
    assert [(e.turn, e.fact.value, e.fact.strength, e.fact.source) for e in entries] == [
        (0, "linen", "soft", "profile"),
        (0, "red", "soft", "profile"),
    ]
