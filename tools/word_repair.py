"""One misspelt word: which word of this catalog, or of the grammar, was meant.

Candidates are words with the same first letter (or the first two transposed) within one edit, two from eight letters
on. Among them decides what is said how often and mistaken how easily (a noisy channel); other English words take part
as rivals, so that what is nearer to a word that nobody sells stands as it is.
"""

from __future__ import annotations

import gzip
import math
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from string import ascii_lowercase
from typing import Any

import orjson
from rapidfuzz import process
from rapidfuzz.distance import OSA

from catalog.lexicon import Lexicon
from catalog.vocabulary import plural, singular
from tools.phrases import conversation_words, load_table, word_set
from tools.slips import slip_cost

LEAST_LETTERS = 4
"""Shorter words are too near too many others."""

LEAST_PART = 3
"""Letters of each part of a word that is parted or joined."""

TWO_EDITS_FROM = 8
"""Letters from which two slips are repaired."""

CLEAR_MARGIN = 30.0
"""What was meant must be this many times as likely as any other word."""

SLIP_WEIGHT = 7.0
"""Natural logarithm of how much rarer a slip of cost 1 makes a spelling."""

DEAREST, DEAREST_SHORT, SHORT_BELOW = 1.9, 1.0, 6
"""Dearer slips are no slips; in a word of under six letters, or in a name, fewer are believed."""

DEAREST_CLIPPED = 0.5
"""A word of three letters is meant only by one of its letters doubled."""

DEAREST_IN_NAME = 0.8
"""A word written like a name is another name unless the slip is slight ("Addidas")."""

LEAST_SCORE, LETTER_WEIGHT = -16.2, 2.0
"""Logarithm of likelihood and slip together that a word of six letters needs; each letter more is as much evidence
that the likeness is no chance."""

LEAST_HELD = 5
"""A word that only the dictionary or only the lexicon has is a target when this many products hold it: sellers
misspell too."""

SURE_SHARE = 0.4
"""Share from which a word alone is taken for a value."""

WORDS_A_MESSAGE = 10.0
"""Makes the share of all words spoken comparable with the share of the products."""

GRAMMAR_SHARE = 0.001
"""Share of messages that say a word of the grammar at least: "shorter" is said in shops more than in films."""

_IN_SURFACE, _IN_TEXT = 0.1, 0.03
"""How much less a word is said that is only part of a surface, or only of the catalog's prose."""

_LISTED = 50
"""The count that the dictionary gives to words that its source has not: they stand, and rival nothing."""

_MOST_REMEMBERED = 20_000
_NAMES = frozenset({"brand", "model", "theme"})
_LETTERS = re.compile("[a-z]+")
_RUN = re.compile(r"([a-z])\1\1+")
_FORM = re.compile(r"(?:s|es|d|ed|ing|r|er|ly|e)$")


@cache
def english_words() -> dict[str, int]:
    """Return English words with their counts in speech (the dictionary of pyspellchecker), read at first need.

    Its own reader takes 187 ms and 41 MB for what is needed here in 80 ms and 19 MB.
    """
    packed = files("spellchecker").joinpath("resources", "en.json.gz").read_bytes()
    words: dict[str, int] = orjson.loads(gzip.decompress(packed))
    return words


@cache
def _spoken_in_all() -> int:
    return sum(english_words().values())


@cache
def grammar_words() -> frozenset[str]:
    """Return the words of at least four letters of which the tables of conversation and grammar are made."""
    tables = load_table("spelling")["grammar_tables"]
    found = {word for name in tables for text in _strings(load_table(name)) for word in _LETTERS.findall(text)}
    return frozenset(word for word in found if len(word) >= LEAST_LETTERS) | conversation_words()


