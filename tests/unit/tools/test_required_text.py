"""What a text must hold for an expression to match is never told too strictly."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.required_text import required_text


@pytest.mark.parametrize(
    ("source", "required"),
    [
        (r"take\s+back", {"take"}),
        ("(?:please |now )?forget", {"forget"}),
        ("colou?r", {"colo"}),
        ("(?:cheap|cheaper|low) prices?", {" price"}),
        ("(?:tan|beige)(?:ish)?", {"tan", "beige"}),
        ("ab+c", {"ab"}),
        ("x{0,3}yz", {"yz"}),
        ("x{2}", {"x"}),
        (r"\d+\.\d\d", {"."}),
        ("(?<!not )ripe(?! tomatoes)", {"ripe"}),
        ("{attribute} is fine", {" is fine"}),
        ("(?P<size>large)", {"large"}),
    ],
)
def test_a_match_holds_one_of_the_required_texts(source: str, required: set[str]) -> None:
    assert required_text(source) == required


@pytest.mark.parametrize(
    "source", ["", "[abc]", "x*", "(?:red|)", r"\w+", "(?:red|.)", r"(a)\1", "a|b?", r"\u0041b", "(?i)red", "(red"]
)
def test_nothing_is_told_where_nothing_is_sure(source: str) -> None:
    assert required_text(source) == frozenset()


PIECES = st.recursive(
    st.sampled_from(["a", "b", "ab", r"\s", "[ab]", ".", r"\."]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})"),
        st.tuples(inner, st.sampled_from(["?", "*", "+", "{2}", "{0,1}", "+?"])).map(lambda p: f"(?:{p[0]}){p[1]}"),
        inner.map(lambda part: f"(?={part})"),
    ),
    max_leaves=8,
)


@given(source=PIECES, text=st.text("ab .", max_size=8))
def test_every_match_of_any_expression_holds_a_required_text(source: str, text: str) -> None:
    required = required_text(source)
    if required and re.search(source, text):
        assert any(part in text for part in required)
