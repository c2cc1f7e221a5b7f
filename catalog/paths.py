"""Category paths: which nodes name a type, which a department, and which are only shelves of a shop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from catalog.vocabulary import (
    Term,
    Vocabulary,
    all_terms,
    full_vocabulary,
    plural,
    singular,
    word_lists,
    words,
)

_CLOTHING_ROOTS = frozenset({"clothing shoes jewelry", "clothing shoes and jewelry"})
"""The root of the reference tree: it is in every path, so no phrase of a shopper holds it."""

_LEAF_KEYS = frozenset(
    {"color", "material", "style", "fit", "sleeve", "neck", "pattern", "occasion", "season", "use_case"}
)

Fact = tuple[str, str]


def node_text(node: str) -> str:
    """Return a path node in the form in which nodes are compared: its words joined by one space."""
    return " ".join(words(node))


def path_nodes(categories: Iterable[str]) -> list[str]:
    """Return the nodes of a path as text, a node with commas cut into its parts, the clothing root left out."""
    nodes: list[str] = []
    for category in categories:
        if node_text(category) not in _CLOTHING_ROOTS:
            nodes.extend(text for part in category.split(",") if (text := node_text(part)))
    return nodes


def is_shelf(node: str) -> bool:
    """Return whether a node says nothing of the product's type: a shop root or a merchandising name."""
    return any(node in names for names in word_lists("roots").values())


def catalog_vocabulary(category_names: Iterable[str], brands: frozenset[str]) -> Vocabulary:
    """Return the full vocabulary and, as weak types, this catalog's short node names that no table knows.

    Weak: they count in a title where nothing else names a type ("sedans", "jigsaw puzzles").
    """
    known = full_vocabulary()
    added: dict[tuple[str, ...], Term] = {}
    for node in sorted({text for name in category_names for text in path_nodes([name])}):
        cut = node.split()
        if len(cut) > 2 or len(cut[-1]) < 4 or is_shelf(node) or node in brands or known.mentions(cut):
            continue
        term = Term("category", (node,), weak=True)
        for last in (cut[-1], plural(cut[-1]), singular(cut[-1])):
            added.setdefault((*cut[:-1], last), term)
    return Vocabulary([*all_terms(), *added.items()]) if added else known


class PathReader:
    """Reads category paths with a vocabulary; each distinct path is read once."""

    def __init__(self, vocabulary: Vocabulary, brands: frozenset[str] = frozenset()) -> None:
        """Keep the vocabulary, the brands (a node that is one names no type) and an empty store of read paths."""
        self._vocabulary = vocabulary
        self._brands = brands
        self._read: dict[tuple[str, ...], tuple[Fact, ...]] = {}

    def read(self, categories: tuple[str, ...]) -> tuple[Fact, ...]:
        """Return `(key, value)` pairs of a path: category, aisle, department, and style or use of bare leaves.

        `aisle` holds the pairs of neighbours that name no type ("fashion outlet", "fashion women"): a shopper may say
        them, but a product that stands on one shelf is not shown to be of another type.
        """
        if categories not in self._read:
            self._read[categories] = tuple(dict.fromkeys(self._facts(path_nodes(categories))))
        return self._read[categories]

    def _facts(self, nodes: list[str]) -> Iterator[Fact]:
        typed = False
        for at, node in enumerate(nodes):
            facts = list(self._node_facts(node))
            yield from facts
            typed = typed or any(key == "category" for key, _ in facts)
            if at:
                yield ("category" if typed and nodes[at - 1] != node else "aisle"), f"{nodes[at - 1]} {node}"
            if at > 1 and is_shelf(nodes[at - 1]) and not is_shelf(node):
                # "Work & Safety > Clothing > Food Service": people skip the node that says nothing.
                yield ("category" if typed else "aisle"), f"{nodes[at - 2]} {node}"

    def _node_facts(self, node: str) -> Iterator[Fact]:
        cut = node.split()
        inner = [term for mention in self._vocabulary.mentions(cut) for term in mention.terms]
        # "Baby & Maternity" holds clothes of two kinds of people.
        departments = [term for term in inner if term.key == "department" and "maternity" not in cut]
        yield from _facts_of(departments)
        people = {word for term in inner if term.key == "department" for word in cut if self._is_department(word)}
        rest = " ".join(word for word in cut if word not in people)
        if not rest or is_shelf(node) or is_shelf(rest):
            return
        whole = [term for term in self._vocabulary.terms(cut) if term.key not in ("idiom", "department")]
        types = [term for term in whole if term.key == "category"]
        if types or whole:
            yield from _facts_of(types or [term for term in whole if term.key in _LEAF_KEYS])
            return
        yield ("aisle" if node in self._brands else "category"), node
        yield from _shared_types([term for term in inner if term.key == "category"])
        yield from _facts_of([term for term in inner if term.key in _LEAF_KEYS and not term.weak])

    def _is_department(self, word: str) -> bool:
        return any(term.key == "department" for term in self._vocabulary.terms([word]))


def _facts_of(terms: Iterable[Term]) -> Iterator[Fact]:
    for term in terms:
        for value in term.values:
            yield term.key, value


def _shared_types(types: list[Term]) -> Iterator[Fact]:
    """Yield the type inside a longer node ("fashion sandals"); of several ("bags & luggage") only what they share."""
    if types:
        shared = frozenset.intersection(*(frozenset(term.values) for term in types))
        yield from (("category", value) for value in types[0].values if value in shared)
