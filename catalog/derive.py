"""Derive the facets of a product from its own texts.

Precision comes first: a value of a closed facet (colour, size, department) excludes the product from every other one.
"""

from __future__ import annotations

from collections.abc import Iterable

from catalog.brands import BrandNames
from catalog.mention_rules import is_bare_person, is_body, is_denied, is_shade, supports_weak
from catalog.paths import PathReader, catalog_vocabulary
from catalog.product import Product
from catalog.sizes import canonical_size, pack_quantity, sizes_of_title
from catalog.stated import StatementReader
from catalog.titles import Segment, cut_title, read_segment, title_types
from catalog.vocabulary import Mention, full_vocabulary

Facets = dict[str, dict[str, None]]

_CLOSING = frozenset({"size", "print", "and", "us", "color", "x"})
"""Words that may follow the colour at the end of a title, beside sizes."""

_STATED_FIRST = frozenset({"sleeve", "neck", "fit", "pattern", "theme"})
"""Keys for which a bullet counts only when details and title are silent."""


class Deriver:
    """Reads facets out of products.

    `brands` are the store and brand names of the whole catalog, `category_names` all nodes of its paths: what one
    product states in a field, another may state only in its title.

    Example: `Deriver([], []).derive(Product(parent_asin="B", title="Navy V-Neck Tee"))["color"]` is `("navy", "blue")`.
    """

    def __init__(self, brands: Iterable[str], category_names: Iterable[str]) -> None:
        """Build the tables that are shared by all products of one catalog."""
        self._brands = BrandNames(brands, full_vocabulary())
        self._vocabulary = catalog_vocabulary(category_names, self._brands.names)
        self._paths = PathReader(self._vocabulary, self._brands.names)
        self._statements = StatementReader(self._vocabulary)

    def derive(self, product: Product) -> dict[str, tuple[str, ...]]:
        """Return facet key to canonical lower-case values, keys in sorted order; silent keys are left out."""
        facets: Facets = {}
        if brand := self._brand(product):
            _add(facets, "brand", (brand,))
        for key, value in self._paths.read(product.categories):
            _add(facets, key, (value,))
        for name, text in product.details.items():
            if field := self._statements.facet_of(name):
                for key, values in self._statements.field(field, text):
                    _add(facets, key, values)
        self._read_title(facets, product.title, brand)
        said = frozenset(facets) & _STATED_FIRST
        for feature in product.features:
            for key, values in self._statements.bullet(feature):
                if key not in said:
                    _add(facets, key, values)
        return {key: tuple(facets[key]) for key in sorted(facets)}

    def _brand(self, product: Product) -> str | None:
        """Return the brand by store, else by a detail, else by the first words of the title."""
        if product.store and (brand := self._brands.canonical(product.store)):
            return brand
        for name, text in product.details.items():
            if self._statements.facet_of(name) == "brand" and (brand := self._brands.canonical(text)):
                return brand
        return self._brands.at_start(product.title)

    def _read_title(self, facets: Facets, title: str, brand: str | None) -> None:
        parts = cut_title(title)
        segments = [self._segment(part, brand if not at else None) for at, part in enumerate(parts)]
        types = title_types(segments, frozenset(facets.get("category", ())))
        for term in types:
            _add(facets, "category", term.values)
        jewel = any("jewelry" in term.values for term in types)
        said = frozenset(facets)
        for segment in segments:
            self._read_segment(facets, segment, jewel, said)
        for size in sizes_of_title(title, parts):
            _add(facets, "size", (size,))
        if quantity := pack_quantity(title):
            _add(facets, "quantity", (str(quantity),))

    def _segment(self, cut: list[str], brand: str | None) -> Segment:
        """Read a part of a title; the words of the product's own brand at its start are blanked."""
        if brand and cut[: (size := len(name := brand.split()))] == name:
            cut = [""] * size + cut[size:]
        return read_segment(cut, self._vocabulary.mentions(cut))

    def _read_segment(self, facets: Facets, segment: Segment, jewel: bool, said: frozenset[str]) -> None:
        """Read everything but the type from a part of a title; `said` are the keys that fields have stated."""
        cut, mentions = segment.words, segment.mentions
        whole = sum(mention.end - mention.start for mention in mentions) >= len(cut)
        for at, mention in enumerate(mentions):
            if is_denied(cut, mention):
                continue
            following = mentions[at + 1] if at + 1 < len(mentions) else None
            for term in mention.terms:
                key = term.key
                if key in ("category", "idiom") or _is_aside(segment, mention, key):
                    continue
                if key == "department" and (term.weak or ("department" in said and is_bare_person(cut, mention))):
                    continue
                if is_shade(mention, term, whole, jewel) or (term.weak and key == "color" and "color" in said):
                    continue
                if term.weak and not (whole or supports_weak(mention, following, term, jewel)):
                    continue
                if key == "material" and not is_body(cut, mention):
                    continue
                _add(facets, key, term.values)


def _is_aside(segment: Segment, mention: Mention, key: str) -> bool:
    """Return whether a colour or material belongs to an addition ("with red lining"); a closing colour does not."""
    if mention.start < segment.aside or key not in ("color", "material"):
        return False
    rest = segment.words[mention.end :]
    return key == "material" or not all(word in _CLOSING or canonical_size(word) for word in rest)


def _add(facets: Facets, key: str, values: Iterable[str]) -> None:
    held = facets.setdefault(key, {})
    for value in values:
        held[value] = None
