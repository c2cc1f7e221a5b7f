"""docs/api.md as something that runs: its Python blocks, and what each of them prints."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.e2e.command import environment

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "api.md"

_BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.DOTALL | re.MULTILINE)

SESSION = """
import contextlib, io, json, sys

names, printed = {"__name__": "__main__"}, []
for number, block in enumerate(json.load(sys.stdin), 1):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(block, f"block {number} of docs/api.md", "exec"), names)
    printed.append(out.getvalue())
print(json.dumps(printed))
"""


def blocks(page: str) -> list[tuple[str, str]]:
    """Return each Python block of a page with what is said to be printed by it, "" where nothing is."""
    found = [(match.group(1), match.group(2)) for match in _BLOCK.finditer(page)]
    following = [*found[1:], ("", "")]
    return [
        (text, printed if kind == "text" else "")
        for (language, text), (kind, printed) in zip(found, following, strict=True)
        if language == "python"
    ]


def printed_by(scripts: list[str], folder: Path) -> list[str]:
    """Run scripts in one session whose warnings are errors; returns what each printed."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SESSION],
        input=json.dumps(scripts),
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment(folder / "state"),
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")
    printed: list[str] = json.loads(done.stdout)
    return printed


def filled(page: str) -> str:
    """Return the page with what its blocks print now, where it says that they print something."""
    found = blocks(page)
    with tempfile.TemporaryDirectory(prefix="shopgraph-api-") as folder:
        printed = printed_by([script for script, _ in found], Path(folder))
    for (script, expected), output in zip(found, printed, strict=True):
        if expected:
            page = page.replace(_shown(script, expected), _shown(script, output))
    return page


def _shown(script: str, printed: str) -> str:
    return f"```python\n{script}```\n\n```text\n{printed}```"
