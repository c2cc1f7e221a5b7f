from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.understanding.folding import fold_value
from evals.understanding.labels import GoldFact
from evals.understanding.matching import Matched, match_facts, spans_of
from graph.events import Fact


def gold(attribute: str, value: Any, span: str = "", *, op: str | None = None, negative: bool = False) -> GoldFact:
    polarity = "negative" if negative else "positive"
    return GoldFact(attribute=attribute, value=value, span=span, op=op, polarity=polarity)


def said(text: str, attribute: str, value: Any, span: str = "", *, negative: bool = False, **more: Any) -> Fact:
    start = text.find(span) if span else -1
    place = (start, start + len(span)) if start >= 0 else None
    polarity = "negative" if negative else "positive"
    return Fact(attribute=attribute, value=value, span=place, text=span, polarity=polarity, **more)  # type: ignore[arg-type]


def counts(found: Matched) -> tuple[int, int, int]:
    return len(found.pairs), len(found.missed), len(found.extra)


TEXT = "a ruffled cape for hiking, not wool, under 40 dollars, teal or plum"


@pytest.mark.parametrize(
    ("label", "fact", "same"),
    [
        (gold("color", "Teal", "teal"), said(TEXT, "color", "teal"), True),
        (gold("category", "capes", "cape"), said(TEXT, "category", "cape"), True),
        (gold("category", "cloak", "cape"), said(TEXT, "category", "capes", "ruffled cape"), True),
        (gold("category", "cloak", "cape"), said(TEXT, "category", "shawl", "ruffled"), False),
        (gold("color", "teal", "teal"), said(TEXT, "brand", "teal", "teal"), False),
        (gold("material", "wool", "wool", negative=True), said(TEXT, "material", "wool", "wool"), False),
        (gold("material", "wool", "wool", negative=True), said(TEXT, "material", "wool", negative=True), True),
        (gold("closure", "ruffle", "ruffled"), said(TEXT, "style", "ruffled", "ruffled", detail="pattern"), True),
        (gold("occasion", "hike", "hiking"), said(TEXT, "use_case", "hiking", "hiking"), True),
        (gold("theme", "plum", "plum"), said(TEXT, "feature", "plum"), True),
        (gold("min_rating", 4, op=">="), said(TEXT, "rating", 4.0, op="ge"), True),
        (gold("budget", "$40", op="<"), said(TEXT, "budget", 40.0, op="le"), True),
        (gold("budget", "40", op="<="), said(TEXT, "budget", 40.0, op="ge"), False),
        (gold("budget", "40", op="<="), said(TEXT, "budget", 45.0, op="le"), False),
        (gold("budget", "low", "under 40", op="="), said(TEXT, "budget", 45.0, "40 dollars", op="le"), True),
        (gold("budget", "1,000-1,500", op="between"), said(TEXT, "budget", [1000.0, 1500.0], op="between"), True),
        (gold("size", "8.5 wide"), said(TEXT, "size", "8 5 wide"), False),
    ],
)
def test_attribute_and_polarity_are_strict_and_values_lenient(label: GoldFact, fact: Fact, same: bool) -> None:
    assert counts(match_facts(TEXT, [label], [fact])) == ((1, 0, 0) if same else (0, 1, 1))


def test_a_fact_is_used_once() -> None:
    label, fact = gold("color", "teal", "teal"), said(TEXT, "color", "teal", "teal")
    assert counts(match_facts(TEXT, [label, label], [fact])) == (1, 1, 0)
    assert counts(match_facts(TEXT, [label], [fact, fact.model_copy()])) == (1, 0, 1)


def test_a_choice_may_stand_for_each_of_its_values() -> None:
    labels = [gold("color", value, value, op="or") for value in ("teal", "plum")]
    choice = said(TEXT, "color", ["teal", "plum"], "teal or plum", op="one_of")
    assert counts(match_facts(TEXT, labels, [choice])) == (2, 0, 0)
    assert counts(match_facts(TEXT, labels[:1], [choice])) == (1, 0, 0)
    assert counts(match_facts(TEXT, [gold("color", "red")], [choice])) == (0, 1, 1)


def test_an_activity_inside_a_product_type_is_not_counted() -> None:
    text = "hiking socks for sailing"
    label = gold("category", "hiking socks", "hiking socks")
    kind = said(text, "category", "hiking socks", "hiking socks")
    assert counts(match_facts(text, [label], [kind, said(text, "use_case", "hiking", "hiking")])) == (1, 0, 0)
    assert counts(match_facts(text, [label], [kind, said(text, "use_case", "sailing", "sailing")])) == (1, 0, 1)


def test_a_label_gives_way_when_it_fits_elsewhere() -> None:
    text = "long blue blue coat"
    wide = said(text, "color", "navy", "long blue")
    exact = said(text, "color", "blue")
    assert counts(match_facts(text, [gold("color", "blue", "long blue"), gold("color", "blue")], [exact, wide])) == (
        2,
        0,
        0,
    )


words = st.sampled_from(["teal", "plum", "rust", "sage"])


@given(st.lists(words, max_size=4), st.lists(words, max_size=4))
def test_as_many_pairs_as_can_be(labelled: list[str], read: list[str]) -> None:
    found = match_facts("", [gold("color", w) for w in labelled], [said("", "color", w) for w in read])
    padded = read + [""] * len(labelled)
    best = max(
        sum(a == b for a, b in zip(labelled, order, strict=False)) for order in permutations(padded, len(labelled))
    )
    assert counts(found) == (best, len(labelled) - best, len(read) - best)


@pytest.mark.parametrize(
    ("span", "places"),
    [("men", [(14, 17)]), ("women", [(0, 5)]), ("om", [(1, 3)]), ("", []), ("cape", [])],
)
def test_words_are_looked_for_whole_before_parts_of_words(span: str, places: list[tuple[int, int]]) -> None:
    assert spans_of("women's, also MEN", span) == places


@pytest.mark.parametrize("same", [("V-Neck", "v neck", "vnecks"), ("Levi's", "levis"), ("dress", "dresses", "DRESS")])
def test_spellings_of_one_value(same: tuple[str, ...]) -> None:
    assert len({fold_value(value) for value in same}) == 1
    assert fold_value("8.5") != fold_value("85")
