"""From one source row to one staged row: typed, clean, bounded, not yet merged with others of its id."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from itertools import accumulate
from typing import Any

import orjson

from catalog.cells import as_pairs, as_text, as_texts, name_of, structured, unglued
from catalog.columns import Columns
from catalog.money import Money, currency_code, parse_price
from catalog.numbers import parse_count, parse_rating

MAX_ID, MAX_TITLE, MAX_TEXT, MAX_DETAIL, MAX_NAME = 200, 1_000, 10_000, 2_000, 100
"""Longest id (a longer one rejects the row), title, text item, detail value and detail name, in characters."""

MAX_ITEMS = 100
"""Most features, paragraphs, details, categories or choices of one option that a product keeps."""

MAX_FIELD = 100_000
"""Most characters of all features, or of all paragraphs, together: what holds a staged row under 8 MB."""

_PATH = re.compile(r"\s*(?:>|›|»|→|\||\s/\s)\s*")
_CHOICES = re.compile(r"\s*[|;,]\s*")
_STORE = re.compile(r"(?:visit the (?P<shop>.+) store|brand:\s*(?P<brand>.+))", re.IGNORECASE)
_URL = re.compile(r"(?:https?:)?//\S+")
_DEFAULT_CHOICE = "default title"


@dataclass(slots=True)
class Offer:
    """A price of a row: of the product, or of its variant `name`."""

    amount: float
    high: float | None = None
    currency: str = ""
    name: str = ""


@dataclass(slots=True)
class StagedRow:
    """A row between import and merging. `derived` marks an `id` made from the row's content."""

    source: int
    line: int
    id: str
    title: str = ""
    derived: bool = False
    features: list[str] = field(default_factory=list)
    description: list[str] = field(default_factory=list)
    offers: list[Offer] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)
    details: dict[str, str] = field(default_factory=dict)
    options: dict[str, list[str]] = field(default_factory=dict)
    option_names: dict[str, str] = field(default_factory=dict)
    average_rating: float | None = None
    rating_number: int | None = None
    store: str = ""

    @property
    def filled(self) -> int:
        """How many fields hold something."""
        values = (getattr(self, item.name) for item in fields(self)[3:] if item.name != "derived")
        return sum(value is not None and value not in ("", [], {}) for value in values)

    @classmethod
    def loads(cls, text: str | bytes) -> StagedRow:
        """Return the row that `orjson.dumps` wrote."""
        values: dict[str, Any] = orjson.loads(text)
        values["offers"] = [Offer(**offer) for offer in values["offers"]]
        return cls(**values)


class RowReader:
    """Turns the rows of one source into staged rows, counting every repair in `notes`."""

    def __init__(self, source: int, notes: Counter[str]) -> None:
        self._source = source
        self._notes = notes

    def read(self, line: int, values: Mapping[str, object], plan: Columns) -> StagedRow:
        """Return the staged row of `values`; its id is derived where the row states none."""
        cells = _Cells(values, plan, self._notes)
        row = StagedRow(self._source, line, "" if plan.hash_ids else cells.id(), cells.title())
        row.features = cells.texts("features", bullets=True)
        row.description = cells.texts("description")
        row.categories = cells.categories()
        row.options, row.option_names = cells.options()
        row.offers = cells.offers()
        row.details = cells.details()
        row.average_rating, row.rating_number = cells.ratings()
        row.store = cells.store()
        if not row.id:
            row.id, row.derived = content_id(row), True
        return row


def content_id(row: StagedRow) -> str:
    """Return an id made from what the row says, not from where it stands: the same row gets the same id."""
    content = [
        row.title,
        row.features,
        row.description,
        row.offers,
        row.categories,
        row.details,
        row.options,
        row.store,
    ]
    return "row-" + hashlib.blake2b(orjson.dumps(content, option=orjson.OPT_SORT_KEYS), digest_size=8).hexdigest()


