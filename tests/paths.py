"""Where optional test data stands."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def shared_data() -> Path:
    """Return the folder of real catalogs and utterances, or skip the calling test when it is absent."""
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("SHOPGRAPH_DATA", default))
    if not folder.is_dir():
        pytest.skip(f"no test data at {folder} (set SHOPGRAPH_DATA)")
    return folder
