"""Make a catalog of any size in a process of its own, to know how long it takes and how much memory."""

from __future__ import annotations

import sys
import time
from multiprocessing import get_context
from multiprocessing.queues import Queue
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from catalog.bulk import build_bulk, bulk_digest
from catalog.errors import CatalogError, ShopgraphError
from catalog.open import open_file
from evals.errors import EvaluationError
from evals.speed.processes import memory

BUILD_MEMORY = "6GB"
"""What the engine may use; arrays take another gigabyte or two."""


class _Reporter:
    """Writes a line to stderr at each stage and tenth of a stage: a large catalog takes many minutes."""

    def __init__(self) -> None:
        self._last: tuple[str, int] | None = None

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        step = stage, 10 * done // total if total else 0
        if step != self._last:
            self._last = step
            sys.stderr.write(f"{stage} {done:,}{f' of {total:,}' if total else ''}\n")


class Build(BaseModel):
    """A catalog that was made in bulk."""

    model_config = ConfigDict(frozen=True)

    products: int
    seconds: float
    highest_memory: int | None


def bulk_catalog(source: Path, products: int, seed: int) -> tuple[Path, Build | None]:
    """Return a catalog of `products` products made from those of `source`, and how it was made.

    It stands beside the source as `<stem>-<products>.duckdb` and is made only when it does not yet.
    """
    connection, manifest, file = open_file(source)
    connection.close()
    out = file.with_name(f"{file.stem}-{products}.duckdb")
    if _digest(out) == bulk_digest(manifest.catalog_sha256, products, seed):
        return out, None
    context = get_context("spawn")
    answers = context.Queue()
    process = context.Process(target=_build, args=(file, out, products, seed, answers))
    process.start()
    seconds, highest, error = answers.get()
    process.join()
    if error:
        raise EvaluationError(f"the catalog of {products:,} products could not be made: {error}")
    return out, Build(products=products, seconds=seconds, highest_memory=highest)


def _digest(file: Path) -> str | None:
    if not file.exists():
        return None
    try:
        connection, manifest, _ = open_file(file)
    except CatalogError:
        return None
    connection.close()
    return manifest.catalog_sha256


def _build(
    source: Path, out: Path, products: int, seed: int, answers: Queue[tuple[float, int | None, str | None]]
) -> None:
    started = time.perf_counter()
    error = None
    try:
        build_bulk(source, out, products, seed=seed, memory_limit=BUILD_MEMORY, progress=_Reporter())
    except ShopgraphError as failure:
        error = str(failure)
    answers.put((time.perf_counter() - started, memory()["highest"], error))
