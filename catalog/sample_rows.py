"""Catalog rows of the sample store: variants of designs with titles, details, counts and prices."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from catalog.sample_design import Design, Designer, title_case
from catalog.sample_tables import Tables, Weighted, level


@dataclass(frozen=True)
class Variant:
    """One product of a design: its colour and size, and whether its title says them."""

    color: str
    size: str
    pattern: str
    material: str
    names_color: bool
    names_size: bool
    rating_number: int


class RowWriter:
    """Turns designs into rows of the catalog's JSONL shape; all randomness comes from the seed."""

    def __init__(self, tables: Tables, designer: Designer, seed: int, prices: Literal["sparse", "dense"]) -> None:
        self._tables = tables
        self._designer = designer
        self._rng = random.Random(f"{seed}:rows")
        self._price_rng = random.Random(f"{seed}:prices")
        self._priced = tables.curves.priced_sparse if prices == "sparse" else tables.curves.priced_dense
        self._asins: set[str] = set()

    def rows(self, design: Design) -> Iterator[dict[str, Any]]:
        """Yield the rows of a design, its best-selling variant first."""
        head = self._headline(design)
        tail = self._rng.choice((", {}", " ({})", " - {}", " {}", ", {}"))
        shared = self._designer.bullets(design, design.material)
        described = self._description(design)
        for variant in self._variants(design):
            moved = variant.material != design.material
            bullets = self._designer.bullets(design, variant.material) if moved else shared
            yield self._row(design, variant, self._title(head, tail, design, variant), bullets, described)

    def _variants(self, design: Design) -> Iterator[Variant]:
        """Yield one variant, or a family that differs in one attribute; counts fall from the first on."""
        rng = self._rng
        count = int(level(self._tables.curves.ratings, rng.random()))
        first = Variant(
            color=self._colors(design).draw(rng),
            size=self._sizes(design).draw(rng),
            pattern="",
            material=design.material,
            names_color=rng.random() < 0.66,
            names_size=rng.random() < 0.28,
            rating_number=count,
        )
        yield first
        if design.amount == "title_only" or rng.random() >= level(self._tables.families.share, count):
            return
        axis = self._tables.families.axes.draw(rng)
        seen = {first.color, first.size, first.material}
        for _ in range(int(self._tables.families.members.draw(rng)) - 1):
            sibling = self._sibling(first, axis, design)
            if seen.isdisjoint(_changed(first, sibling)):
                seen.update(_changed(first, sibling))
                yield sibling

    def _sibling(self, first: Variant, axis: str, design: Design) -> Variant:
        rng = self._rng
        share = (1 + rng.randrange(60)) / 100
        sold = replace(first, rating_number=max(1, int(first.rating_number * share)))
        if axis == "color":
            return replace(sold, color=self._colors(design).draw(rng), names_color=True)
        if axis == "size":
            return replace(sold, size=self._sizes(design).draw(rng), names_size=True)
        if axis == "print":
            return replace(sold, pattern=rng.choice(self._tables.structured.prints))
        return replace(sold, material=design.kind.materials.draw(rng))

    def _row(
        self, design: Design, variant: Variant, title: str, bullets: list[str], described: list[str]
    ) -> dict[str, Any]:
        bare = design.amount == "title_only"
        rated = not bare or self._rng.random() < 0.7
        return {
            "parent_asin": self._asin(),
            "title": title,
            "features": bullets,
            "description": [] if bare else described,
            "price": self._price(design, variant),
            "categories": [] if bare else list(design.leaf.path),
            "details": {} if bare else self._details(design, variant),
            "average_rating": self._average(variant.rating_number) if rated else None,
            "rating_number": variant.rating_number if rated else None,
            "store": None if bare and self._rng.random() < 0.5 else design.brand,
        }

    def _headline(self, design: Design) -> str:
        """Word the part of a title that a family shares: brand, department, styles, traits, noun and stuffing."""
        rng, noun = self._rng, title_case(design.noun)
        parts = [design.brand] if rng.random() < 0.66 else []
        if "theme" in design.kind.topics and rng.random() < 0.7:
            parts.append(design.theme)
        unisex = design.leaf.department == "Unisex"
        before = not unisex and rng.random() < 0.62
        if before:
            parts.append(design.department.own.draw(rng))
        traits = [rng.choice(self._tables.trait[name].title) for name in design.traits if rng.random() < 0.6]
        parts += [trait for trait in traits if not trait.startswith("with ")]
        parts += [style for style in design.styles if style.lower() not in design.noun]
        if design.material != "none" and rng.random() < 0.25:
            parts.append(title_case(self._designer.material_word(design.material)))
        parts.append(noun)
        if not before and rng.random() < 0.75:
            parts.append(f"for {rng.choice(design.department.people)}")
        parts += [trait for trait in traits if trait.startswith("with ")]
        head = " ".join(dict.fromkeys(parts)) + self._stuffing(design, " ".join(parts).lower())
        return head.upper() if rng.random() < 0.02 else head

    def _stuffing(self, design: Design, said: str) -> str:
        """Append keywords as sellers do: other names of the product, occasions, a second audience."""
        extras = [extra for extra in design.extras if extra.lower() not in said]
        others = [noun for noun in design.leaf.nouns if noun not in said]
        if extras and others and self._rng.random() < 0.45:
            extras.insert(1, title_case(self._rng.choice(others)))
        if not extras:
            return ""
        return self._rng.choice((" ", ", ", " | ", " ")) + self._rng.choice((" ", " ", ", ")).join(extras)

    def _title(self, head: str, tail: str, design: Design, variant: Variant) -> str:
        named = [variant.pattern] if variant.pattern else []
        if variant.material != design.material and variant.material != "none":
            named.append(title_case(self._designer.material_word(variant.material)))
        named += [variant.color] if variant.names_color else []
        named += [variant.size] if variant.names_size else []
        return head + (tail.format(", ".join(named)) if named else "")

    def _description(self, design: Design) -> list[str]:
        rng = self._rng
        if rng.random() >= 0.33:
            return []
        return [self._designer.prose(design, rng, rng.choice((1, 2, 2, 3))) for _ in range(rng.choice((1, 1, 1, 2)))]

    def _details(self, design: Design, variant: Variant) -> dict[str, str]:
        """Fill in the details that stores ask for; most sellers leave out colour, material and size."""
        rng, form = self._rng, self._tables.structured
        material = self._designer.material_word(variant.material)
        number = f"{design.brand[:3].upper().strip()}{rng.randrange(100, 99999)}"
        chances: list[tuple[float, str, str]] = [
            (0.052, "Color", variant.color),
            (0.045 if variant.material != "none" else 0.0, "Material", title_case(material)),
            (0.025, "Size", variant.size),
            (0.07, "Brand", design.brand),
            (0.05, "Age Range (Description)", (form.ages_child if design.department.child else form.ages).draw(rng)),
            (0.05 if design.closure != "None" else 0.0, "Closure Type", design.closure),
            (0.04, "Style", rng.choice(design.styles)),
            (0.03, "Pattern", variant.pattern or form.patterns.draw(rng)),
            (0.35, "Is Discontinued By Manufacturer", "No"),
            (
                0.66,
                rng.choice(("Package Dimensions", "Package Dimensions", "Product Dimensions")),
                self._dimensions(),
            ),
            (0.42, "Item model number", number),
            (0.66 if design.leaf.department == "Unisex" else 0.91, "Department", design.department.details.draw(rng)),
            (0.96, "Date First Available", self._date()),
            (0.36, "Manufacturer", design.brand),
            (0.07, "Country of Origin", form.countries.draw(rng)),
        ]
        return {key: value for chance, key, value in chances if rng.random() < chance}

    def _dimensions(self) -> str:
        rng = self._rng
        sides = [f"{rng.randrange(low, high) / 100:g}" for low, high in ((500, 1600), (250, 1300), (20, 500))]
        return f"{' x '.join(sides)} inches; {rng.randrange(30, 3200) / 100:g} Ounces"

    def _date(self) -> str:
        rng = self._rng
        year = 2023 - int(14 * rng.random() * rng.random())
        return f"{rng.choice(self._tables.structured.months)} {rng.randrange(1, 29)}, {year}"

    def _colors(self, design: Design) -> Weighted:
        metallic = design.kind.goods in ("jewelry", "watch", "eyewear")
        return self._tables.colors["metal" if metallic else "names"]

    def _sizes(self, design: Design) -> Weighted:
        scheme, department = self._tables.sizes[design.kind.sizes], design.leaf.department
        group = {"Girls": "kids", "Boys": "kids", "Baby Girls": "baby", "Baby Boys": "baby"}.get(department, "adult")
        return scheme.get(group, scheme["adult"])

    def _price(self, design: Design, variant: Variant) -> float | None:
        """Tell the price of the share of products that have one; what sells well is priced far more often."""
        known = self._price_rng.random() < level(self._priced, variant.rating_number)
        return design.price if known else None

    def _average(self, ratings: int) -> float:
        curves, u = self._tables.curves, self._rng.random()
        return round(level(curves.average_few if ratings < 20 else curves.average_many, u), 1)

    def _asin(self) -> str:
        """Make up an id of ten characters; S0 cannot be one of a real store."""
        while True:
            asin = "S0" + "".join(self._rng.choices("0123456789BCDFGHJKLMNPQRSTVWXYZ", k=8))
            if asin not in self._asins:
                self._asins.add(asin)
                return asin


def _changed(first: Variant, sibling: Variant) -> set[str]:
    """Return the values in which a sibling differs from the first of its family."""
    names = ("color", "size", "pattern", "material")
    return {getattr(sibling, name) for name in names if getattr(sibling, name) != getattr(first, name)} or {first.color}
