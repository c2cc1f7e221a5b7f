"""Events fold into a belief: pure, replayable, undoable."""

from __future__ import annotations

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
    ProductsRejected,
    ProductsShown,
    QueryTextAdded,
    TurnUndone,
    believe,
    dump,
    fold,
    load,
)


def fact(attribute: str, value: object, **extra: object) -> Fact:
    return Fact.model_validate({"attribute": attribute, "value": value, **extra})


def values(events: list[Event], attribute: str) -> list[object]:
    return [f.value for f in fold(events).of(attribute)]


NAVY = fact("color", "navy", span=(0, 4), text="navy")
BLACK = fact("color", "black")
BOOTS = fact("category", "boots")
CHEAP = fact("budget", 50.0, op="le")

attributes = st.sampled_from(["color", "material", "brand", "budget", "category"])
facts = st.builds(
    lambda a, v, p, s: fact(a, v, polarity=p, strength=s),
    attributes,
    st.sampled_from(["navy", "black", "wool"]),
    st.sampled_from(["positive", "negative"]),
    st.sampled_from(["hard", "soft"]),
)
asins = st.lists(st.sampled_from(["A", "B", "C", "D"]), max_size=3, unique=True)


@st.composite
def events_of_a_turn(draw: st.DrawFn, turn: int) -> list[Event]:
    kinds = st.one_of(
        facts.map(lambda f: ConstraintAdded(turn=turn, fact=f)),
        st.builds(lambda a, f: ConstraintReplaced(turn=turn, attribute=a, fact=f), st.none() | attributes, facts),
        attributes.map(lambda a: ConstraintRetracted(turn=turn, attribute=a)),
        attributes.map(lambda a: PreferenceDeclined(turn=turn, attribute=a)),
        asins.map(lambda p: ProductsShown(turn=turn, products=p)),
        asins.map(lambda p: ProductsRejected(turn=turn, products=p)),
        attributes.map(lambda a: AttributeAsked(turn=turn, attribute=a)),
        st.just(IntentReset(turn=turn, keep=["budget"])),
        st.just(QueryTextAdded(turn=turn, text="warm")),
    )
    return draw(st.lists(kinds, min_size=1, max_size=4))


@st.composite
def histories(draw: st.DrawFn) -> list[list[Event]]:
    return [draw(events_of_a_turn(turn)) for turn in range(1, draw(st.integers(1, 6)) + 1)]


@given(histories())
def test_fold_is_deterministic_and_survives_storage(turns: list[list[Event]]) -> None:
    events = [event for turn in turns for event in turn]
    assert fold(events) == fold(load(dump(events))) == believe(dump(events))


@given(histories())
def test_undo_is_the_belief_of_the_shorter_prefix(turns: list[list[Event]]) -> None:
    before = [event for turn in turns[:-1] for event in turn]
    undo = TurnUndone(turn=len(turns) + 1, undone=len(turns))
    assert fold([*before, *turns[-1], undo]) == fold(before)


@given(histories())
def test_a_positive_and_a_negative_of_one_value_never_hold_together(turns: list[list[Event]]) -> None:
    held = fold([event for turn in turns for event in turn]).constraints
    keys = [(f.facet_key, f.op, str(f.value)) for f in held]
    assert len(keys) == len(set(keys))


def test_a_fact_keeps_the_turn_and_words_that_stated_it() -> None:
    entry = fold([ConstraintAdded(turn=3, fact=NAVY)]).entries[0]
    assert (entry.turn, entry.fact.text, entry.fact.span) == (3, "navy", (0, 4))


def test_a_repeated_fact_is_held_once_with_its_first_turn() -> None:
    belief = fold([ConstraintAdded(turn=1, fact=NAVY), ConstraintAdded(turn=4, fact=NAVY)])
    assert [(e.turn, e.fact.value) for e in belief.entries] == [(1, "navy")]


def test_hard_stays_hard_when_repeated_softly() -> None:
    soft = BLACK.model_copy(update={"strength": "soft"})
    assert (
        fold([ConstraintAdded(turn=1, fact=BLACK), ConstraintAdded(turn=2, fact=soft)]).constraints[0].strength
        == "hard"
    )


