"""Designs of the sample store: one product idea, from which near-duplicate variants are cut."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from catalog.sample_tables import Department, Kind, Leaf, Passage, Tables, Weighted


@dataclass(frozen=True)
class Design:
    """One product idea: everything its variants share."""

    leaf: Leaf
    kind: Kind
    department: Department
    brand: str
    noun: str
    styles: tuple[str, ...]
    extras: tuple[str, ...]
    traits: tuple[str, ...]
    material: str
    closure: str
    theme: str
    amount: str
    price: float
    text_seed: int


def title_case(words: str) -> str:
    """Capitalise each word of a noun phrase, leaving small words small.

    Example: `title_case("two piece suit with vest")` is `"Two Piece Suit with Vest"`.
    """
    small = ("with", "and", "of", "for", "to")
    return " ".join(word if word in small else word[:1].upper() + word[1:] for word in words.split(" "))


class Designer:
    """Draws designs and words their titles and bullets; all randomness comes from the seed."""

    def __init__(self, tables: Tables, seed: int) -> None:
        self._tables = tables
        self._rng = random.Random(f"{seed}:designs")
        self._brands = _brands(tables, random.Random(f"{seed}:brands"))
        self._fills: dict[tuple[str, bool], dict[str, tuple[str, ...]]] = {}
        trades = sorted({kind.goods for kind in tables.kinds.values()})
        self._first_brand = {trade: i * len(self._brands) // len(trades) for i, trade in enumerate(trades)}

    def design(self) -> Design:
        """Draw the next design."""
        rng, tables = self._rng, self._tables
        leaf = tables.leaves[tables.shelves.position(rng)]
        kind, noun = tables.kinds[leaf.kind], rng.choice(leaf.nouns)
        return Design(
            leaf=leaf,
            kind=kind,
            department=tables.departments[leaf.department],
            brand=self._brand(kind.goods),
            noun=noun,
            styles=self._styles(kind, noun),
            extras=tuple(rng.sample(kind.extras, rng.choice((0, 1, 1, 2, 3, 4, 5)))),
            traits=tuple(kind.traits.draw_distinct(rng, rng.choice((0, 1, 1, 2, 2, 3)))),
            material=kind.materials.draw(rng),
            closure=kind.closures.draw(rng),
            theme=self._theme(),
            amount=tables.manners["amounts"].draw(rng),
            price=_price(kind, rng),
            text_seed=rng.getrandbits(32),
        )

    def bullets(self, design: Design, material: str) -> list[str]:
        """Write the feature bullets of a design in one material; the same design and material give the same bullets."""
        rng = random.Random(design.text_seed)
        if design.amount in ("untold", "title_only"):
            return []
        form = self._form(design, material, rng) if design.amount in ("form", "mixed") else []
        if design.amount == "form":
            return form or [f"{title_case(design.noun)}"]
        passages = [self._tables.trait[name] for name in design.traits if rng.random() < 0.75]
        topics = rng.sample(design.kind.topics, min(len(design.kind.topics), rng.choice((1, 2, 3, 4, 4, 5))))
        passages += [self._tables.topic[name] for name in topics]
        if rng.random() < 0.5:
            rng.shuffle(passages)
        join = self._tables.manners["joins"].draw(rng)
        return form + [self._bullet(passage, join, design, material, rng) for passage in passages]

    def prose(self, design: Design, rng: random.Random, sentences: int) -> str:
        """Write a paragraph about a design."""
        topics = rng.sample(design.kind.topics, min(sentences, len(design.kind.topics)))
        return " ".join(
            self._bullet(self._tables.topic[name], "{text}", design, design.material, rng) for name in topics
        )

    def material_word(self, material: str) -> str:
        """Return the word for a material in prose, "material" when nothing is known of it."""
        return self._tables.materials[material].word if material != "none" else "material"

    def _form(self, design: Design, material: str, rng: random.Random) -> list[str]:
        """Fill in a seller's form: fibres, origin, closure, care, each of them often left out."""
        form, lines = self._tables.structured, []
        wearable = design.kind.goods in ("apparel", "footwear", "accessory", "novelty")
        if material != "none" and rng.random() < 0.88:
            lines.append(self._tables.materials[material].said.draw(rng))
        if wearable and rng.random() < 0.44:
            lines.append(form.origins.draw(rng))
        if design.kind.goods == "footwear" and rng.random() < 0.6:
            lines.append(
                rng.choice(
                    ("Rubber sole", "Synthetic sole", "Rubber sole", "EVA sole", "Thermoplastic Elastomers sole")
                )
            )
        if design.closure != "None" and rng.random() < 0.65:
            lines.append(form.closures.draw(rng).format(closure=design.closure))
        if wearable and design.kind.goods != "footwear" and rng.random() < 0.6:
            lines.append(form.cares.draw(rng))
        return lines

    def _bullet(self, passage: Passage, join: str, design: Design, material: str, rng: random.Random) -> str:
        slots = _Slots(self._fill(design), rng)
        slots.update(
            noun=design.noun,
            fabric=self.material_word(material),
            wearer=design.department.wearer,
            style=design.styles[0].lower(),
            brand=design.brand,
            theme=design.theme,
            **_agreement(design.noun),
        )
        text = rng.choice(passage.says).format_map(slots)
        lead = rng.choice(passage.leads)
        return join.format(LEAD=lead.upper(), Lead=lead, text=text[:1].upper() + text[1:])

    def _styles(self, kind: Kind, noun: str) -> tuple[str, ...]:
        """Draw one to three styles that contradict neither each other nor the noun."""
        groups = [group for group in self._tables.structured.style_groups if group not in noun]
        styles: list[str] = []
        for style in self._rng.sample(kind.styles, len(kind.styles)):
            held = [group for group in self._tables.structured.style_groups if group in style.lower()]
            if all(group in groups for group in held):
                styles.append(style)
                groups = [group for group in groups if group not in held]
        return tuple(styles[: self._rng.choice((1, 1, 2, 2, 3))])

    def _fill(self, design: Design) -> dict[str, tuple[str, ...]]:
        """Return what slots draw from: words for children and for this trade go before the general ones."""
        key = design.kind.goods, design.department.child
        if key not in self._fills:
            kinds = (f"_{design.kind.goods}", "_kids") if design.department.child else (f"_{design.kind.goods}",)
            fill = self._tables.fill
            own = {name: next((fill[name + end] for end in kinds if name + end in fill), fill[name]) for name in fill}
            self._fills[key] = own
        return self._fills[key]

    def _brand(self, goods: str) -> str:
        """Draw a brand of a trade: a few sell much, most sell little."""
        u = self._rng.random()
        place = self._first_brand[goods] + int(len(self._brands) * u * u * u)
        return self._brands[place % len(self._brands)]

    def _theme(self) -> str:
        rng, themes = self._rng, self._tables.themes
        year = str(rng.randrange(1950, 2016))
        slots = {"hobby": rng.choice(themes.hobbies), "person": rng.choice(themes.people), "year": year}
        return rng.choice(themes.slogans).format(**slots)


