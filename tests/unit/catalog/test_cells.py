"""Cells: clean text, HTML, entities, encodings, and tables written as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.cells import as_pairs, as_text, as_texts, clean_text, is_blank, paragraphs, structured, unglued


@pytest.mark.parametrize(
    ("written", "clean"),
    [
        ("  Wool   coat ", "Wool coat"),
        ("Finch &amp;amp; Daughters kettle", "Finch & Daughters kettle"),
        ("Finch &amp;amp;amp; Daughters", "Finch & Daughters"),
        ("Waist &lt; 30 in", "Waist < 30 in"),
        ("Waist < 30 in and > 20 in", "Waist < 30 in and > 20 in"),
        ("Men&#39;s belt, men&#x27;s boot", "Men's belt, men's boot"),
        ("Finch &amp Son, R&D, a=1&copy=2", "Finch & Son, R&D, a=1&copy=2"),
        ("<p>Soft<br/>cotton</p><b>tee</b>", "Soft cotton tee"),
        ("soft<b>est</b> cotton", "softest cotton"),
        ('<div class="a">One</div><x-card>two</x-card>', "One two"),
        ("Tee <script>alert('x')</script>blue", "Tee blue"),
        ("Tee &lt;script&gt;alert(1)&lt;/script&gt;blue", "Tee blue"),
        ("<style>.a{color:red}</style>Dress", "Dress"),
        ("<!-- hidden -->Dress", "Dress"),
        ("I <3 tea", "I <3 tea"),
        ("cafÃ© crÃ¨me", "café crème"),
        ("donâ€™t", "don’t"),
        ("don¡¯t", "don’t"),
        ("zero\u200bwidth\ufeff soft\u00adhyphen", "zerowidth softhyphen"),
        ("nul\x00 and bell\x07", "nul and bell"),
        ("lone \ud83d surrogate", "lone surrogate"),
        ("no\u00a0break\u2003space", "no break space"),
        ("family 👨‍👩‍👧 tee", "family 👨‍👩‍👧 tee"),
        ("e\u0301te\u0301", "été"),
        ("&#0;tee&#xD800;", "tee"),
    ],
)
def test_clean_text(written: str, clean: str) -> None:
    assert clean_text(written) == clean


@given(st.text())
def test_clean_text_leaves_nothing_to_clean(text: str) -> None:
    clean = clean_text(text)
    clean.encode("utf-8")
    assert "\x00" not in clean
    assert clean == " ".join(clean.split())


def test_blocks_end_lines_and_inline_tags_do_not() -> None:
    html = "<h2>Care</h2><ul><li>Machine <i>wash</i></li><li>Dry flat</li></ul>\nSecond line"
    assert paragraphs(html) == ["Care", "Machine wash", "Dry flat", "Second line"]


def test_a_long_cell_of_broken_html_is_read_in_reasonable_steps() -> None:
    assert clean_text("<" * 100_000) == "<" * 100_000
    assert clean_text("<script" * 20_000)
    assert len(clean_text("<b " * 50_000)) > 0


@pytest.mark.parametrize("cell", ["", " ", "-", "N/A", "null", "NaN", "None", "n/a ", "[]", "{}"])
def test_cells_that_say_nothing(cell: str) -> None:
    assert is_blank(cell)
    assert as_text(cell) == ""


@pytest.mark.parametrize("cell", ["0", "No", "Nan's kitchen", "nullah stone"])
def test_cells_that_say_something(cell: str) -> None:
    assert as_text(cell) == cell


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""), (float("nan"), ""), (12, "12"), (12.0, "12"), (12.5, "12.5"), (True, "True"),
        (["a", None, "b"], "a, b"), ({"width": 15.1, "depth": 2}, "width 15.1, depth 2"),
    ],
)  # fmt: skip
def test_any_value_has_a_text(value: object, text: str) -> None:
    assert as_text(value) == text


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ('["a", "b"]', ["a", "b"]),
        ("['it\\'s', \"b\"]", ["it's", "b"]),
        ("['a' 'b'\n 'c']", ["a", "b", "c"]),
        ("['one only']", ["one only"]),
        ("('a', 'b')", "('a', 'b')"),
        ("{'Colour': 'Navy', 'n': None}", {"Colour": "Navy", "n": None}),
        ('{"n": NaN}', None),
        ("[not a list]", "[not a list]"),
        ("{a, b}", "{a, b}"),
        ("[" * 5_000 + "]" * 5_000, "[" * 5_000 + "]" * 5_000),
        ("plain", "plain"),
        (7, 7),
    ],
)
def test_lists_and_tables_written_as_text(cell: object, value: object) -> None:
    found = structured(cell)
    if value is None:
        assert isinstance(found, dict)
    else:
        assert found == value


def test_texts_are_cut_at_bullets_only_where_asked() -> None:
    cell = "Machine wash | Imported | 60% cotton"
    assert as_texts(cell, bullets=True) == ["Machine wash", "Imported", "60% cotton"]
    assert as_texts(cell) == [cell]
    assert as_texts("• Warm\n• Light", bullets=True) == ["Warm", "Light"]
    assert as_texts([{"name": "Shoes", "url": "https://x"}, "Boots"]) == ["Shoes", "Boots"]


@pytest.mark.parametrize(
    "cell",
    [
        [{"name": "Color", "value": "Navy"}, {"name": "Fit", "value": ["slim", "tall"]}],
        '[{"name": "Color", "value": "Navy"}, {"Name": "Fit", "Value": "slim, tall"}]',
        {"Color": "Navy", "Fit": "slim, tall"},
        "{'Color': 'Navy', 'Fit': ['slim', 'tall'], 'Empty': None}",
        "Color: Navy | Fit: slim, tall | no colon here",
        "Color: Navy\nFit: slim, tall",
    ],
)
def test_pairs_carry_the_value_not_the_label(cell: object) -> None:
    assert dict(as_pairs(cell)) == {"Color": "Navy", "Fit": "slim, tall"}


def test_glued_sentences_come_apart_and_names_do_not() -> None:
    assert unglued("Made for comfort.Wash cold.Imported") == "Made for comfort. Wash cold. Imported"
    assert unglued("size 3.5 by St.John, iPhone") == "size 3.5 by St.John, iPhone"
