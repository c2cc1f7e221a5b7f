"""Building a catalog file: counts, failure, the swap, and what a reader sees meanwhile. Content is invented."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

from catalog import build as building
from catalog.build import build_catalog
from catalog.errors import ImportFailedError
from catalog.manifest import SCHEMA_VERSION, Manifest
from catalog.open import open_catalog


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return path


def mugs(count: int, **more: Any) -> list[dict[str, Any]]:
    return [{"id": f"M{n}", "title": f"Stoneware mug {n}", "price": 5 + n, **more} for n in range(count)]


def read(path: Path, sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute(sql).fetchall()


def leftovers(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.startswith("."))


@pytest.fixture
def built(tmp_path: Path) -> Path:
    out = tmp_path / "shop.duckdb"
    build_catalog([write_rows(tmp_path / "old.jsonl", mugs(3))], out)
    return out


def test_products_and_manifest(tmp_path: Path) -> None:
    first = write_rows(tmp_path / "a.jsonl", [*mugs(4, brand="Bramble"), {"id": "M1", "title": "Mug again"}])
    second = tmp_path / "b.csv"
    second.write_text("sku;name;features;color\nT1;Wool scarf;\"['Soft', 'Warm']\";Navy\nT2;;;\n")
    stages: list[tuple[str, int, int | None]] = []
    manifest = build_catalog(
        [first, second], tmp_path / "x.duckdb", max_rejects=20, progress=lambda *step: stages.append(step)
    )
    rows = read(
        tmp_path / "x.duckdb",
        "SELECT id, parent_asin, title, price, features, details, store FROM products ORDER BY id",
    )
    assert [row[:2] for row in rows] == [(0, "M0"), (1, "M1"), (2, "M2"), (3, "M3"), (4, "T1")]
    assert rows[1][2:4] == ("Stoneware mug 1", 6.0)
    assert rows[4][2:] == ("Wool scarf", None, ["Soft", "Warm"], '{"Color":"Navy"}', None)
    assert (manifest.rows_read, manifest.products, manifest.duplicates) == (7, 5, 1)
    assert manifest.rejected == {"no title": 1}
    assert [(source.name, source.rows, len(source.sha256)) for source in manifest.sources] == [
        ("a.jsonl", 5, 64), ("b.csv", 2, 64)
    ]  # fmt: skip
    assert (manifest.schema_version, manifest.duckdb_version) == (SCHEMA_VERSION, duckdb.__version__)
    assert Manifest.model_validate_json(read(tmp_path / "x.duckdb", "SELECT json FROM manifest")[0][0]) == manifest
    assert stages[0][0] == "read a.jsonl"
    assert all(total is None or done <= total for _, done, total in stages)
    assert leftovers(tmp_path) == []


def test_the_same_rows_give_the_same_catalog(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "a.jsonl", mugs(50, brand="Bramble", color="blue"))
    first = build_catalog([source], tmp_path / "x.duckdb")
    again = build_catalog([source], tmp_path / "y.duckdb")
    assert first == again
    tables = "SELECT * FROM {} ORDER BY ALL"
    for table in ("products", "facet_lists", "lexicon"):
        assert read(tmp_path / "x.duckdb", tables.format(table)) == read(tmp_path / "y.duckdb", tables.format(table))
    other = build_catalog([write_rows(tmp_path / "b.jsonl", mugs(50, brand="Thistle"))], tmp_path / "z.duckdb")
    assert other.catalog_sha256 != first.catalog_sha256


def test_a_built_catalog_opens_and_finds_what_a_new_build_adds(built: Path) -> None:
    with_index = open_catalog(built)
    assert with_index.size == 3
    assert len(with_index.search("zebra poncho").ids) == 0
    with_index.close()
    rows = [*mugs(2), {"id": "Z", "title": "Zebra poncho"}]
    build_catalog([write_rows(built.with_name("new.jsonl"), rows)], built)
    index = open_catalog(built)
    assert [product.parent_asin for product in index.products(index.search("zebra poncho").ids)] == ["Z"]
    assert index.ids(["M2"]) == [None]  # deleted with the old catalog
    index.close()


def test_colours_written_differently_are_one_facet_value(tmp_path: Path) -> None:
    rows = [{"id": n, "title": "Tee", "color": color} for n, color in enumerate(["Navy", "navy ", "NAVY"])]
    rows += [{"id": 9, "title": "Tee", "attributes": [{"name": "Color", "value": "Navy"}]}]
    build_catalog([write_rows(tmp_path / "a.jsonl", rows)], tmp_path / "x.duckdb")
    found = read(
        tmp_path / "x.duckdb", "SELECT value, count FROM facet_lists WHERE key = 'color' AND value LIKE 'navy%'"
    )
    assert found == [("navy", 4)]


def test_brands_written_differently_are_one_facet_value(tmp_path: Path) -> None:
    brands = ["bramble", "BRAMBLE ", "Brámble", ""]
    rows = [{"id": n, "title": "Tee", "brand": brand} for n, brand in enumerate(brands)]
    build_catalog([write_rows(tmp_path / "a.jsonl", rows)], tmp_path / "x.duckdb")
    found = read(tmp_path / "x.duckdb", "SELECT value, count FROM facet_lists WHERE key = 'brand' AND value <> ''")
    assert found == [("bramble", 3)]


def test_too_many_rejects_fail_and_keep_the_old_catalog(built: Path) -> None:
    before = built.read_bytes()
    rows = [*mugs(18), {"id": "A"}, {"title": "B"}]
    source = write_rows(built.with_name("bad.jsonl"), rows)
    with pytest.raises(
        ImportFailedError, match=r"2 of 20 rows were rejected \(10\.0%, allowed 5%\): no .*--max-rejects"
    ):
        build_catalog([source], built)
    assert built.read_bytes() == before
    log = [json.loads(line) for line in built.with_name("shop.rejects.jsonl").read_text().splitlines()]
    assert sorted((entry["source"], entry["line"], entry["reason"]) for entry in log) == [
        ("bad.jsonl", 19, "no title"), ("bad.jsonl", 20, "no id")
    ]  # fmt: skip
    manifest = build_catalog([source], built, max_rejects=10)
    assert manifest.rejected == {"no title": 1, "no id": 1}
    build_catalog([write_rows(built.with_name("good.jsonl"), mugs(2))], built)
    assert not built.with_name("shop.rejects.jsonl").exists()  # it spoke of an earlier import


def test_an_import_of_nothing_fails(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,title\n")
    with pytest.raises(ImportFailedError, match="hold no rows"):
        build_catalog([tmp_path / "a.csv"], tmp_path / "x.duckdb")
    with pytest.raises(ImportFailedError, match="Columns found: nr, wert"):
        (tmp_path / "b.csv").write_text("nr,wert\n1,2\n")
        build_catalog([tmp_path / "b.csv"], tmp_path / "x.duckdb", max_rejects=100)
    assert not (tmp_path / "x.duckdb").exists()


def test_a_failure_half_way_keeps_the_old_catalog_and_leaves_nothing(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_off(*_: object) -> None:
        raise RuntimeError("power cut")

    before = built.read_bytes()
    monkeypatch.setattr(building, "build_index", break_off)
    with pytest.raises(RuntimeError, match="power cut"):
        build_catalog([write_rows(built.with_name("new.jsonl"), mugs(9))], built)
    assert built.read_bytes() == before
    assert leftovers(built.parent) == []


def test_a_full_disk_is_said_plainly(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill_up(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(building, "build_index", fill_up)
    with pytest.raises(ImportFailedError, match=r"No space left.*an earlier catalog is unchanged"):
        build_catalog([write_rows(built.with_name("new.jsonl"), mugs(9))], built)
    assert len(read(built, "SELECT id FROM products")) == 3


def test_little_memory_finishes_or_fails_with_the_old_catalog(built: Path) -> None:
    rows = mugs(800, description="a long and winding description of glaze and handle " * 20)
    source = write_rows(built.with_name("new.jsonl"), rows)
    try:
        products = build_catalog([source], built, memory_limit="300MB").products
    except ImportFailedError as error:
        assert "an earlier catalog is unchanged" in str(error)
        products = 3
    assert len(read(built, "SELECT id FROM products")) == products


def test_hardly_any_memory_fails_plainly_with_the_old_catalog(built: Path) -> None:
    before = built.read_bytes()
    source = write_rows(built.with_name("new.jsonl"), mugs(800, description="a winding description of glaze " * 40))
    with pytest.raises(ImportFailedError, match=r"in memory; an earlier catalog is unchanged"):
        build_catalog([source], built, memory_limit="6MB")
    assert built.read_bytes() == before
    assert leftovers(built.parent) == []


_STUCK = """
import sys, time
from pathlib import Path
from catalog.build import build_catalog
def stop(stage, done, total):
    if stage == "facets":
        print("stuck", flush=True)
        time.sleep(300)