def test_replacing_demotes_the_old_value_and_keeps_its_evidence() -> None:
    events = [ConstraintAdded(turn=1, fact=NAVY), ConstraintReplaced(turn=2, attribute="color", fact=BLACK)]
    belief = fold(events)
    assert [(e.fact.value, e.weight) for e in belief.entries] == [("navy", 0.4), ("black", 1.0)]
    assert values(events, "color") == ["black"]


def test_replacing_everything_spares_the_category_and_exclusions() -> None:
    leather = fact("material", "leather", polarity="negative")
    events = [
        ConstraintAdded(turn=1, fact=BOOTS),
        ConstraintAdded(turn=1, fact=NAVY),
        ConstraintAdded(turn=1, fact=leather),
        ConstraintReplaced(turn=2, attribute=None, fact=BLACK),
    ]
    assert [f.value for f in fold(events).constraints] == ["boots", "leather", "black"]


def test_what_was_turned_down_may_come_back_once_everything_is_taken_back() -> None:
    turned_down = ProductsRejected(turn=1, products=["A"])
    named = ConstraintReplaced(turn=2, attribute="color", fact=BLACK)
    assert fold([turned_down, named]).rejected == ["A"]
    assert fold([turned_down, named.model_copy(update={"attribute": None})]).rejected == []


def test_an_override_forgets_what_was_shown_and_asked_for_the_old_intent() -> None:
    events = [
        ProductsShown(turn=1, products=["A"]),
        AttributeAsked(turn=1, attribute="color"),
        ConstraintReplaced(turn=2, attribute="color", fact=BLACK),
    ]
    belief = fold(events)
    assert (belief.shown, belief.asked, belief.last_shown) == ({}, [], ["A"])


def test_retracting_one_value_leaves_the_others() -> None:
    wool = fact("material", "wool")
    cotton = fact("material", "cotton")
    events = [
        ConstraintAdded(turn=1, fact=wool),
        ConstraintAdded(turn=1, fact=cotton),
        ConstraintRetracted(turn=2, attribute="material", value="wool"),
    ]
    assert values(events, "material") == ["cotton"]
    assert "wool" in " ".join(fold(events).withdrawn)


def test_a_negation_takes_back_the_same_value_and_nothing_else() -> None:
    not_navy = fact("color", "navy", polarity="negative")
    events = [
        ConstraintAdded(turn=1, fact=NAVY),
        ConstraintAdded(turn=1, fact=CHEAP),
        ConstraintAdded(turn=2, fact=not_navy),
    ]
    assert [(f.attribute, f.polarity) for f in fold(events).constraints] == [
        ("budget", "positive"),
        ("color", "negative"),
    ]


def test_a_new_intent_keeps_what_travels_with_the_shopper() -> None:
    events = [
        ConstraintAdded(turn=1, fact=BOOTS),
        ConstraintAdded(turn=1, fact=CHEAP),
        PreferenceDeclined(turn=1, attribute="brand"),
        IntentReset(turn=2, keep=["budget"]),
    ]
    belief = fold(events)
    assert [f.attribute for f in belief.constraints] == ["budget"]
    assert (belief.epoch, belief.declined) == (1, [])


def test_shown_products_are_counted_and_the_latest_list_keeps_its_order() -> None:
    lists = [ProductsShown(turn=1, products=["A", "B"]), ProductsShown(turn=2, products=["C", "A"])]
    declined = [PreferenceDeclined(turn=turn, attribute="color") for turn in (2, 3)]
    belief = fold([lists[0], declined[0], lists[1], declined[1]])
    assert belief.shown == {"A": 2, "B": 1, "C": 1}
    assert belief.last_shown == ["C", "A"]


def test_a_list_after_which_nothing_new_was_said_is_not_passed_over() -> None:
    lists = [ProductsShown(turn=1, products=["A", "B"]), ProductsShown(turn=2, products=["A", "B"])]
    assert fold(lists).shown == {}
    said = QueryTextAdded(turn=3, text="red")
    assert fold([*lists, said]).shown == {"A": 1, "B": 1}
    undone = [lists[0], said.model_copy(update={"turn": 2}), TurnUndone(turn=3, undone=2)]
    assert fold(undone).shown == {}


def test_events_refuse_unknown_fields_and_kinds() -> None:
    import pytest
    from pydantic import ValidationError

    for row in ({"type": "constraint_added", "turn": 1}, {"type": "mind_read", "turn": 1}):
        with pytest.raises(ValidationError):
            load([row])
