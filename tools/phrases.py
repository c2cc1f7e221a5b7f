"""Loads the phrase tables of `tools/data` and compiles them.

A phrase is a regular expression in which a space stands for any white space or a comma-free gap, and an
apostrophe may be missing ("dont" for "don't"). Tables are read once per process.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from functools import cache
from importlib import resources
from typing import Any

from tools.expressions import Expressions

ORDINAL_NUMBER = r"(?:#|no\.? ?|number |option |item )"


@cache
def load_table(name: str) -> dict[str, Any]:
    """Return the parsed table `tools/data/<name>.toml`; raises `FileNotFoundError` for an unknown name."""
    text = resources.files("tools").joinpath("data", f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def pattern_of(phrases: Iterable[str]) -> str:
    """Return the alternation of phrases, longest first, as regular-expression source without word limits.

    Longest first so that "don't want any" wins over "don't want"; the length is that of the source text.
    """
    return "(?:" + "|".join(_loosen(phrase) for phrase in _ordered(phrases)) + ")"


def compile_phrases(
    phrases: Iterable[str], *, before: str = "", after: str = "", fill: Callable[[str], str] = str
) -> Expressions:
    """Return one pattern of phrases that matches whole words, with extra source `before` and `after` it.

    `fill` replaces what stands in braces in a phrase.
    """
    return spoken_phrases(phrases, before=rf"{before}(?<!\w)", after=rf"(?!\w){after}", fill=fill)


def spoken_phrases(
    phrases: Iterable[str], *, before: str = "", after: str = "", fill: Callable[[str], str] = str
) -> Expressions:
    """Return one pattern of phrases, longest first, with nothing but the sources `before` and `after` around it."""
    return Expressions(
        _ordered(phrases, fill),
        before=before,
        after=after,
        outline=_loosen,
        write=lambda phrase: _loosen(fill(phrase)),
    )


def _ordered(phrases: Iterable[str], fill: Callable[[str], str] = str) -> list[str]:
    return sorted(dict.fromkeys(phrases), key=lambda phrase: (-len(fill(phrase)), fill(phrase)))


def _loosen(phrase: str) -> str:
    return phrase.replace("'", "'?").replace(" ", r"\s+")


@cache
def word_set(table: str, *keys: str) -> frozenset[str]:
    """Return the words of white-space separated lists of a table, as a set."""
    data = load_table(table)
    return frozenset(word for key in keys for word in str(data[key]).split())


@cache
def conversation_words() -> frozenset[str]:
    """Return the words that carry a conversation and are no evidence for a product."""
    return word_set("conversation", "function", "attribute", "request", "social")


def is_spoken(word: str) -> bool:
    """Return whether a lower-case word, whole or before its apostrophe ("what's"), is a conversation word."""
    return word.replace("'", "") in conversation_words() or ("'" in word and word.split("'")[0] in conversation_words())


@cache
def attribute_names() -> dict[str, tuple[str, str | None]]:
    """Return every name of an attribute (lower case) with the attribute and finer name that it means.

    Example: `attribute_names()["neckline"] == ("style", "neck")`.
    """
    names: dict[str, tuple[str, str | None]] = {}
    for key, aliases in load_table("attributes")["names"].items():
        attribute, _, detail = key.partition(".")
        for alias in aliases:
            names[alias] = (attribute, detail or None)
    return names


@cache
def spoken_attribute_pattern() -> str:
    """Return the source of a pattern for the attribute names that may be used in speech."""
    form_only = set(load_table("attributes")["form_only"]["names"])
    return pattern_of(re.escape(name) if "(" in name else name for name in attribute_names() if name not in form_only)


def attribute_named(name: str) -> tuple[str, str | None] | None:
    """Return the attribute and finer name that a written name means, None when it names none."""
    return attribute_names().get(" ".join(name.lower().replace("_", " ").split()))
