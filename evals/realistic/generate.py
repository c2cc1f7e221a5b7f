"""Make the sessions of protocol P3: P1's targets and cards, each with a persona and what is untrue of the target."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from catalog.product import Product
from evals.draws import pick, unit
from evals.official.cards import category_phrase
from evals.official.generate import generate_sessions
from evals.official.shopper import OfficialSession
from evals.realistic.bank import PERSONAS, bank_sha256
from evals.realistic.session import Manner, RealisticSession
from evals.realistic.untrue import keyed_values, literal_values, untrue_values
from evals.sessions import Draw

OTHERS = 60
"""Other products that are looked at for untrue values, of the target's category first."""


def realistic_sessions(
    products: Sequence[Product], n: int, draw: Draw, seed: int, clean: bool = False, manner: Manner | None = None
) -> list[RealisticSession]:
    """Return `n` sessions with the targets, cards, scenarios and ids that P1 has for the same arguments.

    So each manner of speaking, and P1 itself, can be compared session by session. Raises `EvaluationError` when
    fewer than `n` products can be targets.
    """
    by_id = {product.parent_asin: product for product in products}
    by_category: dict[str, list[Product]] = defaultdict(list)
    for product in products:
        by_category[category_phrase(product)].append(product)
    sessions = generate_sessions(products, n, draw, seed, clean)
    return [
        _session(session, by_id[session.target], by_category[session.category], products, manner or Manner())
        for session in sessions
    ]


def _session(
    session: OfficialSession, target: Product, alike: Sequence[Product], products: Sequence[Product], manner: Manner
) -> RealisticSession:
    name, values = session.session_id, session.card.values
    others = [*_some(alike, name), *_some(products, name)]
    return RealisticSession(
        **dict(session),
        manner=manner,
        bank=bank_sha256(manner.half),
        persona=pick(PERSONAS, name, "persona"),
        keyed=keyed_values(target, values),
        literal=literal_values(target, values),
        untrue=untrue_values(target, values, others, name),
    )


def _some(products: Sequence[Product], seed: str) -> list[Product]:
    """Return up to `OTHERS` products that follow a drawn place, round the end."""
    start = int(unit(seed, "others") * len(products))
    return [*products[start : start + OTHERS], *products[: max(0, start + OTHERS - len(products))]][:OTHERS]
