"""Encoded texts in a file that grows chunk by chunk, so that a build that was killed goes on where it was."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from catalog.encoder import Encoder

_DIGEST = 16

_CHUNK = 256
"""Texts that are encoded and written at once: a second or two."""


class EncodedTexts:
    """Vectors of one encoder by the digest of their text, rounded to 16 bits whether they were read or just made."""

    def __init__(self, file: Path, encoder: Encoder) -> None:
        """Use what `file` holds of this encoder; anything else in it is dropped, and so is a record cut short."""
        self._file = file
        self._encoder = encoder
        self._record = np.dtype([("digest", f"V{_DIGEST}"), ("vector", "<f2", (encoder.dimensions,))])
        self._head = f"{encoder.name} {encoder.dimensions}\n".encode()
        self._places = self._opened()

    def _opened(self) -> dict[bytes, int]:
        if self._start() != self._head:
            self._file.write_bytes(self._head)
        whole = (self._file.stat().st_size - len(self._head)) // self._record.itemsize
        os.truncate(self._file, len(self._head) + whole * self._record.itemsize)
        return {bytes(digest): place for place, digest in enumerate(self._rows(whole)["digest"])} if whole else {}

    def _start(self) -> bytes:
        if not self._file.exists():
            return b""
        with self._file.open("rb") as file:
            return file.read(len(self._head))

    def _rows(self, count: int) -> NDArray[np.void]:
        return np.memmap(self._file, self._record, "r", len(self._head), (count,))

    def encode(self, texts: Sequence[str]) -> Iterator[int]:
        """Encode and keep the texts that are not kept yet, chunk by chunk; yields how many of all are done."""
        missing = [text for text in texts if _digest(text) not in self._places]
        done = len(texts) - len(missing)
        yield done
        for first in range(0, len(missing), _CHUNK):
            chunk = missing[first : first + _CHUNK]
            self._append(chunk, self._encoder.encode_catalog(chunk))
            done += len(chunk)
            yield done

    def _append(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        records = np.empty(len(texts), dtype=self._record)
        records["digest"] = [np.void(_digest(text)) for text in texts]
        records["vector"] = vectors
        with self._file.open("ab") as file:
            file.write(records.tobytes())
        for text in texts:
            self._places.setdefault(_digest(text), len(self._places))

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of texts that were encoded, shape (n, dimensions)."""
        places = [self._places[_digest(text)] for text in texts]
        return self._rows(len(self._places))["vector"][places].astype(np.float32)


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST).digest()
