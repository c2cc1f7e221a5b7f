"""Reading rows out of JSONL, JSON, CSV and Parquet, every cell as the source wrote it.

A reader yields a `RawRow` or, for what cannot be a row, a `Reject` with its reason; it stops with
`ImportFailedError` only where the rest of the file cannot be read at all. No types are guessed: a CSV cell is
text, and prices and numbers are parsed later by `catalog.money` and `catalog.numbers`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime
from typing import NamedTuple, TextIO

import duckdb
import orjson

from catalog.delimited import read_delimited
from catalog.errors import ImportFailedError
from catalog.sources import Source, decoded

MAX_ROW = 64 * 1024 * 1024
"""Longest line or array element that is parsed, in characters."""

START = 200
"""Characters of a rejected row that are kept."""

_DECODER = json.JSONDecoder()
_BLANK = " \t\r\n\ufeff"
_CHUNK = 1 << 20
_PARQUET_BATCH = 1_000


class RawRow(NamedTuple):
    """A row as the source wrote it: column name to cell. `line` counts from 1."""

    line: int
    values: dict[str, object]


class Reject(NamedTuple):
    """What could not become a row: where it stands, why, and how it starts."""

    line: int
    reason: str
    start: str


def read_rows(source: Source, notes: Counter[str]) -> Iterator[RawRow | Reject]:
    """Yield the rows and rejects of a source in file order; repairs are counted in `notes`."""
    if source.kind == "parquet":
        yield from _read_parquet(source)
        return
    with source.text() as file:
        if source.kind == "csv":
            for line, values, reason, start in read_delimited(source, file, notes):
                yield RawRow(line, values) if not reason else Reject(line, reason, start[:START])
        elif source.kind == "json":
            yield from _read_json(source, file, notes)
        else:
            yield from _read_lines(file, notes)


def _read_lines(file: TextIO, notes: Counter[str]) -> Iterator[RawRow | Reject]:
    number = 0
    while line := file.readline(MAX_ROW + 1):
        number += 1
        if len(line) > MAX_ROW:
            start = line[:START]
            while line and not line.endswith("\n"):
                line = file.readline(MAX_ROW)
            yield Reject(number, "row too long", start)
            continue
        text, repaired = decoded(line.strip(" \t\r\n\ufeff\x00"))
        if repaired:
            notes["text not UTF-8, read as Windows-1252"] += 1
        if text:
            yield _parsed(number, text)


def _parsed(number: int, text: str) -> RawRow | Reject:
    try:
        value = orjson.loads(text)
    except ValueError:
        # Python's reader also takes NaN, 1e999 and lone surrogates, each of which spoils one cell, not the row.
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return Reject(number, "bad JSON", text[:START])
    return _object(number, value, text)


def _object(number: int, value: object, text: str) -> RawRow | Reject:
    if not isinstance(value, dict):
        return Reject(number, "not an object", text[:START])
    return RawRow(number, value)


def _read_json(source: Source, file: TextIO, notes: Counter[str]) -> Iterator[RawRow | Reject]:
    """Read a JSON file: one array, one object that holds an array of objects, or JSON lines after all."""
    if _first_sign(source) == "[":
        yield from _read_array(source, file, notes)
    elif _is_one_value(source):
        yield from _read_document(source, file)
    else:
        yield from _read_lines(file, notes)


def _first_sign(source: Source) -> str:
    with source.text() as file:
        while sign := file.read(1):
            if sign not in _BLANK:
                return sign
    return ""


def _is_one_value(source: Source) -> bool:
    """Return whether the first line is no value of its own, or the only one."""
    with source.text() as file:
        try:
            json.loads(file.readline(MAX_ROW))
        except (ValueError, RecursionError):
            return True
        return not file.readline(MAX_ROW).strip()


def _read_document(source: Source, file: TextIO) -> Iterator[RawRow | Reject]:
    try:
        value = json.loads(file.read(MAX_ROW))
    except (ValueError, RecursionError) as error:
        raise ImportFailedError(
            f"{source.name}: this is neither JSON lines nor one JSON value ({error}). "
            "Write one product a line, or one array of products."
        ) from error
    items = _wrapped(value) if isinstance(value, dict) else None
    yield from (_object(index, item, str(item)) for index, item in enumerate(items or [value], start=1))


def _wrapped(value: dict[str, object]) -> list[object] | None:
    """Return the products of `{"products": [{...}, ...], "total": 194}`: the only list of objects inside."""
    lists = [item for item in value.values() if isinstance(item, list) and item and isinstance(item[0], dict)]
    return lists[0] if len(lists) == 1 and "title" not in value and "name" not in value else None


def _read_array(source: Source, file: TextIO, notes: Counter[str]) -> Iterator[RawRow | Reject]:
    """Yield the elements of an array one by one; memory holds one element and a chunk of text."""
    buffer, number, ended = file.read(_CHUNK).lstrip(_BLANK)[1:], 0, False
    while not (buffer := buffer.lstrip(_BLANK + ",")).startswith("]"):
        value, end = _first_value(buffer)
        if end == 0 or (end == len(buffer) and not ended):  # half a value, or a number that may go on
            if ended or len(buffer) > MAX_ROW:
                raise ImportFailedError(
                    f"{source.name}: the JSON array is damaged after element {number}, at {buffer[:40]!r}. "
                    "Export it again."
                )
            chunk, repaired = decoded(file.read(_CHUNK + len(buffer)))
            if repaired:
                notes["text not UTF-8, read as Windows-1252"] += 1
            buffer, ended = buffer + chunk, not chunk
            continue
        number += 1
        yield _object(number, value, buffer[: min(end, START)])
        buffer = buffer[end:]


def _first_value(text: str) -> tuple[object, int]:
    """Return the JSON value that `text` starts with and where it ends, 0 when there is no whole one."""
    try:
        value, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return None, 0
    return value, end


def _read_parquet(source: Source) -> Iterator[RawRow | Reject]:
    # The engine expands patterns in a path even when it is a bound parameter: brackets make signs literal.
    literal = "".join(f"[{sign}]" if sign in "*?[" else sign for sign in str(source.path))
    with duckdb.connect() as connection:
        try:
            result = connection.execute("SELECT * FROM read_parquet(?)", [literal])
            names = [column[0] for column in result.description or ()]
            number = 0
            while batch := result.fetchmany(_PARQUET_BATCH):
                for values in batch:
                    number += 1
                    yield RawRow(number, {name: _plain(value) for name, value in zip(names, values, strict=True)})
        except duckdb.Error as error:
            raise ImportFailedError(
                f"{source.name}: the Parquet data cannot be read ({error}). Export it again."
            ) from error


def _plain(value: object) -> object:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    return value if value is None or isinstance(value, (str, int, float)) else str(value)
