"""Fitting the table of word pieces: it gives back what it was fitted to."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from catalog import piece_table
from catalog.wordpiece import vocabulary, word_pieces
from evals.fitting.piece_table import fit_piece_table


def test_the_table_points_where_the_model_puts_sentences(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    truth = piece_table.unit_rows(rng.normal(size=(len(vocabulary()), 384)).astype(np.float32))
    words = ["rain", "coat", "warm", "silk", "steel", "wash", "belt", "hood", "zip", "gift"]
    texts = [" ".join(rng.choice(words, 4, replace=False)) for _ in range(400)]
    vectors = piece_table.unit_rows(np.array([truth[word_pieces(text)].sum(axis=0) for text in texts]))
    fit_piece_table(texts, vectors, truth, tmp_path / "table.npz")
    with np.load(tmp_path / "table.npz") as stored:
        rows = stored["rows"].astype(np.float32) * stored["scales"].astype(np.float32)[:, None]
        table = piece_table.PieceTable(rows, stored["mean"], stored["axes"].astype(np.float32))
    likeness = (table.encode(texts) * table.on_axes(vectors)).sum(axis=1)
    assert likeness.mean() > 0.9
    assert not rows[vocabulary()["日"]].any()
