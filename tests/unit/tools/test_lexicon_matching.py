"""Catalog values in the words of a message: longest first, ambiguity by context."""

from __future__ import annotations

import pytest

from catalog.lexicon import LexiconEntry
from catalog.text import tokens
from graph.events import BeliefState
from tests.unit.tools.lexicons import SmallLexicon, brief, read
from tools.language import Reader
from tools.reading import Question


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("pink hoodie", ["color=pink", "category=hoodies"]),
        ("hoodie by Pink", ["category=hoodies", "brand=pink"]),
        ("Old Navy jeans", ["brand=old navy", "category=jeans"]),
        ("navy jeans", ["color=navy", "category=jeans"]),
        ("OLD NAVY JEANS", ["brand=old navy", "category=jeans"]),
        ("orange shirt", ["color=orange", "category=shirts"]),
        ("a shirt from Orange", ["category=shirts", "brand=orange"]),
        ("brand orange", ["brand=orange"]),
        ("orange color", ["color=orange"]),
        ("maroon 5 t-shirt", ["theme=maroon 5", "category=t-shirts"]),
        ("maroon t-shirt", ["color=maroon", "category=t-shirts"]),
        ("Under Armour shirt", ["brand=under armour", "category=shirts"]),
        ("faux leather jacket", ["material=faux leather", "category=jackets"]),
        ("navy blue dress", ["color=navy", "category=dresses"]),
        ("rose gold sandals", ["color=rose gold", "category=sandals"]),
        ("hiking boots", ["category=hiking boots"]),
        ("levis jeans", ["brand=levi's", "category=jeans"]),
        ("Levi\u2019s jeans", ["brand=levi's", "category=jeans"]),
        ("v-neck shirt", ["neck=v-neck", "category=shirts"]),
        ("v neck shirt", ["neck=v-neck", "category=shirts"]),
        ("long-sleeve shirt", ["sleeve=long sleeve", "category=shirts"]),
        ("black/white sneakers", ["color|black,white", "category=sneakers"]),
        ("black or navy hoodie", ["color|black,navy", "category=hoodies"]),
        ("red, blue or green socks", ["color|red,blue,green", "category=socks"]),
        ("for men and women", ["department=unisex"]),
        ("mens womens sandals", ["department=unisex", "category=sandals"]),
        ("women's boots", ["department=women", "category=boots"]),
        ("machine washable winter jacket", ["feature=machine washable", "season=winter", "category=jackets"]),
        ("there is a gap between us", []),
        ("a jacket from Gap", ["category=jackets", "brand=gap"]),
        ("no-show socks", ["feature=no show", "category=socks"]),
        ("quick release band", ["feature=quick release"]),
        ("don't let it slip", []),
        ("mens jackets denim", ["department=men", "category=jackets", "material=denim"]),
        ("denim jackets", ["category=denim jackets", "material=denim"]),
        ("so black boots then", ["color=black", "category=boots"]),
        ("from and to", []),
        ("less casual", []),
        ("a lighter color", ["color|white,light blue"]),
        ("a different colour", []),
        ("not as casual", []),
    ],
)
def test_values(text, facts):
    assert brief(read(text)) == facts


def test_punctuation_ends_a_surface():
    assert brief(read("faux, leather")) == ["material=leather"]


def test_a_word_said_of_the_assistant_is_no_value():
    assert brief(read("haha you're gold, thanks! hmm", asked="color")) == []


def test_a_category_is_a_guess_and_stays_soft_unless_it_is_needed():
    assert read("some boots").facts[0].strength == "soft"
    assert read("I need boots").facts[0].strength == "hard"


def test_words_of_the_catalog_that_no_one_asked_about_stay_query_text():
    reading = read("cozy summit jacket")
    assert reading.query_text == "cozy summit jacket"
    assert reading.unexplained == ["cozy", "summit"]


def test_a_colour_that_only_its_cue_names():
    (fact,) = read("feather color").facts
    assert (fact.attribute, fact.op, fact.value, fact.strength) == ("color", "contains", "feather", "soft")
    assert brief(read("the brand is Wexley")) == ["brand*wexley"]


def test_a_kind_of_thing_whose_name_begins_with_no_keeps_its_words_for_retrieval() -> None:
    class Named(SmallLexicon):
        def readings(self, surface: tuple[str, ...]) -> list[LexiconEntry]:
            if surface == tokens("no rope sandals"):
                return [LexiconEntry("category", "category", "sandals", 100, 0.8)]
            return super().readings(surface)

    reading = Reader(Named()).read("no-rope sandals", Question(), BeliefState())
    assert reading.query_text == "no-rope sandals"
    assert [(fact.value, fact.polarity) for fact in reading.facts] == [("sandals", "positive")]
