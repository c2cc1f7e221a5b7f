"""Short answers: words that mean something only beside the question that was asked."""

from __future__ import annotations

from functools import cache

from catalog.brands import brand_text
from catalog.lexicon import Lexicon
from catalog.product import ATTRIBUTES, NUMERIC_ATTRIBUTES
from catalog.text import tokens
from catalog.vocabulary import full_vocabulary, words
from tools.clarification import NAMED_BY
from tools.mentions import GUESSED, Claims, Mention
from tools.options import bounds_of
from tools.phrases import attribute_named, is_spoken, load_table
from tools.reading import Question
from tools.values import checked, value_of
from tools.words import Text

_LONGEST = 4
"""Words of the longest answer that is taken whole; a longer one is a sentence with facts of its own."""

_SHORTEST = 3
"""Words of an answer that is nothing but the name of an option."""

_FREE = frozenset({"category", "brand", "feature", "use_case", "style"})
"""Attributes whose values may be words that the catalog does not list; of colours and materials it knows the names."""
_SMALL_TALK = frozenset({"haha", "hahaha", "lol", "thanks", "thank", "thx", "hello", "hey", "bye", "you're", "sorry"})
_SENTENCE = frozenset(
    {
        "i",
        "you",
        "you've",
        "you're",
        "you'd",
        "you'll",
        "that's",
        "i've",
        "it's",
        "i'll",
        "i'm",
        "my",
        "he",
        "she",
        "we",
        "they",
        "his",
        "her",
        "is",
        "are",
        "was",
        "too",
        "also",
        "and",
        "would",
    }
)
"""Words of a sentence with a subject of its own: it says something, but not the value asked for."""


@cache
def _numerals() -> frozenset[str]:
    table = load_table("numbers")
    return frozenset([*table["units"], *table["tens"], *table["scales"]])


_YES = frozenset({"yes", "yeah", "yep", "yup", "sure", "y", "ok", "okay", "exactly", "correct"})


def read_option(text: Text, claims: Claims, question: Question) -> list[Mention]:
    """Return the fact of an answer that only names one of the options ("the first", "both"), and claim its words.

    Read before anything else points at products: the question was the last thing said.
    """
    if question.attribute is None or not question.options or len(text.words) > _SHORTEST:
        return []
    chosen = _option(text, question)
    return _chosen(chosen, question, claims) if chosen else []


def _chosen(chosen: tuple[int, int, list[str]], question: Question, claims: Claims) -> list[Mention]:
    """Return the fact of the options chosen. The only one was offered in place of what cannot be had: it replaces."""
    start, end, values = chosen
    attribute, detail = attribute_named(str(question.attribute)) or ("feature", None)
    attribute = attribute if attribute in ATTRIBUTES else "feature"
    numeric = attribute in NUMERIC_ATTRIBUTES
    if numeric and len(values) > 1:
        return []
    claims.take(start, end)
    offered = len(question.options) == 1
    if numeric:
        op, amount = bounds_of(values[0])
        bound = Mention(checked(attribute), amount, start, end, op=op, source="grammar", strength="hard")
        bound.replaces = offered
        return [bound]
    detail = detail or _finer_name(attribute, values[0])
    values = [brand_text(value) for value in values] if attribute == "brand" else values
    named = Mention(checked(attribute), values[0], start, end, detail=detail, source="lexicon", strength="hard")
    named.replaces = offered
    if len(values) > 1:
        named.value, named.op = values, "one_of"
    return [named]


def _finer_name(attribute: str, value: str) -> str | None:
    """Return the finer facet that a value of a family belongs to: "v neck" answers a question on style as a neck."""
    keys = NAMED_BY.get(attribute, ())
    terms = full_vocabulary().terms(words(value)) if keys else ()
    return next((term.key for term in terms if term.key in keys and term.key != attribute), None)


def read_answer(text: Text, claims: Claims, question: Question, lexicon: Lexicon) -> list[Mention]:
    """Return the fact of a short answer that no tier explained: one of the options named, or the asked attribute.

    Example: after "which brand?" the answer "mountain gear" is a brand, though the catalog may not know it. Small
    talk is no answer: every word must be one that the catalog's texts hold.
    """
    asked = question.attribute
    if asked is None:
        return []
    chosen = _option(text, question)
    attribute = asked if asked in ATTRIBUTES else "feature"
    if chosen is not None:
        return _chosen(chosen, question, claims)
    content = [w for w in text.words if not is_spoken(w.low) and claims.free(w.start, w.end)]
    if attribute in NUMERIC_ATTRIBUTES or attribute not in _FREE or not 1 <= len(content) <= _LONGEST:
        return []
    if any(word.low in _SMALL_TALK or word.low in _SENTENCE for word in text.words):
        return []
    if any(word.low.isdigit() or word.low in _numerals() for word in content):
        return []
    if len(text.words) > 2 * _LONGEST or not all(lexicon.knows(t) for w in content for t in tokens(w.low)):
        return []
    start, end = content[0].start, content[-1].end
    if not claims.free(start, end):
        return []
    mention = value_of(text.raw, start, end, attribute, None, lexicon)
    if mention is None:
        return []
    claims.take(start, end)
    # Only the question makes the words a value: a guess that nothing may be left out for.
    mention.source, mention.confidence, mention.free, mention.strength = "lexicon", GUESSED, True, "soft"
    return [mention]


def _option(text: Text, question: Question) -> tuple[int, int, list[str]] | None:
    """Return the options that an answer names: exactly the words of one, "yes" to the only one, "both", "the first"."""
    if not question.options:
        return None
    options = [option.lower() for option in question.options]
    words = [w for w in text.words if w.low not in ("the", "one", "please", "of", "them", "um", "i", "guess")]
    if len(words) == 1:
        start, end = words[0].start, words[0].end
        place = load_table("numbers")["ordinals"].get(words[0].low)
        if words[0].low in _YES and len(options) == 1:
            return start, end, options
        if words[0].low in ("both", "either") and len(options) > 1:
            return start, end, options[:2] if len(options) == 2 else options
        if place is not None and -len(options) <= place <= len(options):
            return start, end, [options[place if place < 0 else place - 1]]
    said = tuple(token.text for token in text.tokens)
    for option in question.options:
        tokenised = tokens(option)
        starts = range(len(said) - len(tokenised) + 1) if tokenised else range(0)
        at = next((i for i in starts if said[i : i + len(tokenised)] == tokenised), None)
        if at is not None and len(said) <= len(tokenised) + _LONGEST:
            return text.tokens[at].start, text.tokens[at + len(tokenised) - 1].end, [option.lower()]
    return None
