"""A small invented shelf, an index over it, and session sets for the tests of the evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from catalog.product import Product
from evals.official.generate import generate_sessions
from evals.official.shopper import OfficialSession

FABRICS = ("cotton", "wool", "silk", "nylon")
COLORS = ("black", "green", "purple")
ROOT = "Clothing, Shoes & Jewelry"


def shelf(count: int = 48) -> list[Product]:
    """Return products whose cards overlap: 4 fabrics, 3 colours and a cut that only some share."""
    return [_product(number) for number in range(count)]


def sessions(count: int = 20, seed: int = 3, products: Sequence[Product] | None = None) -> list[OfficialSession]:
    return generate_sessions(products or shelf(), count, "popularity", seed)


def session(scenario: str = "buying", **changes: Any) -> OfficialSession:
    """Return one session with a known card."""
    base = sessions(1)[0]
    known = {
        "session_id": "s1",
        "scenario": scenario,
        "target": "TARGET0001",
        "category": "Knitwear Cardigans",
        "hard": ("wool", "color: green"),
        "soft": ("Sleeve: raglan", "Hand wash cold"),
    }
    return base.model_copy(update=known | changes)


def _product(number: int) -> Product:
    fabric, color = FABRICS[number % 4], COLORS[number % 3]
    return Product(
        parent_asin=f"TEST{number:06d}",
        title=f"Marlow cardigan no {number} in {color}",
        features=(f"Knitted from {fabric}", f"Cut {number // 2}"),
        price=20.0 + number if number % 5 == 0 else None,
        categories=(ROOT, "Women", "Knitwear", "Cardigans" if number % 2 else "Jumpers"),
        details={"Department": "womens", "Hem": ""},
        rating_number=None if number % 7 == 0 else number * number,
    )


class ShelfIndex:
    """As much of a ProductIndex as the report page reads."""

    def __init__(self, products: Sequence[Product]) -> None:
        self._products = list(products)
        self._ids = {product.parent_asin: number for number, product in enumerate(products)}
        self.size = len(self._products)

    def ids(self, parent_asins: Sequence[str]) -> list[int | None]:
        return [self._ids.get(asin) for asin in parent_asins]

    def products(self, ids: Sequence[int]) -> list[Product]:
        return [self._products[number] for number in ids]
