"""Shades: what looks alike is near, measured by the published test pairs of the colour difference."""

from __future__ import annotations

import pytest

from catalog import shades as module
from catalog.constraint import Constraint, Verdict
from catalog.judge import judge_product, kin_values
from catalog.product import Product
from catalog.shades import Lab, difference, lab, near_shades, shades
from catalog.vocabulary import broader_values


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, -1.3802, -84.2814), (50.0, 0.0, -82.7485), 1.0),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_difference_agrees_with_the_published_pairs(first, second, expected):
    # Sharma, Wu and Dalal (2005), table 1.
    assert difference(Lab(*first), Lab(*second)) == pytest.approx(expected, abs=1e-4)


def test_white_and_black_are_a_hundred_apart():
    assert difference(lab("ffffff"), lab("000000")) == pytest.approx(100, abs=0.1)


def test_what_people_call_alike_is_near():
    assert {"midnight blue", "dark blue"} <= near_shades("navy")
    assert {"wine", "maroon"} <= near_shades("burgundy")
    assert "dark gray" in near_shades("charcoal")
    assert near_shades("navy").isdisjoint({"sky blue", "black", "teal"})
    assert near_shades("blue") == near_shades("no colour at all") == frozenset()


def test_every_shade_is_a_value_with_a_base():
    bases = broader_values("colors")
    assert all(bases.get(value) for value in shades())


def test_a_near_shade_is_no_contradiction():
    wanted = Constraint(attribute="color", value="navy")
    near, far = (
        Product(parent_asin="A", title="Coat", facets={"color": (shade, "blue")}) for shade in ("dark blue", "sky blue")
    )
    assert judge_product(wanted, near) == Verdict.UNKNOWN
    assert judge_product(wanted, far) == Verdict.VIOLATED


def test_kin_are_broader_values_and_near_shades():
    assert {"blue", "midnight blue"} <= kin_values("color", "navy")
    assert "wool" in kin_values("material", "merino wool")
    assert kin_values("feature", "waterproof") == frozenset()


def test_a_bad_row_is_named(monkeypatch, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "shades.csv").write_text("value,srgb\nnavy,blue\n")
    monkeypatch.setattr(module, "files", lambda _: tmp_path)
    shades.cache_clear()
    with pytest.raises(ValueError, match=r"shades\.csv: bad row"):
        shades()
    shades.cache_clear()
