"""What kind of message this is: buying, browsing or control."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal

Mode = Literal["buying", "browsing", "control"]

READ_LIMIT = 2_000
"""Characters that are looked at: a cue stands early or nowhere."""


@cache
def _cues() -> dict[str, re.Pattern[str]]:
    table = tomllib.loads((files("tools") / "data" / "routing.toml").read_text(encoding="utf-8"))
    return {
        mode: re.compile(r"\b(?:" + "|".join(re.escape(cue) for cue in cues) + r")\b") for mode, cues in table.items()
    }


def mode_of(message: str) -> Mode:
    """Return the mode of a message. Example: `mode_of("just looking for ideas")` is `browsing`."""
    text = message[:READ_LIMIT].casefold()
    if _cues()["control"].search(text):
        return "control"
    return "browsing" if _cues()["browsing"].search(text) else "buying"
