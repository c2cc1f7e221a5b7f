"""Where a product says something: the field, the words, and their place in the field's text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from catalog.brands import brand_text
from catalog.constraint import Constraint
from catalog.engine import stem
from catalog.product import Product
from catalog.vocabulary import Mention, full_vocabulary, load_table, plain, words

LONGEST_QUOTE = 120
"""Characters of a quotation: it says where to look, the product says the rest."""

QUOTED_WORDS = 5
"""Words of a long value that are looked for: the rest of the sentence follows them."""

SAME_BEGINNING = 3
"""Letters that two words share at least before their stems are compared: stemming every word takes 50 ms."""

_WORD = re.compile(r"[0-9]+(?:\.[0-9]+)+|[^\W_]+(?:['’‘ʼ`´][^\W_]+)*")
_PLAIN_WORD = re.compile(r"[a-z0-9]+(?:['`][a-z0-9]+)*")
"""The same for lower-case ASCII without numerals: half the time."""


class Found(NamedTuple):
    """Words of a product: `span` is their `[start, end)` in characters of `field_text` of the field."""

    field: str
    words: str
    span: tuple[int, int]


class _Words(NamedTuple):
    """The words of a field, folded, and the place of each."""

    texts: list[str]
    spans: list[tuple[int, int]]


class _Field(NamedTuple):
    name: str
    text: str
    facet: str | None
    """Facet key that a detail of this name states."""


def field_text(product: Product, field: str) -> str:
    """Return the text of a field as evidence names it; raises `KeyError` for a name that is none.

    Names are `title`, `features[n]` and `description[n]` (from 1), `details.<key>`, `categories` (joined by " > "),
    `store`, `price` ("$39.50"), `average_rating`, `rating_number` ("1,234") and `facets.<key>` (joined by ", ").
    """
    if field in _NUMBERS:
        return _NUMBERS[field](product)
    facets = {f"facets.{key}": ", ".join(values) for key, values in product.facets.items()}
    return {**{found.name: found.text for found in _fields(product)}, **facets}[field]


class ProductText:
    """The fields of one product, cut into words when first needed."""

    def __init__(self, product: Product) -> None:
        self.product = product
        self._fields = list(_fields(product))
        self._lowered = [field.text.lower() if field.text.isascii() else None for field in self._fields]
        self._all = "\n".join(text for text in self._lowered if text)
        self._foreign = None in self._lowered
        self._cut: list[_Words | None] = [None] * len(self._fields)
        self._mentions: list[list[Mention] | None] = [None] * len(self._fields)
        self._named: dict[str, list[int]] = {}
        for at, field in enumerate(self._fields):
            if field.facet is not None:
                self._named.setdefault(field.facet, []).append(at)

    def value(self, key: str, value: str) -> Found | None:
        """Find what says that a facet holds a value: the value's own words, other words for it, or the facet itself.

        A detail of the facet's name ("Color: Navy") comes first, then the title.
        """
        order = [*self._named.get(key, ()), *range(len(self._fields))]
        return (
            self._store(key, value)
            or self.mention(value, order)
            or self._by_other_words(key, value, order)
            or self._named_detail(key, value)
            or self._by_stems(value)
            or self._facet(key, value)
            or self._by_stems(value, part=True)
        )

    def mention(self, value: str, order: Sequence[int] | None = None) -> Found | None:
        """Find the words of a value, written as they are, in the first field that has them."""
        wanted = words(value)[:QUOTED_WORDS]
        needle = " ".join(wanted)
        if needle not in self._all and not self._foreign:
            return None
        for at in (order if order is not None else range(len(self._fields))) if wanted else ():
            lowered = self._lowered[at]
            if lowered is None:
                if (found := self._sequence(at, wanted)) is not None:
                    return found
            elif needle in lowered and (span := _whole_words(lowered, needle)) is not None:
                return self._quote(at, *span)
        return None

    def passing(self, value: str) -> Found | None:
        """Find the words of a value, in another spelling too ("T-shirt", "women's")."""
        wanted = words(value)[:QUOTED_WORDS]
        found = self.mention(value)
        if found is not None or not wanted:
            return found
        able = (at for at in range(len(self._fields)) if self._may_hold(at, wanted))
        return next((found for at in able if (found := self._sequence(at, wanted)) is not None), None)

    def _may_hold(self, at: int, wanted: list[str]) -> bool:
        """Return whether a field may write words otherwise than cut: "t shirt" as "T-shirt", "womens" as "women's"."""
        lowered = self._lowered[at]
        if not lowered:
            return False
        if "'" in lowered:
            return wanted[0][:SAME_BEGINNING] in lowered
        return len(wanted) > 1 and all(word in lowered for word in wanted)

    def _sequence(self, at: int, wanted: list[str]) -> Found | None:
        texts, spans = self._words(at)
        for place in range(len(texts) - len(wanted) + 1):
            if texts[place] == wanted[0] and texts[place : place + len(wanted)] == wanted:
                return self._quote(at, spans[place][0], spans[place + len(wanted) - 1][1])
        return None

    def _store(self, key: str, value: str) -> Found | None:
        store = self.product.store or ""
        if key != "brand" or not store or value not in (brand_text(store), store.lower()):
            return None
        return Found("store", store, (0, len(store)))

    def _by_other_words(self, key: str, value: str, order: Sequence[int]) -> Found | None:
        """Find a value in another spelling ("T-shirt"), or a surface of the vocabulary that names it or a kind of it.

        Example: "Ladies" says women, "Navy" says blue.
        """
        wanted = words(value)[:QUOTED_WORDS]
        for at in order:
            if wanted and self._may_hold(at, wanted) and (found := self._sequence(at, wanted)) is not None:
                return found
            mentions = self._mentions[at]
            if mentions is None:
                mentions = self._mentions[at] = full_vocabulary().mentions(self._words(at).texts)
            for mention in mentions:
                if any(term.key == key and value in term.values for term in mention.terms):
                    spans = self._words(at).spans
                    return self._quote(at, spans[mention.start][0], spans[mention.end - 1][1])
        return None

    def _named_detail(self, key: str, value: str) -> Found | None:
        """Quote the detail of the facet's name where it alone can have said the value: "Size: XX-Large" says 2xl."""
        stated = self.product.facets.get(key, ())
        named = [at for at in self._named.get(key, ()) if self._fields[at].text]
        return self._quote(named[0], 0, len(self._fields[named[0]].text)) if value in stated and named else None

    def _by_stems(self, value: str, part: bool = False) -> Found | None:
        """Quote what holds the words of a value by their stems, in any order: "wrinkle free" in "free of wrinkles".

        With `part`, the field that holds most of them: a product may say them in several.
        """
        wanted = {stem(word): word[:SAME_BEGINNING] for word in words(value)}
        beginnings = tuple(wanted.values())
        best: tuple[int, Found] | None = None
        for at in range(len(self._fields)) if beginnings else ():
            texts, spans = self._words(at)
            hits = [n for n, word in enumerate(texts) if word.startswith(beginnings) and stem(word) in wanted]
            count = len({stem(texts[n]) for n in hits})
            if count and (best is None or count > best[0]):
                (start, end), last = spans[hits[0]], spans[hits[-1]][1]
                best = count, self._quote(at, start, last if last - start <= LONGEST_QUOTE else end)
        return best[1] if best and (part or best[0] == len(wanted)) else None

    def _facet(self, key: str, value: str) -> Found | None:
        """Quote the facet itself: the build read it from words that are not known any more."""
        stated = self.product.facets.get(key, ())
        if value not in stated:
            return None
        start = sum(len(v) + 2 for v in stated[: stated.index(value)])
        return Found(f"facets.{key}", value, (start, start + len(value)))

    def _words(self, at: int) -> _Words:
        cut = self._cut[at]
        if cut is None:
            lowered = self._lowered[at]
            text = self._fields[at].text if lowered is None else lowered
            found = list((_WORD if lowered is None or "." in text else _PLAIN_WORD).finditer(text))
            texts = [match.group() for match in found]
            if lowered is None or "'" in lowered or "`" in lowered:
                texts = [plain(text).replace("`", "") for text in texts]
            cut = self._cut[at] = _Words(texts, [match.span() for match in found])
        return cut

    def _quote(self, at: int, start: int, end: int) -> Found:
        end = min(end, start + LONGEST_QUOTE)
        return Found(self._fields[at].name, self._fields[at].text[start:end], (start, end))


