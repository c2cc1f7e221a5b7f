"""Write estimated constants into a TOML table, in place: comments, order and layout stay."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence

from evals.errors import EvaluationError

MARK = "# fit: "
"""Begins the comment lines that say where fitted values come from."""

_SECTION = re.compile(r"\[([^\[\]]+)\]\s*(?:#.*)?$")
_NUMBER = re.compile(r"(\w+)( *= *)([-+0-9.eE]+)( *)(#.*)?$")


def with_values(text: str, values: Mapping[str, float], provenance: Sequence[str]) -> str:
    """Return a TOML text with numbers replaced by dotted name, and `provenance` under its opening comment.

    Comments keep their column where it is wide enough. Raises `EvaluationError` naming a constant that the text lacks.
    """
    lines = [line for line in text.splitlines() if not line.startswith(MARK)]
    section, missing = "", set(values)
    for number, line in enumerate(lines):
        if header := _SECTION.match(line):
            section = header[1] + "."
        elif (found := _NUMBER.match(line)) and section + found[1] in values:
            name = section + found[1]
            missing.discard(name)
            lines[number] = _replaced(found, values[name])
    if missing:
        raise EvaluationError(f"the table has no {', '.join(sorted(missing))}: add what is missing and fit again")
    opening = next((place for place, line in enumerate(lines) if not line.startswith("#")), len(lines))
    written = "\n".join([*lines[:opening], *(MARK + line for line in provenance), *lines[opening:]]) + "\n"
    tomllib.loads(written)
    return written


def number(value: float) -> str:
    """Return a constant to three significant digits, as TOML writes a float."""
    short = f"{value:.3g}"
    return short if "." in short or "e" in short else short + ".0"


def _replaced(found: re.Match[str], value: float) -> str:
    key, equals, old, gap, comment = found.groups()
    new = number(value)
    if not comment:
        return f"{key}{equals}{new}"
    return f"{key}{equals}{new}{' ' * max(len(old) + len(gap) - len(new), 1)}{comment}"
