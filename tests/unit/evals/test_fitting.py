"""Estimating the ranking's constants: the logit, the features it is fitted on, and the tables it writes."""

from __future__ import annotations

import json
import tomllib
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from catalog.search import ProductIndex
from evals.errors import EvaluationError
from evals.fitting.answers import estimate_answers
from evals.fitting.commands import LEAST, MOST_CREDIT, fit
from evals.fitting.features import choice_set
from evals.fitting.logit import ChoiceSet, Penalty, Vector, fit_logit, mean_log_likelihood, slope
from evals.fitting.play import RIVALS, Played, Question, play_sessions
from evals.fitting.tables import MARK, number, with_values
from evals.official.generate import generate_sessions
from evals.store import all_products
from graph.cli.app import run
from tests.stores import TOWN, Row, Stores, item
from tools.constants import DialogueConstants, RankingConstants, dialogue_constants, ranking_constants
from tools.evidence import weigh
from tools.weights import FIXED, NAMES, constant, weights

TRUE = np.array([0.7, 2.0, 0.0])


def choices(count: int = 1500, seed: int = 5) -> list[ChoiceSet]:
    """Return choices among 12 alternatives, drawn by the logit of the weights `TRUE`."""
    draw = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        features = draw.normal(size=(12, 3)).astype(np.float32)
        offset = draw.normal(size=12).astype(np.float32)
        scores = offset + features @ TRUE
        chances = np.exp(scores - scores.max())
        made.append(ChoiceSet(features, offset, int(draw.choice(12, p=chances / chances.sum()))))
    return made


def towards(start: Vector, strength: float = 1e-6) -> Penalty:
    return Penalty(strength, start, np.ones(len(start)))


NOTHING = np.zeros(3)
ANY = np.full(3, -np.inf)


# --- the logit -----------------------------------------------------------------------------------------------------


def test_the_logit_recovers_the_weights_that_drew_the_choices() -> None:
    found = fit_logit(choices(), towards(NOTHING), ANY)
    errors = np.sqrt(np.diag(found.covariance))
    assert (errors < 0.08).all()
    assert (np.abs(found.weights - TRUE) < 3 * errors).all()


def test_the_gradient_and_curvature_are_those_of_finite_differences() -> None:
    sets, at, penalty = choices(40), np.array([0.3, 1.1, -0.4]), Penalty(2.0, np.ones(3), np.array([1.0, 0.5, 2.0]))
    here, step = slope(sets, at, penalty), 1e-4
    for place in range(3):
        aside = np.eye(3)[place] * step
        above, below = slope(sets, at + aside, penalty), slope(sets, at - aside, penalty)
        assert (above.value - below.value) / (2 * step) == pytest.approx(here.gradient[place], abs=1e-3)
        assert (below.gradient - above.gradient) / (2 * step) == pytest.approx(here.curvature[place], abs=1e-2)


def test_the_penalty_draws_the_weights_to_where_they_start() -> None:
    sets, start = choices(200), np.array([1.5, 1.0, 1.0])
    away = [
        float(np.abs(fit_logit(sets, towards(start, strength), ANY).weights - start).sum())
        for strength in (1e-6, 100.0, 1e7)
    ]
    assert away[0] > away[1] > away[2]
    assert away[2] < 1e-3


def test_no_weight_falls_below_its_bound_and_the_others_are_the_best_beside_it() -> None:
    sets = choices(400)
    bounded = fit_logit(sets, towards(NOTHING), np.array([0.0, 3.0, 0.0])).weights
    assert bounded[1] == 3.0
    assert (bounded >= 0).all()
    aside = bounded + np.array([0.05, 0.0, 0.0])
    assert mean_log_likelihood(sets, bounded) > mean_log_likelihood(sets, aside)
    aside = bounded - np.array([0.05, 0.0, 0.0])
    assert mean_log_likelihood(sets, bounded) > mean_log_likelihood(sets, aside)


