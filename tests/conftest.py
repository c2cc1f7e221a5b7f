"""What tests share: a small sample store, built once, and an environment without a reader's own settings."""

from __future__ import annotations

from pathlib import Path

import hypothesis
import pytest
from filelock import FileLock

from tests.stores import Stores

SAMPLE_PRODUCTS = 2_000

# Times belong in `eval speed`: no test fails because a machine is slow, and none draws other examples tomorrow.
hypothesis.settings.register_profile("shopgraph", deadline=None, derandomize=True)
hypothesis.settings.load_profile("shopgraph")


@pytest.fixture(autouse=True)
def _own_environment(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    own = ("SHOPGRAPH_CATALOG", "SHOPGRAPH_CATALOGS", "SHOPGRAPH_POLICY", "SHOPGRAPH_LOG", "SHOPGRAPH_LOG_LEVEL")
    for name in (*own, "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_TRACES_EXPORTER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SHOPGRAPH_STATE", str(tmp_path_factory.getbasetemp() / "state"))


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """A folder that all workers of a parallel run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if hasattr(request.config, "workerinput") else base


@pytest.fixture(scope="session")
def sample_catalog(shared_folder: Path) -> Path:
    """The catalog file of a sample store of 2,000 products, seed 7; read-only."""
    from catalog.build import build_catalog
    from catalog.sample import write_sample

    catalog = shared_folder / "sample.duckdb"
    with FileLock(shared_folder / "sample.lock"):
        if not catalog.exists():
            rows = shared_folder / "sample.jsonl"
            write_sample(rows, products=SAMPLE_PRODUCTS, seed=7)
            build_catalog([rows], catalog)
    return catalog


@pytest.fixture(scope="session")
def stores(shared_folder: Path) -> Stores:
    """Small stores of a test's own products, each built once a run."""
    return Stores(shared_folder / "stores")
