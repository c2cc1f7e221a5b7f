"""The commands inside one process: what they print, and what becomes of errors."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

import graph.cli
from graph.cli import chat, demo
from graph.cli.app import build_app, run
from graph.cli.conversation import open_conversation
from graph.cli.store import find_catalog
from graph.settings import Settings
from tests.documents import CLI, cli_document

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sample_catalog: Path
) -> Command:
    """Run a command over the sample store; gives its exit code, output and error output."""
    monkeypatch.setenv("SHOPGRAPH_CATALOG", str(sample_catalog))
    monkeypatch.setenv("SHOPGRAPH_STATE", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = run(arguments)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return invoke


def test_every_command_is_documented() -> None:
    assert CLI.read_text(encoding="utf-8") == cli_document(), "run `make docs`"


def test_every_command_of_the_contract_is_there_and_no_other() -> None:
    root = typer.main.get_command(build_app())
    names = {name: sorted(getattr(child, "commands", {})) for name, child in root.commands.items()}  # type: ignore[attr-defined]
    assert names == {
        "chat": [],
        "demo": [],
        "ask": [],
        "understand": [],
        "replay": [],
        "catalog": ["build", "info", "sample"],
        "eval": ["bound", "fit", "generate", "queries", "reword", "run", "speed", "understanding", "validate"],
    }


def test_help_without_a_command(command: Command) -> None:
    code, out, err = command()
    assert code == 2
    assert "Try it:" in out + err


def test_completion_is_offered(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "--install-completion" in command("--help")[1]


def test_chat_commands(command: Command) -> None:
    said = b"/why 1\na dress for women\nunder $60\n/why 2\n/why x\n/why 0000000011\n/state\n/undo\n/state\n/reset\n"
    code, out, err = command("chat", stdin=said + b"/help\n/quit\nx")
    assert (code, err) == (0, "")
    assert "No products are shown yet." in out
    assert out.count("Name a product of the last list") == 2
    assert out.count("$60 [hard, turn 2]") == 1
    assert out.count("/undo    take the last turn back") == 1
    assert out.count("Understood: ") == 4


def test_the_state_says_when_sentence_evidence_is_off(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catalog.encoder._PACKAGES", ("no_such_module",))
    assert command("chat", stdin=b"/state\n/quit\n")[1].count("sentence evidence: off (") == 1


def test_chat_on_a_terminal(
    command: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = iter(["", "boots"])

    def typed(prompt: str) -> str:
        assert prompt == "> "
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", typed)
    monkeypatch.setattr(chat, "in_conversation", lambda: True)
    code, out, _ = command("chat")
    assert code == 0
    assert out.startswith("2,000 products. What are you looking for?")
    assert "Go on later with: shopgraph chat --conversation " in out


def test_ask_and_continue(command: Command) -> None:
    code, out, _ = command("ask", "boots for men")
    assert code == 0
    name = out.split("--conversation ")[1].split()[0]
    code, out, _ = command("ask", "--continue", "--json", "in brown")
    assert (json.loads(out)["conversation"], json.loads(out)["turn"]) == (name, 2)


def test_demo(command: Command) -> None:
    code, out, err = command("demo")
    assert (code, err) == (0, "")
    assert [line["shows"] for line in demo.load_script()] == [
        "a need",
        "a constraint",
        "a negation",
        "a change of mind",
        "you decide",
    ]
    assert out.count("Understood: ") == 5


def test_catalog_commands(command: Command, tmp_path: Path) -> None:
    assert command("catalog", "sample", "--products", "30", "--out", "s.jsonl", "--prices", "dense")[0] == 0
    code, out, err = command("catalog", "build", "s.jsonl", "--out", "s.duckdb")
    assert (code, err) == (0, "")
    assert "rejected: none" in out
    assert json.loads(command("catalog", "info", "s.duckdb", "--json")[1])["products"] == 30
    assert "products: 30" in command("catalog", "info", "s.duckdb")[1]


def test_info_on_a_terminal(command: Command, monkeypatch: pytest.MonkeyPatch, sample_catalog: Path) -> None:
    monkeypatch.setattr("graph.cli.catalog.on_terminal", lambda: True)
    assert "2,000" in command("catalog", "info", str(sample_catalog))[1]


def test_understand(command: Command, tmp_path: Path) -> None:
    out = command("understand", "maybe a frobnicator dress, not in red")[1]
    assert out.startswith("acts: ")
    assert "color eq red (negative, hard" in out
    assert json.loads(command("understand", "--json", "under $50")[1])["facts"][0]["value"] == 50
    (tmp_path / "in.jsonl").write_text('{"id": 1, "text": "$50", "prev_system": "What is your budget?"}\n\n')
    assert command("understand", "--input", "in.jsonl", "--output", "out.jsonl")[1].startswith("Read 1 messages")
    (tmp_path / "in.jsonl").write_text('{"id": 1}\n')
    assert command("understand", "--input", "in.jsonl", "--output", "new.jsonl")[0] == 1


def test_evaluation_commands(command: Command) -> None:
    assert command("eval", "generate", "--n", "4", "--out", "p1.jsonl")[0] == 0
    assert json.loads(command("eval", "generate", "--n", "4", "--out", "p1.jsonl", "--json")[1])["sha256"]
    code, out, _ = command("eval", "run", "--sessions", "p1.jsonl", "--out", "r", "--agent", "keyword")
    assert code == 0
    assert "technical score" in out
    report = command("eval", "run", "--sessions", "p1.jsonl", "--out", "r", "--agent", "keyword", "--json")[1]
    assert json.loads(report)["config"]["agent"] == "keyword"
    assert json.loads(command("eval", "bound", "--sessions", "p1.jsonl", "--json")[1])[0]["policy"] == "full"
    assert "bound, full" in command("eval", "bound", "--sessions", "p1.jsonl")[1]


def test_tables_on_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from graph.cli import scores

    monkeypatch.setattr(scores, "on_terminal", lambda: True)
    scores.print_table(("", "score"), [("[red]all[/red]", "0.5")])
    assert "[red]all[/red]" in capsys.readouterr().out


def test_an_operating_system_error_is_one_line(command: Command, tmp_path: Path) -> None:
    code, out, err = command("understand", "--input", "missing.jsonl", "--output", "out.jsonl")
    assert (code, out) == (1, "")
    assert err == "shopgraph: missing.jsonl: No such file or directory\n"


def test_the_first_catalog_found_is_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    settings = Settings(state=tmp_path / "state")
    kept = tmp_path / "state" / "sample.duckdb"
    kept.parent.mkdir()
    kept.touch()
    assert find_catalog(None, settings) == kept
    (tmp_path / ".shopgraph").mkdir()
    (tmp_path / ".shopgraph" / "sample.duckdb").touch()
    assert find_catalog(None, settings) == Path(".shopgraph/sample.duckdb")
    assert find_catalog(None, Settings(catalog=Path("e.duckdb"))) == Path("e.duckdb")
    assert find_catalog(Path("n.duckdb"), Settings(catalog=Path("e.duckdb"))) == Path("n.duckdb")


def test_a_conversation_that_is_not_kept_writes_nothing(sample_catalog: Path, tmp_path: Path) -> None:
    with open_conversation(sample_catalog, "full", tmp_path / "none", keep=False) as talk:
        assert talk.say("boots").number == 1
        assert talk.size == 2_000
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("arguments", [["--help"], ["nonsense"]])
def test_main_leaves_with_the_exit_code(monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["shopgraph", *arguments])
    with pytest.raises(SystemExit) as end:
        graph.cli.main()
    assert end.value.code == (0 if arguments == ["--help"] else 2)
