"""The drawing of the graph is part of the documents: a changed edge shows in a review."""

from __future__ import annotations

from graph.shopping import NODES
from tests.documents import MERMAID, mermaid_document


def test_the_drawing_is_that_of_the_graph() -> None:
    assert MERMAID.read_text(encoding="utf-8") == mermaid_document(), "run `make docs`"


def test_every_node_is_drawn() -> None:
    drawing = mermaid_document()
    for node in NODES:
        assert f"{node}({node})" in drawing
