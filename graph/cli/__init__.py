"""The `shopgraph` command."""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """Run the command of `sys.argv` and leave with its exit code: 0 ok, 1 failed, 2 usage, 130 interrupted."""
    # A left-over tracing key alone must not send a conversation anywhere; only an explicit "true" does.
    os.environ.setdefault("LANGSMITH_TRACING", "false")
    _open_missing_streams()
    # Most of what a start allocates stays: looking through it for garbage again and again took a twelfth of it.
    gc.set_threshold(50_000, 20, 20)
    from graph.cli.app import run

    code = run(sys.argv[1:])
    sys.exit(code if _flush_output() else code or 1)


def _open_missing_streams() -> None:
    """Give a process that was started without stdin, stdout or stderr (a daemon, `<&-`) empty ones."""
    # Python sets such a stream to None. Descriptors are filled in order, so that no file opened later becomes one.
    for descriptor, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != descriptor:
                os.dup2(opened, descriptor)
                os.close(opened)
            setattr(sys, name, os.fdopen(descriptor, mode, encoding="utf-8"))


def _flush_output() -> bool:
    """Write what is left of the output; False when its reader has gone, which is nothing to complain about."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # The interpreter flushes once more at exit: give it somewhere harmless to write.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return True
