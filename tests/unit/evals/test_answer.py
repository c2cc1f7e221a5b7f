from __future__ import annotations

from typing import Any

import pytest

from evals.answer import Answer, counted, parse_answer
from evals.errors import InvalidAnswerError

FINE: dict[str, Any] = {"message": "Hello", "ask_attribute": None, "recommendations": []}


@pytest.mark.parametrize(
    "raw",
    [
        FINE,
        FINE
        | {"ask_attribute": "use_case", "recommendations": [{"parent_asin": "A", "score": 1}, {"parent_asin": "B"}]},
        FINE | {"usage": {"prompt_tokens": 0, "completion_tokens": 3}},
        FINE | {"usage": None},
    ],
)
def test_the_contract_is_accepted(raw: dict[str, Any]) -> None:
    assert parse_answer(raw).message == "Hello"


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        (None, "answer"),
        ([], "answer"),
        ({"message": "Hello", "recommendations": []}, "ask_attribute"),
        (FINE | {"message": 3}, "message"),
        (FINE | {"message": "\ud800"}, "message"),
        (FINE | {"ask_attribute": "rating"}, "ask_attribute"),
        (FINE | {"evidence": []}, "evidence"),
        (FINE | {"recommendations": [{"parent_asin": 1}]}, "recommendations.0.parent_asin"),
        (FINE | {"recommendations": [{"parent_asin": "A", "score": True}]}, "recommendations.0.score"),
        (FINE | {"recommendations": [{"parent_asin": "A", "score": float("inf")}]}, "recommendations.0.score"),
        (FINE | {"recommendations": [{"parent_asin": "A", "title": "t"}]}, "recommendations.0.title"),
        (FINE | {"recommendations": [{"parent_asin": "A"}] * 101}, "recommendations"),
        (FINE | {"usage": {"prompt_tokens": 1}}, "usage.completion_tokens"),
        (FINE | {"usage": {"prompt_tokens": 1.5, "completion_tokens": 0}}, "usage.prompt_tokens"),
        (FINE | {"usage": {"prompt_tokens": -1, "completion_tokens": 0}}, "usage.prompt_tokens"),
    ],
)
def test_anything_else_is_refused_with_the_place(raw: Any, place: str) -> None:
    with pytest.raises(InvalidAnswerError) as error:
        parse_answer(raw)
    assert str(error.value).startswith(f"{place}:")


def test_only_the_first_ten_distinct_existing_ids_count() -> None:
    ids = ["ghost", "a", "a", *"bcdefghij", "k"]
    answer = Answer.model_validate(FINE | {"recommendations": [{"parent_asin": asin} for asin in ids]})
    assert counted(answer, lambda asked: [asin != "ghost" for asin in asked]) == list("abcdefghij")
