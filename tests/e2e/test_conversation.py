"""A conversation through the command line: piped, continued by another process, one turn at a time."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.command import environment, shopgraph


def test_piped_chat_has_no_prompts_and_ends_with_the_input(sample_catalog: Path, tmp_path: Path) -> None:
    said = "a dress for women\nunder $60\n/why 1\n/state\n/nonsense\n\n/why 99\n/undo\n/reset\n"
    chat = shopgraph("chat", "--catalog", sample_catalog, state=tmp_path, stdin=said)
    assert (chat.code, chat.err) == (0, "")
    assert "> " not in chat.out
    assert "\x1b" not in chat.out
    assert chat.out.count("Understood: ") == 4
    assert "There is no command /nonsense" in chat.out
    assert "Name a product of the last list: /why 1 to /why 10" in chat.out
    assert "department women" in chat.out
    assert "$60" in chat.out
    assert "I took back your last message." in chat.out


def test_quit_ends_the_chat_early(sample_catalog: Path, tmp_path: Path) -> None:
    chat = shopgraph("chat", "--catalog", sample_catalog, state=tmp_path, stdin="boots\n/quit\nshoes\n")
    assert chat.code == 0
    assert chat.out.count("Understood: ") == 1


def test_another_process_continues_the_conversation(sample_catalog: Path, tmp_path: Path) -> None:
    first = shopgraph("ask", "--json", "a dress for women", "--catalog", sample_catalog, state=tmp_path)
    name = json.loads(first.out)["conversation"]
    second = shopgraph("ask", "--json", "--continue", "under $60", "--catalog", sample_catalog, state=tmp_path)
    assert (json.loads(second.out)["conversation"], json.loads(second.out)["turn"]) == (name, 2)
    third = shopgraph(
        "chat", "--conversation", name, "--catalog", sample_catalog, state=tmp_path, stdin="/state\n/why 1\n"
    )
    assert "department women" in third.out
    assert "$60 [hard, turn 2]" in third.out
    assert third.out.count("satisfied: ") >= 1


def test_each_ask_is_a_conversation_of_its_own(sample_catalog: Path, tmp_path: Path) -> None:
    answers = [shopgraph("ask", "--json", "boots", "--catalog", sample_catalog, state=tmp_path) for _ in range(2)]
    first, second = (json.loads(answer.out) for answer in answers)
    assert first["conversation"] != second["conversation"]
    assert first["recommendations"] == second["recommendations"]
    assert second["turn"] == 1


def test_the_answer_for_programs_is_one_strict_document(sample_catalog: Path, tmp_path: Path) -> None:
    answer = shopgraph("ask", "--json", "women's dress in cotton", "--catalog", sample_catalog, state=tmp_path)

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    document = json.loads(answer.out, parse_constant=refuse)
    assert len(document["recommendations"]) == 10
    assert len({row["parent_asin"] for row in document["recommendations"]}) == 10
    assert {row["verdict"] for row in document["recommendations"][0]["evidence"]} <= {
        "satisfied",
        "unknown",
        "violated",
        "relaxed",
    }
    assert document["message"]
    assert ("material", "cotton") in {(fact["attribute"], fact["value"]) for fact in document["facts"]}


def test_policy_confident_may_show_fewer(sample_catalog: Path, tmp_path: Path) -> None:
    answer = shopgraph("ask", "--json", "--policy", "confident", "dress", "--catalog", sample_catalog, state=tmp_path)
    assert len(json.loads(answer.out)["recommendations"]) < 10
    by_environment = shopgraph(
        "ask", "--json", "dress", "--catalog", sample_catalog, state=tmp_path, extra={"SHOPGRAPH_POLICY": "confident"}
    )
    assert len(json.loads(by_environment.out)["recommendations"]) < 10


def test_demo_plays_five_turns_and_keeps_nothing(sample_catalog: Path, tmp_path: Path) -> None:
    demo = shopgraph("demo", "--catalog", sample_catalog, state=tmp_path)
    assert (demo.code, demo.err) == (0, "")
    assert demo.out.count("Shopper: ") == demo.out.count("Understood: ") == 5
    assert 30 <= demo.out.count("    why: ") <= 50
    assert list(tmp_path.iterdir()) == []
    assert demo.out == shopgraph("demo", "--catalog", sample_catalog, state=tmp_path).out


def test_the_sample_in_the_state_folder_is_the_default(sample_catalog: Path, tmp_path: Path) -> None:
    (tmp_path / "sample.duckdb").symlink_to(sample_catalog)
    assert shopgraph("ask", "boots", state=tmp_path).code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_interrupt_ends_without_a_traceback(sample_catalog: Path, tmp_path: Path) -> None:
    chat = subprocess.Popen(
        [sys.executable, "-m", "graph.cli", "chat", "--catalog", sample_catalog],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
        # A test run in the background inherits an ignored interrupt, and its children with it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert chat.stdin is not None and chat.stdout is not None
    chat.stdin.write(b"boots\n")
    chat.stdin.flush()
    assert chat.stdout.readline().startswith(b"Understood")
    chat.send_signal(signal.SIGINT)
    _, err = chat.communicate(timeout=60)
    assert chat.returncode == 130
    assert b"Traceback" not in err
    answer = shopgraph("ask", "--json", "--continue", "in red", "--catalog", sample_catalog, state=tmp_path)
    assert json.loads(answer.out)["turn"] == 2


def test_a_closed_pipe_ends_without_a_traceback(sample_catalog: Path, tmp_path: Path) -> None:
    demo = subprocess.Popen(
        [sys.executable, "-u", "-m", "graph.cli", "demo", "--catalog", sample_catalog],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    )
    assert demo.stdout is not None and demo.stderr is not None
    demo.stdout.readline()
    demo.stdout.close()
    err = demo.stderr.read()
    demo.stderr.close()
    assert demo.wait(timeout=60) in (0, 1)
    assert err == b""


def test_two_processes_on_one_conversation_lose_nothing(sample_catalog: Path, tmp_path: Path) -> None:
    shopgraph("ask", "boots", "--conversation", "shared", "--catalog", sample_catalog, state=tmp_path)
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "graph.cli", "ask", said, "--conversation", "shared", "--catalog", sample_catalog],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment(tmp_path),
        )
        for said in ("only black ones", "under $50")
    ]
    for process in started:
        _, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (0, b"")
    state = shopgraph("chat", "--conversation", "shared", "--catalog", sample_catalog, state=tmp_path, stdin="/state\n")
    assert "color black" in state.out
    assert "$50 [hard" in state.out


def test_help_loads_no_engine() -> None:
    """The engine, the graph and the tables for terminals take a second: help must not wait for them."""
    program = (
        "import sys; from graph.cli.app import run; run(['chat', '--help']); "
        "print([m for m in ('duckdb', 'langchain_core', 'langgraph', 'numpy', 'rich') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "[]"
