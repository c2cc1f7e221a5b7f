"""Whatever comes in, the answer or the error is clear, nothing is lost, and the next turn works."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.command import shopgraph

HOSTILE = {
    "100,000 characters": ("blue dress " * 9_091).encode(),
    "more than is kept": ("blue dress " * 12_000).encode(),
    "bytes that are no text": b"\xff\xfe\x00\x01\x80 dress \xc3\x28",
    "emoji only": "👗👠💃".encode(),
    "a lone surrogate": b"red shoes \\ud83d \xed\xa0\xbd",
    "a number beyond 64 bits": b"running shoes under 99999999999999999999999999 dollars",
    "a number with an absurd exponent": b"dress under $1e999",
    "control codes": b"\x1b[2J\x1b]0;title\x07 boots \x9b31m",
    "query syntax": b'"dress" AND (NOT * OR \') -- ; DROP TABLE products; /* [bold] {x} %s',
    "markup": b"[red]dress[/red] [/bold]",
    "right to left and joined": "\u202edress\u202c \u200d \ufdfd".encode(),
    "one character": b"?",
}


@pytest.fixture(scope="module")
def said(sample_catalog: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The lines that each hostile message got, between two plain turns of one chat that all of them share."""
    lines = [b"a dress for women"]
    for message in HOSTILE.values():
        lines += [message, b"/state"]
    state = tmp_path_factory.mktemp("hostile")
    chat = shopgraph("chat", "--catalog", sample_catalog, state=state, stdin=b"\n".join([*lines, b"in cotton"]))
    assert (chat.code, chat.err) == (0, "")
    answers = chat.out.split("Understood: ")[1:]
    assert len(answers) == len(HOSTILE) + 2
    return dict(zip(["first", *HOSTILE, "last"], [answer.splitlines() for answer in answers], strict=True))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_message_is_answered(said: dict[str, list[str]], name: str) -> None:
    answer = said[name]
    assert len(answer) > 2
    assert not any(ord(c) < 32 or 127 <= ord(c) < 160 for line in answer for c in line)
    assert any("turn 1" in line or "nothing yet" in line for line in answer)


def test_the_turn_after_them_works(said: dict[str, list[str]]) -> None:
    assert "material cotton" in said["last"][0]


def test_what_is_cut_is_said(said: dict[str, list[str]]) -> None:
    assert any("I read the first 100,000 characters" in line for line in said["more than is kept"])


@pytest.mark.parametrize("message", ["", "   ", "\t"])
def test_a_blank_message_is_answered_with_a_question(sample_catalog: Path, tmp_path: Path, message: str) -> None:
    answer = shopgraph("ask", "--json", message, "--catalog", sample_catalog, state=tmp_path)
    assert answer.code == 0
    assert json.loads(answer.out)["message"]


def test_an_argument_that_is_no_text(sample_catalog: Path, tmp_path: Path) -> None:
    answer = shopgraph("ask", "--json", b"red shoes \xed\xa0\xbd \xff", "--catalog", sample_catalog, state=tmp_path)
    assert answer.code == 0
    assert json.loads(answer.out)["recommendations"]


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["chat", "--nonsense"], 2, "No such option: --nonsense"),
        (["frobnicate"], 2, "No such command 'frobnicate'"),
        (["ask"], 2, "Missing argument 'TEXT'"),
        (["ask", "boots", "--policy", "bold"], 2, "--policy"),
        (["understand"], 2, "give either TEXT, or --input and --output together"),
        (["understand", "x", "--input", "y.jsonl"], 2, "give either TEXT, or --input and --output together"),
        (["catalog", "build", "x.csv", "--out", "x.duckdb", "--map", "title"], 2, "'title' is not FIELD=COLUMN"),
        (
            ["catalog", "build", "x.csv", "--out", "x.duckdb", "--map", "title=a", "--map", "title=b"],
            2,
            "field 'title' is mapped twice",
        ),
        (["catalog", "build", "missing.jsonl", "--out", "x.duckdb"], 1, "missing.jsonl"),
        (["catalog", "info", "missing.duckdb"], 1, "missing.duckdb"),
        (["chat", "--catalog", "missing.duckdb"], 1, "missing.duckdb"),
        (["chat"], 1, "Make a sample store with"),
        (["eval", "bound", "--sessions", "missing.jsonl"], 1, "Make a sample store with"),
        (["catalog", "sample", "--products", "10", "--out", "no/such/folder/x.jsonl"], 1, "no/such/folder"),
    ],
)
def test_what_cannot_be_done_is_said(tmp_path: Path, arguments: list[str], code: int, says: str) -> None:
    result = shopgraph(*arguments, state=tmp_path)
    assert (result.code, result.out) == (code, "")
    assert says in " ".join(result.err.split())
    assert "Traceback" not in result.err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--conversation", "  "], "The conversation's name is blank"),
        (["--continue"], "There is no conversation to continue"),
        (["--continue", "--conversation", "x"], "use one of them"),
        (["--state", "file/that/is/none"], "file/that/is/none"),
    ],
)
def test_a_conversation_that_cannot_be_opened(
    sample_catalog: Path, tmp_path: Path, options: list[str], says: str
) -> None:
    (tmp_path / "file").write_text("in the way")
    result = shopgraph("ask", "boots", "--catalog", sample_catalog, *options, state=tmp_path)
    assert (result.code, result.out) == (1, "")
    assert says in result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize("content", [b"", b"not a database", b"\x00" * 20_000])
def test_a_damaged_catalog(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "broken.duckdb").write_bytes(content)
    result = shopgraph("ask", "boots", "--catalog", "broken.duckdb", state=tmp_path)
    assert (result.code, result.out) == (1, "")
    assert "broken.duckdb" in result.err
    assert "Traceback" not in result.err


def test_a_catalog_cut_short(sample_catalog: Path, tmp_path: Path) -> None:
    whole = sample_catalog.read_bytes()
    (tmp_path / "cut.duckdb").write_bytes(whole[: len(whole) // 2])
    result = shopgraph("ask", "boots", "--catalog", "cut.duckdb", state=tmp_path)
    assert result.code == 1
    assert "cut.duckdb" in result.err
    assert "Traceback" not in result.err


def test_a_damaged_conversation_store(sample_catalog: Path, tmp_path: Path) -> None:
    (tmp_path / "conversations.sqlite").write_bytes(b"this is no database, whatever its name" * 100)
    result = shopgraph("ask", "boots", "--catalog", sample_catalog, state=tmp_path)
    assert result.code == 1
    assert "conversations.sqlite" in result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (b'{"id": 1, "text": "boots"}\n{"id": 2\n', "line 2 is not JSON"),
        (b'{"id": 1}\n', 'line 1: an object with "id" and a string "text"'),
        (b'["boots"]\n', 'line 1: an object with "id" and a string "text"'),
        (b"\xff\xfe\n", "line 1 is not JSON"),
    ],
)
def test_messages_that_cannot_be_understood(sample_catalog: Path, tmp_path: Path, rows: bytes, says: str) -> None:
    (tmp_path / "in.jsonl").write_bytes(rows)
    result = shopgraph(
        "understand", "--input", "in.jsonl", "--output", "out.jsonl", "--catalog", sample_catalog, state=tmp_path
    )
    assert result.code == 1
    assert says in result.err
    assert not (tmp_path / "out.jsonl").exists()
