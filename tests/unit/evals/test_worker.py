from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evals.worker import AgentHost, encode, load_agent

START = {"op": "start", "catalog": "shop.duckdb", "policy": "full", "diagnostics": True}
AGENTS = "tests.unit.evals.agents"


def host(name: str) -> AgentHost:
    served = AgentHost()
    assert "fault" not in served.serve(START | {"agent": f"{AGENTS}:{name}"})
    served.serve({"op": "reset", "session_id": "s", "user_profile": {}})
    return served


def test_an_agent_gets_the_settings_that_it_accepts() -> None:
    assert load_agent(f"{AGENTS}:Quiet", catalog="x", policy="full") is not None
    lister = load_agent(f"{AGENTS}:Lister", catalog="/a/x.duckdb", policy="full", diagnostics=False)
    assert lister.settings == "x.duckdb full False"


@pytest.mark.parametrize("name", ["nothing", "no.such.module:Agent", f"{AGENTS}:NoSuchAgent", f"{AGENTS}:Unloadable"])
def test_an_agent_that_cannot_be_loaded_is_a_fault(name: str) -> None:
    reply = AgentHost().serve(START | {"agent": name})
    assert reply["fault"] == "exception"
    assert name.split(":")[0].split(".")[0] in reply["text"] or "model file" in reply["text"]


def test_a_turn_gives_the_answer_its_time_and_diagnostics_beside_it() -> None:
    served = host("Lister")
    reply = served.serve({"op": "respond", "session_id": "s", "user_message": "hi", "turn": 1, "top_k": 10})
    assert set(reply) == {"answer", "ms"}
    assert set(reply["answer"]) == {"message", "ask_attribute", "recommendations", "usage"}
    assert reply["ms"] >= 0
    assert "retrieved" in served.serve({"op": "diagnose", "session_id": "s"})["diagnostics"]


def test_an_agent_is_asked_for_diagnostics_only_when_it_has_them_and_they_are_wanted() -> None:
    for name, wanted, expected in [("Lister", True, True), ("Lister", False, False), ("Quiet", True, False)]:
        reply = AgentHost().serve(START | {"agent": f"{AGENTS}:{name}", "diagnostics": wanted})
        assert reply["diagnoses"] is expected


def test_whatever_an_agent_raises_is_a_fault_of_that_request() -> None:
    served = host("Raises")
    turn = {"op": "respond", "session_id": "s", "user_message": "hi", "top_k": 10}
    assert "answer" in served.serve(turn | {"turn": 1})
    assert served.serve(turn | {"turn": 2})["text"].startswith("RuntimeError: no luck")
    assert "answer" in served.serve(turn | {"turn": 3})


@pytest.mark.parametrize("answer", [object(), math.nan, {1: {2}}, Path("x")])
def test_an_answer_that_json_cannot_hold_is_a_fault_of_shape(answer: object) -> None:
    assert json.loads(encode({"answer": answer, "ms": 1.0}))["fault"] == "shape"


def test_an_answer_that_contains_itself_is_a_fault_of_shape() -> None:
    endless: list[object] = []
    endless.append(endless)
    assert json.loads(encode({"answer": endless}))["fault"] == "shape"


def test_a_reply_is_one_line_whatever_is_in_it() -> None:
    assert encode({"answer": "two\nlines \u2028 \ud800"}).isascii()
    assert "\n" not in encode({"answer": "two\nlines"})


ORPHAN = """
import os, subprocess, sys, time
worker = subprocess.Popen([sys.executable, "-m", "evals.worker", str(os.getpid())], stdout=subprocess.PIPE)
print(worker.pid, flush=True)
time.sleep(600)
"""


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
def test_a_worker_does_not_outlive_a_killed_parent() -> None:
    # The worker reads this test's pipe, which stays open: the end of input must not be what ends it.
    command = [sys.executable, "-c", ORPHAN]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        os.kill(parent.pid, signal.SIGKILL)
        parent.wait()
        deadline = time.monotonic() + 30
        while alive(worker) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not alive(worker)
