"""Fit the table of word pieces that encodes a catalog's sentences to what all-MiniLM-L6-v2 says of whole sentences.

Least squares: the weighted mean of a sentence's pieces shall give the model's vector of it, centred and at unit length.
Rows are drawn (ridge) towards the model's vector of the piece alone, which a piece that no sentence holds keeps. The
weight of a piece is the root of its inverse document frequency in logarithms; frequent words say little by themselves
(Arora et al. 2017 weigh them down likewise).

The table that ships was fitted to 32,000 sentences: of the sample store, of an electronics catalog, and of what people
said in public shopping chats, none of them of the fashion catalogs that figures are reported of.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from catalog.encoder import MiniLM
from catalog.open import open_catalog
from catalog.piece_table import Rows, unit_rows
from catalog.sentences import product_sentences
from catalog.wordpiece import vocabulary, word_pieces

DIMENSIONS = 192
"""Principal axes that are kept: of 384, 192 cost .03 of the mean log rank of reworded sentences, 128 cost .19."""

RIDGE = 0.1
STEPS = 25
"""Steps of conjugate gradients, after which nothing changes that can be measured."""

LARGEST = 63
"""The largest integer a row is stored with: seven bits, which the file's compression makes use of."""

_PRODUCTS = 2_000

_COLUMNS = 32
"""Columns that are solved at once, which bounds memory: some 150 MB for a million pieces."""


class Bags(NamedTuple):
    """The pieces of n sentences in order, weighted so that those of a sentence sum to 1."""

    pieces: NDArray[np.int64]
    sentences: NDArray[np.int64]
    weights: Rows
    starts: NDArray[np.int64]
    """Where each sentence begins."""

    order: NDArray[np.int64]
    """The places of the pieces sorted by piece."""


def fit_piece_table(texts: Sequence[str], vectors: Rows, alone: Rows, file: Path) -> None:
    """Fit the table to sentences and write it.

    Args:
        texts: The sentences.
        vectors: What the model says of each, shape (n, 384).
        alone: What the model says of each piece of its vocabulary alone, shape (pieces, 384).
        file: The `.npz` file to write.
    """
    cut = [word_pieces(text) for text in texts]
    said = [row for row, pieces in enumerate(cut) if pieces]
    cut, vectors = [cut[row] for row in said], vectors[said].astype(np.float32)
    mean = vectors.mean(axis=0)
    targets = unit_rows(vectors - mean)
    axes = np.linalg.eigh(targets.T @ targets)[1][:, ::-1][:, :DIMENSIONS].astype(np.float32)
    weights = piece_weights(cut, len(alone))
    bags = _bags(cut, weights)
    start = (alone - alone.mean(axis=0)) @ axes
    start *= np.float32(_best_factor(bags, start, targets @ axes))
    rows = np.concatenate(
        [
            _solve(bags, start[:, first : first + _COLUMNS], (targets @ axes)[:, first : first + _COLUMNS])
            for first in range(0, DIMENSIONS, _COLUMNS)
        ],
        axis=1,
    )
    write_piece_table(file, rows * weights[:, None], mean, axes)


def piece_weights(cut: Sequence[Sequence[int]], size: int) -> Rows:
    """Return the weight of each piece: the root of the logarithm of how rare it is among sentences."""
    counts = np.bincount(np.concatenate([np.unique(row) for row in cut]), minlength=size)
    return np.sqrt(np.log(len(cut) / (counts + 1))).astype(np.float32)


def encode_alone(model: MiniLM) -> Rows:
    """Return what the model says of each piece of its vocabulary alone, shape (pieces, 384)."""
    return unit_rows(model.encode_pieces([[number] for number in range(len(vocabulary()))]))


def write_piece_table(file: Path, rows: Rows, mean: Rows, axes: Rows) -> None:
    """Write a table with rows as small integers, and zeros for pieces that no English text holds."""
    kept = np.zeros(len(rows), dtype=bool)
    kept[[number for piece, number in vocabulary().items() if _is_latin(piece)]] = True
    rows = np.where(kept[:, None], rows, 0)
    scales = np.abs(rows).max(axis=1) / LARGEST
    small = np.rint(np.divide(rows, scales[:, None], out=np.zeros_like(rows), where=scales[:, None] > 0))
    np.savez_compressed(
        file,
        rows=small.astype(np.int8),
        scales=scales.astype(np.float16),
        mean=mean.astype(np.float32),
        axes=axes.astype(np.float16),
    )


