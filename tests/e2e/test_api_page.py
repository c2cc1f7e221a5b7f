"""docs/api.md: every block runs, in order, in one session in an empty folder, and prints what the page says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.api_page import PAGE, blocks, printed_by


def test_the_page_does_what_it_says(tmp_path: Path) -> None:
    page = blocks(PAGE.read_text(encoding="utf-8"))
    assert len(page) > 10
    printed = printed_by([script for script, _ in page], tmp_path)
    for (script, expected), output in zip(page, printed, strict=True):
        assert output == expected, script


def test_a_block_that_prints_something_else_is_found(tmp_path: Path) -> None:
    page = "```python\nprint(1)\n```\n\n```text\n2\n```\n\n```python\nx = 1\n```\n"
    assert blocks(page) == [("print(1)\n", "2\n"), ("x = 1\n", "")]
    assert printed_by([script for script, _ in blocks(page)], tmp_path) == ["1\n", ""]
    with pytest.raises(AssertionError):
        printed_by(["raise ValueError('broken')"], tmp_path)


def test_the_page_shows_each_way_to_call_the_graph() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for call in (
        ".invoke(",
        ".ainvoke(",
        ".astream(",
        ".batch(",
        'stream_mode="updates"',
        'stream_mode="custom"',
        'stream_mode="messages"',
        "checkpointer=saver",
        "after={",
        ".aturn(",
        "believe(",
    ):
        assert call in page, call
