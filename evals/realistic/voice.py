"""How a shopper of protocol P3 puts into words what P1 lets her say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from catalog.product import Product
from evals.draws import pick, unit
from evals.realistic.bank import Bank, Kind, bank
from evals.realistic.facts import Fact, read_fact, say_fact
from evals.realistic.moves import cheaper_than, referred_place
from evals.realistic.session import RealisticSession
from evals.realistic.speech import speech
from evals.realistic.wording import Wording, clause, sentence, tidied

_DENIED: tuple[Kind, ...] = ("color", "material", "brand", "feature")
_MISTAKEN: tuple[Kind, ...] = ("color", "material", "size", "brand", "budget")

Move = Literal["fact", "override", "refer", "negation", "mistake", "correction", "cheaper"]


class Statement(NamedTuple):
    """What a message has stated: all is true of the target but a `mistake`, and every mistake has its `correction`."""

    move: Move
    kind: Kind
    value: str


class _Owed(NamedTuple):
    """A correction that the next message starts with."""

    text: str
    statement: Statement


class RealisticVoice:
    """Speaks a session in persona: P1 decides what is told, this decides how, and adds only what is true.

    Example: for `color: navy` a hesitant person may say "erm, I'd go for navy. and no wool please, I think?".
    """

    def __init__(self, session: RealisticSession) -> None:
        self._session = session
        self._bank: Bank = bank(session.manner.half)
        self._wording = Wording(session)
        self._target: Product | None = None
        self._shown: Sequence[Product] = ()
        self._owed: _Owed | None = None
        self._later: _Owed | None = None
        self._messages = 0
        self._done: set[str] = set()
        self.statements: list[Statement] = []
        """Everything stated so far, in order."""

    def see(self, target: Product | None, shown: Sequence[Product]) -> None:
        """Look at the products of an answer; wishes about them are checked against the target."""
        self._target, self._shown = target, shown

    def opening(self, value: str) -> str:
        """Say what kind of product is wanted, and `value` where the scenario opens with one."""
        forms = getattr(self._bank.opening, self._session.scenario)
        filled = {"category": self._session.category}
        if value:
            filled["fact"] = self._inside(value, "fact")
        denied = self._negation("opening")
        text = self._wording.put(forms, filled, "opening")
        return self._message(f"{sentence(text)} {denied}" if denied else text)

    def override(self, value: str) -> str:
        """Take the earlier preference back and state `value`; a mistake that is not yet corrected goes with it."""
        self._owed = None
        return self._message(self._wording.put(self._bank.move.override, {"fact": self._inside(value)}, "override"))

    def reveal(self, values: Sequence[str]) -> str:
        """State `values` in one message, with what else this person has to say about them."""
        corrections: list[str] = []
        clauses = [self._clause(value, corrections) for value in values]
        denied = self._negation("reveal")
        text = self._joined([*clauses, denied] if denied else clauses)
        wish = self._cheaper("reveal")
        more = [*corrections, *([wish] if wish else [])]
        return self._message(" ".join([sentence(text), *more]) if more else text)

    def no_preference(self, attribute: str) -> str:
        """Leave `attribute` to the agent."""
        return self._message(self._say("no_preference", attribute=attribute))

    def exhausted(self, attribute: str) -> str:  # noqa: ARG002 - the sentences fit any attribute
        """Have nothing to add, but perhaps a wish about the prices shown."""
        text, wish = self._say("exhausted"), self._cheaper("exhausted")
        return self._message(f"{sentence(text)} {wish}" if wish else text)

    def not_right(self) -> str:
        """Ask to be asked, or for something cheaper than these."""
        return self._message(self._cheaper("not_right") or self._say("not_right"))

    def unclear(self) -> str:
        """Not know what was said."""
        return self._message(self._say("unclear"))

    def _say(self, move: str, **values: str) -> str:
        return self._wording.put(getattr(self._bank.move, move), values, move, self._messages)

    def _message(self, text: str) -> str:
        """Say a correction that is owed first, then the message in its frame."""
        self._messages += 1
        owed, self._owed, self._later = self._owed, self._later, None
        if owed is not None:
            self.statements.append(owed.statement)
            text = f"{sentence(owed.text)} {text}"
        return tidied(self._wording.framed(text, self._messages)).strip()

    def _inside(self, card: str, move: Move = "override") -> str:
        """Return a fact as a phrase inside a sentence."""
        fact = self._fact(card, move)
        form: str = pick(getattr(speech().inside, fact.kind), self._session.session_id, "inside", card)
        return form.format(key=fact.key, value=self._wording.told(fact.value))

    def _fact(self, card: str, move: Move) -> Fact:
        fact = say_fact(self._session, card)
        self.statements.append(Statement(move, fact.kind, card))
        return fact

    def _clause(self, card: str, corrections: list[str]) -> str:
        """Return the statement of one card value: plainly, by a product shown, or wrong at first."""
        place = self._place(card)
        if place is not None:
            fact = self._fact(card, "refer")
            ordinal = speech().ordinals.names[place]
            value = self._wording.told(fact.value)
            return self._wording.put(
                self._bank.move.refer, {"ordinal": ordinal, "value": value}, "refer", card, inner=True
            )
        wrong = self._mistake(card)
        if not wrong:
            return self._stated(self._fact(card, "fact"))
        fact = say_fact(self._session, card)
        self.statements.append(Statement("mistake", fact.kind, wrong))
        value = self._wording.told(fact.value)
        correction = self._wording.put(self._bank.move.correction, {"old": wrong, "value": value}, "correction")
        if unit(self._session.session_id, "later") < speech().rates.later_correction:
            self._later = _Owed(correction, Statement("correction", fact.kind, card))
        else:
            self.statements.append(Statement("correction", fact.kind, card))
            corrections.append(correction)
        return self._stated(read_fact(card, card in self._session.keyed)._replace(value=wrong))

    def _stated(self, fact: Fact) -> str:
        filled = {"value": self._wording.told(fact.value)}
        if fact.kind == "detail":
            filled["key"] = fact.key
        return self._wording.put(getattr(self._bank.fact, fact.kind), filled, "fact", fact.card, inner=True)

    def _joined(self, clauses: Sequence[str]) -> str:
        if len(clauses) == 1:
            return clauses[0]
        forms = self._bank.joined.two if len(clauses) == 2 else self._bank.joined.three
        parts = dict(zip("abc", (clause(text) for text in clauses), strict=False))
        return self._wording.put(forms, parts, "joined", self._messages)

    def _mistake(self, card: str) -> str:
        """Return the wrong value that is said at first, once in a session that has one; empty otherwise."""
        fact = read_fact(card, card in self._session.keyed)
        wrong = self._session.untrue.get(fact.kind, ()) if fact.kind in _MISTAKEN else ()
        return wrong[0] if wrong and self._drawn("correction", speech().rates.correction) else ""

    def _negation(self, where: str) -> str:
        """Return what is not wanted, once in a session that denies something, in the message that the id draws."""
        name = self._session.session_id
        kinds = [kind for kind in _DENIED if self._session.untrue.get(kind)]
        if where != pick(("opening", "reveal"), name, "denied in") or not kinds:
            return ""
        if not self._drawn("negation", speech().rates.negation):
            return ""
        kind = pick(kinds, name, "denied")
        value = self._session.untrue[kind][-1]
        self.statements.append(Statement("negation", kind, value))
        return self._wording.put(getattr(self._bank.negation, kind), {"value": value}, "negation")

    def _place(self, card: str) -> int | None:
        """Return the place of a shown product that the target is like but for this value, when it is referred to."""
        if self._target is None or unit(self._session.session_id, "refer", card) >= speech().rates.refer:
            return None
        keyed = self._session.keyed
        stated = [read_fact(told.value, told.value in keyed) for told in self.statements
                  if told.move not in ("mistake", "negation", "cheaper")]  # fmt: skip
        return referred_place(read_fact(card, card in keyed), self._target, self._shown, stated)

    def _cheaper(self, where: str) -> str:
        """Return the wish for something cheaper than these, once, where the target is; empty otherwise."""
        if self._target is None or not cheaper_than(self._target, self._shown):
            return ""
        if "cheaper" in self._done or unit(self._session.session_id, where, "cheaper") >= speech().rates.cheaper:
            return ""
        self._done.add("cheaper")
        self.statements.append(Statement("cheaper", "budget", ""))
        return self._say("cheaper")

    def _drawn(self, move: str, rate: float) -> bool:
        """Return whether the session has this move, and has not had it."""
        if move in self._done or unit(self._session.session_id, move) >= rate:
            return False
        self._done.add(move)
        return True
