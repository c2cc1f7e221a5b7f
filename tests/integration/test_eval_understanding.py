"""`shopgraph eval understanding` over the sample store and label files of the test's own."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from catalog.errors import InputError
from catalog.open import open_catalog
from evals.understanding.context import before, read_message
from evals.understanding.measure import measure_turns, reader_without
from graph.cli.app import run
from graph.events import BeliefState
from tools.language import Reader
from tools.reading import Question, Reading

Command = Callable[..., tuple[int, str, str]]


def fact(attribute: str, value: Any, span: str, polarity: str = "positive", **more: Any) -> dict[str, Any]:
    return {"attribute": attribute, "value": value, "polarity": polarity, "span": span, **more}


FACTS = [
    {"text": "black boots under $60", "facts": [fact("color", "black", "black"), fact("budget", 60, "60", op="<=")]},
    {"text": "not in red", "facts": [fact("color", "red", "red", "negative")]},
    {"text": "a dress in wumbleforth", "facts": [fact("color", "wumbleforth", "wumbleforth")]},
    {"text": "a skirt in quixzandra", "facts": [fact("color", "quixzandra", "quixzandra")]},
    {"text": "purely and simply not orgulous", "facts": [], "slogan_trap": True},
]
MOVES = [
    {"text": "in navy", "prev_user": "black boots", "moves": [{"move": "replace", "attribute": "color"}]},
    {"text": "no preference", "prev_system": "Which brand?", "moves": [{"move": "no_preference"}]},
]
CHATTER = [{"text": "thank you", "label": True, "half": half} for half in ("tune", "held")]


@pytest.fixture
def command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sample_catalog: Path
) -> Command:
    """Run the command in a folder with three label files."""
    monkeypatch.setenv("SHOPGRAPH_CATALOG", str(sample_catalog))
    monkeypatch.chdir(tmp_path)
    for name, rows in (("facts", FACTS), ("moves", MOVES), ("chatter", CHATTER)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    def invoke(*arguments: str) -> tuple[int, str, str]:
        code = run(["eval", "understanding", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return invoke


def test_a_table_for_each_file_and_the_halves_side_by_side(command: Command) -> None:
    code, out, err = command("--labels", "facts.jsonl", "moves.jsonl", "--labels", "chatter.jsonl")
    assert (code, err) == (0, "")
    assert "facts.jsonl: facts, rows tuned 3, held 2" in out
    assert "moves.jsonl: moves, rows tuned 1, held 1" in out
    assert "chatter.jsonl: label, rows tuned 1, held 1" in out
    lines = {line.split("  ")[0]: line.split() for line in out.splitlines() if line}
    assert {"tuned:", "held:"} <= set(out.split())
    assert {"facts", "negative facts", "traps sprung", "acts", "acts, add = replace", "chatter", "accuracy"} <= set(
        lines
    )
    assert lines["act replace"][2:6] == ["1", "1.000", "1.000", "1.000"]
    assert lines["negative facts"][2:6] == ["1", "1.000", "1.000", "1.000"]
    assert "reading a message: p50 " in out


def test_what_is_held_out_is_named_only_when_it_is_asked_for(command: Command, tmp_path: Path) -> None:
    tuned, held = FACTS[2]["text"], FACTS[3]["text"]
    for arguments in ([], ["--misses", "1"], ["--misses", "5"]):
        for form in ([], ["--json"], ["--output", "o.json"]):
            out = command("--labels", "facts.jsonl", *arguments, *form)[1]
            out += (tmp_path / "o.json").read_text(encoding="utf-8") if "--output" in form else ""
            assert "quixzandra" not in out and held not in out
    assert tuned in command("--labels", "facts.jsonl", "--misses", "5")[1]
    shown = command("--labels", "facts.jsonl", "--misses", "held", "--misses", "5")[1]
    assert held in shown
    assert tuned not in shown
    assert "wumbleforth" not in command("--labels", "facts.jsonl", "--half", "held")[1]


def test_one_half_alone(command: Command) -> None:
    report = json.loads(command("--labels", "facts.jsonl", "--half", "tuned", "--json")[1])
    assert list(report["files"][0]["halves"]) == ["tuned"]


def test_the_result_is_written_whole_and_the_same_again(command: Command, tmp_path: Path) -> None:
    files = [command("--labels", "facts.jsonl", "--output", "out/o.json")[0] or (tmp_path / "out/o.json") for _ in "ab"]
    first, second = (json.loads(path.read_text(encoding="utf-8")) for path in files)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["o.json"]
    assert first["files"] == second["files"]
    assert first["catalog_products"] == 2_000
    scores = first["files"][0]["halves"]["tuned"]["scores"]
    assert scores["budget"]["f1"] == 1
    assert scores["color"]["gold"] == 3
    assert command("--labels", "facts.jsonl", "--output", "facts.jsonl/o.json")[0] == 1


def test_what_was_said_before_is_known(sample_catalog: Path) -> None:
    index = open_catalog(sample_catalog)
    reader = Reader(index.lexicon)
    earlier = before(reader, index, prev_user="black boots", prev_system="Here are some. What size? Any brand?")
    assert earlier.question.attribute == "brand"
    assert [fact.value for fact in earlier.belief.of("color")] == ["black"]
    assert read_message(reader, "in navy", earlier).acts == ["replace"]
    nothing = before(reader, index, prev_user=" ", prev_system="Here are some boots.")
    assert (nothing.question, nothing.belief) == (Question(underway=True), BeliefState())
    assert read_message(reader, "in navy", nothing).acts == ["add"]
    index.close()


@pytest.mark.parametrize("pack", [gzip.compress, bytes])
def test_turns_are_read_and_their_unknown_words_counted(
    command: Command, tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    rows = [{"text": text} for text in ("wumbleforth and quixzandra boots", "anything in wumbleforth?", "\ud800")]
    name = "turns.jsonl.gz" if pack is gzip.compress else "turns.jsonl"
    (tmp_path / name).write_bytes(pack("".join(json.dumps(row) + "\n" for row in rows).encode()))
    code, out, _ = command("--turns", name, "--words", "1")
    assert code == 0
    assert f"{name}: 3 turns, 0 failed" in out
    assert out.splitlines()[-1].split() == ["wumbleforth", "2", "no"]


def test_a_turn_that_raises_is_counted(sample_catalog: Path, tmp_path: Path) -> None:
    class Failing(Reader):
        def read(self, message: str, question: Question, belief: BeliefState, shown: Any = ()) -> Reading:
            if "quixzandra" in message:
                raise LookupError(message)
            return super().read(message, question, belief, shown)

    turns = tmp_path / "turns.jsonl"
    turns.write_text('{"text": "wumbleforth"}\n\n{"text": "quixzandra"}\n', encoding="utf-8")
    index = open_catalog(sample_catalog)
    report = measure_turns(Failing(index.lexicon), index.lexicon, turns, 5)
    assert (report.turns, report.failed, report.errors) == (2, 1, ["turn 2: LookupError: quixzandra"])
    assert [word.word for word in report.words] == ["wumbleforth"]
    index.close()


def test_a_tier_that_is_not_there(sample_catalog: Path) -> None:
    index = open_catalog(sample_catalog)
    with pytest.raises(InputError, match="--without magic: no such tier; name one of grammar, lexicon"):
        reader_without(index.lexicon, frozenset({"magic"}))
    index.close()


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        ([], 2, "give --labels, --turns or both"),
        (["--labels", "absent.jsonl"], 1, "absent.jsonl: cannot be read"),
        (["--labels", "bad.jsonl"], 1, "bad.jsonl, line 1 is not JSON"),
        (["--labels", "mood.jsonl"], 1, "begin its name with exhaustion, overrides, chatter"),
        (["--turns", "bad.jsonl"], 1, "bad.jsonl, line 1 is not JSON"),
        (["--turns", "bad.jsonl.gz"], 1, "bad.jsonl.gz: cannot be read"),
        (["--turns", "rows.jsonl"], 1, "rows.jsonl, line 1: no text"),
        (["--labels", "facts.jsonl", "--misses", "some"], 2, "--misses some: give a number, tuned or held"),
        (["--labels", "facts.jsonl", "--without", "magic"], 1, "--without magic: no such tier"),
    ],
)
def test_bad_input_is_named(command: Command, tmp_path: Path, arguments: list[str], code: int, problem: str) -> None:
    for name, text in (("bad.jsonl", "{"), ("bad.jsonl.gz", "{"), ("rows.jsonl", "[]")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "mood.jsonl").write_text('{"text": "hm", "label": true}', encoding="utf-8")
    given = command(*arguments)
    assert given[0] == code
    assert problem in " ".join((given[1] + given[2]).split())
