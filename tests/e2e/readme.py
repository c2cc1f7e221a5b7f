"""Runs the commands of a document: `python -m tests.e2e.readme README.md`.

Every fenced `sh` and `python` block is one script, run in order in the working tree. `make` lines are left out, since
CI runs those targets on their own. A block marked `sh no-run` needs what only its reader has (a feed of their own).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_RUNNERS = {"sh": ["bash", "-euo", "pipefail", "-c"], "python": [sys.executable, "-c"]}


def scripts(document: str) -> list[tuple[str, str]]:
    """Return (language, text) of the scripts of a document that can be run, without their `make` lines."""
    blocks = (
        (language, "\n".join(line for line in block.splitlines() if not line.startswith("make ")))
        for language, block in _BLOCK.findall(document)
    )
    return [(language, block) for language, block in blocks if block.strip()]


def run(language: str, script: str) -> subprocess.CompletedProcess[str]:
    """Run one script with the environment's programs first on the path; it fails at the first failing line."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [*_RUNNERS[language], script],
        cwd=ROOT,
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
    )


def main(document: Path) -> int:
    """Run every script of the document and say what became of each; 1 when one failed or there is none."""
    found = scripts(document.read_text(encoding="utf-8"))
    failures = 0
    for language, script in found:
        done = run(language, script)
        failures += done.returncode != 0
        _say(f"{'ok    ' if done.returncode == 0 else 'FAILED'} {script.strip()}")
        if done.returncode:
            _say(f"{done.stdout}\n{done.stderr}")
    _say(f"{len(found)} scripts of {document}, {failures} failed")
    return 1 if failures or not found else 0


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
