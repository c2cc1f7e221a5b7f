"""Invented products and sessions for the tests of protocol P3, and a way to play one."""

from __future__ import annotations

from collections.abc import Sequence

from catalog.product import Product
from evals.answer import Answer
from evals.realistic.bank import Half
from evals.realistic.generate import realistic_sessions
from evals.realistic.session import Level, Look, Manner, RealisticSession
from evals.realistic.shopper import RealisticShopper
from evals.sessions import LAST_TURN

ASK = Answer.model_validate({"message": "?", "ask_attribute": "other", "recommendations": []})

FABRICS = ("cotton", "wool", "silk", "nylon", "leather")
COLORS = ("black", "green", "purple", "white", "orange", "brown", "pink")
CARE = ("Machine wash", "Hand wash only", "Breathable weave for slow walks, soft at the cuffs and easy to fold away")


def shelf(count: int = 160) -> list[Product]:
    """Return products of few kinds that differ in fabric, colour, care, maker, size and price."""
    return [_product(number) for number in range(count)]


def realistic(
    count: int = 60, level: Level = "light", half: Half = "train", share: float = 0.7, seed: int = 3
) -> list[RealisticSession]:
    manner = Manner(level=level, half=half, share=share)
    return realistic_sessions(shelf(), count, "uniform", seed, manner=manner)


def sight() -> Look:
    """Return what a person sees of the shelf's products."""
    by_id = {product.parent_asin: product for product in shelf()}
    return lambda ids: [by_id[asin] for asin in ids if asin in by_id]


def played(session: RealisticSession, shown: Sequence[str] = (), looking: bool = True) -> RealisticShopper:
    """Play a session to its last turn against an agent that asks `other` and shows `shown`."""
    return spoken(session, shown, looking)[0]


def spoken(
    session: RealisticSession, shown: Sequence[str] = (), looking: bool = True
) -> tuple[RealisticShopper, list[str]]:
    """Play a session and return the shopper with all her messages."""
    shopper = RealisticShopper(session, sight() if looking else None)
    messages = [shopper.opening()]
    messages += [shopper.reply(turn, ASK, shown) for turn in range(2, LAST_TURN + 1)]
    return shopper, messages


def _product(number: int) -> Product:
    fabric, color = FABRICS[number % 5], COLORS[number % 7]
    return Product(
        parent_asin=f"TEST{number:06d}",
        title=f"Marlow cardigan in {color} {fabric}",
        features=(CARE[number % 3],),
        price=18.0 + number,
        categories=("Clothing, Shoes & Jewelry", "Women", "Knitwear", "Cardigans" if number % 2 else "Jumpers"),
        details={"Size": ("Small", "Large", "Medium")[number % 3], "Hem": "ribbed"},
        store=("Marlow & Sons", "Tarn House")[number % 2],
        rating_number=number,
    )
