from __future__ import annotations

from pathlib import Path

import numpy as np

from catalog.stock import StockIndex
from tests.unit.catalog.small_catalog import build, titled


def test_stock_search_answers_from_a_file_beside_the_catalog(tmp_path: Path) -> None:
    path = build(tmp_path / "c.duckdb", titled("Wool coat", "Linen hat", "Wool hat in grey"))
    stock = StockIndex(path)
    assert (tmp_path / "c.stock.duckdb").is_file()
    assert set(stock.search("wool").ids.tolist()) == {0, 2}
    assert stock.search("grey hats", 1).ids.tolist() == [2]
    assert stock.search("wool", within=np.array([1, 2], dtype=np.int32)).ids.tolist() == [2]
    assert stock.search("wool", within=np.array([], dtype=np.int32)).ids.tolist() == []
    assert stock.products([1])[0].title == "Linen hat"
    stock.close()


def test_queries_without_words_and_odd_ones_are_answered(tmp_path: Path) -> None:
    stock = StockIndex(build(tmp_path / "c.duckdb", titled("Women's boots")), tmp_path / "elsewhere.duckdb")
    for query in ("???", "", "'", "a' OR '1'='1", "\0", "\ud800", "boots; drop table docs"):
        assert set(stock.search(query).ids.tolist()) <= {0}
    assert stock.search("???").ids.tolist() == []
    assert stock.search("boots", 0).ids.tolist() == []


def test_the_file_beside_is_built_again_when_the_catalog_changes_or_it_is_damaged(tmp_path: Path) -> None:
    path = build(tmp_path / "c.duckdb", titled("Wool coat"))
    sidecar = tmp_path / "c.stock.duckdb"
    StockIndex(path).close()
    written = sidecar.stat().st_mtime_ns
    StockIndex(path).close()
    assert sidecar.stat().st_mtime_ns == written
    build(tmp_path / "new.duckdb", titled("Linen hat")).replace(path)
    assert StockIndex(path).search("linen").ids.tolist() == [0]
    sidecar.write_bytes(b"rubbish")
    assert StockIndex(path).search("linen").ids.tolist() == [0]
