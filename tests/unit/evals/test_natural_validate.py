"""Whatever is changed in a sound session by hand, the check names the session and the rule."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.natural.facts import is_true, record
from evals.natural.session import NaturalSession
from evals.natural.validate import fingerprint, leaks, validate_sessions
from tests.unit.evals.natural_shelf import sealed, sessions, shelf

PRODUCTS = shelf()
SESSIONS = sessions()
TITLES = {product.parent_asin: product.title for product in PRODUCTS}

Row = dict[str, Any]


def broken(changed: NaturalSession) -> set[str]:
    """Return the rules that a changed session breaks; every finding names it, and none a session beside it."""
    beside = next(item for item in SESSIONS if changed.session_id != item.session_id and changed.target != item.target)
    problems = validate_sessions(PRODUCTS, [beside, changed])
    assert {problem.session_id for problem in problems} <= {changed.session_id}
    return {problem.rule for problem in problems}


def edited(of: NaturalSession, **changes: Any) -> NaturalSession:
    """Return a session that was edited by somebody who also wrote the right fingerprint."""
    return sealed(NaturalSession.model_validate_json(json.dumps(of.model_dump(mode="json") | changes)))


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the way to every text and number of a row."""
    if isinstance(value, dict):
        return [found for key, item in value.items() for found in paths(item, (*path, key))]
    if isinstance(value, list):
        return [found for key, item in enumerate(value) for found in paths(item, (*path, key))]
    return [path] if value is not None else []


def replaced(row: Row, path: tuple[Any, ...], change: Callable[[Any], Any]) -> Row:
    copy: Any = json.loads(json.dumps(row))
    place = copy
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = change(place[path[-1]])
    return copy  # type: ignore[no-any-return]  # a row is a dict


def another(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, float | int):
        return value + 1
    return value + " too"


@settings(max_examples=30)
@given(st.sampled_from(SESSIONS), st.randoms(use_true_random=False))
def test_any_edit_of_any_value_is_caught_and_named(of: NaturalSession, random: Any) -> None:
    row = of.model_dump(mode="json")
    fixed = ("session_id", "scenario", "kind", "slot")
    path = random.choice([path for path in paths(row) if not set(path) & set(fixed)])
    try:
        changed = NaturalSession.model_validate(replaced(row, path, another))
    except ValueError:
        return
    assert broken(changed) & {"intact", "target"}


@settings(max_examples=30)
@given(st.sampled_from(SESSIONS), st.sampled_from(["id", "title"]), st.randoms(use_true_random=False))
def test_a_leaked_id_or_title_is_caught_wherever_it_stands(of: NaturalSession, what: str, random: Any) -> None:
    row = of.model_dump(mode="json")
    texts = [
        path for path in paths(row) if path[0] in ("opening", "moves") or path[-1] in ("said", "summary", "message")
    ]
    leaked = of.target.lower() if what == "id" else TITLES[of.target].upper()
    path = random.choice(texts)
    changed = sealed(NaturalSession.model_validate(replaced(row, path, lambda text: f"{text} {leaked}")))
    assert "leak" in broken(changed)


@settings(max_examples=30)
@given(st.sampled_from(SESSIONS), st.randoms(use_true_random=False))
def test_a_fact_that_is_taken_away_leaves_a_signature_that_others_share(of: NaturalSession, random: Any) -> None:
    needed = [fact for fact in of.facts if fact.slot != "old" and not fact.avoided and fact.kind != "category"]
    gone = random.choice(needed)
    kept = [fact.model_dump(mode="json") for fact in of.facts if fact != gone]
    claims = [fact.claim for fact in of.facts if fact not in (gone,) and fact.slot != "old"]
    shared = sum(all(is_true(claim, record(product)) for claim in claims) for product in PRODUCTS) > 1
    changed = edited(of, facts=kept)
    if shared:
        assert "unique" in broken(changed)
    else:
        assert of.scenario in ("budget_rating", "intent_override", "negative_constraint")


@settings(max_examples=30)
@given(st.sampled_from(SESSIONS), st.randoms(use_true_random=False))
def test_a_fact_that_is_made_false_is_caught_though_its_sentence_was_changed_too(
    of: NaturalSession, random: Any
) -> None:
    target = record(next(product for product in PRODUCTS if product.parent_asin == of.target))
    colors = [name for name in ("black", "green", "red", "navy", "white") if f" {name} " not in target.text]
    facts = [fact.model_dump(mode="json") for fact in of.facts]
    number = random.choice([number for number, fact in enumerate(of.facts) if fact.slot == "hidden"] or [0])
    color = random.choice(colors)
    facts[number] |= {"kind": "color", "value": color, "avoided": False, "said": f"I want it {color}."}
    assert {"true", "scenario"} & broken(edited(of, facts=facts))


