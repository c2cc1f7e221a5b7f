"""Evidence by meaning, on a store built with sentence vectors; skipped where their model is not installed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from catalog.build import build_catalog
from catalog.duckdb_index import DuckDBIndex
from catalog.encoder import load_encoder
from catalog.open import open_catalog
from graph.events import (
    ConstraintReplaced,
    DescriptionAdded,
    Event,
    IntentReset,
    TurnUndone,
    dump,
    fold,
    load,
)
from graph.state import TurnState
from nodes.canonicalize import canonicalize
from tests.stores import Row, item
from tools.constants import ranking_constants
from tools.nearness import KINDS, kind_of, prototypes
from tools.phrases import load_table
from tools.semantics import semantics_of
from tools.sentence_evidence import beside, coverage, nearest_ids, sentence_units
from tools.sentence_explanation import sentence_rows
from tools.shop import Shop

CONSTANTS = ranking_constants().sentence
DRIZZLE = "it should keep the drizzle off me on the way to work"


def rows() -> list[Row]:
    """Return coats that say one thing each, and enough other products for a mean to mean something."""
    said = {
        "RAIN": ("Quillon field coat", "Waterproof shell sheds water in a storm"),
        "WARM": ("Quillon winter coat", "Thick goose filling for freezing days"),
        "LACE": ("Odalin evening dress", "Delicate lace with embroidered flowers"),
        "SHOE": ("Tamber trail sneakers", "Rubber sole grips wet stones"),
        "RING": ("Ferrow band", "Polished silver set with a blue stone"),
        "SOCK": ("Ferrow socks", "Cushioned heel for long hikes"),
        "BELT": ("Ferrow belt", "Full grain hide with a brass buckle"),
        "HOOD": ("Odalin hoodie", "Soft fleece inside and a front pocket"),
    }
    return [item(key, title, features=feature) for key, (title, feature) in said.items()]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBIndex]:
    if load_encoder() is None:
        pytest.skip("the model of sentence vectors is not installed")
    folder: Path = tmp_path_factory.mktemp("meaning")
    source = folder / "rows.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows()), encoding="utf-8")
    build_catalog([source], folder / "store.duckdb", semantic=True)
    opened = open_catalog(folder / "store.duckdb")
    yield opened
    opened.close()


def said(text: str = DRIZZLE, turn: int = 1) -> DescriptionAdded:
    return DescriptionAdded(turn=turn, text=text)


def test_a_product_whose_sentence_means_the_same_gains_most(index: DuckDBIndex) -> None:
    every = np.arange(index.size, dtype=np.int32)
    units = sentence_units(index, fold([said()]), every, CONSTANTS)
    assert index.parent_asins([int(units["sentence.weight"].argmax())]) == ["RAIN"]


def test_a_sentence_whose_words_the_catalog_has_is_left_to_its_words(index: DuckDBIndex) -> None:
    assert coverage(index, "waterproof shell sheds water") == pytest.approx(1.0)
    belief = fold([said("waterproof shell sheds water")])
    units = sentence_units(index, belief, np.arange(index.size, dtype=np.int32), CONSTANTS)
    assert not units["sentence.weight"].any()
    assert not len(nearest_ids(index, belief, CONSTANTS))
    assert beside(index, belief, CONSTANTS).left(1, 0.0) == 1.0


def test_words_of_a_turn_count_less_where_meaning_counts(index: DuckDBIndex) -> None:
    meant = beside(index, fold([said()]), CONSTANTS)
    assert meant.left(1, 0.0) == 0.0
    assert 0.0 < meant.left(2, 0.0) < 1.0


def test_the_nearest_sentence_is_the_explanation(index: DuckDBIndex) -> None:
    (rain,) = index.ids(["RAIN"])
    constants = CONSTANTS.model_copy(update={"told": 1.0})
    (found,) = sentence_rows(index, fold([said()]), np.array([rain], np.int32), constants)[0]
    assert (found["field"], found["words"]) == ("features[1]", "Waterproof shell sheds water in a storm")
    assert found["span"] == [0, len(found["words"])]


def test_an_answer_near_to_indifference_declines_the_question(index: DuckDBIndex) -> None:
    semantics = semantics_of(index)
    assert semantics is not None
    assert kind_of(semantics, "I would happily leave that choice to you", prototypes().answer) == "indifferent"
    assert kind_of(semantics, DRIZZLE, prototypes().answer) is None


def test_a_sentence_that_no_fact_explains_is_kept_in_the_reading(index: DuckDBIndex) -> None:
    message = "a thing that glitters on my finger at the gala"
    reading = canonicalize(TurnState(message=message, turn=1), Shop.of(index))["reading"]
    assert reading["sentences"] == [message]


def test_taking_earlier_wishes_back_demotes_what_was_described() -> None:
    belief = fold([said(), ConstraintReplaced(turn=2), said("something else entirely", 2)])
    assert [described.weight for described in belief.descriptions] == [pytest.approx(0.4), 1.0]


@pytest.mark.parametrize("end", [TurnUndone(turn=2, undone=1), IntentReset(turn=2)], ids=["undo", "reset"])
def test_undo_and_a_new_intent_drop_what_was_described(end: Event) -> None:
    assert fold([said(), end]).descriptions == []


def test_a_description_is_stored_as_json_and_read_back() -> None:
    assert load(dump([said()])) == [said()]
    assert fold([said()]).stated == {1: 1}


def test_every_kind_has_prototypes_and_none_stands_for_two() -> None:
    known = prototypes()
    assert set(known.kinds) == set(KINDS)
    assert len(set(known.texts)) == len(known.texts)
    assert set(load_table("nearness")) == {"near", *KINDS}
