from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from catalog.errors import InputError
from evals.understanding.context import Before
from evals.understanding.intervals import draws, score_of, share_of
from evals.understanding.labels import FactsRow, GoldFact, GoldMove, MovesRow, Row, VerdictRow
from evals.understanding.scoring import TRAPS, RowResult, score_row, score_rows
from graph.events import BeliefEntry, BeliefState, Fact
from tools.reading import Move, Question, Reading

NOTHING_BEFORE = Before(Question(), BeliefState())


def fact(attribute: str, value: str, polarity: str = "positive") -> Fact:
    return Fact(attribute=attribute, value=value, polarity=polarity)  # type: ignore[arg-type]


def reading(*moves: Move, unexplained: str = "", query: str = "") -> Reading:
    return Reading(moves=list(moves), unexplained=unexplained.split(), query_text=query or unexplained)


def result(row: Row, read: Reading, earlier: Before = NOTHING_BEFORE, name: str = "rows") -> RowResult:
    return score_row(Path(f"{name}.jsonl"), row, read, earlier)


def test_facts_are_counted_in_all_by_family_and_when_excluded() -> None:
    labels = [
        GoldFact(attribute="color", value="teal"),
        GoldFact(attribute="sleeve", value="long"),
        GoldFact(attribute="material", value="wool", polarity="negative"),
    ]
    read = reading(
        Move(act="add", fact=fact("color", "teal")),
        Move(act="add", fact=fact("style", "short")),
        Move(act="negate", fact=fact("material", "wool", "negative")),
        Move(act="negate", fact=fact("brand", "ovel", "negative")),
    )
    found = result(FactsRow(id="r", text="x", facts=labels), read)
    assert {name: tuple(tally) for name, tally in found.tallies.items()} == {
        "facts": (2, 4, 3),
        "negative facts": (1, 2, 1),
        "color": (1, 1, 1),
        "style": (0, 1, 1),
        "material": (1, 1, 1),
        "brand": (0, 1, 0),
    }
    assert found.miss is not None
    assert (found.miss.missed, found.miss.extra) == (["sleeve=long"], ["style=short", "-brand=ovel"])


@pytest.mark.parametrize("polarity", ["positive", "negative"])
def test_a_trap_is_sprung_by_any_exclusion(polarity: str) -> None:
    row = FactsRow(text="keep calm not quiet", facts=[], slogan_trap=True)
    read = reading(Move(act="add", fact=fact("feature", "quiet", polarity)))
    assert result(row, read).shares == {TRAPS: polarity == "negative"}
    assert result(row.model_copy(update={"slogan_trap": False}), read).shares == {}


def holding(attribute: str) -> Before:
    return Before(Question(), BeliefState(entries=[BeliefEntry(fact=fact(attribute, "teal"), turn=1)]))


@pytest.mark.parametrize(
    ("before", "either"), [(NOTHING_BEFORE, 1), (holding("brand"), 1), (holding("color"), 0), (holding("style"), 0)]
)
def test_adding_for_replacing_is_right_where_nothing_was_held(before: Before, either: int) -> None:
    moves = [GoldMove(move="replace", attribute="color"), GoldMove(move="add", attribute="sleeve")]
    moves.append(GoldMove(move="refer"))
    found = result(MovesRow(text="x", moves=moves), reading(Move(act="add")), before)
    assert tuple(found.tallies["acts"]) == (1, 1, 3)
    assert tuple(found.tallies["acts, add = replace"]) == (1, 1, 2)
    assert tuple(found.tallies["acts, add or replace where nothing is held"]) == ((1, 1, 2) if either else (1, 1, 3))
    assert tuple(found.tallies["act replace"]) == (0, 0, 1)
    assert found.miss is not None
    assert (found.miss.missed, found.miss.extra) == (["refer", "replace"], [])


NONE_MORE = Move(act="no_preference", attribute="all")
TEAL = Move(act="add", fact=Fact(attribute="color", value="teal"))


