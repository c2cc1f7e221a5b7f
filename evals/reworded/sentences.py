"""Files of hand-written sentences: for one product each, what a shopper who wants it says in words of his own.

A file holds product ids and sentences, no text of the catalog: the facts that the sentences say are read from the
catalog when sessions are made.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from evals.errors import EvaluationError


class Sentences(BaseModel):
    """What the shopper of one session says."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    session_id: str
    target: str = Field(description="`parent_asin` of the wanted product.")
    scenario: str
    opening: str = Field(min_length=1)
    values: tuple[str, ...] = Field(min_length=1, description="One for each value of the hidden card, in its order.")
    override: str | None = Field(default=None, description="The change of mind; only of `intent_override`.")
    no_preference: str = Field(min_length=1)
    exhausted: tuple[str, ...] = Field(min_length=1)
    not_right: str = Field(min_length=1)

    @model_validator(mode="after")
    def _change_of_mind(self) -> Self:
        if (self.scenario == "intent_override") != (self.override is not None):
            raise ValueError("an override belongs to the scenario intent_override, and to no other")
        return self


def shipped() -> list[str]:
    """Return the names of the sentence files that come with the package."""
    folder = files("evals").joinpath("data/reworded")
    return sorted(item.name.removesuffix(".jsonl") for item in folder.iterdir() if item.name.endswith(".jsonl"))


def read_sentences(name: str) -> list[Sentences]:
    """Read the shipped file of that name, or the file at that path.

    Raises `EvaluationError` naming the file and line when there is none or a line is not what it should be.
    """
    item = files("evals").joinpath(f"data/reworded/{name}.jsonl") if name in shipped() else Path(name)
    try:
        text = item.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise EvaluationError(f"{name}: no such sentences; give a file or one of: {', '.join(shipped())}") from error
    rows: list[Sentences] = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            rows.append(Sentences.model_validate_json(line))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(map(str, first["loc"])) or "row"
            raise EvaluationError(f"{name}, line {number}: {place}: {first['msg']}; correct that line") from error
    if not rows:
        raise EvaluationError(f"{name}: holds no sentences; give a file with one JSON object a line")
    if len({row.session_id for row in rows}) != len(rows):
        raise EvaluationError(f"{name}: a session id occurs twice; give each row its own")
    return rows
