"""A small invented shelf whose products can be told apart by what a shopper says, for the tests of protocol P2."""

from __future__ import annotations

from typing import Any

from catalog.product import Product
from evals.natural.facts import Fact
from evals.natural.generate import natural_sessions
from evals.natural.session import NaturalSession
from evals.natural.speech import Speaker
from evals.natural.validate import fingerprint

KINDS = ("hoodie", "cardigan", "jacket", "dress")
COLORS = ("black", "green", "red", "navy", "white")
MATERIALS = ("cotton", "wool", "linen")
SLEEVES = ("long sleeve", "short sleeve", "sleeveless")
MAKERS = ("Marlow", "Tarn", "Hexham")
USES = ("hiking", "travel", "school", "golf")


def shelf(count: int = 240) -> list[Product]:
    """Return products of four kinds: colour, fabric, sleeve, maker, use, price and stars vary, each in its own step."""
    return [_product(number) for number in range(count)]


def _product(number: int) -> Product:
    color, fabric = COLORS[number // 4 % 5], MATERIALS[number // 3 % 3]
    kind, sleeve, use = KINDS[number % 4], SLEEVES[number // 7 % 3], USES[number // 11 % 4]
    return Product(
        parent_asin=f"NAT{number:07d}",
        title=f"{sleeve.title()} {fabric.title()} {kind.title()} for {use.title()}, {color.title()}",
        price=8.0 + number * 7 % 90 if number % 3 else None,
        categories=("Clothing", "Women" if number % 5 else "Men", f"{kind.title()}s"),
        average_rating=3.0 + number % 5 * 0.4,
        rating_number=number * 13 % 900,
        store=MAKERS[number // 13 % 3],
    )


def sessions(count: int = 21, seed: int = 5) -> list[NaturalSession]:
    return natural_sessions(shelf(), count, "uniform", seed)


def session(*facts: Fact, **changes: Any) -> NaturalSession:
    """Return a session with known facts; its fingerprint is right."""
    speaker = Speaker("n1")
    known: dict[str, Any] = {
        "session_id": "n1",
        "scenario": "clarification_required",
        "target": "NAT0000001",
        "user_profile": speaker.profile([fact for fact in facts if fact.slot == "profile"]),
        "opening": "I need a hoodie.",
        "facts": (Fact(kind="category", value="hoodie", slot="opening", said="hoodie"), *facts),
        "moves": speaker.moves(),
    }
    return sealed(NaturalSession.model_validate(known | changes))


def sealed(of: NaturalSession) -> NaturalSession:
    """Return the session with the fingerprint that it should have."""
    return of.model_copy(update={"sha256": fingerprint(of)})


def fact(kind: Any, value: str, said: str, slot: Any = "hidden", **changes: Any) -> Fact:
    return Fact(kind=kind, value=value, slot=slot, said=said, **changes)
