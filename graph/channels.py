"""Channels that check what is written to them, whoever writes: a node, the input of a run, an edit from Studio.

LangGraph stores what it is given and validates it only when the next node reads it: one wrong edit, and every later
turn of that conversation fails. Here a wrong value is refused before anything is stored.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Self, cast

from langgraph.channels import BinaryOperatorAggregate, LastValue
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from catalog.errors import InputError
from graph.events import believe

SHOWN_PROBLEMS = 3
"""Problems of one value that an error names."""


def value_channel(state: type[BaseModel], name: str) -> CheckedValue:
    """Return the channel of a field: its type, bounds and validators are those of the model."""
    field = state.model_fields[name]
    return CheckedValue(Annotated[(field.annotation, *field.metadata, Field(description=field.description))], name)


class CheckedValue(LastValue[Any]):
    """The last value written, taken only when it is what the field says; JSON forms of it are turned into it."""

    __slots__ = ("adapter",)

    def __init__(self, typ: Any, key: str = "", adapter: TypeAdapter[Any] | None = None) -> None:
        """Open an empty channel; `adapter` saves building it again for a copy."""
        super().__init__(typ, key)
        self.adapter: TypeAdapter[Any] = adapter or TypeAdapter(typ)

    def copy(self) -> Self:
        """Return a channel that holds the same value."""
        return self.from_checkpoint(self.value)

    def from_checkpoint(self, checkpoint: Any) -> Self:
        """Return a channel that holds what a checkpoint stored."""
        empty = self.__class__(self.typ, self.key, self.adapter)
        empty.value = checkpoint
        return empty

    def update(self, values: Sequence[Any]) -> bool:
        """Take a step's writes; raises `InputError` on a wrong value."""
        if not values:
            # Every channel is told of every step, 160 times a turn, and few are written to.
            return False
        return super().update([_checked(self.key, self.adapter.validate_python, value) for value in values])


class EventLog(BinaryOperatorAggregate[list[dict[str, Any]]]):
    """All events of a conversation; what is appended, or put in their place, must fold into a belief."""

    def __init__(
        self,
        typ: type[list[dict[str, Any]]],
        operator: Callable[[Any, Any], Any] = operator.add,
    ) -> None:
        """Open an empty log."""
        super().__init__(typ, operator)

    def update(self, values: Sequence[Any]) -> bool:
        """Take a step's writes; raises `InputError` on a row that is no event."""
        if not values:
            return False
        return cast(bool, _checked(self.key, self._append, values))

    def _append(self, values: Sequence[Any]) -> bool:
        changed = super().update(values)
        # The belief is kept for the next node, which asks for the same one: the check costs no second fold.
        believe(self.value)
        return changed


def _checked(name: str, check: Callable[[Any], Any], value: Any) -> Any:
    try:
        return check(value)
    except (TypeError, ValueError) as error:
        raise InputError(f"`{name}` cannot take this value: {_reason(error)} It was not stored.") from error


def _reason(error: Exception) -> str:
    """Return what is wrong and where, without the value itself: an error is logged, a shopper's words are not."""
    if not isinstance(error, ValidationError):
        return f"{error}."
    problems = error.errors(include_url=False, include_input=False, include_context=False)
    told = [f"{'.'.join(str(part) for part in p['loc'])}: {p['msg']}".lstrip(": ") for p in problems[:SHOWN_PROBLEMS]]
    more = len(problems) - SHOWN_PROBLEMS
    return "; ".join(told) + (f"; and {more} more." if more > 0 else ".")