build_catalog([Path(sys.argv[1])], Path(sys.argv[2]), progress=stop)
"""


def test_the_folder_of_a_killed_build_is_removed_and_that_of_a_living_one_kept(built: Path) -> None:
    source = write_rows(built.with_name("new.jsonl"), mugs(5))
    with subprocess.Popen([sys.executable, "-c", _STUCK, source, built], stdout=subprocess.PIPE, text=True) as stuck:
        try:
            assert stuck.stdout is not None
            assert stuck.stdout.readline() == "stuck\n"
            build_catalog([source], built)
            assert len(leftovers(built.parent)) == 1
        finally:
            stuck.kill()
    assert len(leftovers(built.parent)) == 1
    build_catalog([source], built)
    assert leftovers(built.parent) == []
    assert len(read(built, "SELECT id FROM products")) == 5


def test_a_running_reader_keeps_its_catalog_through_a_swap(built: Path) -> None:
    with duckdb.connect(str(built), read_only=True) as reader:
        assert reader.execute("SELECT count(*) FROM products").fetchone() == (3,)
        build_catalog([write_rows(built.with_name("new.jsonl"), mugs(9))], built)
        assert reader.execute("SELECT max(title) FROM products").fetchone() == ("Stoneware mug 2",)
    assert len(read(built, "SELECT id FROM products")) == 9


def test_two_builds_at_once_leave_one_whole_catalog(tmp_path: Path) -> None:
    out = tmp_path / "x.duckdb"
    sources = [write_rows(tmp_path / f"{count}.jsonl", mugs(count)) for count in (40, 60)]
    failures: list[Exception] = []

    def run(source: Path) -> None:
        try:
            build_catalog([source], out)
        except Exception as error:  # noqa: BLE001  # shown by the assertion below
            failures.append(error)

    threads = [threading.Thread(target=run, args=(source,)) for source in sources]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    products = len(read(out, "SELECT id FROM products"))
    assert products in (40, 60)
    assert Manifest.model_validate_json(read(out, "SELECT json FROM manifest")[0][0]).products == products
    assert leftovers(tmp_path) == []


def test_a_stale_journal_does_not_reach_the_new_catalog(built: Path) -> None:
    built.with_name("shop.duckdb.wal").write_bytes(b"left by a crash")
    build_catalog([write_rows(built.with_name("new.jsonl"), mugs(9))], built)
    assert len(read(built, "SELECT id FROM products")) == 9


def test_a_link_stays_a_link(built: Path) -> None:
    link = built.with_name("current.duckdb")
    link.symlink_to(built)
    build_catalog([write_rows(built.with_name("new.jsonl"), mugs(9))], link)
    assert link.is_symlink()
    assert len(read(built, "SELECT id FROM products")) == 9


def test_the_file_is_readable_by_others_as_any_new_file_is(built: Path) -> None:
    plain = built.with_name("plain")
    plain.touch()
    assert built.stat().st_mode == plain.stat().st_mode
    assert os.access(built, os.R_OK)


@pytest.mark.parametrize(
    ("out", "message"),
    [("no/such/x.duckdb", "folder does not exist"), (".", "is a folder"), ("a.jsonl", "is also a source"),
     ("notes.txt", "exists and is no catalog")],
)  # fmt: skip
def test_outputs_that_would_do_harm_are_refused(tmp_path: Path, out: str, message: str) -> None:
    source = write_rows(tmp_path / "a.jsonl", mugs(2))
    (tmp_path / "notes.txt").write_text("do not lose this text")
    with pytest.raises(ImportFailedError, match=message):
        build_catalog([source], tmp_path / out)
    assert (tmp_path / "notes.txt").read_text() == "do not lose this text"
    assert source.read_text().startswith('{"id"')


@pytest.mark.parametrize(
    ("options", "message"),
    [({"max_rejects": 101.0}, "no percentage"), ({"max_rejects": float("nan")}, "no percentage"),
     ({"currency": "beads"}, "no known currency"), ({"mapping": {"colour": "c"}}, "no such field")],
)  # fmt: skip
def test_options_that_mean_nothing_are_refused(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ImportFailedError, match=message):
        build_catalog([write_rows(tmp_path / "a.jsonl", mugs(2))], tmp_path / "x.duckdb", **options)
    with pytest.raises(ImportFailedError, match="no source file"):
        build_catalog([], tmp_path / "x.duckdb")


def test_the_currency_is_the_most_frequent_or_the_given(tmp_path: Path) -> None:
    prices = ["15.00 USD", "26.00 EUR", "15.00", "30 EUR"]
    rows = [{"id": n, "title": f"Mug {n}", "price": price} for n, price in enumerate(prices)]
    source = write_rows(tmp_path / "a.jsonl", rows)
    manifest = build_catalog([source], tmp_path / "x.duckdb")
    assert manifest.currency == "EUR"
    assert manifest.notes == {"price without currency, taken as EUR": 1, "price in USD, kept as a detail": 1}
    given = build_catalog([source], tmp_path / "x.duckdb", currency="usd")
    assert given.currency == "USD"
    assert read(tmp_path / "x.duckdb", "SELECT price FROM products ORDER BY id") == [(15.0,), (None,), (15.0,), (None,)]