def test_the_fit_makes_the_choices_more_likely() -> None:
    sets = choices(100)
    found = fit_logit(sets, towards(NOTHING), NOTHING).weights
    assert mean_log_likelihood(sets, NOTHING) < mean_log_likelihood(sets, found) < 0
    assert np.isnan(mean_log_likelihood([], found))


# --- sessions and features -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def town(stores: Stores) -> ProductIndex:
    return stores.index(TOWN)


@pytest.fixture(scope="module")
def played(town: ProductIndex) -> Played:
    return play_sessions(town, generate_sessions(all_products(town), 12, "uniform", 4))


def test_every_choice_holds_the_wanted_product(town: ProductIndex, played: Played) -> None:
    targets = {session.target for session in generate_sessions(all_products(town), 12, "uniform", 4)}
    assert len(played.choices) >= 12
    for choice in played.choices:
        assert len(choice.ids) <= RIVALS
        assert town.parent_asins(choice.ids[[choice.chosen]])[0] in targets


def test_features_times_weights_are_the_score(town: ProductIndex, played: Played) -> None:
    constants = ranking_constants()
    weight = weights(constants)
    vector = np.array([weight[name] for name in NAMES])
    for choice in played.choices:
        made = choice_set(town, choice, constants)
        score = weigh(town, choice.belief, choice.query, choice.ids, constants).total
        assert np.allclose(made.offset + made.features @ vector, score, atol=1e-3)
        assert made.chosen == choice.chosen
    assert weight[FIXED] == 1.0


def test_the_same_sessions_give_the_same_choices(town: ProductIndex, played: Played) -> None:
    again = play_sessions(town, generate_sessions(all_products(town), 12, "uniform", 4))
    assert again.questions == played.questions
    assert [choice.ids.tolist() for choice in again.choices] == [choice.ids.tolist() for choice in played.choices]


def counted(questions: list[Question], constants: DialogueConstants | None = None) -> dict[str, float]:
    return {row.name: row.counted for row in estimate_answers(questions, constants or dialogue_constants())}


def test_an_attribute_that_is_always_answered_gains_and_one_that_never_is_loses() -> None:
    present = dialogue_constants()
    always, never = [Question("color", 0, 2, 0.5)] * 30, [Question("brand", 0, 0, 0.1)] * 30
    found = counted(always + never)
    assert found["questions.color.answerable"] > 0.85
    assert found["questions.brand.answerable"] < 0.15
    assert found["questions.size.answerable"] == present.questions["size"].answerable
    assert 0.5 < found["informed_rank"] < 0.65


def test_answers_that_dry_up_lower_what_is_left_of_the_next() -> None:
    fresh = [Question("color", 0, 1, 1.0), Question("color", 0, 0, 1.0)] * 50
    silent = counted(fresh + [Question("color", 1, 0, 1.0)] * 40)["fatigue"]
    lively = counted(fresh + [Question("color", 1, 1, 1.0)] * 40)["fatigue"]
    assert silent < dialogue_constants().fatigue < lively


# --- tables --------------------------------------------------------------------------------------------------------

TABLE = """# What counts.
# And why.

[text]
unknown = 2.5           # times rarity
soft = 0.6
[words]
unknown = 2.0 # tight
"""


def test_values_are_edited_in_place_and_comments_stay() -> None:
    made = with_values(TABLE, {"text.unknown": 3.125, "words.unknown": 11.0}, ["here", "there"])
    assert made.splitlines()[:5] == ["# What counts.", "# And why.", "# fit: here", "# fit: there", ""]
    assert "unknown = 3.12          # times rarity\nsoft = 0.6\n" in made
    assert "unknown = 11.0 # tight" in made


def test_a_later_fit_takes_the_place_of_what_was_said_of_an_earlier_one() -> None:
    once = with_values(TABLE, {"text.soft": 0.5}, ["first"])
    twice = with_values(once, {"text.soft": 0.7}, ["second"])
    assert [line for line in twice.splitlines() if line.startswith(MARK)] == ["# fit: second"]
    assert with_values(once, {}, ["first"]) == once


