"""What a check of a session file finds."""

from __future__ import annotations

from typing import NamedTuple


class Problem(NamedTuple):
    """A rule that a session breaks: `Problem("3f0c", "unique", "the facts are true together of 2 products")`."""

    session_id: str
    rule: str
    text: str
