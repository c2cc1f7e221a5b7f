"""Reads relevance judgments: one row for each judged product of a query."""

from __future__ import annotations

import csv
import hashlib
from pathlib import Path

from evals.errors import EvaluationError
from evals.retrieval.measures import Judgments

COLUMNS = ("query", "parent_asin", "rating")


class QrelsFileError(EvaluationError):
    """A file of judgments is missing or malformed."""


class Qrels:
    """The judgments of a file: query to product to grade, in the order of the file, with the SHA-256 of its bytes."""

    def __init__(self, queries: dict[str, Judgments], sha256: str) -> None:
        self.queries = queries
        self.sha256 = sha256

    def products(self) -> list[str]:
        """Return every judged product once."""
        return list(dict.fromkeys(product for judged in self.queries.values() for product in judged))


def read_qrels(path: Path) -> Qrels:
    """Read a tab-separated file with the columns query, parent_asin and rating (a whole number, 0 for not relevant).

    Raises `QrelsFileError` naming the line when the file is missing, empty or malformed, or judges a product twice.
    """
    try:
        data = path.read_bytes()
        lines = data.decode("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise QrelsFileError(f"{path}: cannot be read ({error}); give a tab-separated text file") from error
    rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    if tuple(next(rows, ())) != COLUMNS:
        raise QrelsFileError(f"{path}: the first line is not {' '.join(COLUMNS)} (parted by tabs); add it")
    queries: dict[str, dict[str, int]] = {}
    for row in rows:
        query, product, grade = _judgment(row, path, rows.line_num)
        judged = queries.setdefault(query, {})
        if product in judged:
            raise QrelsFileError(f"{path}, line {rows.line_num}: {product} is judged twice for {query!r}; keep one")
        judged[product] = grade
    if not queries:
        raise QrelsFileError(f"{path}: there is no judgment in it; give one row for each judged product")
    return Qrels(dict(queries), hashlib.sha256(data).hexdigest())


def _judgment(row: list[str], path: Path, line: int) -> tuple[str, str, int]:
    query, product, grade = (cell.strip() for cell in (row if len(row) == len(COLUMNS) else ("", "", "")))
    if not query or not product or not grade.isdecimal():
        raise QrelsFileError(
            f"{path}, line {line}: {chr(9).join(row)[:80]!r} is not a query, a product and a grade of 0 or more"
        )
    return query, product, int(grade)
