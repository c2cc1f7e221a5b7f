"""Labelled messages: JSONL rows of facts, of dialogue moves, or of a yes/no verdict, and the two halves of a file.

The halves are fixed by rule, so that nobody chooses what is tuned on: within each `source` of a file (rows without one
are one source) the first half of the rows in file order, rounded up, is the tuned half and the rest is held out. A row
that carries `half` ("tune" or "held") follows it.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, TypeAdapter, ValidationError

from catalog.errors import InputError

Half = Literal["tuned", "held"]
HALVES: tuple[Half, ...] = ("tuned", "held")
Kind = Literal["facts", "moves", "label"]
_KINDS: tuple[Kind, ...] = ("facts", "moves", "label")

LabelValue = str | float | list[str] | list[float]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class GoldFact(_Frozen):
    """A fact that a message states, as a person labelled it."""

    attribute: str
    value: LabelValue
    polarity: Literal["positive", "negative"] = "positive"
    span: str = Field(default="", description="The verbatim words of the message that state it.")
    op: str | None = None

    @property
    def texts(self) -> list[str]:
        """The values as text."""
        values = self.value if isinstance(self.value, list) else [self.value]
        return [f"{value:g}" if isinstance(value, float) else value for value in values]


class GoldMove(_Frozen):
    """One thing that the shopper does, as a person labelled it."""

    move: str
    attribute: str | None = None


class _Row(_Frozen):
    id: str | int | None = None
    text: str
    source: str | None = None
    half: Literal["tune", "held"] | None = None
    prev_user: str | None = None
    prev_system: str | None = None


class FactsRow(_Row):
    """A message with all its facts; `slogan_trap` marks one whose negation excludes nothing."""

    facts: list[GoldFact]
    slogan_trap: bool = False


class MovesRow(_Row):
    """A message with its dialogue moves."""

    moves: list[GoldMove]


class VerdictRow(_Row):
    """A message of which one thing is asked; the name of the file says what."""

    label: bool


def _kind(row: Any) -> Kind | None:
    return next((kind for kind in _KINDS if kind in row), None) if isinstance(row, dict) else None


Row = FactsRow | MovesRow | VerdictRow
_ROW: TypeAdapter[Row] = TypeAdapter(
    Annotated[
        Annotated[FactsRow, Tag("facts")] | Annotated[MovesRow, Tag("moves")] | Annotated[VerdictRow, Tag("label")],
        Discriminator(_kind),
    ]
)
_REMEDY = 'write one object a line with "text" and one of "facts", "moves" or "label"'


class LabelFile(_Frozen):
    """The rows of one file, all of one kind, with the half that each belongs to."""

    path: Path
    sha256: str
    kind: Kind
    rows: list[Row]
    halves: list[Half]


def read_labels(path: Path) -> LabelFile:
    """Read a file of labelled messages; raises `InputError` that names file, line, problem and remedy."""
    data = _data(path)
    rows: list[Row] = []
    kind: Kind | None = None
    for number, line in enumerate(data.splitlines(), 1):
        if line.strip():
            here, row = _parsed(f"{path}, line {number}", line)
            if kind not in (None, here):
                raise InputError(
                    f'{path}, line {number}: "{here}" among rows of "{kind}"; give each kind its own file.'
                )
            kind = here
            rows.append(row)
    if kind is None:
        raise InputError(f"{path}: no rows; {_REMEDY}.")
    digest = hashlib.sha256(data).hexdigest()
    return LabelFile(path=path, sha256=digest, kind=kind, rows=rows, halves=halves_of(rows))


def halves_of(rows: Sequence[Row]) -> list[Half]:
    """Return the half of each row, by the rule of this module."""
    sizes = Counter(row.source for row in rows)
    seen: Counter[str | None] = Counter()
    halves: list[Half] = []
    for row in rows:
        seen[row.source] += 1
        tuned = row.half == "tune" if row.half else 2 * seen[row.source] <= sizes[row.source] + 1
        halves.append("tuned" if tuned else "held")
    return halves


def _data(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); name a file of labelled messages.") from error


def _parsed(place: str, line: bytes) -> tuple[Kind, Row]:
    try:
        raw = json.loads(line)
        row = _ROW.validate_python(raw)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"][1:])
        problem = f"{field}: {first['msg']}" if field else "neither facts nor moves nor a label"
        raise InputError(f"{place}: {problem}; {_REMEDY}.") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place} is not JSON ({error}); {_REMEDY}.") from error
    kind = _kind(raw)
    if kind is None:
        raise InputError(f"{place}: neither facts nor moves nor a label; {_REMEDY}.")
    return kind, row
