"""What a newcomer's first command relies on: a Python that is found, and pins that follow the dependencies."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.e2e.command import ROOT
from tests.e2e.readme import scripts

needs_shell = pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell")


def _program(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def _find(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", str(ROOT / ".ci" / "find-python")],
        env={"PATH": f"{folder}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )


@needs_shell
def test_a_python_that_does_not_start_is_passed_over(tmp_path: Path) -> None:
    _program(tmp_path / "python3.13", "echo 'shim: no such version' >&2; exit 127")
    _program(tmp_path / "python3.12", f'exec {sys.executable} "$@"')
    found = _find(tmp_path)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.strip() == sys.executable


def _pins(name: str) -> dict[str, list[Requirement]]:
    pins: dict[str, list[Requirement]] = {}
    for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
        if line and not line.lstrip().startswith("#"):
            pin = Requirement(line)
            pins.setdefault(_normal(pin.name), []).append(pin)
    return pins


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize(("file", "extra"), [("requirements.txt", None), ("requirements-dev.txt", "dev")])
def test_every_dependency_is_pinned_within_its_range(file: str, extra: str | None) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *(project["optional-dependencies"][extra] if extra else [])]
    pins = _pins(file)
    for requirement in map(Requirement, wanted):
        if requirement.name == project["name"]:
            continue
        for pin in pins[_normal(requirement.name)]:
            (exact,) = pin.specifier
            assert exact.operator == "=="
            assert requirement.specifier.contains(exact.version), f"{requirement}: run `make lock`"


def test_what_runs_and_what_tests_are_pinned_alike() -> None:
    run, test = _pins("requirements.txt"), _pins("requirements-dev.txt")
    for name in run.keys() & test.keys():
        assert {str(pin.specifier) for pin in run[name]} == {str(pin.specifier) for pin in test[name]}


def test_the_command_is_installed_under_its_name() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    module, _, function = project["scripts"]["shopgraph"].partition(":")
    assert callable(getattr(import_module(module), function))


def test_only_blocks_that_can_run_are_run() -> None:
    shown = "```sh\nmake demo\n```\n```sh no-run\nrm\n```\n```text\nout\n```\n"
    played = "```sh\nmake x\necho 1\n```\n```python\n1\n```\n"
    assert scripts(shown + played) == [("sh", "echo 1"), ("python", "1")]
