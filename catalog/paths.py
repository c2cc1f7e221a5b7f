"""Category paths: which nodes name a type, which a department, and which are only shelves of a shop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from catalog.vocabulary import Vocabulary, load_table, words

CLOTHING_ROOT = "clothing shoes jewelry"
"""The root of the reference tree: it is in every path, so no phrase of a shopper holds it."""


@lru_cache(maxsize=1)
def _roots() -> dict[str, str]:
    """Return node text to 'root' (the whole shop) or 'shelf' (merchandising)."""
    return {
        " ".join(words(surface)): row.value for row in load_table("roots") for surface in (row.value, *row.surfaces)
    }


def node_text(node: str) -> str:
    """Return a path node in the form in which nodes are compared: its words joined by one space."""
    return " ".join(words(node))


def path_nodes(categories: Iterable[str]) -> list[str]:
    """Return the nodes of a path as text, a node with commas cut into its parts, the clothing root left out."""
    nodes: list[str] = []
    for category in categories:
        if node_text(category) in (CLOTHING_ROOT, "clothing shoes and jewelry"):
            continue
        nodes.extend(text for part in category.split(",") if (text := node_text(part)))
    return nodes


def is_shelf(node: str) -> bool:
    """Return whether a node says nothing of the product's type: a shop root or a merchandising name."""
    return node in _roots()


class PathReader:
    """Reads category paths with a vocabulary; each distinct path is read once."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        """Keep the vocabulary and an empty store of read paths."""
        self._vocabulary = vocabulary
        self._read: dict[tuple[str, ...], tuple[tuple[str, str], ...]] = {}

    def read(self, categories: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        """Return `(key, value)` pairs of a path: category, aisle, department, and style or use of bare leaves.

        `aisle` holds the pairs of neighbours that name no type ("fashion outlet", "fashion women"): a shopper may say
        them, but a product that stands on one shelf is not shown to be of another type.
        """
        if categories not in self._read:
            self._read[categories] = tuple(dict.fromkeys(self._facts(path_nodes(categories))))
        return self._read[categories]

    def _facts(self, nodes: list[str]) -> Iterable[tuple[str, str]]:
        typed = False
        for at, node in enumerate(nodes):
            facts = self._node_facts(node)
            yield from facts
            typed = typed or any(key == "category" for key, _ in facts)
            if at and nodes[at - 1] != node:
                yield ("category" if typed else "aisle"), f"{nodes[at - 1]} {node}"
            elif at:
                yield "aisle", f"{node} {node}"

    def _node_facts(self, node: str) -> list[tuple[str, str]]:
        cut = node.split()
        facts = [("department", value) for value in self._departments(cut)]
        if is_shelf(node):
            return facts
        terms = [term for term in self._vocabulary.terms(cut) if term.key != "idiom"]
        types = [term for term in terms if term.key == "category"]
        if types:
            return [*facts, *(("category", value) for term in types for value in term.values)]
        if terms:
            return [*facts, *((term.key, value) for term in terms if term.key != "department" for value in term.values)]
        named = self._types_inside(cut)
        return [*facts, ("category", node), *(("category", value) for value in named)]

    def _departments(self, cut: Sequence[str]) -> list[str]:
        return [
            value
            for mention in self._vocabulary.mentions(cut)
            for term in mention.terms
            if term.key == "department"
            for value in term.values
        ]

    def _types_inside(self, cut: Sequence[str]) -> list[str]:
        """Return the types that a longer node holds ("fashion sandals", "jewelry and watches")."""
        return [
            value
            for mention in self._vocabulary.mentions(cut)
            for term in mention.terms
            if term.key == "category"
            for value in term.values
        ]
