"""One catalog file, many threads and many processes: every answer equals the one given alone."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import numpy as np
import pytest

from catalog.constraint import Constraint
from catalog.duckdb_index import DuckDBIndex
from catalog.errors import CatalogError
from catalog.open import open_catalog
from catalog.product import Product
from tests.unit.catalog.small_catalog import build

WORDS = [
    *("wool", "linen", "cotton", "coat", "hat", "scarf", "dress", "red", "blue", "green", "warm", "light"),
    *("501", "10.5", "women", "men", "classic"),
]


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(11)
    products = [
        Product(
            parent_asin=f"P{number}",
            title=" ".join(rng.choice(WORDS, size=6)),
            facets={"color": (str(rng.choice(WORDS[7:10])),)},
        )
        for number in range(600)
    ]
    return build(tmp_path_factory.mktemp("many") / "c.duckdb", products)


def _answer(index: DuckDBIndex, number: int) -> tuple[object, ...]:
    words = [WORDS[number % len(WORDS)], WORDS[(number * 7 + 3) % len(WORDS)]]
    hits = index.search(" ".join(words), 20)
    verdicts = index.judge(Constraint(attribute="color", value=WORDS[7 + number % 3]), hits.ids)
    titles = [product.title for product in index.products(hits.ids[:3])]
    quoted = index.statements(titles[0])
    return (
        *(hits.ids.tolist(), hits.scores.tolist(), verdicts.tolist(), titles, index.term_ids(words[0]).tolist()),
        [match.ids.tolist() for match in quoted],
    )


@pytest.mark.parametrize("cache_bytes", [0, 1 << 24])
def test_sixteen_threads_answer_as_one(catalog: Path, cache_bytes: int) -> None:
    alone = open_catalog(catalog, cache_bytes=cache_bytes)
    expected = [_answer(alone, number) for number in range(200)]
    shared = open_catalog(catalog, cache_bytes=cache_bytes)
    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(lambda number: _answer(shared, number), range(200))) == expected


_READER = """
import sys
from catalog.open import open_catalog
index = open_catalog(sys.argv[1])
print(index.search("wool red coat", 5).ids.tolist(), flush=True)
sys.stdin.readline()
print(index.search("blue hat", 5).ids.tolist())
"""


def test_processes_read_one_file_at_once(catalog: Path) -> None:
    index = open_catalog(catalog)
    root = Path(__file__).resolve().parents[2]
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", _READER, str(catalog)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=root,
        )
        for _ in range(3)
    ]
    first = [reader.stdout.readline().strip() for reader in readers if reader.stdout]
    rest = [reader.communicate("\n", timeout=120)[0].strip() for reader in readers]
    assert first == [str(index.search("wool red coat", 5).ids.tolist())] * 3
    assert rest == [str(index.search("blue hat", 5).ids.tolist())] * 3
    assert [reader.returncode for reader in readers] == [0, 0, 0]


_WRITER = """
import sys, duckdb
connection = duckdb.connect(sys.argv[1])
connection.execute("CREATE TABLE IF NOT EXISTS busy(x INT)")
print("open", flush=True)
sys.stdin.readline()
"""


def test_a_file_that_is_being_written_says_so(tmp_path: Path) -> None:
    path = build(tmp_path / "c.duckdb", [Product(parent_asin="A", title="coat")])
    writer = subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    assert writer.stdout.readline().strip() == "open"
    with pytest.raises(CatalogError, match="being written by another process"):
        open_catalog(path)
    writer.communicate("\n", timeout=60)
    assert open_catalog(path).size == 1


def test_writing_in_place_is_refused_while_it_is_read(catalog: Path) -> None:
    index = open_catalog(catalog)
    writer = subprocess.run(
        [sys.executable, "-c", _WRITER, str(catalog)], input="\n", capture_output=True, text=True, timeout=60
    )
    assert writer.returncode != 0
    assert "lock" in writer.stderr
    assert len(index.search("wool", 5).ids) == 5
    assert duckdb.__version__ == index.manifest.duckdb_version