def _is_latin(piece: str) -> bool:
    text = piece.removeprefix("##")
    return piece[0] != "[" and all(ord(char) < 0x250 or 0x2000 <= ord(char) < 0x2200 for char in text)


def _bags(cut: Sequence[Sequence[int]], weights: Rows) -> Bags:
    pieces = np.concatenate([np.array(row, dtype=np.int64) for row in cut])
    sentences = np.repeat(np.arange(len(cut)), [len(row) for row in cut])
    own = weights[pieces]
    sums = np.bincount(sentences, own, minlength=len(cut))
    return Bags(
        pieces,
        sentences,
        (own / np.maximum(sums[sentences], 1e-9)).astype(np.float32),
        np.flatnonzero(np.diff(sentences, prepend=-1)),
        np.argsort(pieces, kind="stable"),
    )


def _sentences_of(bags: Bags, rows: Rows) -> Rows:
    """Return the weighted mean of each sentence's pieces."""
    found: Rows = np.add.reduceat(rows[bags.pieces] * bags.weights[:, None], bags.starts, axis=0)
    return found


def _pieces_of(bags: Bags, rows: Rows, size: int) -> Rows:
    """Return for each piece the weighted sum over the sentences that hold it."""
    order = bags.order
    pieces = bags.pieces[order]
    starts = np.flatnonzero(np.diff(pieces, prepend=-1))
    found = np.zeros((size, rows.shape[1]), dtype=np.float32)
    found[pieces[starts]] = np.add.reduceat(rows[bags.sentences[order]] * bags.weights[order, None], starts, axis=0)
    return found


def _best_factor(bags: Bags, start: Rows, targets: Rows) -> float:
    guess = _sentences_of(bags, start)
    return float((guess * targets).sum() / (guess * guess).sum())


def _solve(bags: Bags, start: Rows, targets: Rows) -> Rows:
    """Return rows near `start` whose means give the targets, by conjugate gradients for each column."""
    size = len(start)
    found = np.zeros_like(start)
    rest = _pieces_of(bags, targets - _sentences_of(bags, start), size)
    step = rest.copy()
    lengths = (rest * rest).sum(axis=0)
    for _ in range(STEPS):
        image = _pieces_of(bags, _sentences_of(bags, step), size) + np.float32(RIDGE) * step
        share = lengths / np.maximum((step * image).sum(axis=0), 1e-12)
        found += share * step
        rest -= share * image
        after = (rest * rest).sum(axis=0)
        step = rest + after / np.maximum(lengths, 1e-12) * step
        lengths = after
    return start + found


def main(catalogs: Sequence[Path], lines: Sequence[Path], most: int, file: Path) -> None:
    """Fit the table to up to `most` sentences of each catalog and lines of each text file, and write it."""
    texts: dict[str, None] = {}
    for path in catalogs:
        with closing(open_catalog(path)) as index:
            said = {
                sentence.text
                for first in range(0, index.size, _PRODUCTS)
                for product in index.products(range(first, min(first + _PRODUCTS, index.size)))
                for sentence in product_sentences(product)
            }
        texts.update(dict.fromkeys(_drawn(sorted(said), most)))
    for path in lines:
        texts.update(dict.fromkeys(_drawn(sorted(set(path.read_text(encoding="utf-8").splitlines())), most)))
    model = MiniLM()
    fit_piece_table(list(texts), model.encode(list(texts)), encode_alone(model), file)


def _drawn(texts: list[str], most: int) -> list[str]:
    return random.Random(0).sample(texts, min(most, len(texts)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--catalog", type=Path, action="append", default=[])
    parser.add_argument("--lines", type=Path, action="append", default=[])
    parser.add_argument("--most", type=int, default=25_000)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    main(given.catalog, given.lines, given.most, given.out)
