"""The bound of protocol P1: what perfect knowledge of card membership reaches on a session set.

A hypothetical agent knows exactly which products fit the category phrase and the card values stated so far,
always asks `other`, orders those products by rating count and drops what it has shown in this intent. It shows
ten (`full`), or one until one product fits or nothing is undisclosed (`confident`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from catalog.product import Product
from evals.answer import TOP_K, Answer
from evals.official.cards import category_phrase, hidden_card
from evals.official.shopper import OfficialSession, OfficialShopper
from evals.scoring import Outcome
from evals.sessions import LAST_TURN
from graph.settings import Policy

_ASK_ANYTHING = Answer(message="Is there anything else?", ask_attribute="other", recommendations=[])


class CardMembership:
    """Which products of a catalog fit a category phrase and card values.

    Only products of the phrases that `sessions` name are read, since their cards are what takes the time
    (about 50 microseconds each).
    """

    def __init__(self, products: Sequence[Product], sessions: Sequence[OfficialSession], clean: bool = False) -> None:
        wanted = {session.category for session in sessions}
        self._places: dict[str, dict[str, int]] = {phrase: {} for phrase in wanted}
        self._holders: dict[tuple[str, str], set[str]] = defaultdict(set)
        by_popularity = sorted(products, key=lambda product: -(product.rating_number or 0))
        for product in by_popularity:
            phrase = category_phrase(product)
            if phrase not in wanted:
                continue
            self._places[phrase][product.parent_asin] = len(self._places[phrase])
            for value in hidden_card(product, clean).values:
                self._holders[phrase, value].add(product.parent_asin)

    def fitting(self, category: str, values: Sequence[str]) -> list[str]:
        """Return the ids of the products that fit, most rated first (ties: catalog order)."""
        places = self._places[category]
        if not values:
            return list(places)
        holders = sorted((self._holders.get((category, value), set()) for value in values), key=len)
        return sorted(holders[0].intersection(*holders[1:]), key=places.__getitem__)


def bound_outcomes(
    products: Sequence[Product], sessions: Sequence[OfficialSession], policies: Sequence[Policy], clean: bool = False
) -> dict[Policy, list[Outcome]]:
    """Play every session with the hypothetical agent under each policy; outcomes stand in the order of `sessions`."""
    membership = CardMembership(products, sessions, clean)
    return {policy: [_play(session, membership, policy) for session in sessions] for policy in policies}


def _play(session: OfficialSession, membership: CardMembership, policy: Policy) -> Outcome:
    shopper = OfficialShopper(session)
    shopper.opening()
    seen: set[str] = set()
    for turn in range(1, LAST_TURN + 1):
        if turn == shopper.override_turn:
            seen.clear()
        fitting = [asin for asin in membership.fitting(session.category, shopper.stated) if asin not in seen]
        cautious = policy == "confident" and bool(shopper.undisclosed)
        shown = fitting[: 1 if cautious else TOP_K]
        if session.target in shown and shopper.counts(turn):
            rank = shown.index(session.target) + 1
            return Outcome(session_id=session.session_id, scenario=session.scenario, turn=turn, rank=rank)
        seen.update(shown)
        shopper.reply(turn + 1, _ASK_ANYTHING, shown)
    return Outcome(session_id=session.session_id, scenario=session.scenario)
