from __future__ import annotations

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.text import compounds, compounds_sql, fold, fold_sql, token_spans, tokens, tokens_of, tokens_sql
from catalog.vocabulary import TABLES, spelled_surfaces

PIECES = st.sampled_from(
    [
        *("t-shirt", "Tee Shirts", "V neck", "levi’s", "women's", "10.5", "32x34", "W32", "s-xl", "A-line", "H&M"),
        *(
            "J.Crew",
            "é",
            "ß",
            "æ",
            "İ",
            "Σ",
            "赤い",
            "ドレス",
            "가각",
            "Ω",
            "👟",
            "क",
            "م",
            "'",
            "’",
            "-",
            ".",
            " ",
            "  ",
            "\n",
        ),
        *("x", "t", "7", "12-pack", "80's", "6'x8'", "no\u0301", "％", "\u200b", "teeshirt"),
    ]
)
TEXTS = st.lists(PIECES, max_size=12).map("".join) | st.text(
    st.characters(min_codepoint=1, max_codepoint=0xFFFD, exclude_categories=("Cs", "Cn")), max_size=30
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Women's V-Neck T-Shirt, 10.5 oz", ("womens", "vneck", "tshirt", "10.5", "oz")),
        ("LEVI’S levis levi's", ("levis", "levis", "levis")),
        ("T SHIRT tee shirts tshirt t-shirt", ("tshirt", "tshirts", "tshirt", "tshirt")),
        ("501 2XL 32x34 W32", ("501", "2xl", "32x34", "w32")),
        ("size S-XL", ("size", "s", "xl")),
        ("long-sleeve", ("long", "sleeve")),
        ("Café Größe", ("cafe", "grosse")),
        ("a shirtless wrestler", ("a", "shirtless", "wrestler")),
        ("boys' kids' 80's", ("boys", "kids", "80s")),
        ("version 1.5. Next", ("version", "1.5", "next")),
        ("??? !!! 👟 ' -- %", ()),
        ("", ()),
    ],
)
def test_words_keep_numerals_sizes_and_brands(text: str, expected: tuple[str, ...]) -> None:
    assert tokens(text) == expected


def test_a_word_inside_a_run_of_cjk_characters_shares_its_bigrams() -> None:
    assert set(tokens("ドレス")[1:-1]) <= set(tokens("赤いドレス"))
    assert tokens("Tシャツ")[0] == "t"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("long-sleeve crew-neck", ("longsleeve", "crewneck")),
        ("H&M and J.Crew", ("hm", "jcrew")),
        ("a shirt.The next", ()),
        ("12-pack", ("12pack",)),
    ],
)
def test_hyphenated_words_have_a_joined_form(text: str, expected: tuple[str, ...]) -> None:
    assert compounds(text) == expected


def test_places_point_into_the_text_as_written() -> None:
    text = "Ein Größe-T-Shirt für die Levi’s"
    assert [text[token.start : token.end] for token in token_spans(text)] == [
        *("Ein", "Größe", "T-Shirt", "für", "die", "Levi’s"),
    ]


def test_marks_after_the_last_letter_belong_to_the_word() -> None:
    text = "cafe\u0301 noir"
    assert [text[token.start : token.end] for token in token_spans(text)] == ["cafe\u0301", "noir"]


@given(TEXTS)
def test_spans_and_tokens_are_one_cut(text: str) -> None:
    spans = token_spans(text)
    assert tuple(token.text for token in spans) == tokens(text)
    assert all(0 <= token.start < token.end <= len(text) for token in spans)


@given(TEXTS)
def test_case_and_accents_never_matter(text: str) -> None:
    assert tokens(fold(text)) == tokens(text)


def test_the_engine_cuts_as_python_does() -> None:
    connection = duckdb.connect()

    @given(st.lists(TEXTS, min_size=1, max_size=20))
    def equal(texts: list[str]) -> None:
        folded = f"SELECT {fold_sql('x')} AS f FROM (SELECT unnest($1::VARCHAR[]) AS x)"
        sql = f"SELECT f, {tokens_sql('f')}, {compounds_sql('f')} FROM ({folded})"
        rows = connection.execute(sql, [texts]).fetchall()
        for text, (folded, cut, joined) in zip(texts, rows, strict=True):
            assert (folded, tuple(cut), tuple(joined)) == (fold(text), tokens(text), compounds(text))

    equal()


def test_surfaces_of_the_vocabulary_are_cut_as_any_text():
    surfaces = [surface for table in TABLES for surface in spelled_surfaces(table)]
    assert [tokens_of(surface) for surface in surfaces] == [tokens(" ".join(surface)) for surface in surfaces]
    assert tokens_of(("tee", "shirt")) == ("tshirt",)
    assert tokens_of(("wool", "coat")) == ("wool", "coat")
