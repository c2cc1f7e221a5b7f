"""Where a product says something."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.product import Product
from tools.spans import LONGEST_QUOTE, ProductText, field_text

BOOT = Product(
    parent_asin="BOOT",
    title="Ladies’ Waterproof Boots, pack of 9.5 – Größe 38",
    features=("Keeps free of wrinkles", "Men's sizes S to XL", "A 9 inch shaft"),
    details={"Size": "9", "Care": "Hand-wash", "Shoe Size": "XX-Large"},
    categories=("Shoes", "Boots"),
    store="Visit the HALVOR Store",
    description=("Soft.", "Ten years of warranty"),
    price=1234.5,
    average_rating=4.0,
    rating_number=1200,
    facets={"size": ("9", "2xl"), "mood": ("odd one", "other one"), "brand": ("halvor",)},
)
TEXT = ProductText(BOOT)


@pytest.mark.parametrize(
    ("key", "value", "field", "words"),
    [
        ("size", "9", "details.Size", "9"),
        ("size", "2xl", "details.Size", "9"),
        ("size", "xl", "features[2]", "XL"),
        ("size", "s", "features[2]", "S"),
        ("department", "women", "title", "Ladies"),
        ("category", "boots", "title", "Boots"),
        ("feature", "hand wash", "details.Care", "Hand-wash"),
        ("feature", "wrinkle free", "features[1]", "free of wrinkles"),
        ("brand", "halvor", "store", "Visit the HALVOR Store"),
        ("mood", "other one", "facets.mood", "other one"),
        ("feature", "ten years of warranty and then some more", "description[2]", "Ten years of warranty"),
        ("feature", "größe 38", "title", "Größe 38"),
    ],
)
def test_the_words_of_a_value_are_found_where_they_stand(key: str, value: str, field: str, words: str) -> None:
    found = TEXT.value(key, value)
    assert found is not None
    assert (found.field, found.words) == (field, words)
    assert field_text(BOOT, field)[slice(*found.span)] == words


@pytest.mark.parametrize("value", ["5", "men", "ease", "!?", ""])
def test_a_part_of_a_word_or_a_number_is_no_mention(value: str) -> None:
    assert TEXT.mention(value) is None
    assert TEXT.passing(value) is None


@pytest.mark.parametrize(("value", "words"), [("mens", "Men's"), ("hand wash", "Hand-wash"), ("soft", "Soft")])
def test_a_mention_in_passing_may_be_spelt_otherwise(value: str, words: str) -> None:
    found = TEXT.passing(value)
    assert found is not None
    assert found.words == words


def test_what_is_not_said_is_not_found() -> None:
    assert TEXT.value("color", "purple") is None


@pytest.mark.parametrize(
    ("field", "text"),
    [("price", "$1,234.50"), ("average_rating", "4"), ("rating_number", "1,200"), ("categories", "Shoes > Boots")],
)
def test_numbers_and_lists_have_a_text(field: str, text: str) -> None:
    assert field_text(BOOT, field) == text
    assert field_text(BOOT, "facets.size") == "9, 2xl"
    with pytest.raises(KeyError):
        field_text(BOOT, "details.none")


WORDS = st.lists(
    st.sampled_from(
        ["navy", "Blue", "T-shirt", "don't", "soft", "Größe", "ＡＢ", "10.5", "é", "ß", "İ", "’", "-", ",", "red"]
    ),
    max_size=8,
)


@given(title=WORDS, value=WORDS, feature=st.text(max_size=30))
def test_a_span_is_always_the_words(title: list[str], value: list[str], feature: str) -> None:
    product = Product(parent_asin="A", title=" ".join(title), features=(feature,))
    text = ProductText(product)
    for wanted in (" ".join(value).lower(), feature.lower()):
        for found in (text.mention(wanted), text.value("color", wanted)):
            if found is not None:
                assert field_text(product, found.field)[slice(*found.span)] == found.words
                assert 0 < len(found.words) <= LONGEST_QUOTE
