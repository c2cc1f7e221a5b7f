"""From a reader's own product file to an answer."""

from __future__ import annotations

import json
from pathlib import Path

from tests.e2e.command import shopgraph

FEED = """sku;name;cost;kind
B1;Acme women's linen summer dress, navy;39.90;Clothing > Women > Dresses
B2;Acme men's leather boots, brown;120,00;Shoes > Men > Boots
B2;Acme men's leather boots, brown;120,00;Shoes > Men > Boots
;a row without an id;1;Nothing
"""


def test_a_feed_with_columns_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "feed.csv").write_text(FEED, encoding="utf-8")
    columns = [f"--map={pair}" for pair in ("parent_asin=sku", "title=name", "price=cost", "categories=kind")]
    built = shopgraph(
        "catalog", "build", "feed.csv", "--out", "feed.duckdb", *columns, "--max-rejects", "30", state=tmp_path
    )
    assert (built.code, built.err) == (0, "")
    assert "products: 2" in built.out
    assert "duplicates merged: 1" in built.out
    answer = shopgraph("ask", "--json", "boots for men", "--catalog", "feed.duckdb", state=tmp_path)
    assert json.loads(answer.out)["recommendations"][0]["parent_asin"] == "B2"


def test_too_many_bad_rows_leave_the_old_catalog_alone(tmp_path: Path) -> None:
    (tmp_path / "good.jsonl").write_text('{"parent_asin": "G1", "title": "Plain wool coat"}\n', encoding="utf-8")
    (tmp_path / "bad.jsonl").write_text('{"parent_asin": "G2"\n{"title": "no id"}\n', encoding="utf-8")
    assert shopgraph("catalog", "build", "good.jsonl", "--out", "s.duckdb", state=tmp_path).code == 0
    failed = shopgraph("catalog", "build", "bad.jsonl", "--out", "s.duckdb", state=tmp_path)
    assert failed.code == 1
    assert "bad.jsonl" in failed.err or "rejected" in failed.err
    info = shopgraph("catalog", "info", "s.duckdb", "--json", state=tmp_path)
    assert json.loads(info.out)["products"] == 1


def test_info_for_people_and_programs(sample_catalog: Path, tmp_path: Path) -> None:
    people = shopgraph("catalog", "info", sample_catalog, state=tmp_path)
    programs = json.loads(shopgraph("catalog", "info", sample_catalog, "--json", state=tmp_path).out)
    assert f"products: {programs['products']:,}" in people.out
    assert programs["sources"][0]["sha256"] in people.out


def test_a_sample_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    for name in ("one", "two"):
        made = shopgraph(
            "catalog", "sample", "--products", "200", "--seed", "5", "--out", f"{name}.jsonl", state=tmp_path
        )
        assert (made.code, made.err) == (0, "")
        assert made.out == f"Wrote 200 products to {name}.jsonl\n"
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()


def test_understand_one_message_and_a_file(sample_catalog: Path, tmp_path: Path) -> None:
    one = shopgraph("understand", "a dress, not in red, under $50", "--catalog", sample_catalog, state=tmp_path)
    assert one.code == 0
    assert '(positive, hard, by grammar)  "under $50" at 21-30' in one.out
    assert "color eq red (negative, hard" in one.out
    rows = [
        {"id": "a", "text": "under $50"},
        {"id": 2, "text": "navy", "prev_user": "a dress", "prev_system": "Here are ten. Which color do you prefer?"},
        {"id": "c", "text": "👗 \ud83d"},
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    read = shopgraph(
        "understand", "--input", "in.jsonl", "--output", "out.jsonl", "--catalog", sample_catalog, state=tmp_path
    )
    assert (read.code, read.err) == (0, "")
    out = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["id"] for row in out] == ["a", 2, "c"]
    assert set(out[0]) == {"id", "acts", "facts"}
    assert set(out[0]["facts"][0]) == {"attribute", "op", "value", "polarity", "strength", "span"}
    assert out[0]["facts"][0]["span"] == [0, 9]
    assert ("color", "navy") in {(fact["attribute"], fact["value"]) for fact in out[1]["facts"]}
