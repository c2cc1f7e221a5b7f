"""What broke shopgraph once: damaged stores, cut catalogs, missing streams, empty settings, words without an end."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import ormsgpack
import pytest

from catalog.errors import CatalogError, ConversationError, InputError
from catalog.open import open_catalog
from catalog.text import compounds
from evals.session_files import generate
from graph.agent import ShoppingAgent
from graph.settings import load_settings
from tests.e2e.command import environment, shopgraph

DAMAGED = {
    "a foreign class": ("msgpack", ormsgpack.packb({"v": ormsgpack.Ext(1, ormsgpack.packb(("os", "system", "x")))})),
    "no msgpack": ("msgpack", b"\xc1garbage"),
    "pickle": ("pickle", b"x"),
    "nothing": ("msgpack", ormsgpack.packb(None)),
    "no checkpoint": ("msgpack", ormsgpack.packb({"a": 1})),
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_conversation_is_refused_and_can_be_reset(sample_catalog: Path, tmp_path: Path, kind: str) -> None:
    agent = ShoppingAgent(sample_catalog, state=tmp_path)
    for conversation in ("hurt", "sound"):
        agent.respond(conversation, "a red dress")
    with sqlite3.connect(tmp_path / "conversations.sqlite") as store:
        store.execute("UPDATE checkpoints SET type = ?, checkpoint = ? WHERE thread_id = 'hurt'", DAMAGED[kind])
    store.close()
    for broken in (lambda: agent.respond("hurt", "in blue"), lambda: agent.belief("hurt")):
        with pytest.raises(ConversationError, match=r"'hurt' cannot be read .* begin another one, or reset this one"):
            broken()
    assert agent.turn("sound", "in cotton")["turn"] == 2
    agent.reset("hurt")
    assert agent.turn("hurt", "in blue")["turn"] == 1


def test_a_damaged_conversation_on_the_command_line(sample_catalog: Path, tmp_path: Path) -> None:
    ask = ("ask", "boots", "--catalog", sample_catalog, "--conversation", "hurt")
    assert shopgraph(*ask, state=tmp_path).code == 0
    with sqlite3.connect(tmp_path / "conversations.sqlite") as store:
        store.execute("UPDATE checkpoints SET checkpoint = ?", (b"\xc1",))
    store.close()
    result = shopgraph(*ask, state=tmp_path)
    assert (result.code, result.out) == (1, "")
    assert "conversation 'hurt' cannot be read" in result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize("top_k", [None, "5", 2.5, float("nan"), []])
def test_a_top_k_that_is_no_number_costs_no_turn(sample_catalog: Path, top_k: Any) -> None:
    agent = ShoppingAgent(sample_catalog)
    with pytest.raises(InputError, match="top_k"):
        agent.respond("s", "boots", top_k=top_k)
    assert agent.turn("s", "boots")["turn"] == 1


def test_a_profile_that_holds_itself(sample_catalog: Path) -> None:
    profile: dict[str, Any] = {}
    profile["self"] = profile
    with pytest.raises(InputError, match="holds itself"):
        ShoppingAgent(sample_catalog).reset("s", profile)


@pytest.mark.parametrize("content", [b"", b"\xe1\xff", None])
def test_a_latest_conversation_that_cannot_be_read(sample_catalog: Path, tmp_path: Path, content: bytes | None) -> None:
    latest = tmp_path / "latest-conversation"
    if content is None:
        latest.mkdir()
    else:
        latest.write_bytes(content)
    result = shopgraph("ask", "boots", "--continue", "--catalog", sample_catalog, state=tmp_path)
    assert (result.code, result.out) == (1, "")
    assert "latest-conversation" in result.err
    assert "--conversation" in result.err
    assert "Traceback" not in result.err


@pytest.mark.skipif(sys.platform == "win32", reason="the shell closes streams by number")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
def test_a_process_without_standard_streams(sample_catalog: Path, tmp_path: Path, closed: str) -> None:
    command = f'"$0" -m graph.cli ask boots --conversation kept --catalog "$1" {closed}'
    done = subprocess.run(
        ["sh", "-c", command, sys.executable, str(sample_catalog)],
        capture_output=True, cwd=tmp_path, env=environment(tmp_path), timeout=300,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert ShoppingAgent(sample_catalog, state=tmp_path).turn("kept", "in brown")["turn"] == 2


def test_a_catalog_that_lost_its_end_is_refused_when_it_is_opened(sample_catalog: Path, tmp_path: Path) -> None:
    whole = shutil.copy(sample_catalog, tmp_path / "cut.duckdb")
    with Path(whole).open("rb+") as file:
        file.truncate(sample_catalog.stat().st_size - 4096)
    with pytest.raises(CatalogError, match="cut short"):
        open_catalog(whole)


def test_an_empty_variable_is_an_unset_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/somewhere")
    for name in ("CATALOG", "CATALOGS", "POLICY", "STATE"):
        monkeypatch.setenv(f"SHOPGRAPH_{name}", "")
    settings = load_settings()
    assert settings.catalog is None
    assert settings.state_folder == Path("/somewhere/shopgraph")


def test_a_variable_that_is_no_json_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOPGRAPH_CATALOGS", "{bad")
    with pytest.raises(InputError, match=r"SHOPGRAPH_CATALOGS='\{bad'"):
        load_settings()


def test_a_session_file_that_could_not_be_written_leaves_nothing_in_the_way(
    sample_catalog: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "sessions.jsonl"

    def fill_the_disk(self: Path, data: bytes) -> int:
        self.touch()
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(Path, "write_bytes", fill_the_disk)
        with pytest.raises(Exception, match="No space left on device"):
            generate(sample_catalog, out, n=3)
    assert list(tmp_path.iterdir()) == []
    assert generate(sample_catalog, out, n=3).header.sessions == 3


def test_nested_json_is_an_error_of_its_line(sample_catalog: Path, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text("[" * 200_000 + "\n")
    result = shopgraph(
        "understand", "--input", "in.jsonl", "--output", "out.jsonl", "--catalog", sample_catalog, state=tmp_path
    )
    assert result.code == 1
    assert "line 1 is not JSON" in result.err
    assert "Traceback" not in result.err


def test_a_word_without_an_end_is_read_once() -> None:
    # Tried from each of its letters, this word would take half an hour; the value is what matters.
    assert compounds("a" * 200_000 + " long-sleeve J.Crew A&B") == ("longsleeve", "jcrew", "ab")
