"""Which column of a source feeds which field of a product: known names, and the caller's own mapping."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from catalog.errors import ImportFailedError
from catalog.money import currency_code

HASH_ID = "@hash"
"""As the column of `parent_asin`: derive every id from the row's content."""

DETAIL_PREFIX = "details."
"""`details.Colour=farbe` maps a column to one detail."""

_TABLE: dict[str, Any] = tomllib.loads(files("catalog").joinpath("data/columns.toml").read_text(encoding="utf-8"))
_REMARK = re.compile(r"\(([^)]*)\)|\[([^\]]*)\]")
_OPTION = re.compile(r"(option\d)(name|value)")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+(?:\.\d+)?|[^\W\d_]+")


def normal_name(name: str) -> str:
    """Return a column name without case, blanks, signs and bracketed remarks: `"Price (INR)"` → `"price"`."""
    bare = _REMARK.sub(" ", name)
    folded = "".join(letter for letter in bare.casefold() if letter.isalnum())
    return folded or "".join(letter for letter in name.casefold() if letter.isalnum())


def label(name: str) -> str:
    """Return a column name as people read it: `"warrantyInformation"` → `"Warranty Information"`."""
    name = name.strip("\ufeff \t")
    if " " in name:
        return name
    return " ".join(word if word.isupper() else word[:1].upper() + word[1:] for word in _WORDS.findall(name)) or name


def _known(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(normal_name(name) for name in names)


FIELD_NAMES: dict[str, tuple[str, ...]] = {field: _known(names) for field, names in _TABLE["fields"].items()}
_ROOTS, _LEVELS = _known(_TABLE["levels"]["roots"]), _known(_TABLE["levels"]["names"])
_OPTIONS = {name: option for option, names in _TABLE["options"].items() for name in _known(names)}
_IGNORED = frozenset(_known(_TABLE["ignored"]["names"]))
MAPPABLE = tuple(field for field in FIELD_NAMES if field not in ("variants", "options", "subtitle"))
"""Fields that a mapping may name (besides `details.<Label>` and `ignore`)."""


@dataclass(frozen=True)
class Columns:
    """The reading plan for rows with one set of columns.

    `fields` gives each field its columns in order of preference, each entry one or more columns to be
    joined; `details` and `options` pair a column with the label it is kept under; `shopify` pairs the
    column of an option's name with that of its value.
    """

    fields: Mapping[str, tuple[tuple[str, ...], ...]]
    roots: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    details: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    shopify: tuple[tuple[str, str], ...] = ()
    price_currency: str = ""
    hash_ids: bool = False


def read_mapping(mapping: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return a caller's `{field: column}` with columns joined by `+` taken apart; raises `ImportFailedError`."""
    parsed: dict[str, tuple[str, ...]] = {}
    for field, column in mapping.items():
        if field not in MAPPABLE and field != "ignore" and not field.startswith(DETAIL_PREFIX):
            known = ", ".join((*MAPPABLE, DETAIL_PREFIX + "<Label>", "ignore"))
            raise ImportFailedError(f"cannot map {field!r}: there is no such field. Known fields: {known}.")
        if not column.strip():
            raise ImportFailedError(f"the mapping of {field!r} names no column. Write --map {field}=<column>.")
        parsed[field] = (column,) if column == HASH_ID else tuple(part.strip() for part in column.split("+"))
    return parsed


def plan_columns(names: Sequence[str], mapping: Mapping[str, tuple[str, ...]]) -> Columns:
    """Return the reading plan for rows with these column names under a parsed mapping."""
    by_normal: dict[str, str] = {}
    for name in names:
        by_normal.setdefault(normal_name(name), name)
    mapped = {field: found for field, parts in mapping.items() if (found := find_columns(parts, by_normal, names))}
    taken = {column for columns in mapped.values() for column in columns}
    free = {normal: name for normal, name in by_normal.items() if name not in taken}
    fields = _field_columns(mapped, free)
    used = taken | {column for entries in fields.values() for entry in entries for column in entry}
    named = [
        (part, field[len(DETAIL_PREFIX) :])
        for field, parts in mapped.items()
        if field.startswith(DETAIL_PREFIX)
        for part in parts
    ]
    levels = () if "categories" in mapped else _present(_LEVELS, free)
    roots = () if "categories" in mapped else _present(_ROOTS, free)
    options = tuple((name, _OPTIONS[normal]) for normal, name in free.items() if normal in _OPTIONS)
    shopify = _shopify_options(free)
    used |= {*levels, *roots, *(name for name, _ in options), *(name for pair in shopify for name in pair)}
    extras = [(name, label(name)) for normal, name in free.items() if name not in used and normal not in _IGNORED]
    return Columns(
        fields=fields,
        roots=roots,
        levels=levels,
        details=tuple(named + [pair for pair in extras if pair[0].strip("\ufeff \t")]),
        options=options,
        shopify=shopify,
        price_currency=next((code for name in fields.get("price", ()) if (code := _stated_currency(name[0]))), ""),
        hash_ids=mapping.get("parent_asin") == (HASH_ID,),
    )


def find_columns(parts: Sequence[str], by_normal: Mapping[str, str], names: Sequence[str]) -> tuple[str, ...]:
    """Return the source's own spelling of mapped columns; those it lacks are left out."""
    joined = "+".join(parts)
    if joined in names:  # a column whose own name holds a plus sign
        return (joined,)
    found = (part if part in names else by_normal.get(normal_name(part)) for part in parts)
    return tuple(name for name in found if name is not None)


def _field_columns(
    mapped: Mapping[str, tuple[str, ...]], free: Mapping[str, str]
) -> dict[str, tuple[tuple[str, ...], ...]]:
    fields: dict[str, tuple[tuple[str, ...], ...]] = {}
    for field, known in FIELD_NAMES.items():
        if field in mapped:
            fields[field] = (mapped[field],)
        elif found := tuple((free[name],) for name in known if name in free):
            fields[field] = found
    if "title" in mapped:
        fields.pop("subtitle", None)
    return fields


def _present(known: Sequence[str], free: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(free[name] for name in known if name in free)


def _shopify_options(free: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    slots = sorted({match[1] for name in free if (match := _OPTION.fullmatch(name))})
    return tuple(
        (free[slot + "name"], free[slot + "value"])
        for slot in slots
        if slot + "name" in free and slot + "value" in free
    )


def _stated_currency(name: str) -> str:
    """Return the currency that a column's name states: `Price (INR)`, `price_usd`, `Preis €`."""
    remarks = [part for groups in _REMARK.findall(name) for part in groups]
    return next((code for part in (*remarks, *re.split(r"[\s_]+", name)) if (code := currency_code(part))), "")
