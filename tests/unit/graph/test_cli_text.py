"""Text of strangers never reaches the terminal as control codes or markup."""

from __future__ import annotations

import io
import math

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from graph.cli import output
from graph.cli.text import one_line, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Coat\x1b[2J\x1b]0;title\x07", "Coat[2J]0;title"),
        ("a\x9b31mred", "a31mred"),
        ("line\r\nnext\tcell", "line\nnext\tcell"),
        ("lone \ud83d half", "lone  half"),
        ("turned \u202e round", "turned  round"),
        ("naïve 日本語 👗 stays", "naïve 日本語 👗 stays"),
    ],
)
def test_control_codes_are_dropped(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text())
def test_printable_text_can_always_be_written(text: str) -> None:
    safe = printable(text)
    assert safe.encode("utf-8").decode("utf-8") == safe
    assert not any((ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160 for c in safe)


def test_one_line_cuts_with_an_ellipsis() -> None:
    assert one_line("a  long\n title", 8) == "a long…"
    assert one_line("short", 8) == "short"


def test_plain_output_is_cleaned(capsys: pytest.CaptureFixture[str]) -> None:
    output.write("[bold]Red[/bold] :smile: \x1b[31m")
    assert capsys.readouterr().out == "[bold]Red[/bold] :smile: [31m\n"


def test_json_has_no_nan(capsys: pytest.CaptureFixture[str]) -> None:
    output.write_json({"score": math.nan, "most": math.inf})
    assert orjson.loads(capsys.readouterr().out) == {"score": None, "most": None}


def test_a_terminal_does_not_read_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.table import Table
    from rich.text import Text

    screen = io.StringIO()
    plain = output.console()
    monkeypatch.setattr(
        output,
        "console",
        lambda: Console(
            file=screen,
            width=80,
            markup=plain._markup,
            emoji=plain._emoji,
            highlight=plain._highlight,
        ),
    )
    table = Table(box=None)
    table.add_row(Text("[red]dress[/red] :dress:"))
    output.draw(table)
    output.draw("[/nonsense] [bold]tag[/bold]")
    assert "[red]dress[/red] :dress:" in screen.getvalue()
    assert "[/nonsense] [bold]tag[/bold]" in screen.getvalue()


def test_a_pipe_gets_no_progress_bar(capsys: pytest.CaptureFixture[str]) -> None:
    with output.progress_bar() as move:
        move("rows", 1, None)
        move("index", 1, 2)
    assert capsys.readouterr().err == ""


def test_a_terminal_gets_a_progress_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    with output.progress_bar() as move:
        move("rows [read]", 1, None)
        move("rows [read]", 5, 10)
        move("index", 1, 2)
    assert "rows [read]" in screen.getvalue()
