"""The notation of the one-line cases (`tests/notation.py`): what passes as read, and what does not."""

from __future__ import annotations

from typing import Any

import pytest

from graph.events import Fact
from tests.notation import differences, expected, forbidden


def fact(attribute: str, value: Any, op: str = "eq", **more: Any) -> Fact:
    return Fact(attribute=attribute, op=op, value=value, **more)  # type: ignore[arg-type]


TEAL = fact("color", "teal")
CHOICE = fact("color", ["teal", "plum"], "one_of")
RANGE = fact("budget", [20.0, 30.0], "between")
NO_WOOL = fact("material", "wool", polarity="negative")
VEE = fact("style", "v-neck", detail="neck")


@pytest.mark.parametrize(
    ("wanted", "read"),
    [
        (["color=Teal"], [TEAL]),
        (["color=teal"], [TEAL, TEAL]),
        (["color=teal|plum"], [CHOICE]),
        (["color=teal,plum"], [TEAL, fact("color", "plum")]),
        (["budget..30,20"], [RANGE]),
        (["budget..20,30"], [fact("budget", 20.0, "ge"), fact("budget", 30.0, "le")]),
        (["budget>20", "budget<=30"], [RANGE]),
        (["budget<50"], [fact("budget", 50.0, "le")]),
        (["-material=wool"], [NO_WOOL]),
        (["neck=vneck"], [VEE]),
        (["sleeve=v neck"], [VEE]),
        (["use_case=wedding"], [fact("use_case", "weddings", detail="occasion")]),
        (["category=boots"], [fact("category", "ankle boots")]),
        (["feature*keeps the rain off"], [fact("feature", "rain proof")]),
        (["size=XXL"], [fact("size", "2xl")]),
        (["size=34W x 30L"], [fact("size", "34x30")]),
        ([["color=plum", "color=teal"]], [TEAL]),
        (["color=plum|color=teal"], [TEAL]),
        (["color=teal soft"], [fact("color", "teal", strength="soft")]),
        (["color=teal"], [fact("color", "teal", strength="soft")]),
        (["color=grey"], [fact("color", "gray", text="grey")]),
        ([], []),
    ],
)
def test_read_as_expected(wanted: list[Any], read: list[Fact]) -> None:
    assert list(differences([expected(item) for item in wanted], [], read)) == []


@pytest.mark.parametrize(
    ("wanted", "read", "faults"),
    [
        (["color=plum"], [TEAL], ["missing: color=plum", "not expected: color=teal"]),
        (["color=teal"], [], ["missing: color=teal"]),
        ([], [TEAL], ["not expected: color=teal"]),
        (["color=teal"], [CHOICE], ["not expected: color=plum"]),
        (["color=teal|plum"], [TEAL], ["missing: color=teal|plum"]),
        (["brand=teal"], [TEAL], ["missing: brand=teal", "not expected: color=teal"]),
        (["material=wool"], [NO_WOOL], ["missing: material=wool", "not expected: -material=wool"]),
        (["budget<=50"], [fact("budget", 50.0, "ge")], ["missing: budget<=50", "not expected: budget>=50"]),
        (["budget<=50"], [fact("budget", 50.0, "around")], ["missing: budget<=50", "not expected: budget~50"]),
        (["budget..20,30"], [fact("budget", 30.0, "le")], ["missing: budget..20,30"]),
        (["size=8"], [fact("size", "8.5")], ["missing: size=8", "not expected: size=8.5"]),
        (["size=8.5 wide"], [fact("size", "8.5")], ["missing: size=8.5 wide", "not expected: size=8.5"]),
        (["color=teal soft"], [TEAL], ["missing: color=teal soft", "not expected: color=teal"]),
        ([["color=plum", "color=rust"]], [], ["missing: color=plum or color=rust"]),
    ],
)
def test_read_otherwise(wanted: list[Any], read: list[Fact], faults: list[str]) -> None:
    assert list(differences([expected(item) for item in wanted], [], read)) == faults


@pytest.mark.parametrize(
    ("item", "allowed"), [("color", True), ("color=teal", True), ("color=plum", False), ("brand", False)]
)
def test_what_may_be_read_besides(item: str, allowed: bool) -> None:
    assert (list(differences([], [expected(item)], [TEAL])) == []) is allowed


@pytest.mark.parametrize(
    ("item", "read", "broken"),
    [
        ("color", [TEAL], True),
        ("-color", [TEAL], False),
        ("style", [VEE], True),
        ("sleeve", [VEE], False),
        ("color=teal", [TEAL], True),
        ("category=boots", [fact("category", "ankle boots")], False),
        ("color=gray", [fact("color", "silver", text="gray")], False),
        ("-material=wool", [NO_WOOL], True),
        ("budget<=50", [fact("budget", 50.0, "ge")], False),
    ],
)
def test_what_must_not_be_read(item: str, read: list[Fact], broken: bool) -> None:
    assert forbidden(expected(item), read) is broken


def test_text_that_is_no_fact() -> None:
    with pytest.raises(ValueError, match="'a teal cape' is no fact"):
        expected("a teal cape")
