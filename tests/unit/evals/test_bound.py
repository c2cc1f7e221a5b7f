from __future__ import annotations

from catalog.product import Product
from evals.official.bound import CardMembership, bound_outcomes
from evals.official.cards import category_phrase, hidden_card
from evals.official.shopper import OfficialSession, override_turn
from evals.scoring import Outcome, score
from graph.settings import Policy
from tests.unit.evals.shelf import session, sessions, shelf


def stock(*rows: tuple[str, tuple[str, ...], int]) -> list[Product]:
    return [
        Product(
            parent_asin=asin, title="t", features=features, categories=("Knitwear", "Cardigans"), rating_number=count
        )
        for asin, features, count in rows
    ]


def outcomes(products: list[Product], played: list[OfficialSession], policy: Policy) -> list[Outcome]:
    return bound_outcomes(products, played, [policy])[policy]


CARD = ("a1", "b2", "c3", "d4")
TARGET = ("TARGET0001", CARD, 5)


def wanted(scenario: str) -> OfficialSession:
    return session(scenario, hard=CARD[:2], soft=CARD[2:])


def test_membership_holds_the_products_of_a_phrase_whose_card_has_all_values_most_rated_first() -> None:
    products = stock(TARGET, ("MORE000001", ("a1", "x9"), 50), ("NONE000001", ("b2", "x9"), 99))
    membership = CardMembership(products, [session()])
    assert membership.fitting("Knitwear Cardigans", []) == ["NONE000001", "MORE000001", "TARGET0001"]
    assert membership.fitting("Knitwear Cardigans", ["a1"]) == ["MORE000001", "TARGET0001"]
    assert membership.fitting("Knitwear Cardigans", ["a1", "d4"]) == ["TARGET0001"]
    assert membership.fitting("Knitwear Cardigans", ["unheard of"]) == []


def test_equally_rated_products_stand_in_catalog_order() -> None:
    products = stock(("B000000001", ("a1", "x9"), 5), TARGET, ("A000000001", ("a1", "x8"), 5))
    membership = CardMembership(products, [session()])
    assert membership.fitting("Knitwear Cardigans", ["a1"]) == ["B000000001", "TARGET0001", "A000000001"]


def test_a_clean_bound_reads_clean_cards() -> None:
    products = [product.model_copy(update={"details": {"Source": "feed"}}) for product in stock(TARGET)]
    short = session(hard=("a1", "b2"), soft=("c3", "d4"))
    assert CardMembership(products, [short]).fitting(short.category, ["d4"]) == ["TARGET0001"]
    sparse = [product.model_copy(update={"features": ("a1",)}) for product in products]
    assert CardMembership(sparse, [short]).fitting(short.category, ["Source: feed"]) == ["TARGET0001"]
    assert CardMembership(sparse, [short], clean=True).fitting(short.category, ["Source: feed"]) == []


def test_full_hits_at_once_at_the_rank_of_popularity_and_confident_waits_for_first_place() -> None:
    rivals = [(f"RIVAL{n:05d}", ("a1", f"x{n}"), 100 + n) for n in range(3)]
    products = stock(TARGET, *rivals)
    (full,) = outcomes(products, [wanted("buying")], "full")
    assert (full.turn, full.rank) == (1, 4)
    (confident,) = outcomes(products, [wanted("buying")], "confident")
    assert (confident.turn, confident.rank) == (2, 1)  # two more values leave one product


def test_confident_shows_ten_once_nothing_is_undisclosed_and_never_the_same_twice() -> None:
    twins = [(f"TWIN{n:06d}", CARD, 100 + n) for n in range(6)]
    products = stock(TARGET, *twins)
    (outcome,) = outcomes(products, [wanted("browsing")], "confident")
    # Turn 1 and 2 show one twin each; turn 3 knows the whole card and shows the five that are left.
    assert (outcome.turn, outcome.rank) == (3, 5)


def test_a_target_behind_more_than_a_hundred_twins_is_missed() -> None:
    products = stock(TARGET, *[(f"TWIN{n:06d}", CARD, 100 + n) for n in range(100)])
    assert outcomes(products, [wanted("buying")], "full")[0].turn is None


def test_an_override_counts_from_its_turn_and_clears_what_was_shown() -> None:
    override = wanted("intent_override")
    (outcome,) = outcomes(stock(TARGET), [override], "full")
    assert (outcome.turn, outcome.rank) == (override_turn(override), 1)


def test_outcomes_agree_with_a_slow_reading_of_the_rules() -> None:
    products = shelf()
    played = sessions(20, seed=9)
    for policy in ("full", "confident"):
        fast = outcomes(products, played, policy)
        assert [(o.turn, o.rank) for o in fast] == [_slowly(products, s, policy) for s in played]


def test_confident_beats_full_on_a_shelf_of_near_twins() -> None:
    full, confident = (score(outcomes(shelf(), sessions(40), policy)) for policy in ("full", "confident"))
    assert confident.technical_score > full.technical_score


def _slowly(products: list[Product], wanted: OfficialSession, policy: str) -> tuple[int | None, int | None]:
    """Play the bound's agent with sets of cards alone, written apart from the shopper."""
    values = list(dict.fromkeys(wanted.hard + wanted.soft))
    known: list[str] = []
    told: list[str] = []
    seen: list[str] = []
    shrugged = wanted.scenario != "boundary"
    switch = override_turn(wanted)
    if wanted.scenario == "buying":
        known, told = [wanted.hard[0]], [wanted.hard[0]]
    if switch:
        known = [wanted.soft[-1]]
    for turn in range(1, 11):
        if turn == switch:
            known, told, seen = [*known, wanted.hard[0]], [*told, wanted.hard[0]], []
        fitting = [
            product
            for product in sorted(products, key=lambda p: -(p.rating_number or 0))
            if category_phrase(product) == wanted.category
            and all(value in hidden_card(product).values for value in known)
            and product.parent_asin not in seen
        ]
        open_values = [value for value in values if value not in told]
        shown = [product.parent_asin for product in fitting][: 1 if policy == "confident" and open_values else 10]
        if wanted.target in shown and turn >= (switch or 1):
            return turn, shown.index(wanted.target) + 1
        seen += shown
        if turn + 1 == switch:
            continue
        if not shrugged:
            shrugged = True
            continue
        known, told = known + open_values[:2], told + open_values[:2]
    return None, None
