"""One LangGraph server for all tests that drive it: a start costs five seconds, a run one."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.integration.server import Server, serve
from tests.stores import TOWN, Stores


@pytest.fixture(scope="session")
def server(sample_catalog: Path, stores: Stores, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server: the sample store by default, a town's general store as `town`; skips without the extra."""
    if not (importlib.util.find_spec("langgraph_cli") and importlib.util.find_spec("langgraph_api")):
        pytest.skip("needs the extra `studio`: pip install 'shopgraph[studio]'")
    with serve(tmp_path_factory.mktemp("server"), sample_catalog, {"town": stores.path(TOWN)}) as running:
        yield running


@pytest.fixture
def client(server: Server) -> Iterator[Any]:
    """A client of the server."""
    from langgraph_sdk import get_sync_client

    with get_sync_client(url=server.url) as opened:
        yield opened
