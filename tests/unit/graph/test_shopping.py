"""The wiring: edges, contexts, catalogs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from catalog.errors import CatalogError, InputError
from catalog.search import ProductIndex
from graph.shopping import NODES, Shops, after_translate, build_graph
from graph.state import ShopperOutput, Translating
from tests.stores import TOWN, Stores


@pytest.fixture(scope="module")
def index(stores: Stores) -> ProductIndex:
    return stores.index(TOWN)


def path_of(index: ProductIndex, **context: Any) -> list[str]:
    graph = build_graph(catalog=index)
    return [name for update in graph.stream({"message": "red boots"}, context=context or None) for name in update]


PIPELINE = ["track", "retrieve", "filter", "rank", "clarify", "respond"]


def test_without_a_model_the_rules_go_straight_on(index: ProductIndex) -> None:
    assert path_of(index) == ["route", "canonicalize", *PIPELINE]


@pytest.mark.parametrize("mode", ["rules_first", "model_first"])
def test_with_a_model_that_is_not_configured_the_turn_falls_back(index: ProductIndex, mode: str) -> None:
    assert path_of(index, model_mode=mode) == ["route", "canonicalize", "translate", "fall_back", *PIPELINE]


def test_an_accepted_translation_skips_the_fallback() -> None:
    assert after_translate(Translating(translation={"status": "accepted"})) == "track"
    assert after_translate(Translating(translation={"status": "rejected"})) == "fall_back"
    assert after_translate(Translating()) == "fall_back"


def test_the_output_is_the_shopper_output_and_nothing_more(index: ProductIndex) -> None:
    output = build_graph(catalog=index).invoke({"message": "red boots"})
    assert set(output) <= set(ShopperOutput.model_fields)
    assert ShopperOutput.model_validate(output).recommendations


def test_each_node_reports_its_time(index: ProductIndex) -> None:
    parts = list(build_graph(catalog=index).stream({"message": "boots"}, stream_mode="custom"))
    assert [part["node"] for part in parts] == ["route", "canonicalize", *PIPELINE]
    assert all(part["took_ms"] >= 0 for part in parts)
    assert {part["node"] for part in parts} <= set(NODES)


def test_a_run_chooses_a_catalog_by_name_and_never_by_path(index: ProductIndex, stores: Stores) -> None:
    bags = stores.path([row for row in TOWN if row["parent_asin"].startswith("PACK")])
    graph = build_graph(catalog=index, catalogs={"bags": bags})
    shown = graph.invoke({"message": "boots"}, context={"catalog": "bags"})["recommendations"]
    assert {row["parent_asin"][:4] for row in shown} == {"PACK"}
    with pytest.raises(InputError, match="use one of bags, default"):
        graph.invoke({"message": "boots"}, context={"catalog": str(bags)})


def test_a_context_with_a_typing_error_is_refused(index: ProductIndex) -> None:
    with pytest.raises(ValidationError):
        build_graph(catalog=index).invoke({"message": "boots"}, context={"polcy": "full"})


def test_the_environment_sets_the_policy_of_a_run_that_names_none(
    index: ProductIndex, stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOPGRAPH_POLICY", "confident")
    graph = build_graph(catalog=index, catalogs={"town": stores.path(TOWN)})
    assert len(graph.invoke({"message": "boots"})["recommendations"]) < 10
    assert len(graph.invoke({"message": "boots"}, context={"catalog": "town"})["recommendations"]) < 10
    assert len(graph.invoke({"message": "boots"}, context={"policy": "full"})["recommendations"]) == 10
    form = graph.get_context_jsonschema()
    assert form is not None
    assert form["properties"]["policy"]["default"] == "confident"
    assert form["properties"]["catalog"]["enum"] == ["default", "town"]


def test_a_catalog_is_opened_on_first_use_and_once(stores: Stores, tmp_path: Path) -> None:
    shops = Shops(tmp_path / "absent.duckdb", {"town": stores.path(TOWN)})
    assert shops.get("town") is shops.get("town")
    with pytest.raises(CatalogError, match=r"absent\.duckdb"):
        shops.get("default")


def test_no_catalog_says_what_to_set() -> None:
    with pytest.raises(CatalogError, match="SHOPGRAPH_CATALOG"):
        build_graph().invoke({"message": "boots"})


def test_the_environment_names_the_catalog(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOPGRAPH_CATALOG", str(stores.path(TOWN)))
    assert build_graph().invoke({"message": "red boots"})["recommendations"][0]["parent_asin"] == "BOOT08"
