from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from catalog import engine
from catalog.errors import CatalogError
from catalog.open import open_catalog
from tests.unit.catalog.small_catalog import build, titled


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("it's") / "c.duckdb", titled("wool coat", "linen hat"))


def _write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def _sql(path: Path, *statements: str) -> Path:
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)
    return path


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda folder: folder / "none.duckdb", "does not exist"),
        (lambda folder: folder, "is a folder"),
        (lambda folder: _write(folder / "empty", b""), "not a DuckDB catalog|not a catalog|damaged"),
        (lambda folder: _write(folder / "text", b"hello " * 5_000), "not a DuckDB catalog"),
        (lambda folder: _sql(folder / "other.duckdb", "CREATE TABLE t(x INT)"), "no manifest"),
        (lambda folder: _sql(folder / "half.duckdb", "CREATE TABLE manifest(json VARCHAR)"), "was not finished"),
        (
            lambda folder: _sql(folder / "odd.duckdb", "CREATE TABLE manifest AS SELECT '{\"a\": 1}' AS json"),
            "manifest of catalog .* cannot be read",
        ),
    ],
)
def test_what_is_no_catalog_is_said_plainly(tmp_path: Path, make: Callable[[Path], Path], problem: str) -> None:
    with pytest.raises(CatalogError, match=problem) as caught:
        open_catalog(make(tmp_path))
    assert str(tmp_path) in str(caught.value)


def test_versions_are_compared(tmp_path: Path) -> None:
    older = build(tmp_path / "older.duckdb", titled("coat"), {"duckdb_version": "1.0.0"})
    with pytest.raises(CatalogError, match=r"built with DuckDB 1\.0\.0.*build it again"):
        open_catalog(older)
    newer = build(tmp_path / "newer.duckdb", titled("coat"), {"schema_version": 99})
    with pytest.raises(CatalogError, match="schema version 99"):
        open_catalog(newer)


def test_missing_tables_and_wrong_counts_are_damage(tmp_path: Path) -> None:
    path = _sql(build(tmp_path / "a.duckdb", titled("coat")), "DROP TABLE mentions")
    with pytest.raises(CatalogError, match="lacks the tables mentions"):
        open_catalog(path)
    path = build(tmp_path / "b.duckdb", titled("coat"), {"products": 5})
    with pytest.raises(CatalogError, match="counts 5 products, the table holds 1"):
        open_catalog(path)


def test_a_cut_file_is_damaged(tmp_path: Path, catalog: Path) -> None:
    whole = catalog.read_bytes()
    path = _write(tmp_path / "cut.duckdb", whole[: len(whole) // 3])
    with pytest.raises(CatalogError, match=r"cut\.duckdb"):
        open_catalog(path).search("wool coat")


def test_overwritten_blocks_are_reported_when_read(tmp_path: Path, catalog: Path) -> None:
    whole = bytearray(catalog.read_bytes())
    for at in range(3 * 4096, len(whole) - 64, 512):
        whole[at : at + 64] = b"\xa5" * 64
    path = _write(tmp_path / "bad.duckdb", bytes(whole))
    with pytest.raises(CatalogError, match=r"bad\.duckdb"):
        open_catalog(path).products([0, 1])


def test_an_absent_extension_is_said_with_the_remedy(catalog: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(CatalogError, match=f"pip install duckdb-extension-fts=={duckdb.__version__}"):
        open_catalog(catalog)


def test_an_extension_of_another_version_is_said_with_both(catalog: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = duckdb.__version__
    monkeypatch.setattr(engine.duckdb, "__version__", "9.9.9")
    with pytest.raises(CatalogError, match=f"for DuckDB v{installed}, this is 9.9.9"):
        open_catalog(catalog)


def test_an_extension_that_does_not_load_is_said(
    catalog: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = _write(tmp_path / "fts.duckdb_extension", b"not an extension")
    monkeypatch.setattr(engine, "extension_file", lambda: broken)
    with pytest.raises(CatalogError, match="does not load"):
        open_catalog(catalog)


def test_an_opened_catalog_reaches_no_other_file(catalog: Path, tmp_path: Path) -> None:
    secret = _write(tmp_path / "secret.csv", b"a\n1\n")
    cursor = open_catalog(catalog)._cursors.get()
    with pytest.raises(duckdb.Error, match="disabled"):
        cursor.execute(f"SELECT * FROM '{secret}'")
    with pytest.raises(duckdb.Error, match="locked"):
        cursor.execute("SET enable_external_access = true")
    with pytest.raises(duckdb.Error, match="read-only"):
        cursor.execute("DELETE FROM products")


def test_a_rebuilt_file_is_read_anew_while_the_old_one_is_still_open(tmp_path: Path) -> None:
    path = build(tmp_path / "c.duckdb", titled("wool coat"))
    old = open_catalog(path)
    build(tmp_path / "new.duckdb", titled("linen hat", "zebra poncho")).replace(path)
    new = open_catalog(path)
    assert [product.title for product in new.products(new.search("zebra poncho").ids)] == ["zebra poncho"]
    assert new.search("wool coat").ids.tolist() == []
    assert old.search("wool coat").ids.tolist() == [0]


def test_a_closed_catalog_says_so(tmp_path: Path) -> None:
    index = open_catalog(build(tmp_path / "c.duckdb", titled("wool coat")))
    index.close()
    with pytest.raises(CatalogError, match="closed"):
        index.search("wool")


def test_the_engine_holds_no_more_of_a_catalog_than_it_may(tmp_path: Path) -> None:
    index = open_catalog(build(tmp_path / "c.duckdb", titled("wool coat")))
    limit = index._run("SELECT current_setting('memory_limit')").fetchall()[0][0]
    assert float(limit.split()[0]) <= 1.9 or not limit.endswith("GiB")
