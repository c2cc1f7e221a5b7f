"""Staging: every row of every source on disk, so that rows of one id meet without all being in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import duckdb
import orjson

from catalog.columns import HASH_ID, Columns, find_columns, normal_name, plan_columns
from catalog.errors import ImportFailedError
from catalog.importers import Reject, read_rows
from catalog.manifest import SourceFile
from catalog.rows import MAX_ID, RowReader, StagedRow
from catalog.sources import Source

Progress = Callable[[str, int, int | None], None]

_PLACES = """
CREATE OR REPLACE TEMP TABLE places AS
SELECT * FROM read_json(?, format = 'newline_delimited',
                        columns = {seq: 'BIGINT', id: 'VARCHAR', place: 'BIGINT'})
"""
_ORDERED = """
SELECT place FROM places JOIN (SELECT id, min(seq) AS first FROM places GROUP BY id) USING (id) ORDER BY first, seq
"""

_MAX_PLANS = 10_000
_MAX_COLUMNS = 1_000
_FETCH = 1_000
_REPORT_EVERY = 1_000


class RejectLog:
    """Rejected rows, counted by reason and written as JSON lines of `source, line, reason, start`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("wb")
        self.counts: Counter[str] = Counter()

    def __enter__(self) -> RejectLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, source: str, reject: Reject) -> None:
        """Count and write one reject."""
        self.counts[reject.reason] += 1
        start = reject.start.encode("utf-8", "replace").decode("utf-8")
        record = {"source": source, "line": reject.line, "reason": reject.reason, "start": start}
        self._file.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))

    def publish(self, target: Path, *, complete: bool) -> None:
        """Put the log in place; without rejects, a `complete` import removes the log of an earlier one."""
        self._file.flush()
        if self.counts:
            self._path.replace(target)
        elif complete:
            target.unlink(missing_ok=True)


class Staging:
    """The staged rows of all sources and what was learned while reading them.

    `currencies` counts the currencies that prices state ('' for none), `brands` and `category_names` hold each distinct
    name once, in order of appearance.
    """

    def __init__(self, path: Path, sources: Sequence[Source], rejects: RejectLog, notes: Counter[str]) -> None:
        self._path = path
        self._places = path.with_suffix(".places")
        self._sources = sources
        self._rejects = rejects
        self._notes = notes
        self._with_ids: set[int] = set()
        self._plans: dict[tuple[str, ...], Columns] = {}
        self.columns: dict[str, None] = {}
        self.files: list[SourceFile] = []
        self.currencies: Counter[str] = Counter()
        self.brands: dict[str, None] = {}
        self.category_names: dict[str, None] = {}
        self.staged = 0

    @property
    def rows_read(self) -> int:
        """Rows of all sources, rejected ones included."""
        return sum(file.rows for file in self.files)

    def fill(self, mapping: Mapping[str, tuple[str, ...]], progress: Progress) -> None:
        """Read every source and stage its rows; raises `ImportFailedError` for a mapped column that no source has."""
        with self._path.open("wb") as rows, self._places.open("wb") as places:
            for index, source in enumerate(self._sources):
                count = self._read(index, source, mapping, progress, rows, places)
                progress(f"read {source.name}", source.size, source.size)
                self.files.append(SourceFile(name=source.name, sha256=source.sha256(), bytes=source.size, rows=count))
        self._check_mapping(mapping)

    def _read(
        self,
        index: int,
        source: Source,
        mapping: Mapping[str, tuple[str, ...]],
        progress: Progress,
        rows: BinaryIO,
        places: BinaryIO,
    ) -> int:
        count = 0
        reader = RowReader(index, self._notes)
        for item in read_rows(source, self._notes):
            count += 1
            if count % _REPORT_EVERY == 0:
                progress(f"read {source.name}", source.position, source.size)
            if isinstance(item, Reject):
                self._rejects.add(source.name, item)
                continue
            row = reader.read(item.line, item.values, self._plan(tuple(item.values), mapping))
            if len(row.id) > MAX_ID:
                self._reject(row, "id too long")
                continue
            self._learn(row)
            entry = {"seq": self.staged, "id": row.id, "place": rows.tell()}
            places.write(orjson.dumps(entry, option=orjson.OPT_APPEND_NEWLINE))
            rows.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
            self.staged += 1
        return count

    def _plan(self, names: tuple[str, ...], mapping: Mapping[str, tuple[str, ...]]) -> Columns:
        plan = self._plans.get(names)
        if plan is None:
            plan = plan_columns(names, mapping)
            if len(self._plans) < _MAX_PLANS:
                self._plans[names] = plan
            if len(self.columns) < _MAX_COLUMNS:
                self.columns.update(dict.fromkeys(names))
        return plan

    def _check_mapping(self, mapping: Mapping[str, tuple[str, ...]]) -> None:
        by_normal, names = {normal_name(name): name for name in self.columns}, list(self.columns)
        for field, parts in mapping.items():
            written = "+".join(parts)
            if parts == (HASH_ID,) or written in names or len(find_columns(parts, by_normal, names)) == len(parts):
                continue
            raise ImportFailedError(
                f"--map {field}={written}: no source has such a column. "
                f"Columns found: {', '.join(names[:60]) or 'none'}."
            )

    def _learn(self, row: StagedRow) -> None:
        if not row.derived:
            self._with_ids.add(row.source)
        if row.offers:
            self.currencies[row.offers[0].currency] += 1
        if row.store:
            self.brands.setdefault(row.store)
        self.category_names.update(dict.fromkeys(row.categories))

    def _reject(self, row: StagedRow, reason: str) -> None:
        start = row.title or ("" if row.derived else row.id)
        self._rejects.add(self._sources[row.source].name, Reject(row.line, reason, start[:200]))

    def groups(self, connection: duckdb.DuckDBPyConnection) -> Iterator[list[StagedRow]]:
        """Yield the rows of each product, products in order of first appearance.

        Left out and rejected here, since only now it is known: rows without an id in a source whose other
        rows have one, and rows without a title of which no row of the same id has one.
        """
        for _, group in groupby(self._ordered(connection), key=lambda row: row.id):
            rows = []
            for row in group:
                if row.derived and row.source in self._with_ids:
                    self._reject(row, "no id")
                else:
                    rows.append(row)
            if any(row.title for row in rows):
                if rows[0].derived:
                    self._notes["id derived from the row's content"] += len(rows)
                yield rows
            else:
                for row in rows:
                    self._reject(row, "no title")

    def _ordered(self, connection: duckdb.DuckDBPyConnection) -> Iterator[StagedRow]:
        # The engine sorts places, not rows: sorting 355 MB of rows failed under a limit of 200 MB.
        connection.execute(_PLACES, [str(self._places)])
        result = connection.execute(_ORDERED)
        with self._path.open("rb") as rows:
            while batch := result.fetchmany(_FETCH):
                for (place,) in batch:
                    rows.seek(place)
                    yield StagedRow.loads(rows.readline())
        connection.execute("DROP TABLE places")