class _Slots(dict[str, str]):
    """Slots of one sentence: what is not given is drawn, and never twice the same in a row."""

    def __init__(self, fill: dict[str, tuple[str, ...]], rng: random.Random) -> None:
        super().__init__()
        self._fill = fill
        self._rng = rng
        self._last = ""

    def __missing__(self, name: str) -> str:
        words = self._fill[name]
        place = self._rng.randrange(len(words))
        word = words[place] if words[place] != self._last else words[(place + 1) % len(words)]
        self._last = word
        return word


def _agreement(noun: str) -> dict[str, str]:
    """Return the words that agree with a noun in number: "this ... is" or "these ... are"."""
    if noun.endswith("s") and not noun.endswith("ss"):
        return {"this": "these", "is": "are", "a": "", "s": "", "es": ""}
    return {"this": "this", "is": "is", "a": "an " if noun[0] in "aeio" else "a ", "s": "s", "es": "es"}


def _price(kind: Kind, rng: random.Random) -> float:
    """Draw a price between the kind's low and high, most often near the usual one, with a seller's ending."""
    low, usual, high = kind.price
    u = rng.random()
    dollars = (
        low + (usual - low) * (u / 0.6) if u < 0.6 else usual + (high - usual) * ((u - 0.6) / 0.4) * ((u - 0.6) / 0.4)
    )
    cents = rng.choice((99, 99, 99, 95, 98, 0, 50, 89, rng.randrange(100)))
    return round(int(dollars) + cents / 100, 2)


def _brands(tables: Tables, rng: random.Random) -> list[str]:
    """Invent the store's brands, all different."""
    makers: list[Callable[[], str]] = [
        lambda: " & ".join(rng.sample(tables.brands.surnames, 2)),
        lambda: rng.choice(tables.brands.surnames) + rng.choice(tables.brands.endings),
        lambda: "".join(rng.sample(tables.brands.syllables, 3)).capitalize(),
        lambda: "".join(rng.sample(tables.brands.syllables, 3)).upper(),
    ]
    order = Weighted(["0", "1", "2", "3"], [25, 20, 35, 20])
    brands: dict[str, None] = {}
    while len(brands) < tables.brands.count:
        brands[makers[int(order.draw(rng))]()] = None
    return [brand for brand in brands if not re.search(r"\b(?:Fabric|Silk|Wool)\b", brand)]
