"""The agent's side of an evaluation: a process that reads requests and writes answers, one JSON object a line.

It is started with an empty working directory, a clean environment and no inherited descriptors, and is told
nothing but the catalog, the policy, an anonymous profile and the shopper's messages. Requests:

    {"op": "start", "agent": ..., "catalog": ..., "policy": ..., "diagnostics": bool} -> {"diagnoses": bool}
    {"op": "reset", "session_id": ..., "user_profile": {...}}     ->  {}
    {"op": "respond", "session_id", "user_message", "turn", "top_k"} -> {"answer": ..., "ms": float}
    {"op": "diagnose", "session_id": ...}                         ->  {"diagnostics": {...}}

A request that fails is answered by {"fault": "exception" | "shape", "text": ...}; the process lives on.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, TextIO

BUILT_IN = {"shopgraph": "graph.agent:ShoppingAgent", "keyword": "evals.keyword:KeywordAgent"}
"""Agents that have a short name."""

Request = dict[str, Any]


class AgentHost:
    """Holds one agent and serves requests for it."""

    def __init__(self) -> None:
        self._agent: Any = None

    def serve(self, request: Request) -> Request:
        """Answer one request; whatever the agent raises becomes a fault."""
        handlers: dict[str, Callable[[Request], Request]] = {
            "start": self._start,
            "reset": self._reset,
            "respond": self._respond,
            "diagnose": self._diagnose,
        }
        try:
            return handlers[request["op"]](request)
        except Exception as error:  # noqa: BLE001 - an agent may raise anything, and it must only cost the turn
            return {"fault": "exception", "text": f"{type(error).__name__}: {error}"[:2000]}

    def _start(self, request: Request) -> Request:
        settings = {name: request[name] for name in ("catalog", "policy", "diagnostics")}
        if request.get("without"):
            settings["without"] = request["without"]
        self._agent = load_agent(request["agent"], **settings)
        diagnoses = request["diagnostics"] and callable(getattr(self._agent, "diagnose", None))
        return {"diagnoses": diagnoses}

    def _reset(self, request: Request) -> Request:
        self._agent.reset(request["session_id"], request["user_profile"])
        return {}

    def _respond(self, request: Request) -> Request:
        begun = time.perf_counter()
        answer = self._agent.respond(
            request["session_id"], request["user_message"], request["turn"], top_k=request["top_k"]
        )
        return {"answer": answer, "ms": (time.perf_counter() - begun) * 1000}

    def _diagnose(self, request: Request) -> Request:
        return {"diagnostics": self._agent.diagnose(request["session_id"])}


def load_agent(name: str, **settings: Any) -> Any:
    """Make the agent called `name` (a built-in name or `module:Class`) with the settings that it accepts.

    Raises `ImportError`, `AttributeError` or `ValueError` when there is no such class.
    """
    module, separator, attribute = BUILT_IN.get(name, name).partition(":")
    if not separator:
        raise ValueError(f"agent {name!r} is neither {' nor '.join(BUILT_IN)} nor of the form module:Class")
    factory = getattr(importlib.import_module(module), attribute)
    accepted = inspect.signature(factory).parameters.values()
    takes_any = any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in accepted)
    names = {parameter.name for parameter in accepted}
    return factory(**{key: value for key, value in settings.items() if takes_any or key in names})


def encode(reply: Request) -> str:
    """Write a reply as one line; a value that JSON cannot hold is a fault of shape, not a crash."""
    try:
        return json.dumps(reply, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        return json.dumps({"fault": "shape", "text": f"not JSON: {error}"[:2000]})


def claim_pipes() -> tuple[TextIO, TextIO]:
    """Take stdin and stdout for the protocol, and leave the agent's own prints to stderr."""
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return os.fdopen(requests, encoding="utf-8"), os.fdopen(replies, "w", encoding="utf-8")


def leave_with_parent(parent: int, pause: float = 1.0) -> None:
    """End this process when `parent` is no longer its parent: a hung agent never sees that the pipe is closed."""
    while os.getppid() == parent:
        time.sleep(pause)
    os._exit(1)


def main() -> None:
    """Serve requests until the parent, whose process id is the argument, closes the pipe or is gone."""
    threading.Thread(target=leave_with_parent, args=(int(sys.argv[1]),), daemon=True).start()
    requests, replies = claim_pipes()
    host = AgentHost()
    for line in requests:
        replies.write(encode(host.serve(json.loads(line))) + "\n")
        replies.flush()


if __name__ == "__main__":
    main()
    sys.exit(0)
