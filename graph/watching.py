"""What each node of a turn decided, and why, in a record that a person can read.

A record is made by a pure function of the state before, the node's update and the numbers that it handed over
(`graph.state.BASIS`), so that the same turn always leaves the same records. Times are kept apart from them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from graph.events import (
    WORDS,
    AttributeAsked,
    BeliefState,
    ConstraintAdded,
    ConstraintReplaced,
    ConstraintRetracted,
    DescriptionAdded,
    Event,
    IntentReset,
    PreferenceDeclined,
    ProductsChosen,
    ProductsDiscussed,
    ProductsRejected,
    ProductsShown,
    QueryTextAdded,
    TurnUndone,
    believe,
    load,
)
from graph.state import TurnState
from tools.clarification import OPEN
from tools.explanation import describe
from tools.reading import Reading
from tools.retelling import understood

Step = dict[str, Any]
"""`node`, `in`, `decided`, `why`: short strings."""

SHORT, LONG = 80, 110
"""Bytes of a part of a record: a turn's ten records are stored in each of its checkpoints."""

NAMED = 3
"""Things of a kind that a record names, the weightiest."""


class Told(NamedTuple):
    """The three parts of a record: what came in, what was decided, and why."""

    came: str
    decided: str
    why: str = ""


def step_of(node: str, before: TurnState, update: Mapping[str, Any], basis: Mapping[str, Any]) -> Step:
    """Return the record of one node.

    Args:
        node: Its name in the graph.
        before: The state that it read.
        update: What it returned, without the basis.
        basis: The numbers behind its decision, as the node handed them over.

    Example: `{"node": "filter", "in": "812 candidates", "decided": "57 left", "why": "at most $60 dropped 412; ..."}`.
    """
    tell: Teller = TELLERS.get(node, _tell_other)
    told = tell(before, update, basis)
    return {"node": node, "in": cut(told.came, SHORT), "decided": cut(told.decided, SHORT), "why": cut(told.why, LONG)}


def cut(text: str, most: int) -> str:
    """Return text on one line of at most `most` bytes of UTF-8, with an ellipsis where something is left out."""
    # A message may hold 100,000 characters: no more of them are looked at than could stay.
    line = " ".join(text[: 4 * most].split())
    raw = line.encode()
    if len(raw) <= most and len(text) <= 4 * most:
        return line
    return raw[: most - 3].decode(errors="ignore").rstrip() + "…"


def _tell_route(_before: TurnState, update: Mapping[str, Any], _: Mapping[str, Any]) -> Told:
    mode = update["mode"]
    why = "no words of browsing or control" if mode == "buying" else f"words of {mode}"
    return Told(
        f"{len(update['message']):,} characters: {_quoted(update['message'])}",
        f"turn {update['turn']}, {mode}",
        "; ".join([why, *update["notices"]]),
    )


def _tell_canonicalize(before: TurnState, update: Mapping[str, Any], _: Mapping[str, Any]) -> Told:
    reading = Reading.model_validate(update["reading"])
    open_question = believe(before.events).open_question
    asked = f", asked for {open_question}" if open_question else ""
    tiers = Counter(fact.source for fact in reading.facts)
    facts = ", ".join(f"{count} by {tier}" for tier, count in tiers.items())
    why = [f"facts: {facts or 'none'}", f"confidence {reading.confidence:.2f}"]
    if reading.unexplained:
        why.append(f"not explained: {' '.join(reading.unexplained)}")
    return Told(f"{_quoted(before.message)}{asked}", "; ".join(understood(reading)), "; ".join(why))


def _tell_translate(before: TurnState, update: Mapping[str, Any], _: Mapping[str, Any]) -> Told:
    translation = update["translation"]
    sure = before.reading.get("confidence", 1.0)
    return Told(f"the rules' reading, confidence {sure:.2f}", str(translation.get("status")), _reason(translation))


