"""The tokenizer: one definition of a word, run by DuckDB at build and by Python on what a shopper writes.

The stock full-text tokenizer drops digits, splits `v-neck` and takes 571 words (new, on, under, s, m, l)
for stopwords; here numerals, sizes and every word stay. Both sides fold the text (lower case, marks removed) and cut it
with the same pattern; `tests/unit/catalog/test_text.py` holds them equal over generated text.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple


class Token(NamedTuple):
    """A normalised word and its place, `[start, end)` in characters of the text it was cut from."""

    text: str
    start: int
    end: int


_TABLE = tomllib.loads(files("catalog").joinpath("data/spellings.toml").read_text(encoding="utf-8"))
_JOINED: dict[str, list[str]] = _TABLE["joined"]
_FOLDED: dict[str, str] = _TABLE["folded"]

# Ranges are written out because the two engines disagree on the Unicode version behind \w and \p{L}.
_WORD = "a-z0-9À-ÖØ-öø-ɏɐ-ʯͰ-ͽΆΈ-ҁ҄-՘ՠ-ֈא-׿ؠ-٩ٮ-ۓە-॥०-๎๐-๙ກ-῿"
_CJK = "〆々ぁ-ゖァ-ヺーㄅ-ㄯ㐀-䶿一-鿿가-힣豈-﫿ｦ-ﾟ𠀀-𿿽"
_HEADS = "".join(sorted(set("abcdefghijklmnopqrstuvwxyz") - set(_TABLE["letters"]["sizes"])))


def _phrase_pattern() -> str:
    phrases = sorted((phrase for group in _JOINED.values() for phrase in group), key=len, reverse=True)
    return "|".join(phrase.replace(" ", "[ -]+") + r"s?\b" for phrase in phrases)


_PIECE = f"[{_WORD}]+(?:'+[a-z][{_WORD}]*)*"
_NUMERAL = r"[0-9]+(?:\.[0-9]+)+[a-z]*"
_LETTER_WORD = rf"[{_HEADS}]-[a-z][a-z]+"
_TOKEN = f"{_NUMERAL}|{_phrase_pattern()}|{_LETTER_WORD}|{_PIECE}"
_COMPOUND = rf"{_PIECE}(?:[-&]+{_PIECE})+|\b[a-z](?:\.[a-z]+)+"
_SPLIT_FORMS = {"".join(phrase.split()): word for word, group in _JOINED.items() for phrase in group}
_RESPELLED = {form: word for form, word in _SPLIT_FORMS.items() if form != word}
_BEGINNINGS = frozenset(phrase.split()[0] for phrases in _JOINED.values() for phrase in phrases)
_DROPPED = "'- &."

# Marks that older Python versions do not know as such (the engine does).
_LATER_MARKS = frozenset("\u0cf3\u0ece")

_token_pattern = re.compile(f"{_TOKEN}|[{_CJK}]+", re.ASCII)
# A word is tried from its first letter only: from each letter anew, one word of 4,000 letters took 0.7 s.
_compound_pattern = re.compile(rf"(?<![{_WORD}]){_PIECE}(?:[-&]+{_PIECE})+|\b[a-z](?:\.[a-z]+)+", re.ASCII)
_cjk_pattern = re.compile(f"[{_CJK}]")
_respelled_pattern = re.compile("|".join(map(re.escape, _RESPELLED)))
_FIRST_CJK = _CJK[0]
_cluster_pattern = re.compile("[\uac00-\ud7a3\u1100-\u11ff]*[\u1100-\u11ff]+|.", re.DOTALL)


@lru_cache(maxsize=65_536)
def _fold_cluster(cluster: str) -> str:
    bare = "".join(
        char
        for char in unicodedata.normalize("NFD", cluster)
        if unicodedata.category(char)[0] != "M" and char not in _LATER_MARKS
    )
    lowered = (char.lower() for char in unicodedata.normalize("NFC", bare))
    return "".join(_FOLDED.get(char, char) for char in lowered)


def _fold_with_places(text: str) -> tuple[str, list[int] | None]:
    """Return the folded text and, for each of its characters, the place in `text` (None: the same place)."""
    if text.isascii():
        return text.lower().replace("`", "'"), None
    pieces: list[str] = []
    places: list[int] = []
    for match in _cluster_pattern.finditer(text):
        folded = _fold_cluster(match.group())
        pieces.append(folded)
        places.extend([match.start()] * len(folded))
    places.append(len(text))
    return "".join(pieces), places


def fold(text: str) -> str:
    """Return `text` in lower case without accents: the form in which facet values are compared."""
    return _fold_with_places(text)[0]


def _bare(raw: str) -> str:
    """Return a matched piece as a token: without inner apostrophes, hyphens and spaces, in its agreed spelling."""
    numeral = raw[0].isdigit() and "." in raw
    return _respelled(raw if numeral or raw.isalnum() else _joined(raw))


def _joined(raw: str) -> str:
    return "".join(char for char in raw if char not in _DROPPED)


def _respelled(word: str) -> str:
    for form, agreed in _RESPELLED.items():
        word = word.replace(form, agreed)
    return word


def _cjk_cuts(run: str) -> list[tuple[int, int]]:
    """Cut a run of CJK characters into its first character, its bigrams and its last character."""
    last = len(run) - 1
    return [(0, 1), *((at, at + 2) for at in range(last)), (last, last + 1)]


def token_spans(text: str) -> list[Token]:
    """Cut `text` into tokens with their places.

    A run of Chinese, Japanese or Korean characters yields its first character, its bigrams and its last
    character, so that a word inside a longer run is found.

    Example: `token_spans("Levi’s t-shirt")` is `[Token("levis", 0, 6), Token("tshirt", 7, 14)]`.
    """
    folded, places = _fold_with_places(text)
    found: list[Token] = []
    for match in _token_pattern.finditer(folded):
        raw, start, end = match[0], match.start(), match.end()
        if raw[0] >= _FIRST_CJK and _cjk_pattern.match(raw):
            found.extend(Token(raw[a:b], start + a, start + b) for a, b in _cjk_cuts(raw))
        else:
            found.append(Token(_bare(raw), start, end))
    return found if places is None else [_placed(token, places) for token in found]


def _placed(token: Token, places: list[int]) -> Token:
    """Move a token of the folded text to its place in the text itself; marks after its last letter belong to it."""
    return Token(token.text, places[token.start], max(places[token.end - 1] + 1, places[token.end]))


@lru_cache(maxsize=16_384)
def tokens(text: str) -> tuple[str, ...]:
    """Return the tokens of `text` in order, as the index, the lexicon and the statements know them.

    Example: `tokens("Women's V-Neck T-Shirt, 10.5 oz")` is `("womens", "vneck", "tshirt", "10.5", "oz")`.
    """
    found: list[str] = []
    for raw in _token_pattern.findall(fold(text)):
        if raw[0] >= _FIRST_CJK and _cjk_pattern.match(raw):
            found.extend(raw[a:b] for a, b in _cjk_cuts(raw))
        else:
            found.append(_bare(raw))
    return tuple(found)


def tokens_of(words: Sequence[str]) -> tuple[str, ...]:
    """Return `tokens(" ".join(words))` for words as `catalog.vocabulary.words` cuts them.

    Cutting again what is cut already took a fifth of the first turn: of 19,000 surfaces, 30 are cut otherwise.
    """
    letters = "".join(words)  # a form that stands across two words is cut again too, and comes out the same
    plain = letters.isascii() and letters.isalnum() and _BEGINNINGS.isdisjoint(words)
    return tuple(words) if plain and not _respelled_pattern.search(letters) else tokens(" ".join(words))


def compounds(text: str) -> tuple[str, ...]:
    """Return the joined forms of hyphenated and dotted words: `long-sleeve` gives `longsleeve`, `J.Crew` `jcrew`.

    They are indexed beside the parts, so that each spelling finds the others.
    """
    return tuple(_joined(match.group()) for match in _compound_pattern.finditer(fold(text)))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def fold_sql(expression: str) -> str:
    """Return the SQL expression that folds a VARCHAR expression as `fold` does.

    Most texts are ASCII, of as many bytes as characters; they skip everything that concerns accents: .17 s for 150,000
    strings, with it .57.
    """
    sql = f"lower(strip_accents({expression}))"
    for char, spelling in _FOLDED.items():
        if len(spelling) > 1:
            sql = f"replace({sql}, {_quoted(char)}, {_quoted(spelling)})"
    single = {char: spelling for char, spelling in _FOLDED.items() if len(spelling) == 1}
    full = f"translate({sql}, {_quoted(''.join(single))}, {_quoted(''.join(single.values()))})"
    plain = f"lower({expression})"
    for char in filter(str.isascii, single):
        plain = f"replace({plain}, {_quoted(char)}, {_quoted(single[char])})"
    return f"CASE WHEN {_ascii_sql(expression)} THEN {plain} ELSE {full} END"


def _ascii_sql(expression: str) -> str:
    return f"strlen({expression}) = length({expression})"


def tokens_sql(folded: str) -> str:
    """Return the SQL expression that cuts a folded VARCHAR expression into VARCHAR[] as `tokens` does.

    Separators are dropped from all tokens of a text at once, which is several times as fast as one call a
    token; the dot of a numeral survives because only numerals hold one.
    """
    doubled = rf"regexp_replace({folded}, '([{_CJK}])', '\1 \1', 'g')"
    pattern = _quoted(f"{_TOKEN}|[{_CJK}][{_CJK}]?")
    spaced = f"CASE WHEN {_ascii_sql(folded)} THEN {folded} ELSE {doubled} END"
    sql = f"array_to_string(regexp_extract_all({spaced}, {pattern}), chr(31))"
    for sign in "'- ":
        sql = f"replace({sql}, {_quoted(sign)}, '')"
    for form, word in _RESPELLED.items():
        sql = f"replace({sql}, {_quoted(form)}, {_quoted(word)})"
    return _split_sql(sql)


def compounds_sql(folded: str) -> str:
    """Return the SQL expression that lists the joined forms of a folded VARCHAR expression as `compounds` does."""
    found = f"regexp_extract_all({folded}, {_quoted(_COMPOUND)})"
    return _split_sql(f"translate(array_to_string({found}, chr(31)), '''-&.', '')")


def _split_sql(joined: str) -> str:
    """Return the SQL expression of the words that chr(31) parts; named once, `joined` is computed once."""
    return f"coalesce(string_split(nullif({joined}, ''), chr(31)), []::VARCHAR[])"
