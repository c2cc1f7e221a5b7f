"""The lexicon is mined from a catalog: surfaces, counts and shares."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from catalog.indexing import build_index
from catalog.lexicon import Lexicon, LexiconEntry
from catalog.mining import StoredLexicon, attribute_of

ROWS: list[tuple[str, str, dict[str, list[str]]]] = [
    (
        "Nordvik navy dress",
        "Nordvik",
        {"brand": ["nordvik"], "color": ["navy", "blue"], "category": ["dress", "dresses casual"]},
    ),
    ("Blue dress for summer", "Maple Kids", {"brand": ["maple kids"], "color": ["blue"], "category": ["dress"]}),
    ("Blue Ridge poster", "Orange", {"brand": ["orange"], "category": ["poster"]}),
    (
        "Tee in orange, long sleeve, XXL",
        "Orange",
        {"color": ["orange"], "category": ["t-shirt"], "sleeve": ["long sleeve"], "size": ["2xl"]},
    ),
    (
        "Waterproof parka",
        "U.S. Polo Co",
        {"brand": ["u s polo co"], "feature": ["waterproof", "seller remark"], "quantity": ["3"]},
    ),
]


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(tmp_path / "c.duckdb")) as opened:
        opened.execute(
            "CREATE TABLE products(id INTEGER PRIMARY KEY, title VARCHAR, features VARCHAR[], description VARCHAR[], "
            "categories VARCHAR[], details VARCHAR, store VARCHAR, facets VARCHAR)"
        )
        for number, (title, store, facets) in enumerate(ROWS):
            opened.execute(
                "INSERT INTO products VALUES ($1, $2, [], [], [], '{}', $3, $4)",
                [number, title, store, json.dumps(facets)],
            )
        yield opened


@pytest.fixture
def lexicon(connection: duckdb.DuckDBPyConnection) -> StoredLexicon:
    build_index(connection)
    return StoredLexicon(connection)


def readings(lexicon: Lexicon, text: str) -> set[tuple[str, str]]:
    return {(entry.key, entry.value) for entry in lexicon.readings(tuple(text.split()))}


def test_a_value_has_its_count_and_the_share_of_the_texts_that_hold_its_words(lexicon: StoredLexicon) -> None:
    assert lexicon.readings(("blue",)) == [LexiconEntry("color", "color", "blue", 2, 0.5)]
    assert lexicon.readings(("navy",)) == [LexiconEntry("color", "color", "navy", 1, 1.0)]


def test_synonyms_of_the_tables_name_values_that_the_catalog_holds(lexicon: StoredLexicon) -> None:
    assert readings(lexicon, "tshirts") == {("category", "t-shirt")}
    assert readings(lexicon, "full sleeves") == {("sleeve", "long sleeve")}
    assert readings(lexicon, "longsleeve") == {("sleeve", "long sleeve")}
    assert readings(lexicon, "water proof") == {("feature", "waterproof")}
    assert readings(lexicon, "leather") == set()


def test_a_surface_that_no_text_holds_means_nothing_else(lexicon: StoredLexicon) -> None:
    assert lexicon.readings(("gowns",))[0].share == 1.0


def test_a_pair_of_path_nodes_is_read_in_both_orders(lexicon: StoredLexicon) -> None:
    for text in ("dresses casual", "casual dresses", "casual dress"):
        assert readings(lexicon, text) == {("category", "dresses casual")}


def test_a_word_with_two_jobs_keeps_both_readings_most_frequent_first(lexicon: StoredLexicon) -> None:
    found = lexicon.readings(("orange",))
    assert {(entry.key, entry.value) for entry in found} == {("brand", "orange"), ("color", "orange")}
    assert [entry.products for entry in found] == sorted((entry.products for entry in found), reverse=True)


def test_a_brand_has_a_short_name_when_it_is_distinctive(lexicon: StoredLexicon) -> None:
    assert readings(lexicon, "maple") == {("brand", "maple kids")}
    assert ("brand", "u s polo co") in readings(lexicon, "u s polo")


def test_sizes_have_their_spoken_forms(lexicon: StoredLexicon) -> None:
    for text in ("2xl", "xxl", "xxlarge"):
        assert readings(lexicon, text) == {("size", "2xl")}


def test_remarks_of_one_product_and_quantities_are_left_out(lexicon: StoredLexicon) -> None:
    assert readings(lexicon, "seller remark") == set()
    assert readings(lexicon, "3") == set()


def test_what_was_mined_is_stored_and_counted(connection: duckdb.DuckDBPyConnection) -> None:
    surfaces = build_index(connection).lexicon_surfaces
    stored = connection.execute("SELECT count(DISTINCT surface) FROM lexicon").fetchone()
    assert stored == (surfaces,)
    again = connection.execute("SELECT * FROM lexicon").fetchall()
    build_index(connection)
    assert connection.execute("SELECT * FROM lexicon").fetchall() == again


def test_progress_is_reported(connection: duckdb.DuckDBPyConnection) -> None:
    seen: list[tuple[str, int, int | None]] = []
    build_index(connection, lambda stage, done, total: seen.append((stage, done, total)))
    assert ("words", len(ROWS), len(ROWS)) in seen
    assert seen[-1][0] == "lexicon"


def test_an_empty_catalog_has_an_empty_lexicon(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("DELETE FROM products")
    assert build_index(connection).lexicon_surfaces == 0
    lexicon = StoredLexicon(connection)
    assert lexicon.longest == 0
    assert lexicon.readings(("blue",)) == []


def test_the_text_index_says_which_words_are_known(lexicon: StoredLexicon) -> None:
    assert lexicon.knows("blue")
    assert lexicon.document_frequency("blue") == 2
    assert not lexicon.knows("zebra")
    assert lexicon.document_frequency("zebra") == 0


def test_the_longest_surface_bounds_the_search(lexicon: StoredLexicon) -> None:
    assert lexicon.longest == max(len(surface.split()) for surface in lexicon.surfaces())


def test_threads_read_one_lexicon(lexicon: StoredLexicon) -> None:
    found: list[list[LexiconEntry]] = []
    threads = [threading.Thread(target=lambda: found.append(lexicon.readings(("blue",)))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert all(entries == found[0] for entries in found)


def test_a_catalog_that_is_attached_under_a_name_is_read(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    build_index(connection)
    connection.close()
    with duckdb.connect() as outer:
        outer.execute(f"ATTACH '{tmp_path / 'c.duckdb'}' AS shop (READ_ONLY)")
        outer.execute("USE shop")
        lexicon = StoredLexicon(outer)
        assert lexicon.readings(("blue",))
        assert lexicon.knows("blue")


def test_finer_keys_belong_to_an_attribute() -> None:
    assert attribute_of("sleeve") == "style"
    assert attribute_of("aisle") == "category"
    assert attribute_of("idiom") is None
