"""Paraphrases: everyday words become catalog values, softly, and only values that the catalog holds."""

from __future__ import annotations

import pytest

from catalog.lexicon import LexiconEntry
from catalog.text import tokens
from catalog.vocabulary import TABLES, spelled_surfaces
from graph.events import BeliefState
from tools.language import Reader
from tools.mentions import Claims, Mention
from tools.paraphrase import Row, compile_phrase, paraphrases, rows
from tools.reading import Question
from tools.words import read_text


class FullLexicon:
    """A lexicon of every value of the vocabulary tables, except the `unknown` ones."""

    longest = 8

    def __init__(self, *unknown: str) -> None:
        self._readings: dict[tuple[str, ...], list[LexiconEntry]] = {}
        families = {"fit", "sleeve", "neck", "closure", "pattern"}
        for name, key in TABLES.items():
            attribute = "style" if key in families else "use_case" if key in ("occasion", "season") else key
            for surface, spelling in spelled_surfaces(name).items():
                if spelling.value not in unknown and key != "idiom":
                    entry = LexiconEntry(attribute, key, spelling.value, 10, 1.0)
                    self._readings.setdefault(tokens(" ".join(surface)), []).append(entry)
        for size in ("plus size", "big and tall", "petite"):
            self._readings.setdefault(tokens(size), []).append(LexiconEntry("size", "size", size, 10, 1.0))
        # A value of a shop's own, which no table of the vocabulary holds.
        self._readings[("blackout",)] = [LexiconEntry("feature", "feature", "blackout", 10, 1.0)]

    def readings(self, words: tuple[str, ...]) -> list[LexiconEntry]:
        return self._readings.get(words, [])

    def knows(self, token: str) -> bool:
        return (token,) in self._readings

    def document_frequency(self, token: str) -> int:
        return int(self.knows(token))


FULL = FullLexicon()


def meant(text: str, lexicon: FullLexicon = FULL, values: list[Mention] | None = None) -> list[str]:
    """Return what the phrases of a text mean, as `key=value`."""
    cut = read_text(text)
    found = paraphrases(cut, Claims(len(cut.low)), lexicon, [] if values is None else values)
    return [f"{m.key}={m.value}" for m in found]


def wanted(row: Row) -> list[str]:
    """Return the facts that a row may yield."""
    values = [value for target in row.targets for value in (target.split("+") if "+" in target else [target])]
    return [
        f"{entry.key}={entry.value}"
        for value in values
        for entry in FULL.readings(tokens(value))
        if entry.key in row.keys
    ]


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.phrase[:40]}>{row.targets[0]}")
def test_every_row_reads_its_example_and_no_row_contradicts_it(row):
    phrase, heads = compile_phrase(row)
    text = read_text(row.example)
    assert any(t.text in heads and phrase.pattern.match(text.low, t.start) for t in text.tokens)
    assert wanted(row), "no target is a value of the vocabulary"
    found = [fact for fact in meant(row.example) if fact.split("=")[0] in row.keys]
    assert found and (set(found) <= set(wanted(row)) or "[" in found[0]), found


def test_rows_are_soft_and_of_low_confidence():
    assert all(0.5 <= row.confidence <= 0.7 for row in rows())
    cut = read_text("boots that keep me toasty")
    (mention,) = paraphrases(cut, Claims(len(cut.low)), FULL, [])
    assert (mention.source, mention.strength, mention.confidence) == ("paraphrase", "soft", 0.65)
    assert cut.low[mention.start : mention.end] == "keep me toasty"


def test_only_values_that_the_catalog_holds_in_order_of_choice():
    said = "a coat that keeps me dry"
    assert meant(said) == ["feature=waterproof"]
    assert meant(said, FullLexicon("waterproof")) == ["feature=water resistant"]
    assert meant(said, FullLexicon("waterproof", "water resistant")) == []


def test_a_longer_phrase_takes_over_what_the_lexicon_read_inside_it():
    inside = [Mention("category", "slips", 17, 21)]
    assert meant("shoes that won't slip", values=inside) == ["feature=non slip"]
    assert inside == []


def test_a_phrase_gives_way_to_what_was_said_verbatim_or_is_explained():
    said = [Mention("feature", "waterproof", 0, 10)]
    assert meant("waterproof, keeps me dry", values=said) == []
    longer = [Mention("feature", "keeps me dry all day", 0, 20)]
    assert meant("keeps me dry all day", values=longer) == []
    cut = read_text("keeps me dry")
    claims = Claims(len(cut.low))
    claims.take(6, 8)
    assert paraphrases(cut, claims, FULL, []) == []


def test_a_size_that_is_a_word_of_a_phrase_is_none():
    weak = [Mention("size", "s", 20, 25, weak=True)]
    cut = read_text("a jacket that packs small")
    (mention,) = paraphrases(cut, Claims(len(cut.low)), FULL, [], weak=weak)
    assert (mention.value, weak) == ("foldable", [])


def test_an_exclusion_says_more_than_its_opposite():
    formal = [Mention("style", "formal", 4, 10)]
    assert meant("not formal, please", values=formal) == []
    assert [m.value for m in formal] == ["formal"]


def test_phrases_end_at_punctuation_and_word_limits():
    assert meant("it won't slip") == ["feature=non slip"]
    assert meant("it won't, slip dresses are fine") == []
    assert meant("it won't slipper") == []


def test_less_of_a_thing_is_no_wish_for_it():
    assert meant("something flowy") == ["fit=loose fit"]
    assert meant("less flowy and not as girly") == []


def test_a_possessive_is_not_whom_it_is_for():
    assert meant("a suit for my brother") == ["department=men"]
    assert meant("a suit for my brother's wedding") == []


def test_words_of_a_whole_phrase_mean_nothing_by_themselves():
    inside = [Mention("department", "girls", 12, 17)]
    assert meant("a top for a girls night out", values=inside) == ["occasion=party"]
    assert inside == []
    beside = [Mention("department", "women", 16, 21)]
    assert meant("jeans for curvy women", values=beside) == ["size=plus size"]
    assert [m.value for m in beside] == ["women"]


def test_an_apostrophe_or_hyphen_may_be_missing():
    assert meant("sneakers that dont slip") == ["feature=non slip"]
    assert meant("shoes with good-grip") == ["feature=non slip"]


def test_a_negation_before_a_phrase_excludes_what_it_means():
    reader = Reader(FULL)
    facts = reader.read("i don't want anything that keeps me dry", Question(), BeliefState()).facts
    assert [(fact.value, fact.polarity) for fact in facts] == [("waterproof", "negative")]


def test_the_query_gets_the_value_instead_of_the_phrase():
    reading = Reader(FULL).read("boots that keep my feet dry", Question(), BeliefState())
    assert reading.query_text == "boots waterproof"
    assert reading.unexplained == []


@pytest.mark.parametrize("text", ["", "won't", "keeps", "no " * 1300, "keeps me " * 400, "won't let me " * 300])
def test_any_text_is_read(text):
    assert isinstance(meant(text), list)
