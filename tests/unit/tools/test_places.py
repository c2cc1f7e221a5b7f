"""Words that are no wish: where a thing stands, and words of the catalog that do another job."""

from __future__ import annotations

import pytest

from tools.mentions import Claims
from tools.places import claim_places
from tools.words import read_text


def claimed(text: str, word: str) -> bool:
    cut = read_text(text)
    claims = Claims(len(cut.low))
    claim_places(cut, claims)
    start = cut.low.index(word)
    return not claims.free(start, start + len(word))


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("the one on the top shelf", "top"),
        ("it comes in nine different shades", "shades"),
        ("shades of moss", "shades"),
        ("suit yourself", "suit"),
        ("it should suit most kids", "suit"),
        ("room in the boot of my car", "boot"),
        ("forty bucks tops", "tops"),
        ("the sole reason", "sole"),
        ("he is a small boy", "small"),
        ("it fits like a glove", "glove"),
    ],
)
def test_a_word_with_another_job_is_claimed(said, word):
    assert claimed(said, word)


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("a pair of shades", "shades"),
        ("cheap slides", "slides"),
        ("a navy suit", "suit"),
        ("a boot for hiking", "boot"),
        ("tops for women", "tops"),
        ("rubber sole", "sole"),
        ("a small dress", "small"),
        ("a tank top", "tank"),
        ("dark shades for driving", "shades"),
        ("a small party dress", "small"),
    ],
)
def test_the_thing_itself_is_free(said, word):
    assert not claimed(said, word)
