"""The language reader: what a message says, by rules alone, within about a millisecond.

A cascade, each tier adding what the ones before left unexplained: structured form, dialogue moves, grammar (prices,
ratings, counts, sizes), catalog lexicon, short answers. Polarity, strength and changes of mind are settled last, over
all mentions together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal, get_args

from catalog.lexicon import Lexicon
from catalog.product import Product
from graph.events import BeliefState, Fact
from tools.alternatives import merge_alternatives
from tools.answers import read_answer, read_option
from tools.changes import (
    mark_replacements,
    named_change,
    replaces_words,
    restored_values,
    withdrawn_values,
)
from tools.comparisons import read_comparisons, settle_degrees
from tools.counts import read_counts
from tools.levels import read_levels
from tools.lexicon_matching import match_lexicon
from tools.likeness import same_values
from tools.loose_values import absent_kinds, freed_values, named_values, written_brands
from tools.mentions import Claims, Mention
from tools.moves import Spoken, read_moves
from tools.owned import owned_mentions
from tools.paraphrase import paraphrases
from tools.places import claim_places
from tools.pointing import Scene, describe_shown
from tools.polarity import settle_polarity
from tools.prices import read_prices
from tools.query_text import query_words, unexplained_words
from tools.reading import Move, Question, Reading
from tools.references import Earlier
from tools.scopes import settle_scopes
from tools.shelf_names import shelf_names
from tools.sizes import read_sizes
from tools.spelling import Speller
from tools.strength import settle_strength
from tools.structured import read_structured
from tools.untold_sentences import untold_sentences
from tools.wishes import read_clauses
from tools.words import Text, read_text

Tier = Literal["structured", "grammar", "lexicon", "typos", "paraphrase", "moves", "polarity"]
TIERS: frozenset[str] = frozenset(get_args(Tier))
"""Parts of the cascade that can be left out to measure what each contributes."""


@dataclass(slots=True)
class _State:
    """One message while it is read."""

    text: Text
    claims: Claims
    mentions: list[Mention] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    frames: list[tuple[int, int]] = field(default_factory=list)
    silent: list[tuple[int, int]] = field(default_factory=list)
    described: list[tuple[int, int]] = field(default_factory=list)
    talk: list[tuple[int, int]] = field(default_factory=list)
    everything: Move | None = None
    wished: bool = False
    unmet: bool = False
    """Something is asked for that no fact holds."""


class Reader:
    """Reads messages against the lexicon of one catalog.

    Example: `Reader(lexicon).read("black boots, not suede, under $50", Question(), BeliefState())` gives the facts
    color black, category boots, material suede (negative) and budget le 50.
    """

    def __init__(self, lexicon: Lexicon, without: frozenset[str] = frozenset()) -> None:
        """Read against `lexicon`, leaving out the tiers named; raises `ValueError` for a tier that does not exist."""
        if unknown := without - TIERS:
            raise ValueError(f"{sorted(unknown)} are no tiers of the reader: name some of {sorted(TIERS)}.")
        self._lexicon = lexicon
        self._without = without
        self._speller = None if "typos" in without else Speller(lexicon)

    def read(
        self,
        message: str,
        question: Question,
        belief: BeliefState,
        shown: Sequence[Product] = (),
        earlier: Earlier = tuple,
    ) -> Reading:
        """Return what a message says. Never raises on any text; reads its first 4,000 characters.

        `question` is the one that the message may answer, `belief` what is held so far (a new colour replaces a held
        one), `shown` the products on screen in their order ("cheaper" needs their prices), `earlier` gives those of the
        lists before.
        """
        text = read_text(message)
        respelled = self._speller.respell(text) if self._speller else None
        if respelled:
            text = read_text(respelled.text)
        state = _State(text, Claims(len(text.low)))
        if "structured" not in self._without:
            self._structured(state)
        kinds = tuple(value for fact in belief.of("category") for value in fact.values)
        discussed = tuple(p for p, product in enumerate(shown, 1) if product.parent_asin in belief.discussed)
        underway = question.underway or bool(shown)
        scene = Scene(question.attribute, shown, underway, earlier, discussed, kinds)
        spoken = Spoken()
        if "moves" not in self._without:
            state.mentions += read_option(text, state.claims, question)
            restored = restored_values(text, state.claims, belief)
            state.mentions += restored
            state.silent += [(mention.start, mention.end) for mention in restored]
            spoken = read_moves(text, state.claims, scene)
            state.moves += spoken.moves
            if any(move.act == "reset" for move in spoken.moves):
                belief = BeliefState()
        claim_places(text, state.claims)
        self._facts(state, question, scene, spoken, belief.constraints)
        self._settle(state, question, belief)
        reading = _reading(state)
        return respelled.restore(reading) if respelled else reading

    def _structured(self, state: _State) -> None:
        found = read_structured(state.text.raw, state.text.low, self._lexicon)
        state.mentions += found.mentions
        state.frames += found.frames
        for start, end in [*found.frames, *((m.start, m.end) for m in found.mentions)]:
            state.claims.take(start, end)

    def _facts(
        self, state: _State, question: Question, scene: Scene, spoken: Spoken, held: Sequence[Fact] = ()
    ) -> None:
        text, claims, asked = state.text, state.claims, question.attribute
        state.mentions += same_values(text, claims, scene.shown, spoken.pointed.places)
        state.mentions += named_change(text, claims, self._lexicon)
        found = self._grammar(state, question, scene.shown, spoken, held)
        weak = [mention for mention in found if mention.weak]
        values = []
        if "lexicon" not in self._without:
            state.mentions += freed_values(text, claims, self._lexicon)
            state.mentions += written_brands(text, claims, self._lexicon)
            values = match_lexicon(text, claims, self._lexicon, asked=asked, weak=weak)
        if "paraphrase" not in self._without:
            values += paraphrases(text, claims, self._lexicon, values, weak=weak, asked=asked)
        for mention in weak:
            claims.take(mention.start, mention.end)
        if "lexicon" not in self._without:
            values += named_values(text, claims)
            values += absent_kinds(text, claims, self._lexicon, values)
        found = [*(mention for mention in found if not mention.weak), *weak, *values]
        if "moves" not in self._without:
            state.moves += describe_shown(text, found, scene, spoken.pointed)
        degrees = settle_degrees(text, claims, found)
        found += degrees.mentions
        state.unmet |= bool(degrees.unmet)
        if not any(asked in (m.attribute, m.detail) for m in [*state.mentions, *found]) and not (
            spoken.moves or spoken.refused
        ):
            found += read_answer(text, claims, question, self._lexicon)
        if spoken.refused is not None and not (state.mentions or found or spoken.moves):
            state.moves.append(spoken.refused)
        state.described = [*spoken.pointed.asking, *spoken.pointed.spans]
        state.silent += [(m.start, m.end) for m in found if any(m.overlaps(*span) for span in state.described)]
        state.silent += state.described
        state.mentions += [m for m in found if not any(m.overlaps(*span) for span in state.described)]
        state.mentions.sort(key=lambda mention: mention.start)

    def _grammar(
        self, state: _State, question: Question, shown: Sequence[Product], spoken: Spoken, held: Sequence[Fact]
    ) -> list[Mention]:
        """Return what numbers and comparatives say; sizes that may be words of something longer are `weak`."""
        if "grammar" in self._without:
            return []
        text, claims, asked = state.text, state.claims, question.attribute
        sizes = read_sizes(text, claims, size_asked=asked == "size")
        counts = read_counts(text, claims)
        prices = read_prices(text, claims, budget_asked=asked == "budget", names=shelf_names(text, self._lexicon))
        standards = spoken.pointed.standards or _pointed_at(spoken)
        compared = read_comparisons(text, claims, self._lexicon, shown, standards, held)
        state.silent += compared.unmet
        state.unmet |= bool(compared.unmet)
        return [*compared.mentions, *sizes, *counts, *prices, *read_levels(text, claims)]

    def _settle(self, state: _State, question: Question, belief: BeliefState) -> None:
        text = state.text
        owned = owned_mentions(text, [m for m in state.mentions if m.source != "structured"])
        state.mentions = [m for m in state.mentions if not any(m is other for other in owned)]
        state.silent += [(m.start, m.end) for m in owned]
        moves, dropped = withdrawn_values(text, state.claims, state.mentions, belief)
        state.moves += moves
        kept = [m for m in state.mentions if not any(m is other for other in dropped)]
        natural = [m for m in kept if m.source != "structured"]
        added: list[Mention] = []
        if "polarity" not in self._without:
            polarity = settle_polarity(text, state.claims, natural, self._lexicon)
            added = polarity.added
            kept = [m for m in kept if not any(m is other for other in polarity.absorbed)]
            state.silent += polarity.excluded
        for mention in added:
            state.claims.take(mention.start, mention.end)
        state.silent += [(m.start, m.end) for m in dropped]
        state.silent += [(m.start, m.end) for m in kept if m.polarity == "negative"]
        state.mentions = merge_alternatives(text, sorted([*kept, *added], key=lambda m: m.start))
        looking = question.looking
        excluded = {(m.key, str(m.value)) for m in state.mentions if m.polarity == "negative" and not m.relative}
        state.mentions = [
            m for m in state.mentions if m.polarity == "negative" or (m.key, str(m.value)) not in excluded
        ]
        state.mentions = settle_scopes(text, state.mentions)
        state.everything = mark_replacements(text, state.claims, state.mentions, belief, looking=looking)
        settle_strength(text, state.mentions, asked=question.attribute)
        if "moves" not in self._without:
            for span in state.described:
                state.claims.take(*span)
            clauses = read_clauses(text, state.claims, state.mentions, question.attribute)
            state.mentions = [m for m in state.mentions if not any(m is untold for untold in clauses.untold)]
            state.silent += clauses.talk
            state.talk = clauses.talk
            # Beside another move, words that ask for nothing describe what is spoken of.
            ended = all(move.act == "no_preference" and move.attribute == "all" for move in state.moves)
            state.unmet |= clauses.asked
            state.wished |= state.unmet or (clauses.wished and ended)
            if state.wished and not any(m.replaces for m in state.mentions) and replaces_words(text, belief):
                state.moves.append(Move(act="replace", value="words"))


def _pointed_at(spoken: Spoken) -> list[int]:
    return list(chain.from_iterable(move.ordinals for move in spoken.moves))


def _reading(state: _State) -> Reading:
    facts = _fact_moves(state)
    if (state.wished or state.unmet) and not any(move.act in ("add", "replace") for move in [*facts, *state.moves]):
        facts.append(Move(act="add"))
    moves = [*facts, *state.moves]
    query = query_words(state.text, state.mentions, state.claims, state.frames, state.silent)
    unexplained, content = unexplained_words(state.text, state.claims, state.described)
    confidence = 1.0 - len(unexplained) / content if content else float(bool(state.text.words))
    return Reading(
        moves=moves or [Move(act="other")],
        query_text=query,
        confidence=round(confidence, 3),
        unexplained=unexplained,
        sentences=untold_sentences(state.text, state.claims, state.mentions, [*state.talk, *state.described]),
        described=state.described,
        unmet=state.unmet,
    )


def _fact_moves(state: _State) -> list[Move]:
    moves = []
    everything = state.everything
    for mention in state.mentions:
        fact = mention.fact(state.text.raw)
        if mention.polarity == "negative" and not mention.relative:
            moves.append(Move(act="negate", fact=fact))
        elif mention.replaces and everything is not None:
            moves.append(everything.model_copy(update={"fact": fact.model_copy(update={"strength": "hard"})}))
            everything = None
        elif mention.replaces:
            # A value that people's words were mapped to stays a guess, whatever it replaces.
            hard = fact if mention.source == "paraphrase" else fact.model_copy(update={"strength": "hard"})
            moves.append(Move(act="replace", fact=hard, attribute=fact.attribute, detail=fact.detail))
        else:
            moves.append(Move(act="add", fact=fact, widens=mention.widens))
    return moves if everything is None else [everything, *moves]
