"""Make the sessions of protocol P2 from the products of a catalog."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence

from catalog.product import Product
from evals.draws import apportion, deal, weighted_key
from evals.errors import EvaluationError
from evals.natural.facts import Claim, Slot
from evals.natural.scenarios import Plan, Wanted, plan
from evals.natural.session import NaturalSession
from evals.natural.signature import FEWEST_TITLE_WORDS, Shelf, claims_of, kind_of
from evals.natural.speech import Speaker
from evals.natural.tables import tables
from evals.natural.validate import fingerprint, leaks
from evals.sessions import Draw

ATTEMPTS = 4
"""Signatures tried of one product before the next one is taken."""


def natural_sessions(
    products: Sequence[Product], n: int, draw: Draw, seed: int, clean: bool = False  # noqa: ARG001 - no card here
) -> list[NaturalSession]:  # fmt: skip
    """Return `n` sessions with distinct targets; the same arguments always give the same sessions.

    Raises `EvaluationError` when fewer than `n` products can be singled out by what a shopper may say of them.
    """
    if n < 1:
        raise EvaluationError(f"n is {n}; a session set needs at least 1 session")
    ids = [hashlib.sha256(f"natural/{draw}/{seed}/{number}".encode()).hexdigest()[:16] for number in range(n)]
    scenarios = deal(ids, apportion(n, tables().scenarios))
    shelf = Shelf(products)
    waiting = _in_drawn_order(products, draw, seed)
    sessions: list[NaturalSession] = []
    unfit: dict[str, set[str]] = defaultdict(set)
    for session_id in ids:
        scenario = scenarios[session_id]
        session = _first_possible(session_id, scenario, waiting, unfit[scenario], shelf)
        if session is None:
            raise EvaluationError(
                f"only {len(sessions)} sessions can be made of {len(products)} products ({scenario} of no "
                f"other); ask for n <= {len(sessions)}"
            )
        sessions.append(session)
    return sessions


def _in_drawn_order(products: Sequence[Product], draw: Draw, seed: int) -> list[Product]:
    """Order the products that can be described by the draw; a missing or zero rating count weighs 1."""

    def key(product: Product) -> tuple[float, str]:
        weight = max(product.rating_number or 0, 1) if draw == "popularity" else 1
        return weighted_key(weight, "natural", draw, seed, product.parent_asin), product.parent_asin

    fit = (product for product in products if len(product.title.split()) >= FEWEST_TITLE_WORDS)
    return sorted(fit, key=key)


def _first_possible(
    session_id: str, scenario: str, waiting: list[Product], unfit: set[str], shelf: Shelf
) -> NaturalSession | None:
    """Make a session about the first waiting product that allows one, and take that product off the list.

    `unfit` gathers the products that did not allow this scenario, which are not tried for it again.
    """
    for place, product in enumerate(waiting):
        if product.parent_asin in unfit:
            continue
        session = _session(session_id, scenario, product, shelf)
        if session is not None:
            del waiting[place]
            return session
        unfit.add(product.parent_asin)
    return None


def _session(session_id: str, scenario: str, product: Product, shelf: Shelf) -> NaturalSession | None:
    category = kind_of(product)
    if category is None:
        return None
    claims = claims_of(product, shelf, category)
    for attempt in range(ATTEMPTS):
        wanted = Wanted(shelf.records[product.parent_asin], category, claims, shelf, f"{session_id} {attempt}")
        laid = plan(scenario, wanted)
        if laid is not None:
            session = _spoken(session_id, scenario, product, laid)
            if not leaks(session, product):
                return session
    return None


def _spoken(session_id: str, scenario: str, product: Product, laid: Plan) -> NaturalSession:
    speaker = Speaker(session_id)
    said: list[tuple[Claim, Slot]] = [(claim, "opening") for claim in laid.opening]
    if laid.old:
        said.append((laid.old, "old"))
    opening, facts = speaker.opening(scenario, laid.category, said)
    profile = [speaker.profile_fact(claim) for claim in laid.profile]
    facts += [*profile, *(speaker.answer(claim, "hidden") for claim in laid.hidden)]
    switch = None
    if laid.old and laid.new:
        switch, new = speaker.switch(laid.old, laid.new)
        facts.append(new)
    session = NaturalSession(
        session_id=session_id,
        scenario=scenario,
        target=product.parent_asin,
        user_profile=speaker.profile(profile),
        opening=opening,
        facts=tuple(facts),
        switch=switch,
        moves=speaker.moves(),
    )
    return session.model_copy(update={"sha256": fingerprint(session)})
