"""Encode the sentences of a catalog's products and store their vectors in it.

Encoding is what takes long, so each text is encoded once however many products share it, and finished vectors are kept
beside the catalog at once: a build that was killed takes up there when it is started again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import numpy as np
import orjson

from catalog.encoded import EncodedTexts
from catalog.encoder import Encoder
from catalog.manifest import SentenceModel
from catalog.product import Product
from catalog.sentence_arrays import LARGEST, SENTENCE_TABLES, centred, quantised
from catalog.sentences import ProductSentence, product_sentences

Progress = Callable[[str, int, int | None], None]

STAGE = "sentences"

_PRODUCTS = 2_000
"""Products whose sentences are listed at once."""

_TEXTS = 4_096
"""Texts whose vectors are read and stored at once."""


_SAY = """
INSERT INTO said
SELECT r[1]::INTEGER, r[2]::INTEGER, r[3], r[4]::INTEGER, r[5]::INTEGER, r[6]
FROM (SELECT unnest(from_json($1, '[["VARCHAR"]]')) AS r)
"""
"""As one text: of columns of Python strings the engine looks for pandas at each value, 50 s for 390,000 sentences."""


def embed_sentences(
    connection: duckdb.DuckDBPyConnection, encoder: Encoder, kept: Path, progress: Progress
) -> SentenceModel:
    """Store the sentences of the catalog on a connection with their vectors.

    Args:
        connection: Holds `products`.
        encoder: Makes the vectors.
        kept: File in which finished vectors are kept until the caller removes it.
        progress: Called with the stage and how many different texts are encoded, of how many.
    """
    connection.execute(SENTENCE_TABLES)
    units = _list_sentences(connection)
    texts = connection.execute("SELECT count(*) FROM sentence_texts").fetchall()[0][0]
    encoded = EncodedTexts(kept, encoder)
    done = 0
    for chunk in _texts(connection):
        for count in encoded.encode(chunk):
            progress(STAGE, done + count, texts)
        done += len(chunk)
    progress(STAGE, texts, texts)
    _store(connection, encoded, encoder.dimensions)
    connection.execute("DROP TABLE sentence_texts")
    return SentenceModel(name=encoder.name, dimensions=encoder.dimensions, units=units, texts=texts)


def _list_sentences(connection: duckdb.DuckDBPyConnection) -> int:
    """Fill `sentences` and `sentence_texts` (texts by number, in order of first appearance); return the units."""
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE said(unit INTEGER, product INTEGER, field VARCHAR, first INTEGER, last INTEGER, "
        "text VARCHAR)"
    )
    unit = 0
    for rows in _batches(connection):
        records = [(unit + place, product, *sentence) for place, (product, sentence) in enumerate(rows)]
        connection.execute(_SAY, [orjson.dumps(records).decode()])
        unit += len(rows)
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE sentence_texts AS "
        "SELECT (row_number() OVER (ORDER BY min(unit)) - 1)::INTEGER AS no, text FROM said GROUP BY text ORDER BY no"
    )
    connection.execute(
        "INSERT INTO sentences SELECT unit, product, field, first, last, no FROM said JOIN sentence_texts USING (text) "
        "ORDER BY unit"
    )
    connection.execute("DROP TABLE said")
    return unit


def _batches(connection: duckdb.DuckDBPyConnection) -> Iterator[list[tuple[int, ProductSentence]]]:
    """Yield the products' rows with their sentences, in order."""
    size = connection.execute("SELECT count(*) FROM products").fetchall()[0][0]
    for first in range(0, size, _PRODUCTS):
        found = connection.execute(
            "SELECT id, title, features, description, details FROM products WHERE id >= $1 AND id < $2 ORDER BY id",
            [first, first + _PRODUCTS],
        ).fetchall()
        yield [(row[0], sentence) for row in found for sentence in product_sentences(_product(*row[1:]))]


def _product(title: str, features: list[str] | None, description: list[str] | None, details: str | None) -> Product:
    return Product(
        parent_asin="",
        title=title,
        features=tuple(features or ()),
        description=tuple(description or ()),
        details=orjson.loads(details or "{}"),
    )


def _texts(connection: duckdb.DuckDBPyConnection) -> Iterator[list[str]]:
    """Yield the different texts in their order."""
    count = connection.execute("SELECT count(*) FROM sentence_texts").fetchall()[0][0]
    for first in range(0, count, _TEXTS):
        found = connection.execute(
            "SELECT text FROM sentence_texts WHERE no >= $1 AND no < $2 ORDER BY no", [first, first + _TEXTS]
        ).fetchall()
        yield [text for (text,) in found]


def _store(connection: duckdb.DuckDBPyConnection, encoded: EncodedTexts, dimensions: int) -> None:
    """Store the mean of all vectors, and the vectors without it as small integers."""
    total, count = np.zeros(dimensions), 0
    for chunk in _texts(connection):
        rows = encoded.vectors(chunk)
        total += rows.sum(axis=0, dtype=np.float64)
        count += int(rows.any(axis=1).sum())
    mean = (total / max(count, 1)).astype(np.float32)
    largest = max(
        (float(np.abs(centred(encoded.vectors(chunk), mean)).max()) for chunk in _texts(connection)), default=0.0
    )
    scale = LARGEST / (largest or 1.0)
    connection.execute("INSERT INTO sentence_space VALUES ($1, $2)", [mean.tolist(), scale])
    first = 0
    for chunk in _texts(connection):
        vectors = quantised(centred(encoded.vectors(chunk), mean), scale)
        connection.execute("INSERT INTO sentence_vectors VALUES ($1, $2)", [first, vectors.tobytes()])
        first += len(chunk)
