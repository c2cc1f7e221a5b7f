"""Lets a Python process reach this machine alone, and writes down each attempt at any other."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

_LOG = Path(os.environ["LOOPBACK_LOG"])
_LOCAL = ("127.", "::1", "localhost", "0.0.0.0")

_connect, _getaddrinfo = socket.socket.connect, socket.getaddrinfo


def _refuse_unless_local(host: object) -> None:
    name = host.decode() if isinstance(host, bytes) else str(host or "localhost")
    if not name.startswith(_LOCAL):
        with _LOG.open("a", encoding="utf-8") as log:
            log.write(f"{name}\n")
        raise PermissionError(f"this test lets nobody reach {name}")


def _local_connect(self: socket.socket, address: Any) -> None:
    if isinstance(address, tuple):
        _refuse_unless_local(address[0])
    _connect(self, address)


def _local_getaddrinfo(host: Any, *arguments: Any, **options: Any) -> Any:
    _refuse_unless_local(host)
    return _getaddrinfo(host, *arguments, **options)


socket.socket.connect = _local_connect  # type: ignore[method-assign]  # replacing it is the point
socket.getaddrinfo = _local_getaddrinfo
