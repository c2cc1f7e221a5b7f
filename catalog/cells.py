"""Reading one cell: clean text, stripped HTML, repaired encodings, lists and tables written as text.

Nothing here knows of columns or products: a cell comes in as text or as a JSON value and leaves as clean
text, a list of texts, or pairs of name and value.
"""

from __future__ import annotations

import ast
import html
import json
import re
import tomllib
import unicodedata
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from importlib.resources import files

import ftfy
import orjson

_TABLE = tomllib.loads(files("catalog").joinpath("data/cells.toml").read_text(encoding="utf-8"))
_BLANK: frozenset[str] = frozenset(_TABLE["blank"]["words"])
_MOJIBAKE: dict[str, str] = _TABLE["mojibake"]

_PLAIN = re.compile(r"[ -%'-;=-~]*")  # printable ASCII without & and <
_SURROGATES = re.compile("[\ud800-\udfff]")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffb]")
# Joiners carry meaning in emoji and in Arabic and Indic scripts; after a Latin letter they are debris.
_JOINERS = re.compile("(?<![\u0300-\U0010ffff])[\u200c\u200d]")
# Mojibake is never one foreign character alone; looking for two first spares most texts 5 ms of ftfy's own test.
_TWO_FOREIGN = re.compile(r"[^\x00-\x7f]{2}|Ã[ ]")
_LINES = re.compile(r"[\n\r\x0b\x0c\x85\u2028\u2029]+")
_ENTITY = re.compile(
    r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});|&(?:amp|nbsp|quot|lt|gt)(?![A-Za-z0-9=;])"
)
_COMMENT = re.compile(r"<!--.*?-->|<!\[CDATA\[|\]\]>|<!doctype[^>]*>", re.IGNORECASE | re.DOTALL)
_DROPPED = re.compile(
    rf"<({'|'.join(_TABLE['html']['dropped'])})\b[^<>]*>.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL
)
_BLOCK = re.compile(rf"</?(?:{'|'.join(_TABLE['html']['block'])})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_INLINE = re.compile(
    rf"</?(?:{'|'.join(_TABLE['html']['inline'] + _TABLE['html']['dropped'])})(?:\s[^<>]*)?/?>"
    r"|</?[a-z][\w:]*-[\w:-]*(?:\s[^<>]*)?/?>|<[a-z]\w*(?:\s+[\w:-]+=(?:\"[^\"]*\"|'[^']*'))+\s*/?>",
    re.IGNORECASE,
)
_GLUED = re.compile(r"[.!?](?<=[a-z]{2}[.!?])(?=[A-Z][a-z])")
_BULLETS = re.compile(r"\s*\|\s*|(?:^|\s)[•●▪■◆►➤✔✓✅]\ufe0f?(?=\s|\w)")
_NUMPY_GAP = re.compile(r"""['"]\s+['"]""")
_QUOTED = re.compile(r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\"""")

MAX_CELL = 1_000_000
"""A text is cut to this many characters before it is cleaned, so that a 20 MB description costs little."""

MAX_LIST = 1_000
"""Items of a list that are looked at."""

_ENTITY_ROUNDS = 4
_LONGEST_BLANK = max(map(len, _BLANK))
_MAX_LITERAL = 2_000_000
_NAME_KEYS = ("name", "key", "label", "attribute", "attribute_name", "title")
_VALUE_KEYS = ("value", "values", "val", "text", "attribute_value")


def is_blank(text: str) -> bool:
    """Return whether a cell says nothing: empty, a dash, `N/A`, `null`, `nan` and their like."""
    bare = text.strip()
    return len(bare) <= _LONGEST_BLANK and bare.casefold() in _BLANK


def clean_text(text: str) -> str:
    """Return `text` as one line of clean text.

    HTML is stripped, entities (also doubly encoded ones) are decoded, mojibake is repaired, and NUL, lone
    surrogates, zero-width characters and repeated blanks are removed. Clean text comes back unchanged.

    Example: `clean_text("Black &amp;amp; Decker<br>drill")` is `"Black & Decker drill"`.
    """
    if "  " not in text and _PLAIN.fullmatch(text):
        return text.strip()
    return " ".join(paragraphs(text))


_LONGEST_KEPT = 120


@lru_cache(maxsize=65_536)
def _short_text(text: str) -> str:
    """Return a short cell as clean text, empty for a blank; shops repeat most (names, bullets, "Imported")."""
    cleaned = clean_text(text)
    return "" if is_blank(cleaned) else cleaned


def paragraphs(text: str) -> list[str]:
    """Return the clean, non-empty lines of `text`; a block tag such as `<li>` or `<br>` ends a line."""
    text = text[:MAX_CELL]
    if _PLAIN.fullmatch(text):
        return [" ".join(text.split())] if text.strip() else []
    text = _CONTROLS.sub("", _SURROGATES.sub("", text))
    for _ in range(_ENTITY_ROUNDS):
        # Tags before entities: "Jeans &lt; 30 in" must not become a tag; text encoded twice gets its turn.
        decoded = _ENTITY.sub(_unescape, _without_tags(text))
        if decoded == text:
            break
        text = decoded
    if not text.isascii():
        text = _repair(text)
    return [line for part in _LINES.split(text) if (line := " ".join(part.split()))]


def _unescape(entity: re.Match[str]) -> str:
    # NUL and surrogates come back as U+FFFD: nothing is lost with them.
    return _CONTROLS.sub("", html.unescape(entity.group()).replace("\ufffd", ""))


def _without_tags(text: str) -> str:
    if "<" not in text and "]]>" not in text:
        return text
    text = _DROPPED.sub(" ", _COMMENT.sub(" ", text))
    return _INLINE.sub("", _BLOCK.sub("\n", text))


def _repair(text: str) -> str:
    for bad, good in _MOJIBAKE.items():
        text = text.replace(bad, good)
    if _TWO_FOREIGN.search(text):
        text = _SURROGATES.sub("", ftfy.fix_encoding(text))
    text = _INVISIBLE.sub("", text)
    if "\u200c" in text or "\u200d" in text:
        text = _JOINERS.sub("", text)
    return unicodedata.normalize("NFC", text)


def unglued(text: str) -> str:
    """Return prose with the blank put back between glued sentences: `"comfort.Made of"` → `"comfort. Made of"`."""
    return _GLUED.sub(r"\g<0> ", text)


def structured(value: object) -> object:
    """Return the list or table that a text cell holds as JSON or as a Python or numpy repr, else `value` itself."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if len(text) < 2 or (text[0], text[-1]) not in (("[", "]"), ("{", "}")):
        return value
    try:
        return orjson.loads(text)
    except ValueError:
        pass
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _python_literal(text, value)


def _python_literal(text: str, otherwise: str) -> object:
    if len(text) > _MAX_LITERAL:
        return otherwise
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in a cell is no fault of ours
            parsed = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return otherwise
    # numpy prints ['a' 'b'] without commas, which Python reads as one string 'ab'.
    if isinstance(parsed, list) and len(parsed) == 1 and _NUMPY_GAP.search(text):
        return [single or double for single, double in _QUOTED.findall(text)]
    return list(parsed) if isinstance(parsed, (tuple, set)) else parsed


def as_text(value: object) -> str:
    """Return any cell value as one line of clean text; blanks, None and NaN give the empty string."""
    if isinstance(value, str):
        if len(value) <= _LONGEST_KEPT:
            return _short_text(value)
        text = clean_text(value)
        return "" if is_blank(text) else text
    if value is None or value != value:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {text}" for name, text in as_pairs(value))
    if isinstance(value, (list, tuple)):
        return ", ".join(text for item in value[:MAX_LIST] if (text := as_text(item)))
    return clean_text(str(value))


def as_texts(value: object, *, bullets: bool = False) -> list[str]:
    """Return a cell as a list of clean texts.

    A list (also one written as text) gives its items; text gives its paragraphs, which `bullets` also
    cuts at `|` and bullet signs.
    """
    value = structured(value)
    if isinstance(value, (list, tuple)):
        items = [name_of(item) if isinstance(item, Mapping) else as_text(item) for item in value[:MAX_LIST]]
        return [item for item in items if item]
    if not isinstance(value, str):
        return [text] if (text := as_text(value)) else []
    parts = _BULLETS.split(value) if bullets else [value]
    return [line for part in parts if part for line in paragraphs(part) if not is_blank(line)]


def name_of(table: Mapping[str, object]) -> str:
    """Return the text of a table that stands for one thing: its name, else its value, else all of it."""
    for key in (*_NAME_KEYS, *_VALUE_KEYS):
        if text := as_text(table.get(key)):
            return text
    return as_text(table)


def as_pairs(value: object) -> Iterator[tuple[str, str]]:
    """Yield name and value of a table cell.

    Read are tables, lists of `{name, value}` (as shops write attributes), and `"name: value | name: value"`.

    Example: `[{"name": "Color", "value": "Navy"}]` yields `("Color", "Navy")`.
    """
    value = structured(value)
    if isinstance(value, Mapping):
        yield from _clean_pairs(value.items())
    elif isinstance(value, (list, tuple)):
        for item in value:
            if isinstance(item, Mapping):
                yield from _named_pair(item)
            elif isinstance(item, str):
                yield from _written_pairs(item)
    elif isinstance(value, str):
        yield from _written_pairs(value)


def _clean_pairs(pairs: Iterable[tuple[object, object]]) -> Iterator[tuple[str, str]]:
    for name, value in pairs:
        label, text = _clean_name(str(name)), as_text(structured(value))
        if label and text:
            yield label, text


@lru_cache(maxsize=4096)
def _clean_name(name: str) -> str:
    return as_text(name)


def _named_pair(table: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    lowered = {str(key).casefold(): value for key, value in table.items()}
    name = next((lowered[key] for key in _NAME_KEYS if key in lowered), None)
    value = next((lowered[key] for key in _VALUE_KEYS if key in lowered), None)
    yield from _clean_pairs(table.items() if name is None or value is None else [(name, value)])


def _written_pairs(text: str) -> Iterator[tuple[str, str]]:
    for line in as_texts(text, bullets=True):
        name, colon, value = line.partition(":")
        if colon and len(name) <= 60:
            yield from _clean_pairs([(name, value)])
