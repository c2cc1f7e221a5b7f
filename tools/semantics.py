"""What sentences mean, against one catalog: the encoder of its sentence vectors, and what was made of a sentence.

A catalog without sentence vectors, or an installation without the encoder that made them, has no semantics: every user
of this module then does what it did before there were any.
"""

from __future__ import annotations

import threading
import weakref
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from catalog.encoder import Encoder, load_encoder
from catalog.postings import BoundedCache
from catalog.search import ProductIndex
from catalog.sentences import ProductSentence
from catalog.vectors import SentenceVectors

Floats = NDArray[np.float32]

_VECTORS_KEPT = 2 << 20
"""Bytes of vectors: some 1,300 sentences."""

_COVERAGES_KEPT = 1 << 18

_MEANINGS_KEPT = 32 << 20
"""Bytes of sentences compared with a catalog: some 30 of them at 67,000 products, four conversations' worth."""


class Meaning(NamedTuple):
    """A sentence compared with a catalog: z-scores of every product, shape (size,).

    `best` of the product's nearest sentence, `title` of its title; `nearest` is the highest cosine of any sentence.
    """

    best: Floats
    title: Floats
    unit: NDArray[np.int32]
    nearest: float


class Semantics:
    """Compares sentences with those of one catalog; a sentence is encoded and compared once. Safe for threads."""

    def __init__(self, encoder: Encoder, sentences: SentenceVectors) -> None:
        self._encoder = encoder
        # The catalog owns its sentences and is the key under which this object is kept: a reference would keep both.
        self._sentences = weakref.ref(sentences)
        self.coverages: BoundedCache[float] = BoundedCache(_COVERAGES_KEPT, lambda _: 100)
        """Lexical coverage by sentence, for `tools.sentence_evidence`."""
        self._vectors: BoundedCache[Floats] = BoundedCache(_VECTORS_KEPT, lambda item: item.nbytes)
        self._meanings: BoundedCache[Meaning] = BoundedCache(
            _MEANINGS_KEPT, lambda item: item.best.nbytes + item.title.nbytes + item.unit.nbytes
        )

    def vector(self, text: str) -> Floats:
        """Return the unit vector of a text, shape (d,)."""
        vector: Floats = self.vectors([text])[0]
        return vector

    def vectors(self, texts: list[str]) -> Floats:
        """Return the unit vectors of texts, shape (n, d)."""
        known = {text: self._vectors.get(text) for text in texts}
        missing = [text for text, vector in known.items() if vector is None]
        if missing:
            encoded = self._encoder.encode(missing)
            for text, vector in zip(missing, encoded, strict=True):
                known[text] = vector
                self._vectors.put(text, vector)
        return np.asarray([known[text] for text in texts], dtype=np.float32)

    def meaning(self, text: str) -> Meaning:
        """Return a sentence compared with every product of the catalog."""
        found = self._meanings.get(text)
        if found is None:
            vector = self.vector(text)
            sentences = self._open()
            best, unit = sentences.best(vector)
            title = sentences.titles(vector)
            found = Meaning(_standardised(best), _standardised(title), unit, float(best.max()))
            self._meanings.put(text, found)
        return found

    def sentence(self, unit: int) -> ProductSentence:
        """Return a sentence of the catalog with its place."""
        return self._open().sentence(unit)

    def _open(self) -> SentenceVectors:
        sentences = self._sentences()
        if sentences is None:
            raise RuntimeError("the catalog of these sentences was closed; open it again")
        return sentences


def _standardised(values: Floats) -> Floats:
    spread = float(values.std())
    return np.asarray((values - values.mean()) / (spread or 1.0), dtype=np.float32)


_KNOWN: WeakKeyDictionary[ProductIndex, Semantics | None] = WeakKeyDictionary()
_LOCK = threading.Lock()


def semantics_of(index: ProductIndex) -> Semantics | None:
    """Return what compares sentences with this catalog's; None without its vectors or without their encoder."""
    if index not in _KNOWN:
        with _LOCK:
            if index not in _KNOWN:
                _KNOWN[index] = _load(index)
    return _KNOWN[index]


def _load(index: ProductIndex) -> Semantics | None:
    sentences = index.sentences
    encoder = load_encoder(sentences.model) if sentences is not None else None
    return Semantics(encoder, sentences) if encoder is not None and sentences is not None else None
