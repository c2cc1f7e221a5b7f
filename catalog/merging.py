"""One product from all rows of one id: repeated listings, and the variants of Shopify-like exports.

The rule, field by field. Rows are ordered by how many fields they fill, ties by first appearance, and the
first that states a field wins it, with these exceptions: the longest category path wins and the others are
kept as the detail "Other Categories"; choices (colour, size and the like) are united; the lowest price wins,
as it does within a price range, with the span kept as the detail "Price Range"; an average rating comes with
its own count, from the row with the most ratings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from catalog.product import Product
from catalog.rows import MAX_DETAIL, MAX_ITEMS, Offer, StagedRow

PRICE_RANGE, NATIVE_PRICE, VARIANTS, OTHER_CATEGORIES = "Price Range", "Native Price", "Variants", "Other Categories"
"""Details that merging adds."""


def merge_rows(rows: Sequence[StagedRow], currency: str, notes: Counter[str]) -> Product:
    """Return the product of `rows`, all of one id; repairs are counted in `notes`.

    `currency` is the catalog's: prices in another one leave the price unknown and are kept as a detail.
    """
    ordered = sorted(rows, key=lambda row: -row.filled) if len(rows) > 1 else rows
    details = _details(ordered)
    price = _price(ordered, currency, details, notes)
    categories = _categories(ordered, details)
    rated = max(ordered, key=lambda row: (row.rating_number or 0, row.average_rating is not None))
    return Product(
        parent_asin=ordered[0].id,
        title=next((row.title for row in ordered if row.title), ""),
        features=tuple(next((row.features for row in ordered if row.features), [])),
        description=tuple(next((row.description for row in ordered if row.description), [])),
        price=price,
        categories=tuple(categories),
        details=dict(list(details.items())[:MAX_ITEMS]),
        average_rating=rated.average_rating,
        rating_number=rated.rating_number,
        store=next((row.store for row in ordered if row.store), None),
    )


def _details(rows: Sequence[StagedRow]) -> dict[str, str]:
    names = {slot: name for row in reversed(rows) for slot, name in row.option_names.items()}
    choices: dict[str, dict[str, None]] = {}
    for row in sorted(rows, key=lambda row: (row.source, row.line)):
        for slot, values in row.options.items():
            choices.setdefault(names.get(slot, slot.capitalize()), {}).update(dict.fromkeys(values))
    details = {name: ", ".join(list(values)[:MAX_ITEMS])[:MAX_DETAIL] for name, values in choices.items()}
    for row in rows:
        for name, text in row.details.items():
            details.setdefault(name, text)
    return details


def _price(rows: Sequence[StagedRow], currency: str, details: dict[str, str], notes: Counter[str]) -> float | None:
    listed = sorted(rows, key=lambda row: (row.source, row.line))
    offers = [offer for row in listed for offer in row.offers]
    own = [offer for offer in offers if offer.currency in ("", currency)]
    foreign = [offer for offer in offers if offer.currency not in ("", currency)]
    if foreign:
        notes[f"price in {foreign[0].currency}, kept as a detail"] += 1
        details[NATIVE_PRICE] = _span(foreign) + " " + foreign[0].currency
    if not own:
        return None
    if len({offer.amount for offer in own}) > 1:
        named = {offer.name: offer for offer in own if offer.name}
        if len(named) > 1:
            details[VARIANTS] = "; ".join(f"{name}: {item.amount:.2f}" for name, item in named.items())[:MAX_DETAIL]
        else:
            notes["conflicting prices, lowest taken"] += 1
    if "-" in (span := _span(own)):
        details[PRICE_RANGE] = span
    return min(offer.amount for offer in own)


def _span(offers: Sequence[Offer]) -> str:
    low = min(offer.amount for offer in offers)
    high = max(offer.high or offer.amount for offer in offers)
    return f"{low:.2f}" if high == low else f"{low:.2f} - {high:.2f}"


def _categories(rows: Sequence[StagedRow], details: dict[str, str]) -> list[str]:
    paths = list(dict.fromkeys(tuple(row.categories) for row in rows if row.categories))
    if not paths:
        return []
    longest = max(paths, key=len)
    if others := [" > ".join(path) for path in paths if not set(path) <= set(longest)]:
        details[OTHER_CATEGORIES] = "; ".join(others)[:MAX_DETAIL]
    return list(longest)
