"""Opening a source file: what it is, how it is encoded, and how far it has been read."""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Literal, TextIO

from catalog.errors import ImportFailedError

Kind = Literal["jsonl", "json", "csv", "parquet"]

_SUFFIXES: dict[str, Kind] = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".csv": "csv", ".tsv": "csv", ".tab": "csv", ".txt": "csv",
    ".parquet": "parquet", ".pq": "parquet",
}  # fmt: skip
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/{1,2}")
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_BAD_BYTES = re.compile("[\udc80-\udcff]")
_FOREIGN: dict[bytes, str] = {
    b"PK\x03\x04": "a zip archive or a spreadsheet; unpack it, or save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "an old Excel file; save the sheet as CSV",
    b"%PDF": "a PDF; export the products as CSV or JSON lines",
    b"SQLite format 3\x00": "an SQLite database; export the products as CSV or JSON lines",
    b"\x28\xb5\x2f\xfd": "zstd-compressed; unpack it or compress it with gzip",
    b"BZh": "bzip2-compressed; unpack it or compress it with gzip",
    b"\xfd7zXZ": "xz-compressed; unpack it or compress it with gzip",
}


def check_source(path: Path) -> None:
    """Raise `ImportFailedError` unless `path` is a readable, non-empty file; addresses and patterns are refused."""
    text = str(path)
    try:
        exists, regular = path.exists(), path.is_file()
    except (OSError, ValueError) as error:  # a name too long, a NUL in it
        raise ImportFailedError(f"cannot read {text!r}: {error}. Name an existing file.") from error
    if not exists and _URL.match(text):
        raise ImportFailedError(f"{text!r} is an address: only local files are read. Download it first.")
    if not exists and any(sign in text for sign in "*?["):
        raise ImportFailedError(
            f"{text!r} is a pattern, and no file has that name. Let the shell expand it, or name files."
        )
    if not exists:
        raise ImportFailedError(f"there is no file {text!r}. Check the path.")
    if not regular:
        raise ImportFailedError(f"{text!r} is not a regular file. Name files, not folders or pipes.")
    if path.stat().st_size == 0:
        raise ImportFailedError(f"{text!r} is empty. Export the products again.")


class Source:
    """One source file, opened for as many passes as a reader needs."""

    def __init__(self, path: Path) -> None:
        check_source(path)
        self.path = path
        self._raw: BinaryIO | None = None
        try:
            head = self._head()
        except OSError as error:
            raise ImportFailedError(f"cannot read {str(path)!r}: {error}.") from error
        self.kind: Kind = _kind(path, head)

    @property
    def name(self) -> str:
        """The file's name without its folder."""
        return self.path.name

    @property
    def size(self) -> int:
        """Bytes of the file as it lies on disk."""
        return self.path.stat().st_size

    @property
    def position(self) -> int:
        """Bytes read so far of the pass under way."""
        return self._raw.tell() if self._raw is not None and not self._raw.closed else 0

    def sha256(self) -> str:
        """Return the digest of the file as it lies on disk."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    @contextmanager
    def text(self) -> Iterator[TextIO]:
        """Open the file as text, gunzipped, without its byte-order mark; line ends are kept as they are.

        Bytes that are not UTF-8 become lone surrogates, which `decoded` turns into Windows-1252.
        """
        try:
            with self.path.open("rb") as raw:
                self._raw = raw
                binary = gzip.GzipFile(fileobj=raw) if _is_gzip(raw) else raw
                yield io.TextIOWrapper(binary, _encoding(self._head()), errors="surrogateescape", newline="")
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ImportFailedError(f"{self.name}: the gzip data is damaged ({error}). Get the file again.") from error
        except UnicodeError as error:
            raise ImportFailedError(f"{self.name}: the text cannot be decoded ({error}). Save it as UTF-8.") from error
        except OSError as error:
            raise ImportFailedError(f"cannot read {str(self.path)!r}: {error}.") from error

    def _head(self) -> bytes:
        with self.path.open("rb") as raw:
            if not _is_gzip(raw):
                return raw.read(4096)
            try:
                return gzip.GzipFile(fileobj=raw).read(4096)
            except (EOFError, gzip.BadGzipFile, zlib.error) as error:
                raise ImportFailedError(
                    f"{self.name}: the gzip data is damaged ({error}). Get the file again."
                ) from error


def decoded(line: str) -> tuple[str, bool]:
    """Return a line with its non-UTF-8 bytes read as Windows-1252, and whether there were any."""
    if line.isascii() or not _BAD_BYTES.search(line):
        return line, False
    return line.encode("utf-8", "surrogateescape").decode("cp1252", "replace"), True


def _is_gzip(raw: BinaryIO) -> bool:
    magic = raw.read(2)
    raw.seek(0)
    return magic == b"\x1f\x8b"


def _encoding(head: bytes) -> str:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    return "utf-8-sig"


def _kind(path: Path, head: bytes) -> Kind:
    for magic, what in _FOREIGN.items():
        if head.startswith(magic):
            raise ImportFailedError(f"{path.name} is {what}. Read are JSON lines, JSON, CSV and Parquet.")
    if head.startswith(b"PAR1"):
        return "parquet"
    if _encoding(head) != "utf-16" and len(_BINARY.findall(head)) > len(head) // 50:
        raise ImportFailedError(f"{path.name} is not a text file. Read are JSON lines, JSON, CSV and Parquet.")
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    named = _SUFFIXES.get(suffixes[-1]) if suffixes else None
    if named == "parquet":
        raise ImportFailedError(f"{path.name} is not a Parquet file: its first bytes say otherwise. Export it again.")
    start = head.decode("utf-16" if _encoding(head) == "utf-16" else "utf-8-sig", "ignore").lstrip("\ufeff \t\r\n")
    if named == "jsonl" and start.startswith("["):
        return "json"
    return named or ("json" if start.startswith("[") else "jsonl" if start.startswith("{") else "csv")
