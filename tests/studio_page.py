"""docs/studio.md as something that runs: its Python blocks against a server over its small store."""

from __future__ import annotations

import re
import shlex
import tempfile
from pathlib import Path

from catalog.build import build_catalog
from catalog.sample import write_sample
from tests.api_page import blocks, printed_by
from tests.integration.server import serve

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "studio.md"
ADDRESS = "http://127.0.0.1:2024"
"""The address that the page names; the server of a test has another port."""

_SHOWN = re.compile(r"(^```python\n(?:(?!^```).*\n)+^```\n)\n^```text\n(?:(?!^```).*\n)*^```$", re.MULTILINE)
_SHELL = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def commands(page: str) -> list[list[str]]:
    """Return the arguments of each `shopgraph` command that the page runs."""
    lines = [line for block in _SHELL.findall(page) for line in block.splitlines()]
    return [shlex.split(line)[1:] for line in lines if line.startswith("shopgraph ")]


def scripts(page: str, url: str) -> list[str]:
    """Return the Python blocks of the page, for a server at another address."""
    return [script.replace(ADDRESS, url) for script, _ in blocks(page)]


def filled(page: str, url: str, folder: Path) -> str:
    """Return the page with what its blocks print now; each of them prints something."""
    printed = iter(printed_by(scripts(page, url), folder))
    return _SHOWN.sub(lambda match: f"{match.group(1)}\n```text\n{next(printed)}```", page)


def write_page() -> None:
    """Write what the page's blocks print, on a server of their own."""
    with tempfile.TemporaryDirectory(prefix="shopgraph-studio-") as name:
        folder = Path(name)
        write_sample(folder / "studio.jsonl", products=2000, seed=7)
        build_catalog([folder / "studio.jsonl"], folder / "studio.duckdb")
        with serve(folder, folder / "studio.duckdb", {}) as server:
            PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), server.url, folder), encoding="utf-8")


if __name__ == "__main__":
    write_page()
