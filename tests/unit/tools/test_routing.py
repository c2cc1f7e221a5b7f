"""What kind of message it is."""

from __future__ import annotations

import pytest

from tools.routing import mode_of


@pytest.mark.parametrize(
    ("message", "mode"),
    [
        ("red boots under $50", "buying"),
        ("", "buying"),
        ("Just Looking for ideas", "browsing"),
        ("START OVER please", "control"),
        ("undo, I am just looking", "control"),
        ("a resettable watch", "buying"),
        ("x" * 3_000 + " undo", "buying"),
    ],
)
def test_mode(message: str, mode: str) -> None:
    assert mode_of(message) == mode
