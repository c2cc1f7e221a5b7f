"""docs/studio.md: its commands run, and its blocks print what the page says, against a running server."""

from __future__ import annotations

import re
from pathlib import Path

from tests.api_page import blocks, printed_by
from tests.e2e.command import shopgraph
from tests.integration.server import Server
from tests.studio_page import PAGE, commands, scripts

PICTURE_BYTES = 200_000


def test_the_page_does_what_it_says(server: Server, tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    expected = [output for _, output in blocks(page)]
    assert len(expected) == 9
    for output, printed in zip(expected, printed_by(scripts(page, server.url), tmp_path), strict=True):
        assert printed == output, "`make docs` writes the page anew"


def test_the_story_of_the_page_holds() -> None:
    """What the prose says of the output; a change of the reader may need another misread message."""
    page = PAGE.read_text(encoding="utf-8")
    cause, confirmed = page.split("## 3 Find the cause")[0], page.split("## 5 Confirm the fix")[1]
    assert "not explained: dead cow feet" in cause
    assert "leather" not in cause.split("```text")[-1]
    assert "+ not material leather" in confirmed
    assert "'violated'" not in confirmed


def test_the_store_of_the_page_can_be_built(tmp_path: Path) -> None:
    (tmp_path / ".shopgraph").mkdir()
    built = [shopgraph(*arguments, state=tmp_path) for arguments in commands(PAGE.read_text(encoding="utf-8"))]
    assert [(result.code, result.err) for result in built] == [(0, ""), (0, "")]
    assert (tmp_path / ".shopgraph" / "studio.duckdb").exists()


def test_each_picture_is_there_and_small() -> None:
    shown = re.findall(r"!\[[^\]]+\]\((pictures/[\w.-]+)\)", PAGE.read_text(encoding="utf-8"))
    files = {path.name for path in (PAGE.parent / "pictures").iterdir()}
    assert {Path(name).name for name in shown} == files
    assert len(files) >= 4
    for name in shown:
        picture = (PAGE.parent / name).read_bytes()
        assert picture.startswith(b"\x89PNG")
        assert len(picture) < PICTURE_BYTES, name
