from __future__ import annotations

from pathlib import Path

import pytest

from evals.errors import SessionFileError
from evals.official.shopper import OfficialSession
from evals.sessions import Header, carries_id, encode, read_header, read_sessions
from tests.unit.evals.shelf import sessions

HEADER = Header(protocol="official", catalog_sha256="ab" * 32, products=48, draw="uniform", seed=1, sessions=3)


@pytest.fixture
def frozen(tmp_path: Path) -> Path:
    path = tmp_path / "sessions.jsonl"
    path.write_bytes(encode(HEADER, sessions(3)))
    return path


def test_a_written_file_reads_back_the_same(frozen: Path) -> None:
    read = read_sessions(frozen, OfficialSession)
    assert read.header == HEADER
    assert list(read.sessions) == sessions(3)
    assert read.sha256 != ""


def test_the_digest_names_the_bytes(frozen: Path) -> None:
    before = read_sessions(frozen, OfficialSession).sha256
    frozen.write_bytes(frozen.read_bytes() + b"\n")
    with pytest.raises(SessionFileError, match="line 5"):
        read_sessions(frozen, OfficialSession)
    frozen.write_bytes(encode(HEADER, sessions(3, seed=8)))
    assert read_sessions(frozen, OfficialSession).sha256 != before


def test_a_missing_file_says_how_to_write_one(tmp_path: Path) -> None:
    with pytest.raises(SessionFileError, match="eval generate"):
        read_header(tmp_path / "none.jsonl")


@pytest.mark.parametrize("content", [b"", b"{}\n", b"\xff\xfe\x00", b"[1]\n", b'{"format": 99}\n'])
def test_a_file_of_something_else_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.jsonl"
    path.write_bytes(content)
    with pytest.raises(SessionFileError, match="not a session file"):
        read_header(path)


def test_another_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "later.jsonl"
    path.write_bytes(encode(HEADER.model_copy(update={"format": 2}), sessions(3)))
    with pytest.raises(SessionFileError, match="format 2"):
        read_sessions(path, OfficialSession)


def test_a_lost_or_repeated_or_edited_row_is_found(frozen: Path) -> None:
    lines = frozen.read_bytes().splitlines(keepends=True)
    frozen.write_bytes(b"".join(lines[:-1]))
    with pytest.raises(SessionFileError, match="2 sessions, the header says 3"):
        read_sessions(frozen, OfficialSession)
    frozen.write_bytes(b"".join([*lines[:-1], lines[-2]]))
    with pytest.raises(SessionFileError, match="occurs twice"):
        read_sessions(frozen, OfficialSession)
    frozen.write_bytes(b"".join([*lines[:-1], lines[-1].replace(b'"hard"', b'"harder"')]))
    with pytest.raises(SessionFileError, match="line 4: hard"):
        read_sessions(frozen, OfficialSession)


def test_an_id_counts_as_carried_only_as_a_word_of_its_own() -> None:
    assert carries_id("see b0abc12345, please", "B0ABC12345")
    assert carries_id("B0ABC12345", "B0ABC12345")
    assert not carries_id("B0ABC123456", "B0ABC12345")
    assert carries_id("a (x+y) b", "x+y")
