"""LangSmith and OpenTelemetry: by their usual variables, and not a word or a socket without them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

from graph.spans import wanted
from tests.stores import TOWN, Stores

ROOT = Path(__file__).resolve().parents[2]
OFFLINE = ROOT / "tests" / "e2e" / "offline"
NODES = ("route", "canonicalize", "track", "retrieve", "filter", "rank", "clarify", "respond")

TRACING = ("LANGSMITH_", "LANGCHAIN_", "OTEL_")

TALK = """
import sys
from graph.agent import ShoppingAgent
agent = ShoppingAgent(catalog=sys.argv[1])
for message in sys.argv[2:]:
    print(agent.turn("talk 7", message)["turn"])
trace = sys.modules.get("opentelemetry.trace")
print("traced" if trace and not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider) else "not traced")
"""


class Post(NamedTuple):
    path: str
    body: bytes


class Collector:
    """A local HTTP server that keeps what is posted to it."""

    def __init__(self) -> None:
        posts: list[Post] = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                posts.append(Post(self.path, self.rfile.read(int(self.headers["Content-Length"]))))
                self._answer(b"")

            def do_GET(self) -> None:
                self._answer(b"{}")

            def _answer(self, body: bytes) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments: object) -> None:
                """Stay silent."""

        self.posts = posts
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def collector() -> Iterator[Collector]:
    collector = Collector()
    thread = threading.Thread(target=collector.server.serve_forever)
    thread.start()
    yield collector
    collector.server.shutdown()
    collector.server.server_close()
    thread.join()


def talk(catalog: Path, *messages: str, offline: bool = False, **variables: str) -> list[str]:
    """Hold a conversation in a process of its own, where every warning is an error; returns what it printed."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(TRACING)}
    path = os.pathsep.join([*([str(OFFLINE)] if offline else []), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", TALK, str(catalog), *messages],
        env={**kept, "PYTHONPATH": path, **variables},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


# --- silent --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"LANGSMITH_API_KEY": "left over", "LANGCHAIN_API_KEY": "left over"},
        {"OTEL_SERVICE_NAME": "shop"},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "OTEL_SDK_DISABLED": "true"},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "OTEL_TRACES_EXPORTER": "none"},
    ],
    ids=["nothing", "left-over keys", "a name alone", "disabled", "no exporter"],
)
def test_no_socket_is_opened_and_nothing_is_said_unasked(stores: Stores, variables: dict[str, str]) -> None:
    """Every connection raises here, and every warning."""
    assert talk(stores.path(TOWN), "red boots", "size 9", offline=True, **variables) == ["1", "2", "not traced"]


@pytest.mark.parametrize(
    ("environment", "asks"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://x"}, True),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, True),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://x"}, False),
        ({"OTEL_TRACES_EXPORTER": "otlp", "OTEL_SDK_DISABLED": "TRUE"}, False),
    ],
)
def test_what_asks_for_spans(environment: dict[str, str], asks: bool) -> None:
    assert wanted(environment) is asks


def test_without_the_packages_the_log_says_what_to_install(stores: Stores) -> None:
    script = "import sys\nsys.modules['opentelemetry'] = None\nimport graph.logs as l\nl.configure()\n" + TALK
    done = subprocess.run(
        [sys.executable, "-c", script, str(stores.path(TOWN)), "red boots"],
        env={**os.environ, "PYTHONPATH": str(ROOT), "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout.splitlines()[0] == "1"
    assert len(done.stderr.splitlines()) == 1
    assert "pip install 'shopgraph[otel]'" in done.stderr


# --- asked for -----------------------------------------------------------------------------------------------------


@pytest.mark.skipif(
    find_spec("opentelemetry") is None or find_spec("opentelemetry.exporter.otlp.proto.http") is None,
    reason="shopgraph[otel] is not installed",
)
def test_spans_of_turns_and_nodes_reach_a_collector(stores: Stores, collector: Collector) -> None:
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    told = talk(stores.path(TOWN), "red zanzibar boots", "size 9", OTEL_EXPORTER_OTLP_ENDPOINT=collector.url)
    assert told[-1] == "traced"
    assert {post.path for post in collector.posts} == {"/v1/traces"}
    requests = [ExportTraceServiceRequest.FromString(post.body) for post in collector.posts]
    resources = [resource for request in requests for resource in request.resource_spans]
    names = {(row.key, row.value.string_value) for resource in resources for row in resource.resource.attributes}
    assert ("service.name", "shopgraph") in names
    spans = [span for resource in resources for scope in resource.scope_spans for span in scope.spans]
    turns = [span for span in spans if span.name == "shopgraph.turn"]
    assert len(turns) == 2
    for turn in turns:
        children = [span.name for span in spans if span.parent_span_id == turn.span_id]
        assert children == [f"shopgraph.{node}" for node in NODES]
        assert {span.trace_id for span in spans if span.parent_span_id == turn.span_id} == {turn.trace_id}
    assert {row.value.string_value for span in turns for row in span.attributes} == {"talk 7"}
    assert not any(b"zanzibar" in post.body or b"BOOT" in post.body for post in collector.posts)


def test_runs_of_the_nodes_reach_langsmith(stores: Stores, collector: Collector) -> None:
    talk(
        stores.path(TOWN),
        "red boots",
        LANGSMITH_TRACING="true",
        LANGSMITH_ENDPOINT=collector.url,
        LANGSMITH_API_KEY="no-real-key",
        LANGSMITH_DISABLE_RUN_COMPRESSION="true",
    )
    sent = b"".join(post.body for post in collector.posts if post.path.startswith("/runs"))
    for node in NODES:
        assert json.dumps(node).encode() in sent
