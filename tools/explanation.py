"""Why a product is shown: each fact's verdict, with the field and the words that decide it."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from catalog.brands import brand_text
from catalog.constraint import Verdict
from catalog.search import Ids, ProductIndex
from catalog.text import fold
from graph.events import Fact
from tools.spans import Found, ProductText, number_of

DESCRIBED_LENGTH = 32
"""Characters of a value in a sentence: replies are stored with the conversation, every turn anew."""

_PRICE_LEVELS = {
    "lowest": "the lowest price",
    "low": "a low price",
    "high": "a high price",
    "highest": "the highest price",
}

Evidences = list[dict[str, Any]]

MOST_FOUND = 20_000
"""Places of words that are kept for a catalog: some 8 MB, and a conversation shows the same products again."""

_FOUND: WeakKeyDictionary[ProductIndex, dict[tuple[Any, ...], Found | None]] = WeakKeyDictionary()

VERDICT_NAMES: dict[int, str] = {
    Verdict.SATISFIED: "satisfied",
    Verdict.VIOLATED: "violated",
    Verdict.UNKNOWN: "unknown",
}


def evidence_of(index: ProductIndex, ids: Ids, facts: list[Fact], relaxed: list[dict[str, Any]]) -> list[Evidences]:
    """Return for each product one row a fact: attribute, op, value, polarity, verdict, fact and, where found, words.

    `field` and `words` say what decides the verdict, `span` is their `[start, end)` in characters of
    `tools.spans.field_text` of the field. What is satisfied always has them; what is violated has what the product
    says instead, what is unknown has a mention in passing, if any.

    Example row: `{"attribute": "color", "op": "eq", "value": "navy", "polarity": "positive", "verdict": "satisfied",
    "fact": "color navy", "field": "title", "words": "Navy", "span": [8, 12]}`.
    """
    given_up = {(row["attribute"], str(row["value"])) for row in relaxed}
    rows: list[Evidences] = [[] for _ in ids]
    texts = [_LazyText(index, int(row)) for row in ids]
    for fact in facts:
        common: dict[str, Any] = {
            "attribute": fact.detail or fact.attribute,
            "op": fact.op,
            "value": fact.value,
            "polarity": fact.polarity,
        }
        words = describe(fact)
        wish = (fact.facet_key, fact.polarity, fact.values or fact.numbers)
        gave_way = (fact.attribute, str(fact.value)) in given_up
        for place, verdict in enumerate(index.judge(fact, ids).tolist()):
            name = "relaxed" if gave_way and verdict == Verdict.VIOLATED else VERDICT_NAMES[verdict]
            row = {**common, "verdict": name, "fact": words}
            found = texts[place].found(fact, (verdict, *wish))
            if found is not None:
                row["field"], row["words"], row["span"] = found.field, found.words, [*found.span]
            rows[place].append(row)
    return rows


class _LazyText:
    """The text of a product, read only for what was not looked for before."""

    def __init__(self, index: ProductIndex, row: int) -> None:
        self._index = index
        self._row = row
        self._text: ProductText | None = None
        kept = _FOUND.get(index)
        if kept is None or len(kept) > MOST_FOUND:
            kept = _FOUND[index] = {}
        self._kept = kept

    def found(self, fact: Fact, judged: tuple[Any, ...]) -> Found | None:
        """Return the words that decide a verdict, None where nothing does; `judged` is the verdict and what was."""
        key = (self._row, *judged)
        if key not in self._kept:
            if self._text is None:
                self._text = ProductText(self._index.products([self._row])[0])
            self._kept[key] = _deciding(self._text, fact, judged[0])
        return self._kept[key]


def _deciding(text: ProductText, fact: Fact, verdict: int) -> Found | None:
    if fact.numbers and fact.attribute != "quantity":
        return number_of(text.product, fact)
    key = fact.facet_key
    wanted = [fold(value).strip() for value in fact.values]
    stated = text.product.facets.get(key, ())
    if verdict == Verdict.UNKNOWN:
        return next((found for value in wanted if (found := text.passing(value))), None)
    if fact.numbers or (verdict == Verdict.SATISFIED) != (fact.polarity == "positive"):
        # Other values decide: what is stated rules the wanted one out, or the excluded one.
        wanted = list(stated) or [brand_text(text.product.store or "")]
    else:
        wanted.sort(key=lambda value: value not in stated)
    return next((found for value in wanted if (found := text.value(key, value))), None)


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
