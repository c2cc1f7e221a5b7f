"""The agent under test, which refuses to start where the network or the model client can be reached."""

from __future__ import annotations

import importlib
import socket
from typing import Any

from graph.agent import ShoppingAgent


class OfflineAgent(ShoppingAgent):
    """A `ShoppingAgent` that proves its process to be offline first."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        for name in ("openai", "langchain_openai"):
            try:
                importlib.import_module(name)
            except ModuleNotFoundError:
                continue
            raise RuntimeError(f"{name} can be imported: this process is not offline")
        try:
            socket.create_connection(("127.0.0.1", 9), timeout=0.1)
        except PermissionError:
            super().__init__(*arguments, **options)
            return
        raise RuntimeError("a socket could be opened: this process is not offline")
