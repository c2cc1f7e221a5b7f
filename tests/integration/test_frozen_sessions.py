"""The session files that ship are the ones that were frozen, and sound on the store that they name."""

from __future__ import annotations

import hashlib
import json
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from catalog.product import Product
from catalog.sample import write_sample
from evals.natural.session import NaturalSession
from evals.natural.validate import validate_sessions
from evals.sessions import read_sessions, seal

FOLDER = Path(str(files("evals").joinpath("data/sessions")))
SUMS: dict[str, dict[str, Any]] = tomllib.loads((FOLDER / "sums.toml").read_text(encoding="utf-8"))


def test_every_file_is_noted_and_every_note_has_its_file() -> None:
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(SUMS)


@pytest.mark.parametrize("name", SUMS)
def test_a_frozen_file_still_has_the_bytes_that_were_noted(name: str) -> None:
    path = FOLDER / f"{name}.jsonl"
    assert hashlib.sha256(path.read_bytes()).hexdigest() == SUMS[name]["sha256"]
    frozen = read_sessions(path, NaturalSession)
    assert frozen.header.sealed == seal(frozen.header, frozen.sessions)
    assert (frozen.header.catalog_sha256, frozen.header.products) == (
        SUMS[name]["catalog_sha256"],
        SUMS[name]["products"],
    )


@pytest.mark.parametrize("name", SUMS)
def test_a_frozen_file_is_sound_on_the_store_that_it_names(name: str, tmp_path: Path) -> None:
    # The rows as they are written, without a build of minutes: claims are tested on what a record states.
    rows = tmp_path / "store.jsonl"
    write_sample(rows, products=SUMS[name]["products"], seed=SUMS[name]["store_seed"])
    data = rows.read_bytes()
    assert hashlib.sha256(data).hexdigest() == SUMS[name]["source_sha256"]
    products = [Product.model_validate(json.loads(line)) for line in data.splitlines()]
    assert validate_sessions(products, read_sessions(FOLDER / f"{name}.jsonl", NaturalSession).sessions) == []
