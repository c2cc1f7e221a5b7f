"""What somebody has already describes itself; only what is sought is a wish."""

from __future__ import annotations

import pytest

from tests.unit.tools.lexicons import brief, held, read


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("something to match my brown belt", []),
        ("a belt to go with my blue jeans", ["category=belts"]),
        ("I already have black boots, need brown", ["category=boots", "color=brown"]),
        ("she has lots of blue ones already", []),
        ("he wore a red shirt, I want white", ["color=white"]),
        ("my color is red", ["color=red"]),
        ("in my size, red boots", ["color=red", "category=boots"]),
        ("boots for my red-haired sister", ["category=boots"]),
    ],
)
def test_what_is_owned_is_no_wish(text, facts):
    assert sorted(fact.split("|")[0] for fact in brief(read(text)) if "department" not in fact) == sorted(facts)


def test_what_somebody_wears_does_not_switch_what_is_sought():
    reading = read("I'm wearing a navy hoodie", belief=held("category=boots"))
    assert reading.facts == []
    assert "replace" not in reading.acts
