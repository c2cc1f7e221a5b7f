"""Text and numbers are cleaned where they come in."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from graph.state import MESSAGE_LIMIT, Context, State, TurnState, clean_json, clean_text


@given(st.text(st.characters(exclude_categories=())))
def test_cleaned_text_can_be_stored_and_keeps_its_length(text: str) -> None:
    cleaned = clean_text(text)
    cleaned.encode("utf-8")
    assert "\x00" not in cleaned
    assert len(cleaned) == len(text)


def test_text_is_bounded() -> None:
    assert clean_text("x" * 10, limit=3) == "xxx"
    assert len(clean_text("x" * (MESSAGE_LIMIT + 5))) == MESSAGE_LIMIT


@pytest.mark.parametrize(
    ("value", "cleaned"),
    [
        (None, None),
        (True, True),
        (1.5, 1.5),
        (7, 7),
        (2**63 - 1, 2**63 - 1),
        (-(2**63), -(2**63)),
        (2**63, float(2**63)),
        (-(10**40), -1e40),
        (10**400, 1e300),
        ("a\ud800", "a\ufffd"),
        ({1: ("a", {"b"})}, {"1": ["a", "{'b'}"]}),
        ([{"k\x00": [1]}], [{"k\ufffd": [1]}]),
    ],
)
def test_any_value_becomes_json(value: Any, cleaned: Any) -> None:
    assert clean_json(value) == cleaned
    assert type(clean_json(value)) is type(cleaned)
    assert json.loads(json.dumps(clean_json(value))) == cleaned


def test_the_state_cleans_what_comes_in() -> None:
    state = State(message="a\ud800", user_profile={"n": 10**30})
    assert (state.message, state.user_profile) == ("a\ufffd", {"n": 1e30})
    assert len(TurnState(message="x" * (MESSAGE_LIMIT + 9)).message) == MESSAGE_LIMIT + 1


@pytest.mark.parametrize(
    "values",
    [{"message": 7}, {"user_profile": "x"}, {"turn": -1}, {"turn": 2**40}, {"commit": 11}, {"mode": "selling"}],
)
def test_edits_from_outside_are_checked(values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        State.model_validate(values)


@pytest.mark.parametrize("values", [{"policy": "bold"}, {"model_mode": "on"}, {"polcy": "full"}])
def test_a_context_with_a_typing_error_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Context.model_validate(values)
