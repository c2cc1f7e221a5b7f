"""What was understood, in words."""

from __future__ import annotations

import pytest

from graph.events import Fact
from tools.reading import Move, Reading
from tools.retelling import understood

NAVY = Fact(attribute="color", value="navy")


@pytest.mark.parametrize(
    ("move", "phrase"),
    [
        (Move(act="add", fact=NAVY), "color navy"),
        (Move(act="add", fact=NAVY.model_copy(update={"strength": "soft"})), "color navy (maybe)"),
        (Move(act="negate", fact=NAVY.model_copy(update={"polarity": "negative"})), "not color navy"),
        (Move(act="replace", attribute="color", fact=NAVY), "instead: color navy"),
        (Move(act="replace"), "forget the earlier preferences"),
        (Move(act="remove", attribute="use_case", value="hiking"), "no longer use case hiking"),
        (Move(act="no_preference", attribute="all"), "no preference: you decide"),
        (Move(act="no_preference", attribute="style", detail="neck"), "no preference on neck"),
        (Move(act="relax", attribute="budget"), "budget may be given up"),
        (Move(act="refer", ordinals=[2]), "product 2"),
        (Move(act="negate", ordinals=[1, -1]), "not these: 1, the last"),
        (Move(act="negate"), "not these: all shown"),
        (Move(act="undo"), "take the last turn back"),
    ],
)
def test_each_move_has_words(move: Move, phrase: str) -> None:
    assert understood(Reading(moves=[move])) == [phrase]


def test_a_message_without_moves_is_search_text_or_nothing() -> None:
    assert understood(Reading(query_text="frobnicator")) == ["your words, as search text"]
    assert understood(Reading()) == ["nothing to search for"]
