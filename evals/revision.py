"""Which code produced a result."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

UNKNOWN = "unknown"


def code_revision(folder: Path | None = None) -> str:
    """Return the git revision of the code, with "-modified" when files differ from it; "unknown" without git."""
    git, folder = shutil.which("git"), folder or Path(__file__).resolve().parent
    if git is None:
        return UNKNOWN
    revision = _output(git, folder, "rev-parse", "HEAD")
    if not revision:
        return UNKNOWN
    return revision + ("-modified" if _output(git, folder, "status", "--porcelain", "--untracked-files=no") else "")


def _output(git: str, folder: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - fixed arguments, no shell
            [git, *arguments], cwd=folder, capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