def _tell_fall_back(before: TurnState, update: Mapping[str, Any], _: Mapping[str, Any]) -> Told:
    came = f"translation {before.translation.get('status', 'missing')}"
    return Told(came, "the rules' reading stands", _reason(update["translation"]))


def _reason(translation: Mapping[str, Any]) -> str:
    return str(translation.get("reason", ""))


def _tell_track(before: TurnState, update: Mapping[str, Any], _: Mapping[str, Any]) -> Told:
    reading = Reading.model_validate(before.reading)
    notices = update["notices"][len(before.notices) :]
    return Told(
        f"{_count(len(reading.moves), 'move')}, {_held(before)}",
        "; ".join(_event(event) for event in load(update["events"])) or "nothing new",
        "; ".join([f"acts: {', '.join(reading.acts)}", *notices]),
    )


def _event(event: Event) -> str:
    match event:
        case ConstraintAdded(fact=fact):
            return f"+ {describe(fact)}"
        case ConstraintReplaced(attribute=attribute, detail=detail, fact=fact):
            replaced = "the words before" if attribute == WORDS else detail or attribute or "all preferences"
            return f"instead of {replaced}: {describe(fact) if fact else 'nothing'}"
        case ConstraintRetracted(attribute=attribute, detail=detail, value=value):
            return f"- {' '.join(filter(None, (detail or attribute, value)))}"
        case PreferenceDeclined(attribute=attribute):
            return f"no preference on {attribute}"
        case QueryTextAdded(text=text):
            return f"words {_quoted(text)}"
        case DescriptionAdded(text=text):
            return f"sentence {_quoted(text)}"
        case ProductsRejected(products=products):
            return f"{len(products)} turned down"
        case ProductsChosen(products=products):
            return f"chosen {', '.join(products)}"
        case ProductsDiscussed(products=products):
            return f"asked about {', '.join(products)}"
        case ProductsShown(products=products):
            return f"{len(products)} shown"
        case AttributeAsked(attribute=attribute):
            return f"asked {attribute}"
        case IntentReset(keep=keep):
            return f"new intent, keeps {', '.join(keep) or 'nothing'}"
        case TurnUndone(undone=undone):
            return f"turn {undone} taken back"


def _tell_retrieve(_before: TurnState, update: Mapping[str, Any], found: Mapping[str, Any]) -> Told:
    ways = ", ".join(f"{count:,} {way}" for way, count in found.items())
    query = _quoted(update["query"]) if update["query"] else "none"
    return Told(f"query {query}", _candidates(update["candidates"]), ways)


def _tell_filter(before: TurnState, update: Mapping[str, Any], basis: Mapping[str, Any]) -> Told:
    dropped = sorted(basis.get("dropped", {}).items(), key=lambda item: -item[1])
    given_up = ", ".join(row["fact"] for row in update["relaxed"])
    why = [f"gave up {given_up}" if given_up else "nothing relaxed"]
    if basis.get("withheld"):
        why.append(f"{basis['withheld']:,} withheld")
    if dropped:
        why.append(", ".join(f"{fact} dropped {count:,}" for fact, count in dropped[:NAMED]))
    return Told(_candidates(before.candidates), f"{len(update['candidates']):,} left", "; ".join(why))


def _tell_rank(before: TurnState, update: Mapping[str, Any], basis: Mapping[str, Any]) -> Told:
    scores = update["scores"]
    came = _candidates(before.candidates)
    if not scores:
        return Told(came, "none")
    lead = f" by {scores[0] - scores[1]:.2f}" if len(scores) > 1 else ""
    belief = believe(before.events)
    terms = sorted(basis.get("terms", {}).items(), key=lambda item: -abs(item[1]))
    parts = [f"{_term(name, belief)} {value:+.2f}" for name, value in terms[: NAMED + 1] if round(value, 2)]
    return Told(
        came, f"{basis.get('leader', 'one')} leads{lead}; {len(scores)} kept", f"{scores[0]:.2f} = {' '.join(parts)}"
    )


