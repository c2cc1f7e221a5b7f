"""A worker process as the parent sees it: start, ask with a deadline, kill, start again."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from pydantic import BaseModel, ConfigDict

from evals.errors import AgentUnavailableError
from graph.settings import Policy

START_TIMEOUT = 300.0
"""Seconds for an agent to be imported and to open its catalog."""


class AgentSpec(BaseModel):
    """Which agent to load, and all that it is told of the evaluation."""

    model_config = ConfigDict(frozen=True)

    agent: str = "shopgraph"
    catalog: Path
    policy: Policy = "confident"
    diagnostics: bool = True
    """Whether the agent is asked for its inner workings; off where only its speed matters."""
    without: tuple[str, ...] = ()
    """Tiers of the language reader that are left out (an agent of another make has none)."""
    environment: tuple[str, ...] = ()
    """Names of variables that the worker inherits (an endpoint's key, say); all others are withheld."""


class WorkerFault(Exception):  # noqa: N818 - a fault of the agent under test, never an error of the run
    """The agent failed a request: `kind` is exception, shape, timeout or crash."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(f"{kind}: {text}")
        self.kind = kind
        self.text = text


class Worker:
    """One agent in its own process; a context manager that always ends what it started."""

    def __init__(self, spec: AgentSpec) -> None:
        self._spec = spec
        self._folder = tempfile.TemporaryDirectory(prefix="shopgraph-worker-")
        self._process: subprocess.Popen[bytes] | None = None
        self._replies: queue.Queue[bytes] = queue.Queue()
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        self.diagnoses = False
        """Whether the agent offers diagnostics."""

    def __enter__(self) -> Worker:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the process and load the agent; raises `AgentUnavailableError` when it cannot be loaded."""
        self.kill()
        self._process = subprocess.Popen(  # noqa: S603 - the command is this package's own worker
            [sys.executable, "-m", "evals.worker", str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd=self._folder.name,
            env=worker_environment(self._spec, self._folder.name),
            close_fds=True,
            start_new_session=True,
        )
        self._replies = queue.Queue()
        threading.Thread(target=_pump, args=(self._process.stdout, self._replies), daemon=True).start()
        told = self._spec.model_dump(mode="json", include={"agent", "policy", "diagnostics", "without"})
        request = {"op": "start", **told, "catalog": str(self._spec.catalog.resolve())}
        try:
            self.diagnoses = bool(self.ask(request, START_TIMEOUT)["diagnoses"])
        except WorkerFault as fault:
            raise AgentUnavailableError(
                f"agent {self._spec.agent!r} does not start: {fault.text}; name shopgraph, keyword or module:Class"
            ) from fault

    def ask(self, request: dict[str, Any], timeout: float) -> dict[str, Any]:
        """Send a request and return its reply; raises `WorkerFault`, after which `alive` may be False.

        A process that does not answer within `timeout` seconds is killed, with its children.
        """
        if not self.alive or self._process is None or self._process.stdin is None:
            raise WorkerFault("crash", "the worker is not running")
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            line = self._replies.get(timeout=timeout)
        except queue.Empty:
            self.kill()
            raise WorkerFault("timeout", f"no answer within {timeout:g} s") from None
        except OSError as error:
            self.kill()
            raise WorkerFault("crash", f"the worker closed its pipe ({error.strerror}) {self._last_words()}") from error
        return self._decoded(line)

    def kill(self) -> None:
        """End the process and whatever it started; nothing happens when there is none."""
        if self._process is None:
            return
        process, self._process = self._process, None
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                _close_quietly(pipe)

    def close(self) -> None:
        """End the process and remove its folder."""
        self.kill()
        self._errors.close()
        self._folder.cleanup()

    def _decoded(self, line: bytes) -> dict[str, Any]:
        if not line:
            self.kill()
            raise WorkerFault("crash", f"the worker ended {self._last_words()}")
        try:
            reply = json.loads(line)
        except (ValueError, RecursionError) as error:
            self.kill()
            raise WorkerFault("shape", f"a line that is not JSON: {line[:80]!r}") from error
        if not isinstance(reply, dict):
            raise WorkerFault("shape", f"a line that is no JSON object: {line[:80]!r}")
        if "fault" in reply:
            raise WorkerFault(str(reply["fault"]), str(reply.get("text", "")))
        return reply

    def _last_words(self) -> str:
        """Return the end of what the process wrote to stderr."""
        end = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, end - 400))
        return self._errors.read().decode("utf-8", "replace").strip()


def worker_environment(spec: AgentSpec, folder: str) -> dict[str, str]:
    """Return the worker's environment: how to find Python code, an own home, and the variables asked for.

    The hash seed is fixed, so that an agent that iterates over sets still answers the same in every run.
    """
    paths = [str(Path(entry).resolve()) for entry in sys.path if entry]
    if ":" in spec.agent:
        paths.append(str(Path.cwd()))
    inherited = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH", *spec.environment)
    own = {"HOME": folder, "XDG_STATE_HOME": folder, "TMPDIR": folder, "LANG": "C.UTF-8", "PYTHONHASHSEED": "0"}
    return {
        **{name: os.environ[name] for name in inherited if name in os.environ},
        **own,
        "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths)),
    }


def _pump(pipe: IO[bytes] | None, replies: queue.Queue[bytes]) -> None:
    """Move reply lines from the pipe to the queue; an empty line marks the end."""
    try:
        for line in pipe or ():
            replies.put(line)
    except ValueError:
        pass  # the pipe was closed under the reader by `kill`
    replies.put(b"")


def _close_quietly(pipe: IO[bytes]) -> None:
    """Close a pipe whose other end is gone (a flush of unsent bytes may fail)."""
    with contextlib.suppress(OSError):
        pipe.close()