@settings(max_examples=30)
@given(st.sampled_from(SESSIONS), st.randoms(use_true_random=False))
def test_a_sentence_that_no_longer_states_its_fact_is_caught(of: NaturalSession, random: Any) -> None:
    facts = [fact.model_dump(mode="json") for fact in of.facts]
    facts[random.randrange(len(facts))]["said"] = "Surprise me, whatever."
    assert "said" in broken(edited(of, facts=facts))


@settings(max_examples=30)
@given(st.sampled_from(SESSIONS), st.randoms(use_true_random=False))
def test_another_target_is_caught(of: NaturalSession, random: Any) -> None:
    other = random.choice([product.parent_asin for product in PRODUCTS if product.parent_asin != of.target])
    assert {"true", "unique"} & broken(edited(of, target=other))


def scenario(name: str) -> NaturalSession:
    return next(item for item in SESSIONS if item.scenario == name)


def test_an_old_preference_that_is_true_of_the_target_is_caught() -> None:
    of = scenario("intent_override")
    new = of.in_slot("new")[0]
    facts = [
        fact.model_dump(mode="json") | ({"value": new.value, "said": new.value} if fact.slot == "old" else {})
        for fact in of.facts
    ]
    assert "decoy" in broken(edited(of, facts=facts))


def test_a_rejection_turned_into_a_wish_is_caught() -> None:
    of = scenario("negative_constraint")
    facts = [fact.model_dump(mode="json") | ({"avoided": False} if fact.avoided else {}) for fact in of.facts]
    assert {"true", "said", "scenario"} <= broken(edited(of, facts=facts))


def test_a_limit_on_the_wrong_side_is_caught() -> None:
    of = scenario("budget_rating")
    number = next(n for n, fact in enumerate(of.facts) if fact.kind in ("budget", "rating", "reviews"))
    facts = [fact.model_dump(mode="json") for fact in of.facts]
    facts[number]["said"] = f"around {of.facts[number].value}"
    assert "said" in broken(edited(of, facts=facts, opening=f"{of.opening} around {of.facts[number].value}"))


@pytest.mark.parametrize("name", sorted({item.scenario for item in SESSIONS} - {"multi_constraint"}))
def test_a_session_under_another_scenario_is_caught(name: str) -> None:
    of = scenario("multi_constraint")
    if name == "intent_override":
        with pytest.raises(ValueError, match="a switch belongs"):
            edited(of, scenario=name)
    else:
        assert "scenario" in broken(edited(of, scenario=name))


def test_a_profile_that_says_more_than_its_facts_is_caught() -> None:
    of = scenario("multi_constraint")
    profile = of.user_profile.model_dump(mode="json") | {"preference_tags": ["navy"]}
    assert "profile" in broken(edited(of, user_profile=profile))


def test_a_missing_move_is_caught() -> None:
    of = SESSIONS[0]
    moves = {name: list(said) for name, said in of.moves.items() if name != "unclear"}
    assert "moves" in broken(edited(of, moves=moves))


def test_a_target_that_the_catalog_lacks_or_two_sessions_share_is_caught() -> None:
    assert "target" in broken(edited(SESSIONS[0], target="NAT9999999"))
    twin = edited(SESSIONS[1], session_id="twin")
    problems = validate_sessions(PRODUCTS, [*SESSIONS, twin])
    assert {problem.session_id for problem in problems if problem.rule == "target"} == {"twin", SESSIONS[1].session_id}


def test_the_fingerprint_is_of_everything_but_itself() -> None:
    of = SESSIONS[0]
    assert fingerprint(of) == fingerprint(of.model_copy(update={"sha256": "else"})) == of.sha256
    assert fingerprint(of.model_copy(update={"opening": "else"})) != of.sha256


def test_a_long_run_of_the_title_is_a_leak_and_a_short_one_is_not() -> None:
    product = PRODUCTS[0].model_copy(update={"title": "One two three four five six"})
    of = SESSIONS[0]
    assert leaks(of.model_copy(update={"opening": "two three four five"}), product) == []
    assert leaks(of.model_copy(update={"opening": "two three four five six"}), product) == ["two three four five six"]
