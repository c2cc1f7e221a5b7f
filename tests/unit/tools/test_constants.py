"""The tables of ranking and dialogue."""

from __future__ import annotations

from catalog.product import ATTRIBUTES
from tools.answer import ASKABLE
from tools.constants import dialogue_constants, ranking_constants

DIALOGUE = dialogue_constants()


def test_the_tables_load_and_make_sense() -> None:
    ranking = ranking_constants()
    assert ranking.text.unknown_floor < ranking.text.unknown_cap
    assert ranking.statement.floor < ranking.statement.cap
    assert 0 < ranking.text.soft < 1
    assert ranking.text.violated > ranking.text.violated_material > 0
    assert ranking.pool.popular <= ranking.pool.text
    assert set(DIALOGUE.questions) == ASKABLE
    assert set(DIALOGUE.questions) - {"other"} <= set(ATTRIBUTES)
    assert all(0 < question.answerable <= 1 for question in DIALOGUE.questions.values())
    assert 0 < DIALOGUE.informed_rank <= 1
    assert 0 < DIALOGUE.fatigue < 1
    assert 0 < DIALOGUE.spoken_kind < 1
    assert ranking.prior.shrinkage > 0


def test_tables_are_read_once() -> None:
    assert ranking_constants() is ranking_constants()
    assert dialogue_constants() is dialogue_constants()
