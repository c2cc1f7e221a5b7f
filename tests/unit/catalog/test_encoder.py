"""The sentence encoders: the same vectors every time, without a network, and without the extra none."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import numpy as np
import pytest

from catalog.encoder import EXACT, FAST, is_installed, load_encoder
from catalog.wordpiece import MOST_PIECES, vocabulary, word_pieces

needs_model = pytest.mark.skipif(not is_installed(), reason="shopgraph[semantic] is not installed")

LAUNDRY = "I just want to throw it in with the laundry"
FACTS = ["Machine wash", "Made in Portugal", "Two side pockets", "Steel toe"]


def test_words_are_cut_as_the_vocabulary_says() -> None:
    known = vocabulary()
    assert word_pieces("Drizzle-proof!") == [known[piece] for piece in ("dr", "##iz", "##zle", "-", "proof", "!")]
    assert word_pieces("CAFÉ") == [known["cafe"]]
    assert word_pieces("日") == [known["日"]]
    assert word_pieces("\U00013000") == [known["[UNK]"]]
    assert word_pieces(" \t") == []
    assert len(word_pieces("coat " * 100)) == MOST_PIECES


@needs_model
@pytest.mark.parametrize("name", [FAST, EXACT])
def test_rows_have_unit_length_and_depend_on_their_text_alone(name: str) -> None:
    encoder = load_encoder(name)
    assert encoder is not None
    for encode in (encoder.encode, encoder.encode_catalog):
        together = encode([*FACTS, "", LAUNDRY])
        assert together.shape == (6, encoder.dimensions)
        assert together.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(together, axis=1), [1, 1, 1, 1, 0, 1], atol=1e-5)
        np.testing.assert_allclose(encode([LAUNDRY]), together[5:], atol=1e-6)
        np.testing.assert_array_equal(encode([*FACTS, "", LAUNDRY]), together)


@needs_model
@pytest.mark.parametrize("name", [FAST, EXACT])
def test_the_nearest_fact_is_the_one_that_means_the_same(name: str) -> None:
    encoder = load_encoder(name)
    assert encoder is not None
    assert int((encoder.encode_catalog(FACTS) @ encoder.encode([LAUNDRY])[0]).argmax()) == 0


def test_an_unknown_model_is_none() -> None:
    assert load_encoder("some-other-model") is None


def test_without_the_extra_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "onnxruntime" else found(name))
    assert load_encoder() is None


@needs_model
def test_it_works_without_a_network_and_loads_nothing_at_import() -> None:
    script = """
import socket, sys
def refuse(*_args, **_kwargs):
    raise OSError("no network")
socket.socket.connect = refuse
socket.create_connection = refuse
socket.getaddrinfo = refuse
import catalog.encoder
assert "onnxruntime" not in sys.modules
print(catalog.encoder.load_encoder().encode(["rain"]).shape)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "(1, 192)", done.stderr
