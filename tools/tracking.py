"""From a reading to events: what each move does to what is held."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from catalog.search import ProductIndex
from catalog.text import tokens
from graph.events import (
    WORDS,
    BeliefState,
    ConstraintAdded,
    ConstraintReplaced,
    ConstraintRetracted,
    DescriptionAdded,
    Event,
    Fact,
    IntentReset,
    PreferenceDeclined,
    ProductsChosen,
    ProductsDiscussed,
    ProductsRejected,
    QueryTextAdded,
    TurnUndone,
)
from tools.language import Reader
from tools.reading import Move, Question, Reading
from tools.wording import told

TRAVELLING = ("budget", "department", "brand", "color", "rating", "review_count")
"""Attributes that stay with the shopper when the category changes: none of them belongs to one kind of product."""

REFINEMENT_SHARE = 0.5
"""A new category with at least this part of its products inside the held one narrows it; otherwise it is a switch."""

NAMED_WORDS = 3
NAMED_LENGTH = 30
"""Unknown words that a notice names, and the characters of each: a long message may hold a thousand."""


class Tracker:
    """Collects the events of one turn, in order."""

    def __init__(
        self, belief: BeliefState, history: Sequence[Mapping[str, Any]], turn: int, index: ProductIndex
    ) -> None:
        self.events: list[Event] = []
        self.notices: list[str] = []
        self._belief = belief
        self._history = history
        self._turn = turn
        self._index = index

    def profile(self, profile: Mapping[str, Any], reader: Reader) -> None:
        """Add what an anonymous profile prefers, as soft facts of little weight."""
        tags = profile.get("preference_tags") or []
        texts = [str(tag) for tag in tags] if isinstance(tags, list) else []
        for text in dict.fromkeys(texts):
            for fact in reader.read(text, Question(), BeliefState()).facts:
                soft = fact.model_copy(update={"strength": "soft", "source": "profile", "span": None, "text": ""})
                self.events.append(ConstraintAdded(turn=0, fact=soft))

    def message(self, reading: Reading) -> None:
        """Add the events of a message."""
        if "undo" in reading.acts:
            self._undo()
            return
        moves = list(reading.moves)
        if any(move.act == "reset" for move in moves):
            self.events.append(IntentReset(turn=self._turn))
        for move in self._in_order(moves):
            self._move(move)
        self._unknown(reading.unexplained)
        begun = reading.confidence > 0 and (self._belief.entries or self._belief.query_texts)
        if reading.acts == ["other"] and not (begun or reading.query_text.strip() or reading.unexplained):
            self.notices.append("Tell me in a few words what you are looking for.")
        if words := self._further_words(reading):
            self.events.append(QueryTextAdded(turn=self._turn, text=words))
        self.events += [DescriptionAdded(turn=self._turn, text=sentence) for sentence in reading.sentences]

    @staticmethod
    def _further_words(reading: Reading) -> str:
        """Return the query words that the values of the message's own facts do not hold: those reach the query anyway.

        Storing both costs a twelfth of a conversation's bytes.
        """
        held = {token for fact in reading.facts for value in fact.values for token in tokens(value)}
        words = reading.query_text.split()
        return " ".join(word for word in words if not set(tokens(word)) <= held or not tokens(word))

    def _unknown(self, words: Sequence[str]) -> None:
        """Say which words no product's text holds: a kind that is not sold, a typing error, an absurd number."""
        absent = [word for word in words if not any(len(self._index.term_ids(token)) for token in tokens(word))]
        if absent:
            named = ", ".join(f'"{word[:NAMED_LENGTH]}"' for word in absent[:NAMED_WORDS])
            self.notices.append(f"No product here mentions {named}.")

    @staticmethod
    def _in_order(moves: list[Move]) -> list[Move]:
        """Take back before adding, so that what a message adds is never lost to its own withdrawal."""
        first = ("remove", "no_preference", "relax")
        return sorted(moves, key=lambda move: move.act not in first)

    def _move(self, move: Move) -> None:
        match move.act:
            case "add" if move.fact is not None and move.widens:
                self._widen(move.fact)
            case "add" | "negate" if move.fact is not None:
                self._add(move.fact)
            case "replace":
                self._replace(move)
            case "negate":
                self._reject(move)
            case "remove" if move.attribute:
                self._retract(move)
            case "remove" if move.value == "last":
                self._retract_last()
            case "no_preference":
                self._decline(move.attribute or "all")
            case "relax" if move.attribute:
                self._relax(move.attribute, move.detail)
            case "refer" | "ask_info" | "compare" if move.ordinals or move.products:
                self._refer(move)
            case "refer" | "ask_info" if move.leads:
                number = "rating" if move.attribute == "rating" else "price"
                self.notices.append(f"None of the products shown states a {number}.")
            case _:
                return

    def _add(self, fact: Fact) -> None:
        self.events.append(ConstraintAdded(turn=self._turn, fact=fact))

    def _replace(self, move: Move) -> None:
        fact = move.fact
        if fact is not None and fact.attribute == "category" and self._switches(fact):
            self.events.append(IntentReset(turn=self._turn, keep=list(TRAVELLING)))
            self._add(fact)
            return
        if move.value == "words":
            self.events.append(ConstraintReplaced(turn=self._turn, attribute=WORDS))
            return
        named = move.attribute or (fact.attribute if fact is not None and not self._takes_all_back(move) else None)
        if fact is not None and named is not None and self._belief.entries and not self._belief.of(named):
            # Replacing what was never said is adding: nothing of the present intent is given up.
            self._add(fact)
            return
        detail = move.detail or (fact.detail if fact is not None and named else None)
        if fact is None and named is not None:
            self.events.append(ConstraintRetracted(turn=self._turn, attribute=named, detail=detail))
            return
        self.events.append(ConstraintReplaced(turn=self._turn, attribute=named, detail=detail, fact=fact))

    @staticmethod
    def _takes_all_back(move: Move) -> bool:
        return move.value == "all"

    def _switches(self, fact: Fact) -> bool:
        held = self._belief.of("category")
        if not held:
            return False
        new = {int(row) for value in fact.values for row in self._index.facet_ids("category", value)}
        old = {int(row) for f in held for value in f.values for row in self._index.facet_ids("category", value)}
        return not new or len(new & old) < REFINEMENT_SHARE * len(new)

    def _retract(self, move: Move) -> None:
        self.events.append(
            ConstraintRetracted(turn=self._turn, attribute=str(move.attribute), detail=move.detail, value=move.value)
        )
        if move.value is None and move.detail is None:
            # Who takes a whole attribute back does not want to be asked about it.
            self.events.append(PreferenceDeclined(turn=self._turn, attribute=str(move.attribute)))

    def _retract_last(self) -> None:
        """Take back what the latest message that stated something added ("forget that")."""
        turns = [entry.turn for entry in self._belief.entries if entry.active and entry.turn > 0]
        for entry in self._belief.entries:
            if turns and entry.turn == max(turns) and entry.active and entry.fact.source != "profile":
                fact = entry.fact
                value = fact.values[0] if fact.values else None
                self.events.append(
                    ConstraintRetracted(turn=self._turn, attribute=fact.attribute, detail=fact.detail, value=value)
                )

    def _widen(self, fact: Fact) -> None:
        """Hold a choice of the value held and the new one ("navy would be fine as well")."""
        held = [
            f for f in self._belief.of(fact.attribute) if f.facet_key == fact.facet_key and f.polarity == "positive"
        ]
        values = list(dict.fromkeys([*(v for f in held for v in f.values), *fact.values]))
        self.events.append(ConstraintRetracted(turn=self._turn, attribute=fact.attribute, detail=fact.detail))
        self._add(fact.model_copy(update={"op": "one_of", "value": values}) if len(values) > 1 else fact)

    def _decline(self, attribute: str) -> None:
        """No preference: unprompted, it also withdraws what was held ("I don't care about the brand")."""
        if attribute not in ("all", "other", self._belief.open_question) and self._belief.of(attribute):
            self.events.append(ConstraintRetracted(turn=self._turn, attribute=attribute))
        self.events.append(PreferenceDeclined(turn=self._turn, attribute=attribute))

    def _relax(self, attribute: str, detail: str | None) -> None:
        for fact in self._belief.of(attribute):
            if detail not in (None, fact.detail):
                continue
            softer = fact.model_copy(update={"strength": "soft"})
            self.events.append(
                ConstraintReplaced(turn=self._turn, attribute=attribute, detail=fact.detail, fact=softer)
            )

    def _reject(self, move: Move) -> None:
        shown = self._belief.last_shown
        rejected = [shown[i] for i in self._positions(move.ordinals)] if move.ordinals else list(shown)
        if rejected:
            self.events.append(ProductsRejected(turn=self._turn, products=rejected))

    def _refer(self, move: Move) -> None:
        """Say which products are pointed at, with what is asked about them; remember the chosen ones."""
        shown = self._belief.last_shown
        named = [(f"Number {place + 1}", shown[place]) for place in self._positions(move.ordinals)]
        named += [("That", parent_asin) for parent_asin in move.products if parent_asin not in shown]
        if move.accepted and named:
            self.events.append(ProductsChosen(turn=self._turn, products=[parent_asin for _, parent_asin in named]))
        elif move.act in ("ask_info", "refer") and named:
            pointed = [parent_asin for _, parent_asin in named]
            self.events.append(ProductsDiscussed(turn=self._turn, products=pointed, leads=move.leads))
        for name, parent_asin in named:
            row = self._index.ids([parent_asin])[0]
            if row is not None:
                self.notices.append(f"{name} is {told(self._index.products([row])[0], move.attribute)}.")
        self.notices = list(dict.fromkeys(self.notices))

    def _positions(self, ordinals: list[int]) -> list[int]:
        """Return 0-based places in the list last shown; places that do not exist are said, not guessed."""
        count = len(self._belief.last_shown)
        places = [count + o if o < 0 else o - 1 for o in ordinals]
        if any(not 0 <= place < count for place in places):
            self.notices.append(f"Only {count} products were shown." if count else "No products were shown yet.")
        return [place for place in places if 0 <= place < count]

    def _undo(self) -> None:
        undoing = {row["turn"] for row in self._history if row["type"] == "turn_undone"}
        undone = {row["undone"] for row in self._history if row["type"] == "turn_undone"}
        turns = {row["turn"] for row in self._history if row["turn"] > 0} - undoing - undone
        if turns:
            self.events.append(TurnUndone(turn=self._turn, undone=max(turns)))
            self.notices.append("I took back your last message.")
        else:
            self.notices.append("There is nothing to undo.")