def _strings(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        yield from part
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from _strings(inner)


class WordRepair:
    """Finds what was meant by a word that neither the catalog, the dictionary nor the grammar knows.

    Reads nothing until the first such word. Safe for threads: what two of them build at once is equal.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._buckets: dict[tuple[str, int], list[str]] = {}
        self._named: frozenset[str] = frozenset()
        self._size = 1
        self._meanings: dict[tuple[str, bool], tuple[str, ...]] = {}

    def stands(self, token: str) -> bool:
        """Return whether a token is a word already: of the catalog (in either number), of chat, or English."""
        if len(token) < LEAST_LETTERS or not (token.isascii() and token.isalpha()) or self._lexicon.knows(token):
            return True
        if token in grammar_words() or token in word_set("spelling", "chat") or token in english_words():
            return True
        self._build()
        return token in self._named or any(map(self._is_word, _bases(token)))

    def _is_word(self, word: str) -> bool:
        return word in self._named or word in english_words() or self._lexicon.knows(word)

    def meant(self, token: str, *, name: bool = False) -> tuple[str, ...]:
        """Return the word meant by a token that does not stand, two for a missing space, none when that is unsure.

        `name`: the token is written like a name, so that only a slight slip in the name of a brand is repaired.
        """
        found = self._meanings.get((token, name))
        if found is None:
            if len(self._meanings) >= _MOST_REMEMBERED:
                self._meanings = {}
            found = self._meanings[(token, name)] = self._meant(token, name)
        return found

    def _build(self) -> None:
        if self._buckets:
            return
        named = frozenset(word for surface in self._lexicon.surfaces() for word in surface.split(" "))
        english = (word for word, count in english_words().items() if count > _LISTED)
        buckets: dict[tuple[str, int], list[str]] = defaultdict(list)
        for word in sorted({*named, *english, *grammar_words()}):
            if len(word) >= LEAST_PART and word.isascii() and word.isalpha():
                buckets[(word[0], len(word))].append(word)
        self._size = max((self._lexicon.document_frequency(word) for word in named), default=0) or 1
        self._named, self._buckets = named, dict(buckets)

    def _meant(self, token: str, name: bool) -> tuple[str, ...]:
        self._build()
        word = self._shortened(token) or self._nearest(token, name)
        if word:
            return (word,)
        return () if name else self._parted(token)

    def _shortened(self, token: str) -> str | None:
        """Return the word that was drawn out ("bluuue")."""
        for kept in (r"\1", r"\1\1"):
            short = _RUN.sub(kept, token)
            if short != token and self._is_target(short):
                return short
        return None

    def _is_target(self, word: str) -> bool:
        if word in english_words() and (word in self._named or word in grammar_words()):
            return True
        return self._held(word) >= LEAST_HELD and (word in self._named or word in english_words())

    def _held(self, word: str) -> int:
        """Return how many products hold a word, or the value that it names when no text holds the word."""
        held = self._lexicon.document_frequency(word)
        return held or max((entry.products for entry in self._lexicon.readings((word,))[:1]), default=0)

    def _nearest(self, token: str, name: bool) -> str | None:
        costs = self._costs(token)
        scores = {word: math.log(self._likelihood(word)) - SLIP_WEIGHT * cost for word, cost in costs.items()}
        best = max(scores, key=lambda word: (scores[word], word), default=None)
        if best is None or not self._may_be(best, token, costs[best], name):
            return None
        least = LEAST_SCORE - LETTER_WEIGHT * (len(token) - SHORT_BELOW)
        needed = scores[best] - math.log(CLEAR_MARGIN)
        if scores[best] < least or any(scores[word] > needed and not self._agree(word, best) for word in scores):
            return None
        # Of the forms of one word the nearest: "bottome" is the bottom, however many bottoms are sold.
        forms = [word for word in scores if _stem(word) == _stem(best) and self._may_be(word, token, costs[word], name)]
        return min(forms, key=lambda word: (costs[word], -scores[word], word))

    def _costs(self, token: str) -> dict[str, float]:
        """Return the words near a token, with what the slip costs."""
        most = 2 if len(token) >= TWO_EDITS_FROM else 1
        near = process.extract(token, self._candidates(token, most), scorer=OSA.distance, score_cutoff=most, limit=None)
        return {word: slip_cost(token, word) for word, _, _ in near}

    def _candidates(self, token: str, most: int) -> list[str]:
        found: list[str] = []
        for size in range(len(token) - most, len(token) + most + 1):
            found += self._buckets.get((token[0], size), ())
        # One slip in the first letter: the transposed ones may be meant, the others are rivals.
        swapped = token[1] + token[0] + token[2:]
        heads = [head + tail for head in ascii_lowercase if head != token[0] for tail in (token, token[1:])]
        return found + [word for word in {swapped, token[1:], *heads} - {token} if self._is_common(word)]

    def _is_common(self, word: str) -> bool:
        return word in self._named or english_words().get(word, 0) > _LISTED

    def _may_be(self, word: str, token: str, cost: float, name: bool) -> bool:
        """Return whether a word may be what was meant: a target of the same beginning, at a slip cheap enough."""
        if not self._is_target(word) or (word[0] != token[0] and word != token[1] + token[0] + token[2:]):
            return False
        keys = {entry.key for entry in self._lexicon.readings((word,))}
        if name:
            return "brand" in keys and cost <= DEAREST_IN_NAME
        if len(word) < LEAST_LETTERS:
            return cost <= DEAREST_CLIPPED
        short = len(token) < SHORT_BELOW or (keys and keys <= _NAMES)
        return cost <= (DEAREST_SHORT if short else DEAREST)

    def _likelihood(self, word: str) -> float:
        """Return roughly the share of messages that say a word: by how many products it names, or as speech goes."""
        spoken = WORDS_A_MESSAGE * max(english_words().get(word, 0), 1) / _spoken_in_all()
        if word in grammar_words():
            spoken = max(spoken, GRAMMAR_SHARE)
        part = _IN_TEXT
        if word in self._named:
            part = 1.0 if self._speaks(word) else _IN_SURFACE
        if word not in english_words() and not self._lexicon.document_frequency(word):
            # A misspelling that the tables know ("sleevless"): what it stands for is meant.
            part *= _IN_TEXT
        return max(spoken, part * self._held(word) / self._size)

    def _speaks(self, word: str) -> bool:
        """Return whether a word alone surely names a value."""
        return any(entry.share >= SURE_SHARE for entry in self._lexicon.readings((word,)))

    def _agree(self, word: str, other: str) -> bool:
        """Return whether two words are forms of one, or name one value first ("blk" and "black")."""
        if _stem(word) == _stem(other):
            return True
        first, second = (self._lexicon.readings((each,))[:1] for each in (word, other))
        return bool(first and second) and first[0].value == second[0].value

    def _parted(self, token: str) -> tuple[str, ...]:
        """Return the two words that were written as one, when just one place of the space makes two values."""
        cuts = ((token[:at], token[at:]) for at in range(LEAST_PART, len(token) - LEAST_PART + 1))
        found = [pair for pair in cuts if self._is_pair(*pair)]
        return found[0] if len(found) == 1 else ()

    def _is_pair(self, first: str, second: str) -> bool:
        if first not in self._named or second not in self._named:
            return False
        return bool(self._lexicon.readings((first, second))) or all(map(self._is_plain, (first, second)))

    def _is_plain(self, word: str) -> bool:
        """Return whether a word alone surely names a value that is no name."""
        readings = self._lexicon.readings((word,))[:1]
        return any(entry.key not in _NAMES and entry.share >= SURE_SHARE for entry in readings)


def _stem(word: str) -> str:
    return _FORM.sub("", word)


def _bases(token: str) -> Iterator[str]:
    """Yield what a regular ending was put to: the other number, "beltless", "orangeish", "sparklier"."""
    yield from {singular(token), plural(token)} - {token}
    for ending, instead in load_table("spelling")["endings"].items():
        if token.endswith(ending) and len(token) >= len(ending) + LEAST_PART:
            base = token.removesuffix(ending)
            yield from (base + letters for letters in instead)
            if base[-1] == base[-2]:
                yield base[:-1]
