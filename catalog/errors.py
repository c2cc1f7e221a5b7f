"""The exception tree of shopgraph. Every message names the input, the problem and the remedy."""

from __future__ import annotations


class ShopgraphError(RuntimeError):
    """Base of every error that shopgraph raises on purpose; the CLI prints it and exits 1.

    A `RuntimeError`: the LangGraph server shows the message of Python's own errors and hides that of every other.
    """


class CatalogError(ShopgraphError):
    """A catalog file is missing, damaged, or built by another version."""


class ImportFailedError(ShopgraphError):
    """A source file cannot be read, or too many of its rows were rejected."""


class InputError(ShopgraphError, ValueError):
    """A caller passed something that cannot be served: a blank session id, an unknown policy.

    A `ValueError` too, which the server answers with status 400.
    """


class ConversationError(ShopgraphError):
    """A stored conversation cannot be opened or continued."""
