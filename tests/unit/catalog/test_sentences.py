"""Sentences of products and where they stand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from catalog.product import Product
from catalog.sentences import MOST_SENTENCES, field_text, product_sentences

TENT = Product(
    parent_asin="T1",
    title="Ridge tent for two",
    features=("Poles of aluminium.  Packs small", "4.5 x 2 m"),
    description=("Pitches in ten minutes! Sleeps two.\nStays dry, e.g. in a storm.",),
    details={"Colour": "Sea green", "Size": "12"},
)


def test_title_features_details_and_sentences_of_the_description() -> None:
    assert [(sentence.field, sentence.text) for sentence in product_sentences(TENT)] == [
        ("title", "Ridge tent for two"),
        ("features.0", "Poles of aluminium.  Packs small"),
        ("details.Colour", "Colour: Sea green"),
        ("details.Size", "Size: 12"),
        ("description.0", "Pitches in ten minutes!"),
        ("description.0", "Sleeps two."),
        ("description.0", "Stays dry, e.g. in a storm."),
    ]


def test_a_product_has_no_more_than_the_most_and_keeps_its_title() -> None:
    long = Product(parent_asin="L", title="Rope", features=tuple(f"Strand number {n} of hemp" for n in range(40)))
    found = product_sentences(long)
    assert len(found) == MOST_SENTENCES
    assert found[0].text == "Rope"


def test_what_is_said_twice_counts_once_at_its_first_place() -> None:
    twice = Product(parent_asin="W", title="Hemp rope", features=("Hemp Rope", "Floats"), description=("floats",))
    assert [sentence.field for sentence in product_sentences(twice)] == ["title", "features.1"]


def test_a_title_without_letters_is_a_sentence_all_the_same() -> None:
    assert product_sentences(Product(parent_asin="N", title="501"))[0] == ("title", 0, 3, "501")


texts = st.text(st.sampled_from("ab . !?\n•é日"), max_size=40)


@given(texts, st.lists(texts, max_size=4), st.lists(texts, max_size=3), st.dictionaries(texts, texts, max_size=3))
def test_spans_point_at_the_text(
    title: str, features: list[str], description: list[str], details: dict[str, str]
) -> None:
    product = Product(
        parent_asin="P", title=title, features=tuple(features), description=tuple(description), details=details
    )
    for sentence in product_sentences(product):
        assert field_text(product, sentence.field)[sentence.start : sentence.end] == sentence.text
