"""A stateless keyword agent: fielded BM25 over the last message, ten results, no question. The starter to beat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from catalog.open import open_catalog
from catalog.search import ProductIndex


class KeywordAgent:
    """Answers each message as if it were the first one."""

    def __init__(self, catalog: str | Path | ProductIndex) -> None:
        self._index = open_catalog(catalog) if isinstance(catalog, (str, Path)) else catalog

    def reset(self, session_id: str, user_profile: dict[str, Any]) -> None:
        """Start a session: there is nothing to forget."""

    def respond(self, session_id: str, user_message: str, turn: int, top_k: int = 10) -> dict[str, Any]:  # noqa: ARG002 - the contract's signature
        """Return the `top_k` products that match the words of this message best."""
        hits = self._index.search(user_message, top_k)
        products = self._index.products(hits.ids)
        found = [
            {"parent_asin": product.parent_asin, "score": float(score)}
            for product, score in zip(products, hits.scores, strict=True)
        ]
        message = f"Here are {len(found)} products for your words." if found else "No product matches those words."
        return {"message": message, "ask_attribute": None, "recommendations": found}
