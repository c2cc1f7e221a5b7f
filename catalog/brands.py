"""Brand names: one spelling for each, and which of them may be read at the start of a title."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from catalog.vocabulary import Vocabulary, word_lists, words

_SHOP = re.compile(r"^\s*(?:visit the|brand:|by)\s+|\s+store\s*$", re.IGNORECASE)


def brand_text(name: str) -> str:
    """Return a brand name folded for case, accents and punctuation; empty when it names no brand.

    Example: "Visit the Adidás Store" and "ADIDAS" are both "adidas"; "Generic" is "".
    """
    text = " ".join(words(_SHOP.sub("", name)))
    return "" if text in word_lists("brands")["nameless"] or len(text) > 60 else text


def short_name(brand: str) -> str:
    """Return the brand without legal forms and shop words ("Allmygold.com" → "allmygold"); the brand itself if none."""
    cut = brand.split()
    while len(cut) > 1 and cut[-1] in word_lists("brands")["suffixes"]:
        cut.pop()
    if len(cut) > 1 and cut[0] == "the":
        cut = cut[1:]
    return " ".join(cut)


class BrandNames:
    """The brands of one catalog."""

    def __init__(self, names: Iterable[str], vocabulary: Vocabulary) -> None:
        """Fold the names and choose those that are distinctive enough to be read in titles."""
        self._folded: dict[str, str] = {}
        brands = {brand for name in names if (brand := self.canonical(name))}
        self.names = frozenset(brands)
        frequency = Counter(word for brand in brands for word in set(brand.split()))
        self._starts: dict[str, list[tuple[str, ...]]] = {}
        for brand in sorted(brands, key=lambda text: (-len(text.split()), text)):
            cut = tuple(brand.split())
            if self._distinctive(cut, vocabulary, frequency):
                self._starts.setdefault(cut[0], []).append(cut)

    @staticmethod
    def _distinctive(cut: Sequence[str], vocabulary: Vocabulary, frequency: Counter[str]) -> bool:
        """Return whether a title that begins with these words is by this brand: some word means nothing else."""
        if tuple(cut) in vocabulary:
            return False
        common = word_lists("brands")["ordinary"]
        own = [word for word in cut if (word,) not in vocabulary and word not in common and not word.isdigit()]
        if not own or max(map(len, own)) < 3:
            return False
        return len(cut) > 1 or frequency[cut[0]] <= 4

    def canonical(self, name: str) -> str:
        """Return the folded brand of a stated name, empty when it is none; remembered per spelling."""
        if name not in self._folded:
            self._folded[name] = brand_text(name)
        return self._folded[name]

    def at_start(self, title: str) -> str | None:
        """Return the brand with which a title begins, None when it begins with none."""
        cut = words(title[:80])
        for brand in self._starts.get(cut[0], ()) if cut else ():
            if tuple(cut[: len(brand)]) == brand:
                return " ".join(brand)
        return None
