"""What a shopper may say of a product, and which of it together is true of that product alone."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

from catalog.product import Product
from evals.draws import unit
from evals.natural.facts import Claim, Record, bare, matching, record, words_of
from evals.natural.tables import tables
from evals.natural.words import holds, plain, spellings

MOST_CLAIMS = 7
"""Claims of a signature, the kind of product included."""

FEWEST_TITLE_WORDS = 4
"""Words of a target's title: a shorter one can hardly be described without being quoted."""

_SEPARATOR = re.compile(r"[,|(–—]|\s-\s|\bfor\b|\bwith\b", re.IGNORECASE)
_ENDS = re.compile(r"[,(|]|\s[-–—]\s")
_COMPOUND = re.compile(r"\w+(?:[-/&+.]\w+)+")
_CUT = re.compile(r"\w+(?:\.{2,}|…)")
_LETTERED = re.compile(r"\b[a-su-z]-\w+", re.IGNORECASE)
_SHORTEST_WORD = 4
_FEWEST_HOLDERS = 3
_MOST_BRAND_WORDS = 3
_FEWEST_REVIEWS = 20


class Shelf:
    """The products of a catalog as records, and which of them a claim is true of (each claim is tested once)."""

    def __init__(self, products: Sequence[Product]) -> None:
        self.products = {product.parent_asin: product for product in products}
        self.records = {product.parent_asin: record(product) for product in products}
        self._called: dict[str, list[Record]] = {}
        self._true: dict[tuple[str, Claim], frozenset[str]] = {}
        self._frequency: Counter[str] = Counter()
        for item in self.records.values():
            self._frequency.update(set(item.title.split()))

    def called(self, category: str) -> list[Record]:
        """Return the records that a name of a kind of product is true of."""
        if category not in self._called:
            self._called[category] = matching([Claim("category", category)], self.records.values())
        return self._called[category]

    def holders(self, category: str, claim: Claim) -> frozenset[str]:
        """Return the ids of the products of a kind that a claim is true of."""
        key = category, claim
        if key not in self._true:
            self._true[key] = frozenset(item.parent_asin for item in matching([claim], self.called(category)))
        return self._true[key]

    def matching(self, category: str, claims: Iterable[Claim]) -> frozenset[str]:
        """Return the ids of the products of a kind that all claims are true of."""
        left = frozenset(item.parent_asin for item in self.called(category))
        return left.intersection(*(self.holders(category, claim) for claim in claims))

    def usual(self, word: str) -> bool:
        """Return whether several titles hold a word, so that it is neither a misspelling nor a number of a model."""
        return self._frequency[word] >= _FEWEST_HOLDERS


def kind_of(product: Product) -> str | None:
    """Name the kind of a product as a shopper would; None when its title names none.

    Among the names in the title one that its category path ends in goes first, then the longest, then the last one
    before the title turns to colours, uses and sizes.
    """
    # A D-ring is no ring and a T-shirt is a shirt: of one letter before a hyphen only the T makes a kind.
    whole = _LETTERED.sub(" ", product.title)
    head, title = plain(_SEPARATOR.split(whole)[0]), plain(whole)
    leaf, parent = (_heads(part) for part in ("", "", *product.categories)[:-3:-1])
    found: list[tuple[bool, bool, bool, int, int, str]] = []
    for name in tables().vocabulary["category"]:
        spelled = words_of("category", name)
        # A category of shoes agrees with running shoes: the last word is what they are.
        own = {spelling.split()[-1] for spelling in spelled}
        for spelling in (spelling for spelling in spelled if spelling in title):
            place, length = head.rfind(spelling), spelling.count(" ")
            found.append((bool(own & leaf), bool(own & parent), place >= 0, length, place, name))
    return bare(max(found)[-1]) if found else None


def _heads(category: str) -> set[str]:
    """Return the nouns of a category: of "Shoe Bags" the bags, of "Tops, Tees & Blouses" all three."""
    pieces = (plain(piece).split() for piece in re.split(r"[,&/]| and ", category))
    return {words[-1] for words in pieces if words}


def claims_of(product: Product, shelf: Shelf, category: str) -> list[Claim]:
    """Return what a shopper may say of a product apart from its kind: of what its title, details and numbers state."""
    listed = _listed(product, category)
    brand = _brand(product)
    claims = [*listed, *([brand] if brand else []), *_limits(product)]
    return [*claims, *_title_words(product, shelf, [Claim("category", category), *claims])]


