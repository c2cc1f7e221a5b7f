"""A message with its misspelt words set right, and the way back from what was read there to what was written.

The repaired text is read by every tier in place of the written one ("undr 50" is a price, "chnage" a move). The
facts are then moved back: their spans and words are those of the message, verbatim.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from catalog.lexicon import Lexicon
from catalog.text import Token
from graph.events import Fact
from tools.phrases import attribute_names, conversation_words, load_table
from tools.reading import Reading
from tools.word_repair import LEAST_PART, SURE_SHARE, WordRepair
from tools.words import Text

DOUBT = 0.8
"""What a repair does to the confidence of a fact that rests on it."""

_MOST_UNKNOWN = 30
"""Unknown words of a message beyond which it is no shopping wish but another language or a pasted page."""

_FOREIGN_SHARE, _FOREIGN_WORDS = 0.3, 4
"""In a message of this many words, when more than this share of them, and more than were repaired, mean nothing, it is
not English: the likenesses are chance, and nothing is repaired."""

_EMPHASIS = 6
"""Letters from which a word in capitals is no code."""

_SENTENCE_START = re.compile(r"(?:^|[.!?:\n])[\s\"'(\[]*$")
_CUT = ("...", "\u2026")
"""After these dots a word was cut short, not misspelt: quoted catalog text ends so."""

_DOTTED = re.compile(r"[a-z]\.[a-z]")
_OWNERS = frozenset({"department", "brand"})
_PLAIN_GAP = re.compile(r"[ -]{1,2}")


class Edit(NamedTuple):
    """What stands for the characters `[start, end)` of a message."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Respelled:
    """A message and its repair. `edits` lie in order and apart.

    Example: of "blakc bag" the text is "black bag", and a fact found at its `[0, 5)` says "blakc".
    """

    written: str
    text: str
    edits: tuple[Edit, ...]

    def restore(self, reading: Reading) -> Reading:
        """Return a reading of the repaired text as one of the message: spans, words and doubts of its facts."""
        places = self._places()
        moves = [
            move.model_copy(update={"fact": self._fact(move.fact, places)}) if move.fact else move
            for move in reading.moves
        ]
        wrote = {edit.text.lower(): self.written[edit.start : edit.end].lower() for edit in self.edits}
        unexplained = [wrote.get(word) or word for word in reading.unexplained]
        return reading.model_copy(update={"moves": moves, "unexplained": unexplained})

    def _places(self) -> list[tuple[int, int]]:
        """Return for each character of the repaired text the characters of the message that it stands for."""
        places: list[tuple[int, int]] = []
        at = 0
        for edit in self.edits:
            places += [(place, place + 1) for place in range(at, edit.start)]
            places += [(edit.start, edit.end)] * len(edit.text)
            at = edit.end
        return places + [(place, place + 1) for place in range(at, len(self.written))]

    def _fact(self, fact: Fact, places: list[tuple[int, int]]) -> Fact:
        if fact.span is None or fact.span[0] >= fact.span[1]:
            return fact
        start, end = places[fact.span[0]][0], places[fact.span[1] - 1][1]
        touched = any(edit.start < end and start < edit.end for edit in self.edits)
        confidence = round(fact.confidence * DOUBT, 3) if touched else fact.confidence
        return fact.model_copy(update={"span": (start, end), "text": self.written[start:end], "confidence": confidence})


