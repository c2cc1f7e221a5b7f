"""Session files: make, check and open them. A frozen file is never written again."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from catalog.search import ProductIndex
from evals.errors import EvaluationError, SessionFileError
from evals.protocols import EvalProtocol, protocol_named
from evals.realistic.generate import realistic_sessions
from evals.realistic.session import Manner
from evals.reworded.generate import reword_sessions
from evals.reworded.sentences import read_sentences
from evals.sessions import Draw, DrawnBy, Header, Session, SessionSet, encode, read_header, read_sessions, seal
from evals.store import all_products, open_store
from evals.validation import Problem


class Generated(BaseModel):
    """A session file that was written."""

    model_config = ConfigDict(frozen=True)

    path: Path
    sha256: str
    header: Header
    scenarios: dict[str, int]


def generate(
    catalog: Path,
    out: Path,
    *,
    protocol: str = "official",
    n: int = 200,
    draw: Draw = "popularity",
    seed: int = 0,
    clean: bool = False,
    manner: Manner | None = None,
) -> Generated:
    """Draw `n` sessions from a catalog and freeze them in `out`; `manner` is how those of `realistic` are spoken.

    Raises `SessionFileError` when `out` exists with other content (a frozen file is never replaced) and
    `EvaluationError` for an unknown protocol or draw or too few products.
    """
    kind = protocol_named(protocol)
    if kind.generate is None:
        raise EvaluationError(f"sessions of protocol {protocol!r} are not drawn; make them with {kind.made_by!r}")
    if draw not in ("popularity", "uniform"):
        raise EvaluationError(f"unknown draw {draw!r}; choose popularity or uniform")
    make = kind.generate
    if manner is not None:
        if protocol != "realistic":
            raise EvaluationError(f"a level, a half and a share belong to protocol 'realistic', not to {protocol!r}")
        make = partial(realistic_sessions, manner=manner)
    index = open_store(catalog)
    try:
        sessions = make(all_products(index), n, draw, seed, clean)
        header = _header(index, protocol, draw, seed, n, clean)
    finally:
        index.close()
    return _frozen(out, header, sessions)


def reword(catalog: Path, sentences: str, out: Path, *, clean: bool = True, verbatim: bool = False) -> Generated:
    """Freeze sessions spoken in hand-written sentences; `sentences` is a shipped name or a file.

    `verbatim` says the facts in the record's own words, inside other sentences. Raises `EvaluationError` when the
    sentences do not fit the catalog, `SessionFileError` when `out` exists with other content.
    """
    rows = read_sentences(sentences)
    index = open_store(catalog)
    try:
        sessions = reword_sessions(all_products(index), rows, clean, verbatim)
        header = _header(index, "reworded", "hand", 0, len(sessions), clean)
    finally:
        index.close()
    return _frozen(out, header, sessions)


def _frozen(out: Path, header: Header, sessions: Sequence[Session]) -> Generated:
    if protocol_named(header.protocol).validate is not None:
        header = header.model_copy(update={"sealed": seal(header, sessions)})
    data = encode(header, sessions)
    _freeze(out, data)
    counts = Counter(session.scenario for session in sessions)
    return Generated(path=out, sha256=hashlib.sha256(data).hexdigest(), header=header, scenarios=dict(counts))


class Validated(BaseModel):
    """A session file that was checked against its catalog."""

    model_config = ConfigDict(frozen=True)

    path: Path
    sha256: str
    header: Header
    problems: list[Problem]


def validate(catalog: Path, sessions: Path) -> Validated:
    """Check every rule of a session file's protocol against the catalog, by the evaluation's own test of facts.

    Raises `SessionFileError` when the file belongs to another catalog or is no session file, `EvaluationError` when
    its protocol has no rules to check.
    """
    index = open_store(catalog)
    try:
        kind, frozen = frozen_sessions(index, sessions)
        if kind.validate is None:
            raise EvaluationError(f"sessions of protocol {kind.name!r} have no rules to check; validate a natural file")
        problems = [*_header_problems(index, frozen), *kind.validate(all_products(index), frozen.sessions)]
    finally:
        index.close()
    return Validated(path=sessions, sha256=frozen.sha256, header=frozen.header, problems=problems)


def _header_problems(index: ProductIndex, frozen: SessionSet[Session]) -> list[Problem]:
    header, problems = frozen.header, []
    if header.products != index.size:
        text = f"the header says {header.products} products, the catalog has {index.size}"
        problems.append(Problem("header", "products", text))
    if header.sealed != seal(header, frozen.sessions):
        problems.append(Problem("header", "sealed", "its SHA-256 is not that of the header's values and the sessions"))
    return problems


def frozen_sessions(
    index: ProductIndex, path: Path, protocol: str | None = None
) -> tuple[EvalProtocol, SessionSet[Session]]:
    """Read a session file and check that it belongs to this catalog (and protocol); raises `SessionFileError`."""
    header = read_header(path)
    kind = protocol_named(header.protocol)
    if protocol is not None and protocol != header.protocol:
        raise SessionFileError(f"{path} holds sessions of protocol {header.protocol!r}, not of {protocol!r}")
    here = index.manifest.catalog_sha256
    if header.catalog_sha256 != here:
        raise SessionFileError(
            f"{path} was generated from another catalog ({header.catalog_sha256[:12]}, this one is {here[:12]}); "
            "use that catalog or generate sessions from this one"
        )
    return kind, read_sessions(path, kind.session)


def _header(index: ProductIndex, protocol: str, draw: DrawnBy, seed: int, n: int, clean: bool) -> Header:
    return Header(
        protocol=protocol,
        catalog_sha256=index.manifest.catalog_sha256,
        products=index.size,
        draw=draw,
        seed=seed,
        sessions=n,
        clean=clean,
    )


def _freeze(out: Path, data: bytes) -> None:
    """Write a session file once; the same content again is accepted, other content never replaces it."""
    try:
        if out.exists() and out.read_bytes() != data:
            raise SessionFileError(f"{out} exists and holds other sessions; remove it or choose another --out")
        out.parent.mkdir(parents=True, exist_ok=True)
        # Written beside and moved: a file cut by a full disk would stand in the way of the whole one for ever.
        part = out.with_name(out.name + ".part")
        try:
            part.write_bytes(data)
            part.replace(out)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise SessionFileError(f"{out}: cannot be written ({error.strerror}); choose another --out") from error
