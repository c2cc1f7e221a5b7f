"""Frozen session files: who wants what, and what a shopper may say. They stay in the parent process."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evals.errors import SessionFileError

FILE_FORMAT = 1
"""Raised whenever the header or the rows of a session file change their meaning."""

LAST_TURN = 10
"""Turns after which an unfinished session is a miss."""

Draw = Literal["popularity", "uniform"]

DrawnBy = Literal["popularity", "uniform", "hand"]
"""How the targets of a file were drawn; `hand`: by whoever wrote its sentences."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Profile(_Frozen):
    """What an agent is told of the person: anonymous, aggregate, and nothing about the target."""

    purchase_frequency: str
    average_prior_rating: float | None
    rating_style: str
    preference_tags: list[str]
    summary: str


class Session(_Frozen):
    """What every protocol's session holds; a protocol adds its own hidden facts in a subclass."""

    session_id: str = Field(description="Opaque: it names neither the draw, the scenario nor the target.")
    scenario: str
    target: str = Field(description="`parent_asin` of the wanted product.")
    user_profile: Profile

    @property
    def groups(self) -> dict[str, str]:
        """What else than the scenario sessions are scored by: the name of a grouping and this session's group."""
        return {}


class Header(_Frozen):
    """First line of a session file: where its sessions come from."""

    format: int = FILE_FORMAT
    protocol: str
    catalog_sha256: str
    products: int
    draw: DrawnBy
    seed: int
    sessions: int
    clean: bool = False
    sealed: str | None = Field(
        default=None, description="SHA-256 of the other header values and all sessions; None in protocols without."
    )


SessionT = TypeVar("SessionT", bound=Session, covariant=True)


class SessionSet(Generic[SessionT]):
    """The sessions of one file, with its header and the SHA-256 of its bytes."""

    def __init__(self, header: Header, sessions: Sequence[SessionT], sha256: str) -> None:
        self.header = header
        self.sessions = sessions
        self.sha256 = sha256


def encode(header: Header, sessions: Sequence[Session]) -> bytes:
    """Return the bytes of a session file: the header, then one session a line."""
    lines = [header.model_dump_json(exclude_none=True), *(session.model_dump_json() for session in sessions)]
    return ("\n".join(lines) + "\n").encode()


def seal(header: Header, sessions: Sequence[Session]) -> str:
    """Return the SHA-256 of a header's values, its own seal apart, and of all sessions in their order."""
    return hashlib.sha256(encode(header.model_copy(update={"sealed": None}), sessions)).hexdigest()


def read_header(path: Path) -> Header:
    """Read the first line of a session file; raises `SessionFileError` when it is not one."""
    try:
        with path.open(encoding="utf-8") as lines:
            header = Header.model_validate_json(lines.readline())
    except OSError as error:
        raise SessionFileError(f"{path}: cannot be read ({error.strerror}); write one with 'eval generate'") from error
    except (ValidationError, UnicodeDecodeError) as error:
        raise SessionFileError(
            f"{path}: not a session file (bad header line); write one with 'eval generate'"
        ) from error
    if header.format != FILE_FORMAT:
        raise SessionFileError(f"{path}: session file format {header.format}, this version reads {FILE_FORMAT}")
    return header


def read_sessions(path: Path, kind: type[SessionT]) -> SessionSet[SessionT]:
    """Read a session file whose rows are of type `kind`; raises `SessionFileError` naming the bad line."""
    header = read_header(path)
    data = path.read_bytes()
    sessions: list[SessionT] = []
    for number, line in enumerate(data.splitlines()[1:], start=2):
        try:
            sessions.append(kind.model_validate_json(line))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(map(str, first["loc"]))
            raise SessionFileError(f"{path}, line {number}: {place} {first['msg']}; generate the file anew") from error
    _check(path, header, sessions)
    return SessionSet(header, sessions, hashlib.sha256(data).hexdigest())


def carries_id(text: str, parent_asin: str) -> bool:
    """Return whether `text` holds the id as a word of its own, in any case."""
    return re.search(rf"(?<!\w){re.escape(parent_asin)}(?!\w)", text, re.IGNORECASE) is not None


def _check(path: Path, header: Header, sessions: Sequence[Session]) -> None:
    if len(sessions) != header.sessions or not sessions:
        raise SessionFileError(f"{path}: {len(sessions)} sessions, the header says {header.sessions}; generate it anew")
    if len({session.session_id for session in sessions}) != len(sessions):
        raise SessionFileError(f"{path}: a session id occurs twice; generate the file anew")
