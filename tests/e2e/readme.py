"""Runs the commands of a document: `python -m tests.e2e.readme README.md`.

Every fenced `sh` block is one script, run in order in the working tree. `make` lines are left out, since CI runs those
targets on their own. A block marked `sh no-run` needs what only its reader has (a feed of their own) and is just shown.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def scripts(document: str) -> list[str]:
    """Return the scripts of a document that can be run, without their `make` lines."""
    blocks = (
        "\n".join(line for line in block.splitlines() if not line.startswith("make "))
        for block in _BLOCK.findall(document)
    )
    return [block for block in blocks if block.strip()]


def run(script: str) -> subprocess.CompletedProcess[str]:
    """Run one script with the environment's programs first on the path; it fails at the first failing line."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
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
    for script in found:
        done = run(script)
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
