"""Takes the network and the model client away from every Python process that finds this folder on its path."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import socket
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import NoReturn

BLOCKED = ("langchain_openai", "openai")


class _Absent(importlib.abc.MetaPathFinder):
    """Makes the client's packages unimportable, as on a machine that does not have them."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"{fullname} is taken away by this test", name=fullname)
        return None


def _refuse(*arguments: object, **options: object) -> NoReturn:
    raise PermissionError("this test lets nobody use the network")


sys.meta_path.insert(0, _Absent())
socket.socket.connect = _refuse  # type: ignore[method-assign]  # replacing it is the point
socket.socket.connect_ex = _refuse  # type: ignore[method-assign]  # replacing it is the point
socket.socket.sendto = _refuse  # type: ignore[method-assign]  # replacing it is the point
socket.socket.bind = _refuse  # type: ignore[method-assign]  # replacing it is the point
socket.create_connection = _refuse
socket.getaddrinfo = _refuse