@pytest.mark.parametrize(
    ("name", "read", "said"),
    [
        ("exhaustion", reading(NONE_MORE), True),
        ("exhaustion", reading(NONE_MORE, TEAL), False),
        ("exhaustion", reading(NONE_MORE.model_copy(update={"fact": TEAL.fact})), False),
        ("exhaustion", reading(Move(act="other")), False),
        ("overrides", reading(Move(act="replace", fact=TEAL.fact)), True),
        ("overrides", reading(Move(act="remove", attribute="color")), True),
        ("overrides", reading(Move(act="reset")), True),
        ("overrides", reading(TEAL), False),
        ("chatter", reading(Move(act="other")), True),
        ("chatter", reading(Move(act="other"), query="please"), True),
        ("chatter", reading(Move(act="other"), unexplained="bus"), False),
        ("chatter_more", reading(TEAL), False),
    ],
)
@pytest.mark.parametrize("label", [True, False])
def test_a_verdict_is_compared_with_its_label(name: str, read: Reading, said: bool, label: bool) -> None:
    found = result(VerdictRow(text="x", label=label), read, name=name)
    assert tuple(found.tallies[name.removesuffix("_more")]) == (said and label, said, label)
    assert found.shares["accuracy"] is (said == label)
    assert (found.miss is None) is (said == label)


def test_chatter_tells_facts_and_query_words_apart() -> None:
    row = VerdictRow(text="x", label=True)
    assert result(row, reading(TEAL), name="chatter").shares == {
        "accuracy": False,
        "no fact in chatter": False,
        "no query words in chatter": True,
    }
    other = row.model_copy(update={"label": False})
    assert result(other, reading(unexplained="bus"), name="chatter").shares["no query words in the rest"] is False


def test_a_verdict_needs_a_file_named_after_what_is_asked() -> None:
    with pytest.raises(InputError, match=r"mood\.jsonl: .* begin its name with exhaustion, overrides, chatter"):
        result(VerdictRow(text="x", label=True), reading(), name="mood")


def test_a_half_sums_its_rows_and_names_what_every_row_has_first() -> None:
    def row(*values: str, **more: Any) -> RowResult:
        labels = [GoldFact(attribute="color", value=value) for value in values]
        return result(FactsRow(text="x", facts=labels, **more), reading(TEAL))

    half = score_rows([row("teal"), row("teal", "plum"), row(slogan_trap=True)])
    assert (half.rows, list(half.scores)) == (3, ["facts", "negative facts", "color"])
    score = half.scores["facts"]
    assert (score.hits, score.read, score.gold) == (2, 3, 3)
    assert (score.precision, score.recall, score.f1) == (2 / 3, 2 / 3, 2 / 3)
    assert (half.scores["negative facts"].f1, half.scores["negative facts"].f1_interval) == (None, None)
    assert (half.shares[TRAPS].count, half.shares[TRAPS].of) == (0, 1)


def test_an_interval_holds_the_score_narrows_with_rows_and_is_the_same_again() -> None:
    few = np.array([[1, 1, 1], [0, 1, 1]] * 5)
    many = np.array([[1, 1, 1], [0, 1, 1]] * 100)
    ends = []
    for counts in (few, many):
        score = score_of(counts, draws(len(counts), seed=3))
        assert score == score_of(counts, draws(len(counts), seed=3))
        assert score.f1_interval is not None
        assert score.f1_interval[0] < score.f1 == 0.5 < score.f1_interval[1]  # type: ignore[operator]
        ends.append(score.f1_interval[1] - score.f1_interval[0])
    assert ends[1] < ends[0] / 2
    # The standard error of a share of one half in 200 rows is .035: 95% lie within two of them.
    assert share_of(many[:, :2], draws(200, seed=3)).interval == pytest.approx((0.5 - 0.07, 0.5 + 0.07), abs=0.01)


def test_all_right_has_no_width() -> None:
    score = score_of(np.array([[2, 2, 2]] * 4), draws(4, seed=0))
    assert (score.f1, score.f1_interval, score.precision_interval, score.recall_interval) == (1, (1, 1), (1, 1), (1, 1))
