"""Whether what a shopper said can be compared with a catalog's sentences by meaning, and if not, why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from catalog.encoder import is_installed
from catalog.manifest import Manifest

if TYPE_CHECKING:
    from catalog.duckdb_index import DuckDBIndex
    from catalog.vectors import SentenceVectors

_INSTALL = "pip install shopgraph[semantic]"


def why_off(manifest: Manifest) -> str:
    """Return why the sentences of a catalog cannot be compared, empty when they can."""
    model = manifest.sentences
    if model is None:
        return "the catalog has no vectors; build it with shopgraph[semantic]"
    if not is_installed(model.name):
        return f"the catalog's vectors are of the model {model.name}, which is not here; {_INSTALL}, or build it again"
    return ""


def evidence_state(manifest: Manifest) -> str:
    """Return whether sentence evidence is on, and with what, or why it is off.

    Example: `off (the catalog has no vectors; build it with shopgraph[semantic])`.
    """
    reason, model = why_off(manifest), manifest.sentences
    if reason or model is None:
        return f"off ({reason})"
    return f"on ({model.units:,} sentences, {model.texts:,} different, by {model.name})"


def open_sentences(index: DuckDBIndex) -> SentenceVectors | None:
    """Return the sentences of an open catalog, None when they cannot be compared (see `why_off`)."""
    model = index.manifest.sentences
    if model is None or why_off(index.manifest):
        return None
    from catalog.vectors import SentenceVectors

    return SentenceVectors(model.name, index.sentence_arrays, index.sentence_of)
