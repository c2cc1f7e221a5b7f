"""The README's tour: `python -m tests.tour` runs its commands on the sample store and writes what they print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
SCRIPTS = (
    'shopgraph ask --conversation boots "I need ankle boots for women, for the winter"',
    "printf 'leather, and under $90\\nnothing in black, please\\n/why 1\\n/state\\n/undo\\n' |\n"
    "    shopgraph chat --conversation boots",
    'shopgraph ask --policy confident "navy women\'s sneakers, slip on"',
)
SHOWN = 2
"""Products of each list that the tour prints."""


def tour() -> str:
    """Return the tour: each script with its output, lists cut after a few products."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as state:
        environment = {**os.environ, "PATH": path, "SHOPGRAPH_STATE": state, "SHOPGRAPH_POLICY": "full"}
        parts = ["```sh\n. .venv/bin/activate\n```\n"]
        for script in SCRIPTS:
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", script],
                cwd=ROOT,
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
            parts.append(f"```sh\n{script}\n```\n\n```text\n{_shortened(done.stdout)}\n```\n")
    return "\n".join(parts)


def _shortened(output: str) -> str:
    """Drop the products after the first few of each list, and the random name of a conversation."""
    kept: list[str] = []
    place = 0
    for line in re.sub(r"--conversation [0-9a-f]{8} ", "--conversation 5f3c09d2 ", output).splitlines():
        number = re.match(r" ?(\d+)\. ", line)
        place = int(number.group(1)) if number else place if line.startswith("    ") else 0
        if place <= SHOWN:
            kept.append(line)
        elif number and place == SHOWN + 1:
            kept.append("    ...")
    return "\n".join(kept).strip()


def main() -> None:
    """Write the tour between its marks in README.md."""
    text = README.read_text(encoding="utf-8")
    before, rest = text.split("<!-- tour -->\n", 1)
    after = rest.split("<!-- end of tour -->", 1)[1]
    README.write_text(f"{before}<!-- tour -->\n\n{tour()}\n<!-- end of tour -->{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
