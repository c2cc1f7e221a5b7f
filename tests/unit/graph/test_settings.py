"""What the environment may set, and what it may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from catalog.errors import InputError
from graph.settings import load_settings


def test_everything_has_a_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHOPGRAPH_STATE")
    monkeypatch.setenv("XDG_STATE_HOME", "/somewhere")
    settings = load_settings()
    assert (settings.catalog, settings.catalogs, settings.policy) == (None, {}, "full")
    assert settings.state_folder == Path("/somewhere/shopgraph")


def test_without_a_state_home_it_is_in_the_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHOPGRAPH_STATE")
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    assert load_settings().state_folder == Path.home() / ".local" / "state" / "shopgraph"


def test_the_environment_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOPGRAPH_CATALOG", "a.duckdb")
    monkeypatch.setenv("SHOPGRAPH_CATALOGS", '{"shoes": "b.duckdb"}')
    monkeypatch.setenv("SHOPGRAPH_POLICY", "confident")
    monkeypatch.setenv("SHOPGRAPH_STATE", "/kept")
    settings = load_settings()
    assert (settings.catalog, settings.policy, settings.state_folder) == (Path("a.duckdb"), "confident", Path("/kept"))
    assert settings.catalogs == {"shoes": Path("b.duckdb")}


@pytest.mark.parametrize(
    ("name", "value", "named"),
    [
        ("SHOPGRAPH_POLICY", "bold", "SHOPGRAPH_POLICY='bold'"),
        ("SHOPGRAPH_CATALOGS", "[1, 2]", "SHOPGRAPH_CATALOGS"),
        ("SHOPGRAPH_CATALOGS", "{broken", "catalogs"),
    ],
)
def test_a_bad_setting_names_the_variable(monkeypatch: pytest.MonkeyPatch, name: str, value: str, named: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(InputError, match="cannot be used") as refused:
        load_settings()
    assert named.casefold() in str(refused.value).casefold()


def test_the_memory_for_lists_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().cache_mb == 96
    monkeypatch.setenv("SHOPGRAPH_CACHE_MB", "0")
    assert load_settings().cache_mb == 0
    monkeypatch.setenv("SHOPGRAPH_CACHE_MB", "-1")
    with pytest.raises(InputError, match="SHOPGRAPH_CACHE_MB='-1'"):
        load_settings()