def number_of(product: Product, constraint: Constraint) -> Found | None:
    """Return the number of a product that a numeric constraint is about; None where it is unknown."""
    field = {"budget": "price", "rating": "average_rating", "review_count": "rating_number"}.get(constraint.attribute)
    if field is None:
        return None
    text = _NUMBERS[field](product)
    return Found(field, text, (0, len(text))) if text else None


def _price(product: Product) -> str:
    return "" if product.price is None else f"${product.price:,.2f}"


def _rating(product: Product) -> str:
    return "" if product.average_rating is None else f"{product.average_rating:g}"


def _rating_number(product: Product) -> str:
    return "" if product.rating_number is None else f"{product.rating_number:,}"


_NUMBERS = {"price": _price, "average_rating": _rating, "rating_number": _rating_number}


@cache
def _facet_of_detail(name: str) -> str | None:
    return _detail_names().get(" ".join(words(name)))


@cache
def _detail_names() -> dict[str, str]:
    rows = load_table("detail_fields")
    return {" ".join(words(surface)): row.value for row in rows for surface in (row.value, *row.surfaces)}


def _fields(product: Product) -> Iterator[_Field]:
    yield _Field("title", product.title, None)
    for key, value in product.details.items():
        yield _Field(f"details.{key}", value, _facet_of_detail(key))
    yield _Field("categories", " > ".join(product.categories), None)
    yield _Field("store", product.store or "", None)
    for number, feature in enumerate(product.features, 1):
        yield _Field(f"features[{number}]", feature, None)
    for number, text in enumerate(product.description, 1):
        yield _Field(f"description[{number}]", text, None)


def _whole_words(text: str, needle: str) -> tuple[int, int] | None:
    """Return the place of whole words in a text, None where they are not or only inside longer ones."""
    start = text.find(needle)
    while start >= 0:
        end = start + len(needle)
        if not (_goes_on(text[max(0, start - 2) : start][::-1]) or _goes_on(text[end : end + 2])):
            return start, end
        start = text.find(needle, start + 1)
    return None


def _goes_on(beside: str) -> bool:
    """Return whether a word goes on in the two characters beside it, nearest first: the "s" of "women's", 9 of 9.5."""
    return beside[:1].isalnum() or (beside[:1] in ("'", ".") and beside[1:].isalnum())
