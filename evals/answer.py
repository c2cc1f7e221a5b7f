"""The agent's answer as the harness accepts it: the contract, checked independently of any agent's own types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from evals.errors import InvalidAnswerError

TOP_K = 10
"""Recommendations of a turn that count."""

AskedAttribute = Literal[
    "category", "material", "color", "size", "style", "brand", "budget", "feature", "use_case", "other"
]


def _encodable(text: str) -> str:
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("holds a lone surrogate, which is no text")
    return text


Text = Annotated[str, AfterValidator(_encodable)]
"""Text that UTF-8 can hold, so that no answer breaks the report that quotes it."""


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Usage(_Strict):
    """Tokens that a language model read and wrote for this turn."""

    prompt_tokens: Annotated[int, Field(ge=0)]
    completion_tokens: Annotated[int, Field(ge=0)]


class Recommendation(_Strict):
    """One recommended product."""

    parent_asin: Text
    score: Annotated[float, Field(allow_inf_nan=False)] | None = None


class Answer(_Strict):
    """What `respond` returns: natural language, the attribute asked for, and products best first."""

    message: Text
    ask_attribute: AskedAttribute | None
    recommendations: Annotated[list[Recommendation], Field(max_length=100)]
    usage: Usage | None = None


def parse_answer(raw: Any) -> Answer:
    """Check an agent's raw answer; raises `InvalidAnswerError` naming the first thing wrong with it."""
    try:
        return Answer.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "answer"
        raise InvalidAnswerError(f"{place}: {first['msg']}") from error


def counted(answer: Answer, exist: Callable[[Sequence[str]], Sequence[bool]]) -> list[str]:
    """Return the ids that count: the first ten distinct ones that `exist` says are in the catalog."""
    distinct = list(dict.fromkeys(item.parent_asin for item in answer.recommendations))
    return [asin for asin, real in zip(distinct, exist(distinct), strict=True) if real][:TOP_K]