class Speller:
    """Repairs the words of messages that neither the catalog, nor English, nor the grammar knows.

    Example: `Speller(lexicon).respell(read_text("lether boots undr 50"))` holds "leather boots under 50".
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._repair = WordRepair(lexicon)

    def respell(self, text: Text) -> Respelled | None:
        """Return the message with its misspelt words repaired, None when there is nothing to repair."""
        edits = self._joined(text)
        unknown = [token for token in text.tokens if not self._repair.stands(token.text)]
        if unknown and len(unknown) <= _MOST_UNKNOWN:
            repaired = self._repaired(text, unknown)
            if not _foreign(len(unknown) - len(repaired), len(repaired), len(text.tokens)):
                edits += repaired
        if not edits:
            return None
        kept: list[Edit] = []
        for edit in sorted(edits):
            if not kept or edit.start >= kept[-1].end:
                kept.append(edit)
        return Respelled(text.raw, _apply(text.raw, kept), tuple(kept))

    def _repaired(self, text: Text, unknown: list[Token]) -> list[Edit]:
        edits = []
        capitals_tell = _capitals_tell(text)
        for token in unknown:
            wrote = text.raw[token.start : token.end]
            if not self._is_word(wrote) or text.low.startswith(_CUT, token.end) or _in_address(text.low, token):
                continue
            named = capitals_tell and _is_name(text.low, token.start, wrote)
            meant = self._repair.meant(token.text, name=named)
            if len(meant) == 2 and len(token.text) == len(wrote):
                edits.append(Edit(token.start + len(meant[0]), token.start + len(meant[0]), " "))
            elif meant:
                edits.append(Edit(token.start, token.end, _cased(" ".join(meant), wrote)))
        return edits

    def _is_word(self, wrote: str) -> bool:
        """Return whether a word is written as words are: letters of one case but for the first.

        "t-shrit" is such a word, "x-blue" a seller's code.
        """
        letters = wrote
        if wrote[1:2] == "-":
            letters = wrote[2:]
            if self._repair.stands(letters.lower()):
                return False
        return letters.isascii() and letters.isalpha() and (letters[1:].islower() or letters.isupper())

    def _joined(self, text: Text) -> list[Edit]:
        """Return what takes out a space inside a word: "san dals", and "women s" where an apostrophe was lost."""
        edits = []
        for first, second in pairwise(text.tokens):
            if not _PLAIN_GAP.fullmatch(text.low, first.end, second.start):
                continue
            single = second.text == "s"
            # A capital S is a size ("Shirt Red S").
            lost = single and text.raw[second.start] == "s" and self._is_owner(first.text)
            if lost or (not single and self._is_one(first.text, second.text)):
                edits.append(Edit(first.end, second.start, ""))
        return edits

    def _is_owner(self, word: str) -> bool:
        """Return whether a word with an s behind it names people or a maker ("women s", "levi s")."""
        readings = self._lexicon.readings((word + "s",))
        return bool(readings) and readings[0].key in _OWNERS and len(word) >= LEAST_PART and not _is_grammar(word)

    def _is_one(self, first: str, second: str) -> bool:
        """Return whether two neighbours are one word that names something which they apart do not name."""
        both = self._lexicon.readings((first + second,))
        if not both or len(first) < LEAST_PART or any(map(_is_grammar, (first, second))):
            return False
        named = [bool(self._lexicon.readings(words)) for words in ((first, second), (first,), (second,))]
        kind = both[0].key == "category" and both[0].share >= SURE_SHARE
        return kind and len(second) >= LEAST_PART and not named[0] and not all(named[1:])


def _is_grammar(word: str) -> bool:
    return word in conversation_words() or word in attribute_names()


def _foreign(unknown: int, repaired: int, words: int) -> bool:
    return words >= _FOREIGN_WORDS and unknown > max(repaired, _FOREIGN_SHARE * words)


def _apply(raw: str, edits: list[Edit]) -> str:
    pieces, at = [], 0
    for edit in edits:
        pieces += [raw[at : edit.start], edit.text]
        at = edit.end
    return "".join([*pieces, raw[at:]])


def _in_address(low: str, token: Token) -> bool:
    """Return whether a token is part of a link, a mail address, a handle or a file name."""
    start, end = low.rfind(" ", 0, token.start) + 1, low.find(" ", token.end)
    piece = low[start : end if end >= 0 else len(low)]
    return (
        any(mark in piece for mark in load_table("spelling")["address"]["marks"]) or _DOTTED.search(piece) is not None
    )


def _is_name(low: str, at: int, wrote: str) -> bool:
    """Return whether a word is written like a name or a code; a long one all in capitals is emphasis."""
    if not wrote[0].isupper() or (wrote.isupper() and len(wrote) >= _EMPHASIS):
        return False
    return _SENTENCE_START.search(low[max(0, at - 8) : at]) is None


def _capitals_tell(text: Text) -> bool:
    """Return whether capitals mark names: some word of the message, not its first, begins with a small letter."""
    return any(text.raw[word.start].islower() for word in text.words[1:])


def _cased(word: str, like: str) -> str:
    if like.isupper() and len(like) > 1:
        return word.upper()
    return word.capitalize() if like[0].isupper() else word
