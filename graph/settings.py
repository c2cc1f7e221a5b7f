"""Settings of a process, read from the environment (`SHOPGRAPH_...`) once, where a program starts."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from catalog.errors import InputError
from catalog.postings import DEFAULT_CACHE_BYTES

Policy = Literal["full", "confident"]


class Settings(BaseSettings):
    """What the environment may set. Every field has a working default.

    Example: `SHOPGRAPH_CATALOG=store.duckdb SHOPGRAPH_POLICY=confident shopgraph chat`.
    """

    model_config = SettingsConfigDict(env_prefix="SHOPGRAPH_", extra="ignore", env_ignore_empty=True)

    catalog: Path | None = Field(default=None, description="Catalog file that is used when none is named.")
    catalogs: Annotated[dict[str, Path], NoDecode] = Field(
        default_factory=dict, description="JSON object of further catalogs that a run may choose by name."
    )
    policy: Policy = Field(default="full", description="How many products an answer commits to.")
    state: Path | None = Field(default=None, description="Folder of stored conversations.")
    cache_mb: int = Field(
        default=DEFAULT_CACHE_BYTES >> 20,
        ge=0,
        description="Megabytes of a catalog's lists that are read into memory; larger ones are mapped from files that "
        "the build left beside them. 0: every search runs inside DuckDB.",
    )

    @field_validator("catalogs", mode="before")
    @classmethod
    def _read_json(cls, value: object) -> object:
        return json.loads(value) if isinstance(value, str) else value

    @property
    def state_folder(self) -> Path:
        """Where conversations are stored: `SHOPGRAPH_STATE`, else `$XDG_STATE_HOME/shopgraph`."""
        if self.state is not None:
            return self.state
        home = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
        return Path(home) / "shopgraph"


def load_settings() -> Settings:
    """Read the environment; raises `InputError` that names the variable and what it may be."""
    try:
        return Settings()
    except (ValidationError, ValueError) as error:
        raise InputError(f"The environment holds a setting that cannot be used: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    parts = (f"SHOPGRAPH_{str(e['loc'][0]).upper()}={e['input']!r}: {e['msg']}" for e in error.errors())
    return "; ".join(parts) + ". Correct or unset it."