class _Cells:
    """The cells of one row under a plan."""

    def __init__(self, values: Mapping[str, object], plan: Columns, notes: Counter[str]) -> None:
        self._values = values
        self._plan = plan
        self._notes = notes

    def _get(self, column: str) -> object:
        return structured(self._values.get(column))

    def _cut(self, text: str, limit: int) -> str:
        if len(text) <= limit:
            return text
        self._notes["text cut to the longest that is kept"] += 1
        return text[:limit].rstrip()

    def _candidates(self, name: str) -> Iterator[list[object]]:
        """Yield the cells of a field in order of preference, joined columns together."""
        for columns in self._plan.fields.get(name, ()):
            yield [self._get(column) for column in columns]

    def _text(self, name: str, limit: int) -> str:
        for cells in self._candidates(name):
            if text := " ".join(text for cell in cells if (text := as_text(cell))):
                return self._cut(text, limit)
        return ""

    def id(self) -> str:
        for cells in self._candidates("parent_asin"):
            if all(isinstance(cell, (str, int, float)) and not isinstance(cell, bool) for cell in cells) and (
                text := " ".join(text for cell in cells if (text := as_text(cell)))
            ):
                return text
        return ""

    def title(self) -> str:
        title, subtitle = self._text("title", MAX_TITLE), self._text("subtitle", MAX_TITLE)
        if not subtitle or subtitle.casefold() in title.casefold():
            return title
        return self._cut(f"{title} {subtitle}".strip(), MAX_TITLE)

    def texts(self, name: str, *, bullets: bool = False) -> list[str]:
        for cells in self._candidates(name):
            items = [unglued(item) for cell in cells for item in as_texts(cell, bullets=bullets)]
            if items:
                return self._within_field([self._cut(item, MAX_TEXT) for item in items[:MAX_ITEMS]])
        return []

    def _within_field(self, items: list[str]) -> list[str]:
        kept = [item for item, end in zip(items, accumulate(map(len, items)), strict=True) if end <= MAX_FIELD]
        if len(kept) < len(items):
            self._notes["text cut to the longest that is kept"] += 1
        return kept

    def categories(self) -> list[str]:
        for cells in self._candidates("categories"):
            if path := _distinct(node for cell in cells for node in category_path(cell)):
                return path
        levels = [node for column in self._plan.levels for node in category_path(self._get(column))]
        if not levels:
            return []
        roots = [node for column in self._plan.roots for node in category_path(self._get(column))]
        return _distinct(roots + levels)

    def store(self) -> str:
        text = self._text("store", MAX_NAME)
        if match := _STORE.fullmatch(text):
            return match["shop"] or match["brand"] or text
        return text

    def ratings(self) -> tuple[float | None, int | None]:
        average = count = None
        for cells in self._candidates("average_rating"):
            if isinstance(cells[0], Mapping):  # {"rate": 3.9, "count": 120}
                rating, number = _rating_table(cells[0])
                average, count = self._noted(parse_rating(rating)), self._noted(parse_count(number))
            else:
                average = self._noted(parse_rating(_number_cell(cells[0])))
            if average is not None:
                break
        for cells in self._candidates("rating_number"):
            if count is not None:
                break
            count = self._noted(parse_count(_number_cell(cells[0])))
        if count == 0:
            average = None
        return average, None if count is None else int(count)

    def _noted(self, reading: tuple[float | None, str]) -> float | None:
        value, note = reading
        if note:
            self._notes[note] += 1
        return value

    def offers(self) -> list[Offer]:
        hint = self._currency()
        for cells in self._candidates("variants"):
            found = [
                offer
                for cell in cells
                if isinstance(cell, list)
                for item in cell[:MAX_ITEMS]
                if isinstance(item, Mapping) and (offer := self._offer(item.get("price"), hint, name_of(item)))
            ]
            if found:
                return found
        name = ", ".join(text for _, column in self._plan.shopify if (text := as_text(self._get(column))))
        for cells in self._candidates("price"):
            if offer := self._offer(cells[0], hint, "" if name.casefold() == _DEFAULT_CHOICE else name):
                return [offer]
        return []

    def _offer(self, cell: object, hint: str, name: str) -> Offer | None:
        money: Money = parse_price(cell, hint)
        if money.note:
            self._notes[money.note] += 1
        if money.amount is None:
            return None
        if money.high is not None:
            self._notes["price range, low end taken"] += 1
        return Offer(money.amount, money.high, money.currency, name[:MAX_NAME])

    def _currency(self) -> str:
        stated = currency_code(self._text("currency", MAX_NAME))
        return stated or self._plan.price_currency

    def options(self) -> tuple[dict[str, list[str]], dict[str, str]]:
        found: dict[str, list[str]] = {}
        names: dict[str, str] = {}
        for column, option in self._plan.options:
            cell = self._get(column)
            choices = as_texts(cell) if isinstance(cell, list) else _CHOICES.split(as_text(cell))
            found[option] = _distinct([*found.get(option, []), *(as_text(choice) for choice in choices)])
        for slot, (name_column, value_column) in enumerate(self._plan.shopify):
            if name := as_text(self._get(name_column)):
                names[f"option {slot}"] = name
            if (choice := as_text(self._get(value_column))) and choice.casefold() != _DEFAULT_CHOICE:
                found[f"option {slot}"] = [choice]
        for cells in self._candidates("options"):  # [{"name": "Size", "values": ["S", "M"]}]
            for item in cells[0] if isinstance(cells[0], list) else []:
                if isinstance(item, Mapping) and (name := as_text(item.get("name"))):
                    choices = as_texts(item.get("values"))
                    found[name] = [choice for choice in choices if choice.casefold() != _DEFAULT_CHOICE]
        kept = {
            name[:MAX_NAME]: [choice[:MAX_NAME] for choice in choices[:MAX_ITEMS]]
            for name, choices in found.items()
            if choices
        }
        return kept, names

    def details(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for cells in self._candidates("details"):
            for cell in cells:
                for name, text in as_pairs(cell):
                    found.setdefault(name, text)
        for column, name in self._plan.details:
            if (text := as_text(self._get(column))) and not _URL.match(text):
                found.setdefault(name, text)
        kept = list(found.items())[:MAX_ITEMS]
        return {name[:MAX_NAME]: self._cut(text, MAX_DETAIL) for name, text in kept}


def category_path(cell: object) -> list[str]:
    """Return the nodes of a category cell, root first: a list, tables with names, or text with `>` or `|`.

    Bare numbers (Google's category ids) are no names and are left out.
    """
    cell = structured(cell)
    if isinstance(cell, list) and cell and isinstance(cell[0], list):
        cell = max((path for path in cell if isinstance(path, list)), key=len)
    nodes = as_texts(cell) if isinstance(cell, list) else _PATH.split(as_text(cell))
    return [node[:MAX_NAME] for node in nodes[:MAX_ITEMS] if node and not node.isdigit()]


def _distinct(texts: Iterator[str] | list[str]) -> list[str]:
    return list(dict.fromkeys(text for text in texts if text))[:MAX_ITEMS]


def _number_cell(cell: object) -> object:
    return cell if not isinstance(cell, str) else as_text(cell)


def _rating_table(table: Mapping[str, object]) -> tuple[object, object]:
    rating = next((table[key] for key in ("rate", "average", "value", "stars") if key in table), None)
    return rating, next((table[key] for key in ("count", "total", "number") if key in table), None)
