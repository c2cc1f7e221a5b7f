"""Agents that the harness loads as `tests.unit.evals.agents:Name`: a decent one, and every kind of bad one."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

Answer = dict[str, Any]


def answer(ids: list[str], ask: str | None = "other", **more: Any) -> Answer:
    return {
        "message": "Here you are.",
        "ask_attribute": ask,
        "recommendations": [{"parent_asin": i} for i in ids],
    } | more


class Quiet:
    """Shows nothing and asks nothing."""

    def reset(self, session_id: str, user_profile: dict[str, Any]) -> None:
        self.turns = 0

    def respond(self, session_id: str, user_message: str, turn: int, top_k: int = 10) -> Answer:
        self.turns += 1
        return answer([], None)


class Lister(Quiet):
    """Shows the shelf ten by ten, with diagnostics and tokens; takes its settings."""

    def __init__(self, catalog: str, policy: str, diagnostics: bool) -> None:
        self.settings = f"{Path(catalog).name} {policy} {diagnostics}"

    def respond(self, session_id: str, user_message: str, turn: int, top_k: int = 10) -> Answer:
        sys.stdout.write("an agent may print without harm\n")
        ids = [f"TEST{number:06d}" for number in range(10 * (turn - 1), 10 * turn)]
        self.last = ids
        return answer(["NOT-THERE", ids[0], *ids], usage={"prompt_tokens": 7, "completion_tokens": 2})

    def diagnose(self, session_id: str) -> dict[str, Any]:
        return {
            "acts": ["add"],
            "facts": [{"attribute": "color"}],
            "constraints": [],
            "query": self.settings,
            "retrieved": ["x", *self.last],
            "filtered": [*self.last],
            "ranked": self.last[::-1],
            "node_ms": {"retrieve": 1.5, "rank": 0.5},
        }


class Raises(Quiet):
    """Fails at turn 2 and is fine otherwise."""

    def respond(self, session_id: str, user_message: str, turn: int, top_k: int = 10) -> Answer:
        if turn == 2:
            raise RuntimeError("no luck \ud800")
        return answer([])


class ResetRaises(Quiet):
    def reset(self, session_id: str, user_profile: dict[str, Any]) -> None:
        raise KeyError("profile")


class Hangs(Quiet):
    """Never answers at turn 1, and counts turns to show that its memory is gone afterwards."""

    def respond(self, session_id: str, user_message: str, turn: int, top_k: int = 10) -> Answer:
        if turn == 1:
            time.sleep(600)
        self.turns += 1
        return answer([f"TEST{self.turns - 1:06d}"])


class Dies(Quiet):
    def respond(self, session_id: str, user_message: str, turn: int, top_k: int = 10) -> Answer:
        if turn == 3:
            sys.stderr.write("out of memory, say\n")
            sys.stderr.flush()
            os._exit(9)
        return answer([])


class Garbage(Quiet):
    """A different wrong shape at each turn."""

    def respond(self, session_id: str, user_message: str, turn: int, top_k: int = 10) -> Any:
        fine = answer([])
        wrong: list[Any] = [
            None,
            "text",
            {"message": "keys missing"},
            fine | {"extra": 1},
            fine | {"ask_attribute": "shape"},
            fine | {"recommendations": [{"parent_asin": 7}]},
            fine | {"recommendations": [{"parent_asin": "x"}] * 101},
            fine | {"usage": {"prompt_tokens": -1, "completion_tokens": 0}},
            fine | {"recommendations": [{"parent_asin": "x", "score": float("nan")}]},
            object(),
        ]
        return wrong[turn - 1]


class BadDiagnosis(Quiet):
    def diagnose(self, session_id: str) -> Any:
        raise ValueError("no diagnosis")


class Spy(Quiet):
    """Tells what its process can see."""

    def respond(self, session_id: str, user_message: str, turn: int, top_k: int = 10) -> Answer:
        kept = []
        for link in Path("/proc/self/fd").iterdir():
            try:
                kept.append(str(link.readlink()))
            except OSError:
                continue
        seen = [*sorted(os.environ), *sys.argv, *kept, *map(str, Path().iterdir())]
        return answer([], None) | {"message": "\n".join(seen)}


class Unloadable:
    def __init__(self) -> None:
        raise OSError("the model file is missing")
