"""Reading files: formats, encodings, dialects, damaged rows. Content is invented."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import duckdb
import pytest

from catalog import delimited, importers
from catalog.delimited import sniff_delimiter
from catalog.errors import ImportFailedError
from catalog.importers import RawRow, Reject, read_rows
from catalog.sources import Source
from tests.unit.catalog.importing import import_files, import_rows, import_text

BOM = b"\xef\xbb\xbf"


def test_a_byte_order_mark_is_no_part_of_the_first_column_or_row(tmp_path: Path) -> None:
    for name, body in [
        ("a.csv", b"id,title,price\nA,Clog,10\n"), ("b.csv", b'"id",title,price\nA,Clog,10\n'),
        ("c.jsonl", b'{"id":"A","title":"Clog","price":10}\n'), ("d.json", b'[{"id":"A","title":"Clog","price":10}]'),
        ("e.csv.gz", b"id;title;price\r\nA;Clog;10\r\n"),
    ]:  # fmt: skip
        found = import_text(tmp_path, name, BOM + body)
        assert [(p.parent_asin, p.title, p.price) for p in found.products] == [("A", "Clog", 10.0)], name


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    found = import_text(tmp_path, "a.csv", "id,title\nA,Söckchen\n".encode(encoding))
    assert found.products[0].title == "Söckchen"


def test_windows_1252_lines_are_read_and_counted(tmp_path: Path) -> None:
    found = import_text(tmp_path, "a.csv", b"id,title\nA,caf\xe9 \x93cr\xe8me\x94\nB,th\xc3\xa9\n")
    assert [product.title for product in found.products] == ["café “crème”", "thé"]
    assert found.notes["text not UTF-8, read as Windows-1252"] == 1


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_although_cells_hold_the_others(tmp_path: Path, delimiter: str) -> None:
    rows = [["id", "title", "tags"]] + [[f"A{n}", f'"Red; white, blue\t| no. {n}"', '"x;y;z"'] for n in range(5)]
    path = tmp_path / "a.csv"
    path.write_text("\n".join(delimiter.join(row) for row in rows))
    assert sniff_delimiter(Source(path)) == (delimiter, 0)
    assert len(import_files(path).products) == 5


def test_one_semicolon_in_a_title_does_not_empty_the_import(tmp_path: Path) -> None:
    found = import_text(tmp_path, "a.csv", "id,title\nA,Mug; blue\nB,Mug\n")
    assert [product.title for product in found.products] == ["Mug; blue", "Mug"]


def test_excel_names_its_delimiter_in_a_first_line(tmp_path: Path) -> None:
    assert import_text(tmp_path, "a.csv", "sep=;\nid;title\nA;Mug\n").products[0].title == "Mug"


def test_quoting_is_fixed_not_guessed_from_a_sample(tmp_path: Path) -> None:
    plain = "".join(f"A{n},Plain mug {n},7\n" for n in range(21_000))
    late = 'B,"Mug, large, with a ""smile""\nand a second line",19.99\n'
    found = import_text(tmp_path, "a.csv", "id,title,price\n" + plain + late)
    last = found.products[-1]
    assert (len(found.products), last.price) == (21_001, 19.99)
    assert last.title == 'Mug, large, with a "smile" and a second line'


def test_numbers_are_not_typed_from_the_first_rows(tmp_path: Path) -> None:
    rows: list[object] = [{"id": f"A{n}", "title": "Mug", "price": 7} for n in range(20_500)]
    rows += [{"id": "B", "title": "Mug", "price": 19.99}, {"id": "C", "title": "Mug", "price": True}]
    found = import_rows(tmp_path, rows)
    assert found.by_id["B"].price == 19.99
    assert found.by_id["C"].price is None
    assert found.notes == {"price not a number": 1}


def test_a_column_that_turns_textual_late_loses_no_row(tmp_path: Path) -> None:
    lines = "".join(f"A{n},Tool,{n}.5,2.{n}\n" for n in range(1, 3_000)) + "B,Tool,11.0.1,25-11-2025\n"
    found = import_text(tmp_path, "a.csv", "id,title,price,Build No\n" + lines)
    assert len(found.products) == 3_000
    assert found.by_id["B"].price is None
    assert found.by_id["B"].details == {"Build No": "25-11-2025"}
    assert found.notes["price unreadable"] == 1


def test_nan_and_infinity_spoil_the_price_not_the_row(tmp_path: Path) -> None:
    lines = ['{"id":"A","title":"a","price":NaN}', '{"id":"B","title":"b","price":1e999}', '{"id":"C","title":"c"}']
    found = import_text(tmp_path, "a.jsonl", "\n".join(lines))
    assert [product.price for product in found.products] == [None, None, None]
    assert found.notes["price not a number"] == 2
    assert not found.rejects


def test_bad_rows_are_counted_by_reason_with_their_place(tmp_path: Path) -> None:
    lines = [
        '{"id":"A","title":"kept"}', '{"id":"B","title":', "[1,2]", '"text"', "", '{"id":"C"}', '{"title":"no id"}',
        '{"id":"","title":"blank id"}', '{"id":true,"title":"odd id"}', '{"id":"' + "x" * 300 + '","title":"long id"}',
        "[" * 100_000,
    ]  # fmt: skip
    found = import_text(tmp_path, "a.jsonl", "\n".join(lines))
    assert [product.title for product in found.products] == ["kept"]
    assert found.rejects == {"bad JSON": 2, "not an object": 2, "no title": 1, "no id": 3, "id too long": 1}
    assert {"source": "a.jsonl", "line": 2, "reason": "bad JSON", "start": '{"id":"B","title":'} in found.log
    assert {"source": "a.jsonl", "line": 7, "reason": "no id", "start": "no id"} in found.log
    assert all(len(str(entry["start"])) <= importers.START for entry in found.log)


def test_csv_rows_of_another_width_are_rejected_and_trailing_blanks_are_not(tmp_path: Path) -> None:
    found = import_text(tmp_path, "a.csv", "id,title,price\nA,Mug\nB,Mug,5,,\nC,Mug,5,x\n\n,,\nD,Mug,5\n")
    assert list(found.by_id) == ["B", "D"]
    assert found.rejects == {"wrong column count": 2}
    assert [entry["line"] for entry in found.log] == [2, 4]


def test_a_stray_quote_costs_one_row_not_the_rest_of_the_file(tmp_path: Path) -> None:
    rows = "".join(f"A{n},Mug {n},{n}\n" for n in range(1, 5_001))
    text = "id,title,price\n" + rows.replace("A40,Mug 40", 'A40,"Mug 40').replace("A4000,Mug", 'A4000,"Mug')
    found = import_text(tmp_path, "a.csv", text)
    assert len(found.products) == 4_998
    assert found.rejects == {"unclosed quote": 2}
    assert [entry["line"] for entry in found.log] == [41, 4_001]


def test_a_stray_quote_in_the_last_line_is_rejected(tmp_path: Path) -> None:
    found = import_text(tmp_path, "a.csv", 'id,title\nA,Mug\nB,"Mug\nC,Mug\n')
    assert "A" in found.by_id
    assert len(found.products) + found.rejects.total() >= 2
    assert '"' not in "".join(product.title for product in found.products)


def test_a_cell_longer_than_can_be_parsed_is_a_reject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "MAX_CELL", 100)
    found = import_text(tmp_path, "a.csv", f"id,title\nA,Mug\nB,{'x' * 200}\nC,Mug\n")
    assert list(found.by_id) == ["A", "C"]
    assert found.rejects == {"row too long": 1}


def test_a_line_longer_than_can_be_parsed_is_a_reject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importers, "MAX_ROW", 100)
    long = json.dumps({"id": "B", "title": "x" * 500})
    found = import_text(tmp_path, "a.jsonl", f'{{"id":"A","title":"a"}}\n{long}\n{{"id":"C","title":"c"}}\n')
    assert list(found.by_id) == ["A", "C"]
    assert found.log[0] == {
        "source": "a.jsonl",
        "line": 2,
        "reason": "row too long",
        "start": long[:100] + long[100:101],
    }


def test_a_huge_description_is_cut_with_a_note_and_the_rest_imports(tmp_path: Path) -> None:
    found = import_rows(
        tmp_path,
        [{"id": "A", "title": "Mug", "description": "so good " * 2_500_000}, {"id": "B", "title": "Cup", "price": 5}],
    )
    assert len(" ".join(found.by_id["A"].description)) <= 10_000
    assert found.by_id["B"].price == 5.0
    assert found.notes["text cut to the longest that is kept"] >= 1


def test_every_shape_of_json(tmp_path: Path) -> None:
    rows = [{"id": n, "title": f"Mug {n}", "nested": {"a": [1, 2]}} for n in range(3)]
    shapes = {
        "array.json": json.dumps(rows), "pretty.json": json.dumps(rows, indent=2), "array.jsonl": json.dumps(rows),
        "wrapped.json": json.dumps({"products": rows, "total": 3}),
        "wrapped2.json": json.dumps({"total": 3, "products": rows}, indent=1),
        "lines.json": "\n".join(map(json.dumps, rows)), "noext": "\n".join(map(json.dumps, rows)),
        "noext2": json.dumps(rows), "a.jsonl.gz": "\n".join(map(json.dumps, rows)),
    }  # fmt: skip
    for name, text in shapes.items():
        assert [product.parent_asin for product in import_text(tmp_path, name, text).products] == ["0", "1", "2"], name
    assert [p.title for p in import_text(tmp_path, "one.json", json.dumps(rows[0], indent=1)).products] == ["Mug 0"]


def test_an_array_longer_than_a_chunk_is_streamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importers, "_CHUNK", 7)
    rows = [{"id": n, "title": f'Mug "{n}" ☕'} for n in range(50)] + [12, "x"]
    found = import_text(tmp_path, "a.json", json.dumps(rows, ensure_ascii=False))
    assert len(found.products) == 50
    assert found.rejects == {"not an object": 2}


@pytest.mark.parametrize(
    "text", ['[{"id":1,"title":"a"}, {"id":2,', '[{"id":1,"title":"a"} oops', "{ not json", "[1,2"]
)
def test_damaged_json_files_stop_the_import(tmp_path: Path, text: str) -> None:
    with pytest.raises(ImportFailedError, match=r"Export it again|one product a line"):
        import_text(tmp_path, "a.json", text)


def test_parquet_keeps_lists_tables_and_decimals(tmp_path: Path) -> None:
    path = tmp_path / "odd [name] *.parquet"
    with duckdb.connect() as connection:
        connection.execute(
            "COPY (SELECT 7 AS id, 'Mug' AS title, 19.99::DECIMAL(9,2) AS price, ['warm', 'blue'] AS features, "
            "MAP {'Colour': 'blue'} AS details, 'NaN'::DOUBLE AS average_rating, DATE '2025-11-25' AS launched) "
            "TO 'x.parquet' (FORMAT parquet)".replace("x.parquet", str(tmp_path / "x.parquet"))
        )
    (tmp_path / "x.parquet").rename(path)
    (product,) = import_files(path).products
    assert (product.parent_asin, product.price, product.features) == ("7", 19.99, ("warm", "blue"))
    assert product.details == {"Colour": "blue", "Launched": "2025-11-25"}
    assert product.average_rating is None


def test_a_damaged_parquet_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(b"PAR1" + b"garbage" * 100)
    with pytest.raises(ImportFailedError, match=r"a\.parquet: the Parquet data cannot be read"):
        import_files(path)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.csv", b"", "is empty"),
        ("a.csv", b"PK\x03\x04rest", "spreadsheet"),
        ("a.jsonl", bytes(range(256)) * 20, "not a text file"),
        ("a.parquet", b"id,title\n", "not a Parquet file"),
        ("a.csv", b",,\n1,2,3\n", "names no columns"),
        ("a.csv.gz", gzip.compress(b"id,title\nA,Mug\n" * 500, mtime=0)[:-20], "gzip data is damaged"),
        ("a.csv.gz", b"\x1f\x8bnonsense", "gzip data is damaged"),
    ],
)
def test_files_that_cannot_be_read_say_why(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(ImportFailedError, match=message):
        import_files(path)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("missing.csv", "there is no file"),
        ("x.csv') ; copy (select 1) to 'y.csv", "there is no file"),
        ("https://shop.example/feed.csv", "is an address"),
        ("s3://bucket/feed.parquet", "is an address"),
        ("*.csv", "is a pattern"),
        ("part-[0-9].csv", "is a pattern"),
        (".", "not a regular file"),
        ("nul\x00.csv", "there is no file|cannot read"),
        ("n" * 5_000, "cannot read"),
    ],
)
def test_paths_that_are_no_files(name: str, message: str) -> None:
    with pytest.raises(ImportFailedError, match=message):
        Source(Path(name))


def test_ordinary_file_names_are_never_syntax(tmp_path: Path) -> None:
    for name in ["o'brien.csv", 'say "hi".csv', "a;b--c.csv", "100%.csv", "weird[1].csv", "star*.csv"]:
        found = import_text(tmp_path, name, "id,title\nA,Mug\n")
        assert list(found.by_id) == ["A"], name


def test_a_reader_yields_rows_and_rejects_in_file_order(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id":1}\nnope\n{"id":2}\n')
    items = list(read_rows(Source(path), Counter()))
    assert items == [RawRow(1, {"id": 1}), Reject(2, "bad JSON", "nope"), RawRow(3, {"id": 2})]
