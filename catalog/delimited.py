"""Reading CSV: the delimiter is fixed once, quoting follows RFC 4180, and one stray quote costs one line."""

from __future__ import annotations

import csv
import re
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TextIO

from catalog.errors import ImportFailedError
from catalog.sources import Source, decoded

DELIMITERS = ",;\t|"
"""The delimiters that are told apart."""

MAX_ROW_LINES = 1_000
"""A quoted cell that runs on for more lines than this is taken for a stray quote."""

MAX_CELL = 64 * 1024 * 1024
"""Longest cell that is parsed, in characters."""

_SHOWN = 400
_SAMPLE_LINES = 300
_SAMPLE_CHARACTERS = 1 << 18
_SEP_LINE = re.compile(r"sep=(.)\s*")
_MAX_LINE = 64 * 1024 * 1024


class DelimitedRow(NamedTuple):
    """A row as a table of its cells, or with a `reason` why it is none and its `start`."""

    line: int
    values: dict[str, object]
    reason: str = ""
    start: str = ""


class _Lines:
    """Lines of a file that can be put back: what a stray quote swallowed is read again."""

    def __init__(self, file: TextIO, notes: Counter[str]) -> None:
        self._file = file
        self._notes = notes
        self._returned: deque[str] = deque()
        self.taken: list[str] = []
        self.number = 0

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        if len(self.taken) >= MAX_ROW_LINES:
            raise StopIteration
        line = self._returned.popleft() if self._returned else self._read()
        self.taken.append(line)
        self.number += 1
        return line

    def _read(self) -> str:
        line, repaired = decoded(self._file.readline(_MAX_LINE))
        if not line:
            raise StopIteration
        if repaired:
            self._notes["text not UTF-8, read as Windows-1252"] += 1
        return line.replace("\x00", "")

    def put_back_all_but_first(self) -> None:
        """Return the lines of the last row to the front, except its first."""
        self._returned.extendleft(reversed(self.taken[1:]))
        self.number -= len(self.taken) - 1


def read_delimited(source: Source, file: TextIO, notes: Counter[str]) -> Iterator[DelimitedRow]:
    """Yield the rows of a CSV file; rows whose cells do not fit the header carry a reason."""
    csv.field_size_limit(MAX_CELL)
    delimiter, skipped = sniff_delimiter(source)
    lines = _Lines(file, notes)
    for _ in range(skipped):
        next(lines, "")
    reader = csv.reader(lines, delimiter=delimiter, doublequote=True, strict=False)
    lines.taken = []
    header = _header(source, next(reader, []))
    while True:
        lines.taken = []
        start = lines.number + 1
        try:
            cells = next(reader, None)
        except csv.Error:  # a cell beyond MAX_CELL
            row = DelimitedRow(start, {}, "row too long", lines.taken[0][:_SHOWN])
        else:
            if cells is None:
                return
            if not any(cell.strip() for cell in cells):
                continue
            row = _row(header, cells, start, lines.taken)
        if row.reason and len(lines.taken) > 1:
            lines.put_back_all_but_first()
            row = row._replace(reason="unclosed quote")
        yield row


def _row(header: Sequence[str], cells: list[str], line: int, taken: Sequence[str]) -> DelimitedRow:
    surplus = cells[len(header) :]
    if len(cells) < len(header) or any(cell.strip() for cell in surplus):
        return DelimitedRow(line, {}, "wrong column count", taken[0][:_SHOWN].rstrip("\r\n"))
    return DelimitedRow(line, {name: cell for name, cell in zip(header, cells, strict=False) if name})


def _header(source: Source, cells: list[str]) -> list[str]:
    names = [cell.strip('\ufeff \t\r\n"') for cell in cells]
    if not any(names):
        raise ImportFailedError(f"{source.name}: the first line names no columns. The first line must be the header.")
    seen: Counter[str] = Counter()
    for index, name in enumerate(names):
        seen[name] += 1
        if name and seen[name] > 1:  # the first of equal names keeps it
            names[index] = f"{name} {seen[name]}"
    return names


def sniff_delimiter(source: Source) -> tuple[str, int]:
    """Return the delimiter of a CSV file and how many lines stand before its header.

    The delimiter is the one under which most of the first rows have as many cells as the header, of which
    there must be two or more; the wider header wins a tie. A file of one column gets the comma.
    """
    with source.text() as file:
        sample = [
            decoded(line)[0] for line in islice(iter(lambda: file.readline(_SAMPLE_CHARACTERS), ""), _SAMPLE_LINES)
        ]
    if sample and (stated := _SEP_LINE.fullmatch(sample[0])):
        return stated[1], 1
    blank = next((index for index, line in enumerate(sample) if line.strip()), 0)
    best = max(DELIMITERS, key=lambda delimiter: _fit(sample[blank:], delimiter))
    return best if _fit(sample[blank:], best)[0] > 0 else ",", blank


def _fit(sample: Sequence[str], delimiter: str) -> tuple[float, int]:
    try:
        rows = [row for row in csv.reader(sample, delimiter=delimiter) if row]
    except csv.Error:
        return 0.0, 0
    width = len(rows[0]) if rows else 0
    if width < 2:
        return 0.0, width
    body = rows[1:-1] or rows[1:]  # the last row may be cut off
    return (sum(len(row) == width for row in body) + 1) / (len(body) + 1), width
