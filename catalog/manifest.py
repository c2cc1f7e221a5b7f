"""The manifest: what a catalog file was built from, by which versions, with what counts."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

SCHEMA_VERSION = 1
"""Raised whenever the tables of a catalog file change; another number refuses to open."""


class SourceFile(BaseModel):
    """One imported file."""

    model_config = ConfigDict(frozen=True)

    name: str = Field(description="File name without its folder.")
    sha256: str
    bytes: int
    rows: int


class SentenceModel(BaseModel):
    """The model that the sentences of a catalog were encoded with, and how many there are."""

    model_config = ConfigDict(frozen=True)

    name: str = Field(description="Name and version of the encoder.")
    dimensions: int = Field(description="Length of what the encoder gives.")
    units: int = Field(description="Sentences of all products.")
    texts: int = Field(description="Different ones among them.")


class Manifest(BaseModel):
    """Provenance and counts of a built catalog."""

    model_config = ConfigDict(frozen=True)

    schema_version: int = SCHEMA_VERSION
    shopgraph_version: str
    duckdb_version: str
    sources: list[SourceFile]
    rows_read: int
    products: int
    rejected: dict[str, int] = Field(description="Rejected rows by reason.")
    duplicates: int = Field(description="Rows merged into another row of the same id.")
    notes: dict[str, int] = Field(default_factory=dict, description="Repairs by kind: 'price unreadable', ...")
    currency: str = "USD"
    facets: dict[str, int] = Field(default_factory=dict, description="Products that state each facet key.")
    terms: int = 0
    lexicon_surfaces: int = 0
    sentences: SentenceModel | None = Field(default=None, description="None: built without sentence vectors.")
    catalog_sha256: str = Field(description="Digest of the product rows in id order: names a catalog's content.")
