"""Which question is worth a turn: never a stale one, never one that cannot split."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from catalog.product import Product
from graph.events import AttributeAsked, ConstraintAdded, Event, Fact, PreferenceDeclined, fold
from tools.clarification import OPEN, answer_chance, answers, choose, posterior, split
from tools.constants import dialogue_constants

DIALOGUE = dialogue_constants()


def product(asin: str, price: float | None = None, **facets: str) -> Product:
    return Product(
        parent_asin=asin, title=asin, price=price, facets={key: tuple(v.split("|")) for key, v in facets.items()}
    )


LEADERS = [
    product("A", 20, color="red", material="wool", size="7"),
    product("B", 90, color="navy", material="wool", size="9"),
    product("C", None, color="navy|blue", material="wool"),
]
EVEN = np.array([1 / 3, 1 / 3, 1 / 3])


def said(turn: int, attribute: str, value: str = "x", **extra: Any) -> Event:
    return ConstraintAdded(turn=turn, fact=Fact.model_validate({"attribute": attribute, "value": value, **extra}))


def asked(turn: int, attribute: str) -> Event:
    return AttributeAsked(turn=turn, attribute=attribute)


def declined(turn: int, attribute: str) -> Event:
    return PreferenceDeclined(turn=turn, attribute=attribute)


def chosen(*events: Event) -> str | None:
    return choose(fold(events), LEADERS, EVEN, DIALOGUE).attribute


def test_the_open_question_comes_first() -> None:
    assert chosen() == OPEN
    assert chosen(said(1, "category")) == OPEN


def test_the_open_question_is_asked_again_while_it_brings_several_facts() -> None:
    assert chosen(asked(1, OPEN), said(2, "style"), said(2, "brand")) == OPEN
    assert chosen(asked(1, OPEN), said(2, "style")) != OPEN


def test_a_question_is_asked_once_and_not_about_what_is_known() -> None:
    first = chosen(asked(1, OPEN))
    assert first == "color"
    assert chosen(asked(1, OPEN), asked(2, "color")) == "budget"
    assert chosen(asked(1, OPEN), said(2, "color")) == "budget"
    assert chosen(asked(1, OPEN), declined(2, "color")) == "budget"
    assert chosen(asked(1, OPEN), declined(2, "color"), declined(2, "budget")) == "size"


def test_no_question_is_left_when_none_splits_the_leaders() -> None:
    done = [asked(1, OPEN), *(declined(2, a) for a in ("color", "budget", "size"))]
    assert chosen(*done) is None
    assert choose(fold([asked(1, OPEN)]), [], np.empty(0), DIALOGUE).attribute is None


def test_who_declined_everything_is_asked_no_more() -> None:
    assert chosen(declined(1, "all")) is None


def test_who_declines_the_open_question_after_telling_something_is_asked_no_more() -> None:
    assert chosen(said(1, "category"), asked(1, OPEN), declined(2, OPEN)) == "color"
    assert chosen(asked(1, OPEN), said(2, "style"), declined(3, OPEN)) is None
    told_then_nothing = [asked(1, OPEN), said(2, "style"), asked(2, OPEN), declined(3, OPEN)]
    assert chosen(*told_then_nothing) is None


def test_answers_count_the_new_facts_of_the_turn_after_the_question() -> None:
    belief = fold([asked(1, OPEN), said(2, "style"), said(2, "brand"), asked(2, "color"), asked(3, "size")])
    assert answers(belief) == [(OPEN, 2), ("color", 0), ("size", 0)]


def test_the_chance_of_an_answer_falls_with_each_empty_one() -> None:
    sure = DIALOGUE.questions["color"].answerable
    none, once = [asked(1, OPEN), said(2, "style")], [asked(1, OPEN), said(2, "style"), asked(2, "size")]
    assert answer_chance("color", fold(none), DIALOGUE) == sure
    assert answer_chance("color", fold([*once, declined(3, "size")]), DIALOGUE) == pytest.approx(
        sure * DIALOGUE.fatigue
    )
    again = [*once, asked(3, "brand"), declined(4, "brand")]
    assert answer_chance("color", fold(again), DIALOGUE) == pytest.approx(sure * DIALOGUE.fatigue**2)
    assert answer_chance(None, fold(none), DIALOGUE) == 0


def test_who_repeats_what_is_held_when_asked_for_anything_has_answered() -> None:
    repeated = [said(0, "color"), asked(1, OPEN), said(2, "color"), said(2, "style"), asked(2, OPEN), said(3, "color")]
    assert chosen(*repeated, said(3, "style")) == OPEN
    assert chosen(*repeated, said(3, "style"), asked(3, OPEN), said(4, "color"), said(4, "style")) != OPEN


def test_the_posterior_is_a_softmax_of_nats() -> None:
    chances = posterior([1.0, 0.0], 1.0)
    assert chances.tolist() == pytest.approx([0.7311, 0.2689], abs=1e-4)
    assert posterior([-1e4, 0.0], 1.0).tolist() == [0.0, 1.0]
    assert posterior([1.0, 0.0], 1e9).tolist() == pytest.approx([0.5, 0.5])
    assert posterior([], 1.0).shape == (0,)


def test_a_split_is_the_chance_of_telling_two_leaders_apart() -> None:
    assert split("material", LEADERS, EVEN) == pytest.approx(0.0)
    assert split("size", LEADERS, EVEN) == pytest.approx(1 - 1 / 3 - 2 / 9)
    assert split("budget", LEADERS, EVEN) == pytest.approx(1 - 1 / 3 - 2 / 9)
    assert split("color", LEADERS, EVEN) == pytest.approx(1 - (1 / 9 + 1 / 4 + 1 / 36))
    assert split("brand", LEADERS, EVEN) == 0.0


def test_prices_that_hardly_differ_do_not_split() -> None:
    alike = [product("A", 50), product("B", 51)]
    assert split("budget", alike, np.array([0.5, 0.5])) == pytest.approx(0.0)


def test_a_question_on_style_covers_the_finer_names() -> None:
    leaders = [product("A", sleeve="long sleeve"), product("B", neck="v-neck")]
    assert split("style", leaders, np.array([0.5, 0.5])) == pytest.approx(0.5)


def test_who_shrugged_at_the_open_question_is_asked_it_again_once_something_is_told() -> None:
    shrugged = [said(1, "category"), asked(1, OPEN), declined(2, OPEN), asked(2, "color")]
    assert chosen(*shrugged, said(3, "color"), said(3, "style")) == OPEN
    again = [*shrugged, said(3, "color"), said(3, "style"), asked(3, OPEN)]
    assert chosen(*again, declined(4, OPEN)) is None
