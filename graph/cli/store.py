"""The catalog that a command works on: which one, opened and closed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from catalog.errors import CatalogError

if TYPE_CHECKING:
    from catalog.search import ProductIndex
    from graph.settings import Settings

SAMPLE = "sample.duckdb"


@contextmanager
def opened_catalog(path: Path) -> Iterator[ProductIndex]:
    """Open a catalog and close it afterwards.

    Damage may show only when a page is read: whatever the engine says then becomes a `CatalogError`.
    """
    import duckdb

    from catalog.open import open_catalog

    index = open_catalog(path)
    try:
        yield index
    except duckdb.Error as error:
        raise CatalogError(f"The catalog {path} cannot be read ({error}). Build it again.") from error
    finally:
        index.close()


def find_catalog(named: Path | None, settings: Settings) -> Path:
    """Return the catalog to use: the named one, else the environment's, else a sample that was built before."""
    if named is not None:
        return named
    if settings.catalog is not None:
        return settings.catalog
    places = [Path(".shopgraph") / SAMPLE, settings.state_folder / SAMPLE]
    for place in places:
        if place.is_file():
            return place
    looked = " or ".join(str(place) for place in places)
    raise CatalogError(
        f"There is no catalog: none was named (--catalog, SHOPGRAPH_CATALOG) and there is none at {looked}.\n"
        "Make a sample store with:\n"
        "  shopgraph catalog sample --products 50000 --seed 7 --out sample.jsonl\n"
        f"  shopgraph catalog build sample.jsonl --out {places[-1]}"
    )


def named_catalog(named: Path | None) -> Path:
    """Return the catalog that an option names, or the one that the settings lead to; raises `CatalogError`."""
    from graph.settings import load_settings

    return find_catalog(named, load_settings())
