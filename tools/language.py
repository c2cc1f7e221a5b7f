"""The language reader: what a message says, by rules alone, within about a millisecond.

A cascade, each tier adding what the ones before left unexplained: structured form, dialogue moves, grammar (prices,
ratings, counts, sizes), catalog lexicon, short answers. Polarity, strength and changes of mind are settled last, over
all mentions together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from catalog.lexicon import Lexicon
from catalog.product import Product
from graph.events import BeliefState
from tools.alternatives import merge_alternatives
from tools.answers import read_answer
from tools.changes import mark_replacements, named_change, relative_wishes, restored_values, withdrawn_values
from tools.counts import read_counts
from tools.lexicon_matching import match_lexicon
from tools.loose_values import named_values
from tools.mentions import Claims, Mention
from tools.moves import Spoken, read_moves
from tools.paraphrase import paraphrases
from tools.polarity import settle_polarity
from tools.prices import read_prices
from tools.query_text import query_words, unexplained_words
from tools.reading import Move, Question, Reading
from tools.sizes import read_sizes
from tools.spelling import Speller
from tools.strength import settle_strength
from tools.structured import read_structured
from tools.words import Text, read_text


@dataclass(slots=True)
class _State:
    """One message while it is read."""

    text: Text
    claims: Claims
    mentions: list[Mention] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    frames: list[tuple[int, int]] = field(default_factory=list)
    silent: list[tuple[int, int]] = field(default_factory=list)
    everything: Move | None = None


class Reader:
    """Reads messages against the lexicon of one catalog.

    Example: `Reader(lexicon).read("black boots, not suede, under $50", Question(), BeliefState())` gives the facts
    color black, category boots, material suede (negative) and budget le 50.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._speller = Speller(lexicon)

    def read(self, message: str, question: Question, belief: BeliefState, shown: Sequence[Product] = ()) -> Reading:
        """Return what a message says. Never raises on any text; reads its first 4,000 characters.

        `question` is the one that the message may answer, `belief` what is held so far (a new colour replaces a held
        one), `shown` the products on screen in their order ("cheaper" needs their prices).
        """
        text = read_text(message)
        respelled = self._speller.respell(text)
        if respelled:
            text = read_text(respelled.text)
        state = _State(text, Claims(len(text.low)))
        self._structured(state)
        restored = restored_values(text, state.claims, belief)
        state.mentions += restored
        state.silent += [(mention.start, mention.end) for mention in restored]
        spoken = read_moves(text, state.claims, asked=question.attribute, shown=len(shown))
        state.moves += spoken.moves
        self._facts(state, question, shown, spoken)
        self._settle(state, question, belief)
        reading = _reading(state)
        return respelled.restore(reading) if respelled else reading

    def _structured(self, state: _State) -> None:
        found = read_structured(state.text.raw, state.text.low, self._lexicon)
        state.mentions += found.mentions
        state.frames += found.frames
        for start, end in [*found.frames, *((m.start, m.end) for m in found.mentions)]:
            state.claims.take(start, end)

    def _facts(self, state: _State, question: Question, shown: Sequence[Product], spoken: Spoken) -> None:
        text, claims, asked = state.text, state.claims, question.attribute
        state.mentions += named_change(text, claims, self._lexicon)
        ordinals = [ordinal for move in spoken.moves for ordinal in move.ordinals]
        relative = relative_wishes(text, claims, shown, ordinals)
        if relative:
            state.moves = [move for move in state.moves if move.act != "refer"]
        sizes = read_sizes(text, claims, size_asked=asked == "size")
        counts = read_counts(text, claims)
        prices = read_prices(text, claims, budget_asked=asked == "budget")
        weak = [mention for mention in sizes if mention.weak]
        values = match_lexicon(text, claims, self._lexicon, asked=asked, weak=weak)
        firm = [mention for mention in sizes if not mention.weak]
        for mention in weak:
            claims.take(mention.start, mention.end)
        meant = paraphrases(text, claims, self._lexicon, values)
        found = [*relative, *firm, *weak, *counts, *prices, *values, *meant]
        found += named_values(text, claims)
        if not any(asked in (m.attribute, m.detail) for m in [*state.mentions, *found]) and not (
            spoken.moves or spoken.refused
        ):
            found += read_answer(text, claims, question, self._lexicon)
        asking = spoken.asking
        if spoken.refused is not None and not (state.mentions or found or spoken.moves):
            state.moves.append(spoken.refused)
        state.silent += [(m.start, m.end) for m in found if any(m.overlaps(*span) for span in asking)]
        state.mentions += [m for m in found if not any(m.overlaps(*span) for span in asking)]
        state.mentions.sort(key=lambda mention: mention.start)

    def _settle(self, state: _State, question: Question, belief: BeliefState) -> None:
        text = state.text
        moves, dropped = withdrawn_values(text, state.mentions, belief)
        state.moves += moves
        kept = [m for m in state.mentions if not any(m is other for other in dropped)]
        natural = [m for m in kept if m.source != "structured"]
        polarity = settle_polarity(text, state.claims, natural, self._lexicon)
        for mention in polarity.added:
            state.claims.take(mention.start, mention.end)
        state.silent += polarity.excluded + [(m.start, m.end) for m in dropped]
        state.silent += [(m.start, m.end) for m in kept if m.polarity == "negative"]
        state.mentions = merge_alternatives(text, sorted([*kept, *polarity.added], key=lambda m: m.start))
        state.everything = mark_replacements(text, state.claims, state.mentions, belief)
        settle_strength(text, state.mentions, asked=question.attribute)


def _reading(state: _State) -> Reading:
    moves = [*_fact_moves(state), *state.moves]
    query = query_words(state.text, state.mentions, state.claims, state.frames, state.silent)
    unexplained, content = unexplained_words(state.text, state.claims)
    confidence = 1.0 - len(unexplained) / content if content else float(bool(state.text.words))
    return Reading(
        moves=moves or [Move(act="other")],
        query_text=query,
        confidence=round(confidence, 3),
        unexplained=unexplained,
    )


def _fact_moves(state: _State) -> list[Move]:
    moves = []
    everything = state.everything
    for mention in state.mentions:
        fact = mention.fact(state.text.raw)
        if mention.polarity == "negative":
            moves.append(Move(act="negate", fact=fact))
        elif mention.replaces and everything is not None:
            moves.append(everything.model_copy(update={"fact": fact.model_copy(update={"strength": "hard"})}))
            everything = None
        elif mention.replaces:
            hard = fact.model_copy(update={"strength": "hard"})
            moves.append(Move(act="replace", fact=hard, attribute=fact.attribute, detail=fact.detail))
        else:
            moves.append(Move(act="add", fact=fact))
    return moves if everything is None else [everything, *moves]