def distinct_claims(
    target: Record, category: str, required: Sequence[Claim], others: Sequence[Claim], shelf: Shelf, *draw: object
) -> list[Claim] | None:
    """Choose claims, `required` among them, that are true of `target` alone within its kind; None when none are.

    `draw` orders the choice; a claim that turns out not to be needed is dropped again.
    """
    kinds = tables().kind
    chosen, left = list(required), shelf.matching(category, required)
    for claim in sorted(others, key=lambda claim: kinds[claim.kind].late + unit(*draw, claim.kind, claim.value)):
        if len(left) == 1:
            break
        narrowed = left & shelf.holders(category, claim)
        if len(narrowed) < len(left) and _goes_with(claim, chosen):
            chosen.append(claim)
            left = narrowed
    if left != {target.parent_asin}:
        return None
    for claim in chosen[len(required) :]:
        fewer = [other for other in chosen if other != claim]
        if len(shelf.matching(category, fewer)) == 1:
            chosen = fewer
    return chosen if len(chosen) < MOST_CLAIMS else None


def _goes_with(claim: Claim, chosen: Sequence[Claim]) -> bool:
    """Return whether a shopper may want a value beside others: two colours, say, would be a contradiction to many."""
    same = any(other.kind == claim.kind and not other.avoided for other in chosen)
    return tables().kind[claim.kind].several or not same


def _listed(product: Product, category: str) -> list[Claim]:
    """Return the listed values that the title or a detail states, the most particular ones only."""
    title, named = plain(product.title), plain(category)
    # A large backpack is no backpack in size large: a bare size counts where titles put it, at the end.
    tail = plain(_ENDS.split(product.title)[-1]) if _ENDS.search(product.title) else ""
    details = {key.strip().lower(): plain(value) for key, value in product.details.items()}
    claims: list[Claim] = []
    for kind, names in tables().vocabulary.items():
        if kind == "category":
            continue
        texts = [*(details[key] for key in tables().details.get(kind, ()) if key in details)]
        if kind == "department":
            texts.append(plain(" ".join((*product.categories, product.details.get("Department", "")))))
        for name in names:
            words = words_of(kind, bare(name))
            titled = title if kind != "size" or " " in name else tail
            if any(holds(text, words) for text in (titled, *texts)) and not holds(named, words):
                claims.append(Claim(kind, name))
    return [claim for claim in claims if not any(_within(claim, other) for other in claims)]


def _within(claim: Claim, other: Claim) -> bool:
    """Return whether another claim says more (light blue, blue) or uses the word otherwise (lace up, lace)."""
    return plain(claim.value) != plain(other.value) and plain(claim.value) in plain(other.value)


def _brand(product: Product) -> Claim | None:
    store = (product.store or "").strip()
    words = plain(store).split()
    usable = words and len(words) <= _MOST_BRAND_WORDS and store.isascii() and all(word.isalpha() for word in words)
    return Claim("brand", store) if usable else None


def _limits(product: Product) -> list[Claim]:
    claims = []
    if product.price is not None and product.price > 0:
        claims.append(Claim("budget", f"{_ceiling(product.price):.0f}"))
    if product.average_rating is not None and product.average_rating >= 2:
        claims.append(Claim("rating", f"{math.floor(product.average_rating * 2) / 2:g}"))
    if (product.rating_number or 0) >= _FEWEST_REVIEWS:
        count = product.rating_number or 0
        step = 10 ** (len(str(count)) - 1)
        claims.append(Claim("reviews", f"{count // step * step:,}"))
    return claims


def _ceiling(price: float) -> float:
    """Return a round sum above a price: the next multiple of 5 under $100, of 10 under $200, of 25 from there."""
    step = 5 if price < 100 else 10 if price < 200 else 25
    return (math.floor(price / step) + 1) * step


def _title_words(product: Product, shelf: Shelf, said: Sequence[Claim]) -> list[Claim]:
    """Return the words of a title that nothing else says: letters only, and usual in this catalog."""
    known = plain(" ".join((product.store or "", *(claim.value for claim in said)))) + _listed_words()
    words = dict.fromkeys(plain(_CUT.sub(" ", _COMPOUND.sub(" ", product.title))).split())
    fit = (word for word in words if len(word) >= _SHORTEST_WORD and word.isascii() and word.isalpha())
    return [Claim("word", word) for word in fit if shelf.usual(word) and not holds(known, _both_numbers(word))]


def _both_numbers(word: str) -> tuple[str, ...]:
    return spellings(word) + spellings(word.removesuffix("s"))


@cache
def _listed_words() -> str:
    """Return every word that the tables list and the small words of English, between spaces."""
    vocabulary = tables().vocabulary
    listed = [word for names in vocabulary.values() for words in names.values() for word in words]
    spelled = (spelling for word in (*listed, *tables().small_words) for spelling in spellings(word))
    return plain(" ".join(spelled))