def _term(name: str, belief: BeliefState) -> str:
    kind, _, place = name.partition(":")
    return describe(belief.entries[int(place)].fact) if kind == "fact" else name


def _tell_clarify(before: TurnState, update: Mapping[str, Any], basis: Mapping[str, Any]) -> Told:
    asked, named = update["ask_attribute"], ", ".join(update["options"])
    question = "asks nothing" if asked is None else f"asks {asked}{f' ({named})' if named else ''}"
    came = f"turn {before.turn}, {_count(basis.get('leaders', 0), 'leader')}"
    return Told(came, f"{question}; shows {update['commit']}", _split_words(asked, basis, believe(before.events)))


def _split_words(asked: str | None, basis: Mapping[str, Any], belief: BeliefState) -> str:
    """Return why this question: how often its answer tells leaders apart, the next best, what needs no question."""
    splits, worth = basis.get("splits", {}), dict(basis.get("worth", {}))
    why = [basis["reason"]] if basis.get("reason") else []
    if asked is not None and asked in splits:
        why.append(f"splits the leaders {splits[asked]:.2f} of the time, worth {worth.pop(asked):.2f}")
    others = sorted(worth.items(), key=lambda item: (-item[1], item[0]))[:NAMED]
    if others:
        why.append(", ".join(f"{attribute} {part:.2f}" for attribute, part in others))
    known = dict.fromkeys(fact.attribute for fact in belief.constraints)
    declined = [attribute for attribute in belief.declined if attribute not in (OPEN, "all")]
    why += [f"known: {', '.join(known)}"] if known else []
    why += [f"declined: {', '.join(declined)}"] if declined else []
    return "; ".join(why)


def _tell_respond(before: TurnState, update: Mapping[str, Any], basis: Mapping[str, Any]) -> Told:
    shown = [row["parent_asin"] for row in update["recommendations"]]
    unmet = basis.get("unmet", [])
    why = [f"none is known to meet: {', '.join(unmet)}"] if unmet else []
    why += ["some meet each wish that was kept"] if shown and not unmet else []
    why += [f"said: {notice}" for notice in before.notices]
    came = f"{_count(min(before.commit, len(before.candidates)), 'product')} to show"
    asked = update.get("ask_attribute", before.ask_attribute)
    question = f"asks {asked}; " if asked else ""
    return Told(came, f"{question}{_shown(shown)}", "; ".join(why))


def _shown(products: Sequence[str]) -> str:
    return f"{len(products)} shown: {', '.join(products)}" if products else "nothing shown"


def _tell_other(before: TurnState, update: Mapping[str, Any], basis: Mapping[str, Any]) -> Told:
    """Tell of a node that is not one of the ten: which channels it wrote, and the numbers it handed over."""
    why = ", ".join(f"{name} {value}" for name, value in basis.items())
    came = _candidates(before.candidates)
    return Told(came, f"wrote {', '.join(_sizes(update)) or 'nothing'}", why)


def _sizes(update: Mapping[str, Any]) -> Iterable[str]:
    for name, value in update.items():
        yield f"{name} ({len(value)})" if isinstance(value, (list, dict, str)) else name


def _candidates(ids: Sequence[int]) -> str:
    return _count(len(ids), "candidate")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _held(state: TurnState) -> str:
    return f"{_count(len(believe(state.events).constraints), 'fact')} held"


def _quoted(text: str) -> str:
    return f'"{cut(text, SHORT // 2)}"'


Teller = Callable[[Any, Mapping[str, Any], Mapping[str, Any]], Told]

TELLERS: dict[str, Teller] = {
    "route": _tell_route,
    "canonicalize": _tell_canonicalize,
    "translate": _tell_translate,
    "fall_back": _tell_fall_back,
    "track": _tell_track,
    "retrieve": _tell_retrieve,
    "filter": _tell_filter,
    "rank": _tell_rank,
    "clarify": _tell_clarify,
    "respond": _tell_respond,
}
"""The function that words the decision of each node."""
