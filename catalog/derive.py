"""Derive the facets of a product from its own texts: precision first, since a wrong closed facet excludes the product."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from catalog.brands import BrandNames
from catalog.paths import PathReader
from catalog.product import Product
from catalog.sizes import pack_quantity, sizes_of_field, sizes_of_title
from catalog.titles import Segment, cut_title, title_types
from catalog.vocabulary import Mention, Term, full_vocabulary, load_table, words

Facets = dict[str, dict[str, None]]

_NEGATIONS = frozenset(
    {"no", "not", "non", "without", "never", "nor", "isnt", "arent", "dont", "doesnt", "un", "anti", "zero"}
)
_LIKENESS = frozenset(
    {"like", "look", "faux", "fake", "imitation", "simulated", "artificial", "vegan", "as", "mock", "than"}
)
_FREE = frozenset({"free", "less"})
_TITLE_KEYS = frozenset(
    {"style", "fit", "sleeve", "neck", "closure", "pattern", "occasion", "season", "use_case", "feature", "theme"}
)
_BULLET_KEYS = frozenset({"style", "closure", "occasion", "season", "use_case", "feature"})
_SHORT_BULLET_KEYS = frozenset({"sleeve", "neck", "fit", "pattern", "theme"})
_OPEN_FIELDS = frozenset({"style", "feature", "theme", "occasion", "use_case", "pattern", "neck", "model"})
_PERCENT = re.compile(r"([0-9]{1,3}(?:\.[0-9]+)?) ?%\s*([a-zA-Z][a-zA-Z -]{2,40})")
_LEAD = re.compile(r"^\W*([A-Za-z][A-Za-z ]{2,30}?)\s*[:：]\s*(.+)$", re.DOTALL)
_FIELD_SPLIT = re.compile(r"[,;|/]|\band\b|\n|&")
_NO_VALUE = frozenset(
    {"", "na", "n a", "none", "no", "yes", "other", "others", "true", "false", "not applicable", "null", "nan"}
)


@lru_cache(maxsize=1)
def _detail_fields() -> dict[str, str]:
    rows = load_table("detail_fields")
    return {" ".join(words(surface)): row.value for row in rows for surface in (row.value, *row.surfaces)}


@lru_cache(maxsize=1)
def _part_words() -> frozenset[str]:
    return frozenset(word for row in load_table("parts") for surface in row.surfaces for word in words(surface)[:1])


@lru_cache(maxsize=1)
def _department_words() -> frozenset[str]:
    rows = load_table("departments")
    return frozenset(word for row in rows for surface in (row.value, *row.surfaces) for word in words(surface)[:1])


class Deriver:
    """Reads facets out of products.

    `brands` are the store and brand names of the whole catalog, `category_names` all nodes of its paths: what one product
    states in a field, another may state only in its title.

    Example: `Deriver([], []).derive(Product(parent_asin="B", title="Navy V-Neck Tee"))["color"]` is `("navy", "blue")`.
    """

    def __init__(self, brands: Iterable[str], category_names: Iterable[str]) -> None:
        """Build the tables that are shared by all products of one catalog."""
        self._vocabulary = full_vocabulary()
        self._brands = BrandNames(brands, self._vocabulary)
        self._paths = PathReader(self._vocabulary)
        self._category_names = frozenset(category_names)

    def derive(self, product: Product) -> dict[str, tuple[str, ...]]:
        """Return facet key to canonical lower-case values, keys in sorted order; silent keys are left out."""
        facets: Facets = {}
        brand = self._brand(product)
        if brand:
            _add(facets, "brand", (brand,))
        for key, value in self._paths.read(product.categories):
            _add(facets, key, (value,))
        for name, value in product.details.items():
            key = _detail_fields().get(" ".join(words(name)))
            if key:
                self._read_field(facets, key, value)
        self._read_title(facets, product.title, brand)
        for feature in product.features:
            self._read_bullet(facets, feature)
        return {key: tuple(facets[key]) for key in sorted(facets) if facets[key]}

    def _brand(self, product: Product) -> str | None:
        stated = [product.store or ""]
        stated += [
            value for name, value in product.details.items() if _detail_fields().get(" ".join(words(name))) == "brand"
        ]
        for name in stated:
            if brand := self._brands.canonical(name):
                return brand
        return self._brands.at_start(product.title)

    def _read_field(self, facets: Facets, key: str, value: str) -> None:
        """Read one stated value of a facet."""
        if key == "brand" or len(value) > 300:
            return
        if key == "size":
            _add(facets, key, sizes_of_field(value))
            return
        if key == "quantity":
            number = re.match(r"\s*([0-9]{1,4})(?:\.0+)?\b", value)
            if number and int(number[1]) >= 2:
                _add(facets, key, (str(int(number[1])),))
            return
        for part in _FIELD_SPLIT.split(value):
            self._read_field_part(facets, key, words(part))

    def _read_field_part(self, facets: Facets, key: str, cut: list[str]) -> None:
        known = False
        for mention in self._vocabulary.mentions(cut):
            if _denied(cut, mention):
                continue
            for term in mention.terms:
                same = term.key == key
                if same or (
                    key in ("color", "style", "feature", "pattern") and not term.weak and term.key in _TITLE_KEYS
                ):
                    _add(facets, term.key, term.values)
                    known = known or same
        text = " ".join(cut)
        if key in _OPEN_FIELDS and not known and len(cut) <= 3 and text not in _NO_VALUE and not text.isdigit():
            _add(facets, key, (text,))

    def _read_title(self, facets: Facets, title: str, brand: str | None) -> None:
        parts = cut_title(title)
        segments = [self._segment(part, brand, first=not at) for at, part in enumerate(parts)]
        types = title_types(segments, _department_words())
        for term in types:
            _add(facets, "category", term.values)
        jewel = any("jewelry" in term.values for term in types)
        stated_colors, stated_departments = "color" in facets, "department" in facets
        for segment in segments:
            self._read_segment(facets, segment, jewel, stated_colors, stated_departments)
        _add(facets, "size", sizes_of_title(title, parts))
        if quantity := pack_quantity(title):
            _add(facets, "quantity", (str(quantity),))

    def _segment(self, text: str, brand: str | None, *, first: bool) -> Segment:
        cut = words(text)
        if first and brand:
            name = brand.split()
            if cut[: len(name)] == name:
                cut = [""] * len(name) + cut[len(name) :]
        return Segment(text, cut, self._vocabulary.mentions(cut))

    def _read_segment(
        self, facets: Facets, segment: Segment, jewel: bool, stated_colors: bool, stated_departments: bool
    ) -> None:
        cut, mentions = segment.words, segment.mentions
        whole = sum(mention.end - mention.start for mention in mentions) >= len(cut)
        for at, mention in enumerate(mentions):
            if _denied(cut, mention):
                continue
            following = mentions[at + 1] if at + 1 < len(mentions) else None
            for term in mention.terms:
                if term.key in ("category", "idiom") or (term.key == "color" and stated_colors):
                    continue
                if term.key == "department" and (term.weak or (stated_departments and _bare_department(mention, cut))):
                    continue
                if term.weak and not (whole or _before_type(mention, following, term.key, jewel)):
                    continue
                if term.key == "material" and not _is_body(cut, mention):
                    continue
                _add(facets, term.key, term.values)

    def _read_bullet(self, facets: Facets, text: str) -> None:
        """Read a feature bullet: a composition, a "Key: value", or short phrases of function, care and style."""
        if "%" in text:
            _add(facets, "material", (value for term in self._fibres(text) for value in term.values))
        lead = _LEAD.match(text) if ":" in text[:34] else None
        if lead and (key := _detail_fields().get(" ".join(words(lead[1])))):
            if len(lead[2]) <= 80 and key not in ("category", "brand", "style"):
                self._read_field(facets, key, lead[2])
        cut = words(text)
        short = len(cut) <= 6
        for mention in self._vocabulary.mentions(cut):
            if _denied(cut, mention):
                continue
            for term in mention.terms:
                if term.weak and not (short and mention.end - mention.start == len(cut)):
                    continue
                if term.key in _BULLET_KEYS or (short and term.key in _SHORT_BULLET_KEYS and term.key not in facets):
                    _add(facets, term.key, term.values)
                elif term.key == "material" and len(cut) <= 4 and mention.end == len(cut) and _is_body(cut, mention):
                    _add(facets, term.key, term.values)

    def _fibres(self, text: str) -> Iterable[Term]:
        """Yield the materials that stand beside a percentage, linings left out."""
        for match in _PERCENT.finditer(text):
            before = words(text[max(0, match.start() - 20) : match.start()])[-2:]
            if "lining" in before or "lined" in before:
                continue
            cut = words(match[2])
            for mention in self._vocabulary.mentions(cut)[:1]:
                if mention.start <= 2:
                    yield from (term for term in mention.terms if term.key == "material")


def _add(facets: Facets, key: str, values: Iterable[str]) -> None:
    for value in values:
        facets.setdefault(key, {})[value] = None


def _denied(cut: Sequence[str], mention: Mention) -> bool:
    """Return whether the words around a mention take it back: "no zipper", "leather free", "silk like"."""
    before = cut[mention.start - 1] if mention.start else ""
    after = cut[mention.end] if mention.end < len(cut) else ""
    if before in _NEGATIONS or after in _FREE:
        return True
    return (before in _LIKENESS or after in ("like", "look")) and any(term.key == "material" for term in mention.terms)


def _is_body(cut: Sequence[str], mention: Mention) -> bool:
    """Return whether a material is of the body: not "rubber sole", "fleece lined", "leather strap"."""
    return mention.end >= len(cut) or cut[mention.end] not in _part_words()


def _before_type(mention: Mention, following: Mention | None, key: str, jewel: bool) -> bool:
    """Return whether the word stands directly before the product type or a colour ("wine dress", "straw hat")."""
    if following is None or following.start != mention.end:
        return False
    keys = {term.key for term in following.terms}
    if key == "color":
        return "color" in keys or ("category" in keys and not jewel)
    return key in ("material", "pattern", "style", "feature") and "category" in keys


def _bare_department(mention: Mention, cut: Sequence[str]) -> bool:
    """Return whether a department word is a bare singular ("girl", "lady"), which may be part of a slogan."""
    return cut[mention.end - 1] in (
        "girl",
        "boy",
        "lady",
        "man",
        "woman",
        "guys",
        "dad",
        "mom",
        "male",
        "female",
        "son",
        "daughter",
    )
