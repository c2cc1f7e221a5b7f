"""The exception tree of shopgraph. Every message names the input, the problem and the remedy."""

from __future__ import annotations


class ShopgraphError(Exception):
    """Base of every error that shopgraph raises on purpose; the CLI prints it and exits 1."""


class CatalogError(ShopgraphError):
    """A catalog file is missing, damaged, or built by another version."""


class ImportFailedError(ShopgraphError):
    """A source file cannot be read, or too many of its rows were rejected."""


class InputError(ShopgraphError):
    """A caller passed something that cannot be served: a blank session id, an unknown policy."""


class ConversationError(ShopgraphError):
    """A stored conversation cannot be opened or continued."""
