"""Why a product is shown: each fact's verdict, with the field and the words that decide it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from catalog.constraint import Verdict
from catalog.product import Product
from catalog.search import Ids, ProductIndex
from catalog.text import tokens
from graph.events import Fact

DESCRIBED_LENGTH = 32
"""Characters of a value in a sentence: replies are stored with the conversation, every turn anew."""

QUOTED_WORDS = 5
"""Words of a long value that are looked for: they say where it stands, and more cost 11 ms an answer."""

_PRICE_LEVELS = {
    "lowest": "the lowest price",
    "low": "a low price",
    "high": "a high price",
    "highest": "the highest price",
}

Evidences = list[dict[str, Any]]

VERDICT_NAMES = {Verdict.SATISFIED: "satisfied", Verdict.VIOLATED: "violated", Verdict.UNKNOWN: "unknown"}


def evidence_of(index: ProductIndex, ids: Ids, facts: list[Fact], relaxed: list[dict[str, Any]]) -> list[Evidences]:
    """Return for each product one row a fact: attribute, op, value, polarity, verdict, and `field`/`words` where found.

    Example row: `{"attribute": "color", "value": "navy", "verdict": "satisfied", "field": "title", "words": "Navy"}`.
    """
    given_up = {(row["attribute"], str(row["value"])) for row in relaxed}
    verdicts = [index.judge(fact, ids) for fact in facts]
    rows: list[Evidences] = []
    for place, product in enumerate(index.products(ids)):
        rows.append(
            [
                _row(product, fact, Verdict(int(of[place])), (fact.attribute, str(fact.value)) in given_up)
                for fact, of in zip(facts, verdicts, strict=True)
            ]
        )
    return rows


def unconfirmed(facts: list[Fact], rows: list[Evidences]) -> list[str]:
    """Return, in words, the wishes that no shown product is known to meet; `rows` come from `evidence_of`.

    Wishes are what was required, and the kind of product. What was given up is said elsewhere.
    """
    wished = [
        fact.polarity == "positive"
        and fact.source != "profile"
        and (fact.strength == "hard" or fact.attribute == "category")
        for fact in facts
    ]
    met = [any(of[place]["verdict"] in ("satisfied", "relaxed") for of in rows) for place in range(len(facts))]
    return [describe(fact) for fact, wish, known in zip(facts, wished, met, strict=True) if rows and wish and not known]


def describe(fact: Fact) -> str:
    """Return a fact in a shopper's words: `color navy`, `not leather`, `under $50`."""
    value = _number_words(fact) if fact.numbers else ", ".join(fact.values)
    if fact.scope is not None:
        return f"{describe(fact.model_copy(update={'scope': None}))} for {fact.scope}"
    if fact.attribute == "budget" and not fact.numbers:
        value = _PRICE_LEVELS.get(value, value)
        return f"not {value}" if fact.polarity == "negative" else value
    if len(value) > DESCRIBED_LENGTH:
        value = value[: DESCRIBED_LENGTH - 3].rstrip() + "..."
    named = not fact.numbers and fact.op != "contains"
    text = f"{fact.facet_key.replace('_', ' ')} {value}" if named else value
    return f"not {text}" if fact.polarity == "negative" else text


def _number_words(fact: Fact) -> str:
    amounts = [f"${n:,.2f}".removesuffix(".00") if fact.attribute == "budget" else f"{n:g}" for n in fact.numbers]
    frames = {
        "lt": "under {0}",
        "le": "at most {0}",
        "gt": "over {0}",
        "ge": "at least {0}",
        "around": "around {0}",
        "between": "{0} to {1}",
    }
    text = frames.get(fact.op, "{0}").format(*amounts)
    return text if fact.attribute == "budget" else f"{fact.attribute.replace('_', ' ')} {text}"


def _row(product: Product, fact: Fact, verdict: Verdict, relaxed: bool) -> dict[str, Any]:
    row: dict[str, Any] = {
        "attribute": fact.detail or fact.attribute,
        "op": fact.op,
        "value": fact.value,
        "polarity": fact.polarity,
        "verdict": "relaxed" if relaxed and verdict == Verdict.VIOLATED else VERDICT_NAMES[verdict],
        "fact": describe(fact),
    }
    found = _numeric_field(product, fact) if fact.numbers else _where(product, fact)
    if found is not None:
        row["field"], row["words"] = found
    return row


def _numeric_field(product: Product, fact: Fact) -> tuple[str, str] | None:
    held = {
        "budget": ("price", None if product.price is None else f"${product.price:,.2f}"),
        "rating": ("average_rating", None if product.average_rating is None else f"{product.average_rating:g}"),
        "review_count": ("rating_number", None if product.rating_number is None else f"{product.rating_number:,}"),
    }
    field, words = held.get(fact.attribute, ("", None))
    return None if words is None else (field, words)


def _where(product: Product, fact: Fact) -> tuple[str, str] | None:
    """Find the first field whose text holds the words of a value, and quote them."""
    for value in fact.values:
        pattern = _pattern(value)
        for field, text in _fields(product):
            if pattern is not None and (match := pattern.search(text)):
                return field, match.group(0)[:120]
        for key, values in product.facets.items():
            if key == fact.facet_key and value in values:
                return "derived", ", ".join(v for v in values if v != value) or value
    return None


@lru_cache(maxsize=4096)
def _pattern(value: str) -> re.Pattern[str] | None:
    """Return a pattern for the first words of a value, however they are joined; None when it has none."""
    wanted = tokens(value)[:QUOTED_WORDS]
    return re.compile(r"[\W_]*".join(_loose(word) for word in wanted), re.IGNORECASE) if wanted else None


def _loose(word: str) -> str:
    """Match a word with an apostrophe or hyphen anywhere inside it, at word boundaries."""
    return r"(?<!\w)" + "['’\\-]?".join(re.escape(letter) for letter in word) + r"(?!\w)"


def _fields(product: Product) -> Iterator[tuple[str, str]]:
    yield "title", product.title
    for key, value in product.details.items():
        yield f"details.{key}", value
    for number, feature in enumerate(product.features, 1):
        yield f"features[{number}]", feature
    yield "categories", " > ".join(product.categories)
    yield "store", product.store or ""
    for text in product.description:
        yield "description", text
