"""How many products an agent shows in a turn."""

from __future__ import annotations

from typing import Literal, get_args

Policy = Literal["full", "confident"]
"""`full` always shows ten; `confident` shows what the evidence supports."""

POLICIES: tuple[str, ...] = get_args(Policy)
