from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from catalog.errors import InputError
from evals.understanding.labels import LabelFile, read_labels

FACT = {"attribute": "color", "value": "teal", "polarity": "positive", "span": "teal"}


def read(tmp_path: Path, *rows: Any) -> LabelFile:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return read_labels(path)


def fact_row(**more: Any) -> dict[str, Any]:
    return {"text": "a teal cape", "facts": [FACT], **more}


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        (fact_row(id="a", slogan_trap=True), "facts"),
        ({"text": "and cheaper", "prev_user": "capes", "moves": [{"move": "add", "attribute": "budget"}]}, "moves"),
        ({"text": "whatever", "label": True, "half": "held"}, "label"),
    ],
)
def test_the_keys_of_a_row_tell_its_kind(tmp_path: Path, row: dict[str, Any], kind: str) -> None:
    labels = read(tmp_path, row, "", row)
    assert (labels.kind, len(labels.rows)) == (kind, 2)


def test_the_first_half_of_each_source_is_tuned_rounded_up(tmp_path: Path) -> None:
    sources = ["a", "b", "a", "b", "a", "c"]
    labels = read(tmp_path, *(fact_row(source=source) for source in sources))
    assert labels.halves == ["tuned", "tuned", "tuned", "held", "held", "tuned"]


@pytest.mark.parametrize(("rows", "tuned"), [(1, 1), (4, 2), (5, 3)])
def test_rows_without_a_source_are_one(tmp_path: Path, rows: int, tuned: int) -> None:
    assert read(tmp_path, *[fact_row()] * rows).halves == ["tuned"] * tuned + ["held"] * (rows - tuned)


def test_a_row_that_names_its_half_follows_it(tmp_path: Path) -> None:
    labels = read(tmp_path, *({"text": "x", "label": False, "half": half} for half in ("held", "tune", "held")))
    assert labels.halves == ["held", "tuned", "held"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "line 2 is not JSON"),
        ("[1]", "line 2: neither facts nor moves nor a label"),
        ('{"text": "x"}', "line 2: neither facts nor moves nor a label"),
        ('{"facts": []}', "line 2: text: Field required"),
        ('{"text": "x", "facts": [{"value": "teal"}]}', "line 2: facts.0.attribute: Field required"),
        ('{"text": "x", "label": true}', 'line 2: "label" among rows of "facts"'),
        ('{"text": "x", "facts": [], "half": "third"}', "line 2: half: Input should be 'tune' or 'held'"),
    ],
)
def test_a_bad_row_is_named_with_its_line_and_the_remedy(tmp_path: Path, line: str, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, fact_row(), line)
    assert f"rows.jsonl, {problem}" in str(caught.value)
    assert "write one object a line" in str(caught.value) or "its own file" in str(caught.value)


def test_no_file_and_no_rows(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent\.jsonl: cannot be read \(No such file or directory\); name a file"):
        read_labels(tmp_path / "absent.jsonl")
    with pytest.raises(InputError, match="no rows; write one object"):
        read(tmp_path, "")
