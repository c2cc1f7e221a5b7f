"""Alternatives tried one by one find what the compiled alternation finds."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tools.expressions import Expressions, expression
from tools.move_phrases import pattern
from tools.phrases import compile_phrases, load_table

ALTERNATIVES = ["not the red one", "red one", "the red", "red", r"(?:deep|dark)[ -]red", "on", r"\d+ ones?", "x?"]
TEXTS = st.lists(st.sampled_from(["not", "the", "red", "one", "ones", "dark", "deep", "3", "-", "on", "x"]), max_size=9)


def spans(pattern: Expressions | re.Pattern[str], text: str) -> list[tuple[int, int]]:
    return [match.span() for match in pattern.finditer(text)]


@given(words=TEXTS, start=st.integers(0, 6), size=st.integers(0, 20))
def test_alternatives_find_what_the_alternation_finds(words: list[str], start: int, size: int) -> None:
    text = " ".join(words)
    ours = Expressions(ALTERNATIVES[:-1], before=r"(?<!\w)", after=r"(?!\w)")
    whole = re.compile(ours.pattern)
    assert spans(ours, text) == spans(whole, text)
    for name in ("search", "match", "fullmatch"):
        one = getattr(ours, name)(text, start, start + size)
        other = getattr(whole, name)(text, start, start + size)
        assert (one and one.group()) == (other and other.group())
        assert (one and one.span()) == (other and other.span())


def test_an_alternative_that_matches_nothing_at_all_ends_a_search() -> None:
    assert spans(Expressions(["x?"]), "ax") == [(0, 0), (1, 2), (2, 2)]


def test_the_first_alternative_wins_at_one_place() -> None:
    found = Expressions(["navy", "navy coat"]).search("a navy coat")
    assert found is not None and found.group() == "navy"


def test_groups_are_those_of_the_alternative_that_matched() -> None:
    found = expression(r"size (?P<size>\d+)").search("a size 9")
    assert found is not None and found["size"] == "9"


def test_a_part_of_the_latest_text_is_searched_by_itself() -> None:
    ours = Expressions(["red", "coat"])
    assert ours.search("a red coat") is not None
    assert ours.search("a red") is not None
    assert ours.search("coa") is None
    assert not ours.may_match("blue")


def test_expressions_made_later_see_texts_that_were_looked_at_before() -> None:
    assert Expressions(["green"]).search("a green hat")
    assert Expressions(["hat"]).search("a green hat")


def test_phrases_of_every_move_find_what_their_alternation_finds() -> None:
    texts = [
        "forget the color, start over please",
        "I don't care about the brand, anything else?",
        "not the second one. none of these, show me something else",
        "take that back; dont want any of those",
    ]
    for move, table in load_table("moves").items():
        for key in ("phrases", "named", "all", "last"):
            if key in table:
                ours = pattern(move, key)
                whole = re.compile(ours.pattern)
                assert [spans(ours, text.lower()) for text in texts] == [spans(whole, text.lower()) for text in texts]


def test_longer_phrases_are_tried_before_shorter_ones() -> None:
    found = compile_phrases(["don't want", "don't want any"]).search("i dont want any")
    assert found is not None and found.group() == "dont want any"