def test_a_constant_that_the_table_lacks_is_named() -> None:
    with pytest.raises(EvaluationError, match=r"words\.soft"):
        with_values(TABLE, {"words.soft": 1.0}, [])


@pytest.mark.parametrize(("value", "text"), [(0.0, "0.0"), (3.0, "3.0"), (0.12345, "0.123"), (52.25, "52.2")])
def test_numbers_are_written_as_floats_of_three_digits(value: float, text: str) -> None:
    assert number(value) == text
    assert isinstance(tomllib.loads(f"x = {text}")["x"], float)


# --- the command ---------------------------------------------------------------------------------------------------


def _lamps() -> list[Row]:
    colors, kinds = ("amber", "white", "green"), ("desk", "floor", "wall")
    return [
        item(
            f"LAMP{number:02}",
            f"Quillon {color} {kind} lamp",
            15.0 + number,
            3 * number,
            Color=color,
            Material=cloth,
            features=f"Shade of {cloth} | For the {kind}",
            store="Quillon",
        )
        for number, (color, kind, cloth) in enumerate(
            (c, k, m) for c in colors for k in kinds for m in ("linen", "paper")
        )
    ]


def test_the_command_writes_tables_that_the_loaders_accept(
    stores: Stores, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, questions = tmp_path / "ranking.toml", tmp_path / "questions.toml"
    command = ["eval", "fit", "--catalog", str(stores.path(TOWN)), "--check", str(stores.path(_lamps())), "--n", "8"]
    assert run([*command, "--out", str(out), "--questions", str(questions), "--date", "2031-05-04", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    made = RankingConstants.model_validate(tomllib.loads(out.read_text(encoding="utf-8")))
    moved = 0
    for row in report["constants"]:
        assert constant(made, row["name"]) == pytest.approx(row["fitted"])
        assert row["error"] is not None or row["fitted"] == row["present"]
        moved += row["fitted"] != row["present"]
    assert moved
    held = {row["name"] for row in report["constants"] if row["error"] is None}
    assert {"prior.weight", "category.unknown", "text.profile"} <= held
    assert [(row["fitted_on"], row["turns"] > 0) for row in report["catalogs"]] == [(True, True), (False, True)]
    assert report["catalogs"][0]["after"] >= report["catalogs"][0]["before"]
    DialogueConstants.model_validate(tomllib.loads(questions.read_text(encoding="utf-8")))
    shipped = (files("tools") / "data" / "ranking.toml").read_text(encoding="utf-8")
    said = [line for line in out.read_text(encoding="utf-8").splitlines() if line.startswith(MARK)]
    assert said[-1] == "# fit: on 2031-05-04"
    assert report["catalogs"][0]["catalog_sha256"][:12] in said[1]
    assert shipped.count("#") <= out.read_text(encoding="utf-8").count("#")


def test_the_command_prints_constants_catalogs_and_answers(stores: Stores, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["eval", "fit", "--catalog", str(stores.path(TOWN)), "--n", "4", "--draw", "uniform", "--prior"]) == 0
    first = {line.split()[0]: line.split() for line in capsys.readouterr().out.splitlines() if line.split()}
    assert first["prior.weight"][2] != "held"
    assert first["text.profile"][2] == "held"
    assert "fatigue" in first


def test_rules_set_by_hand_hold_whatever_the_sessions_say(stores: Stores) -> None:
    rows = {row.name: row.fitted for row in fit([stores.path(TOWN)], n=10, penalty=0.01).constants}
    assert all(rows[name] >= least for name, least in LEAST.items())
    assert rows["text.mention_credit"] <= MOST_CREDIT
    assert all(value >= 0 for value in rows.values())


def test_a_catalog_given_twice_and_a_penalty_of_nothing_are_refused(stores: Stores) -> None:
    with pytest.raises(EvaluationError, match="given twice"):
        fit([stores.path(TOWN)], check=[stores.path(TOWN)], n=2)
    with pytest.raises(EvaluationError, match="penalty is 0"):
        fit([stores.path(TOWN)], n=2, penalty=0)
