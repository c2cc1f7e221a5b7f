"""What was understood, in words a shopper would recognise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph.events import BeliefState
    from tools.reading import Move, Reading

SIMPLE_MOVES = {
    "compare": "compare products",
    "ask_info": "a question about a product",
    "reset": "start over",
    "undo": "take the last turn back",
    "other": "nothing to search for",
}


def understood(reading: Reading) -> list[str]:
    """Return one phrase a move of the reading, in order; `nothing to search for` when there is none.

    Example: `["category coat", "color navy (maybe)", "no preference on brand"]`.
    """
    phrases = [_move(move) for move in reading.moves] or [
        "your words, as search text" if reading.query_text else "nothing to search for"
    ]
    return list(dict.fromkeys(phrases))


def _move(move: Move) -> str:
    from tools.explanation import describe

    named = " ".join(filter(None, ((move.detail or move.attribute or "").replace("_", " "), move.value)))
    if move.fact is not None:
        hedge = " (maybe)" if move.fact.strength == "soft" else ""
        instead = "instead: " if move.act == "replace" else ""
        return f"{instead}{describe(move.fact)}{hedge}"
    match move.act:
        case "remove":
            return f"no longer {named or 'what you said'}"
        case "replace":
            return f"forget {named or 'the earlier preferences'}"
        case "no_preference":
            return (
                "no preference: you decide" if move.attribute in (None, "all", "other") else f"no preference on {named}"
            )
        case "relax":
            return f"{named or 'everything'} may be given up"
        case "refer":
            return f"product {_numbers(move.ordinals)}"
        case "negate":
            return f"not these: {_numbers(move.ordinals)}"
    return SIMPLE_MOVES.get(move.act, move.act)


def _numbers(ordinals: list[int]) -> str:
    return ", ".join("the last" if n == -1 else str(n) for n in ordinals) or "all shown"


def reasons(evidence: list[dict[str, Any]]) -> str:
    """Return why a product is shown, on one line: what it satisfies, what it does not say, what it lacks.

    Example: `color navy (title: "Navy"), under $50 (price: $39.99); not stated: brand acme`.
    """
    parts = [
        ", ".join(_quoted(row) for row in evidence if row["verdict"] == "satisfied"),
        _listed("not stated: ", evidence, "unknown"),
        _listed("differs: ", evidence, "violated"),
        _listed("given up: ", evidence, "relaxed"),
    ]
    return "; ".join(part for part in parts if part) or "closest to your words, and often bought"


def _listed(label: str, evidence: list[dict[str, Any]], verdict: str) -> str:
    facts = [str(row["fact"]) for row in evidence if row["verdict"] == verdict]
    asked = [f"whether {fact.removeprefix('not ')}" if fact.startswith("not ") else fact for fact in facts]
    return label + ", ".join(asked if verdict == "unknown" else facts) if facts else ""


def _quoted(row: dict[str, Any]) -> str:
    """Return a fact with the words of the product that show it; a derived facet has no words of its own."""
    if not row.get("words") or row["field"] == "derived":
        return str(row["fact"])
    return f'{row["fact"]} ({row["field"]}: "{row["words"]}")'


def belief_lines(belief: BeliefState) -> list[str]:
    """Return what the agent holds of the present intent, one line each."""
    from tools.explanation import describe

    lines = [
        f"{describe(entry.fact)} [{entry.fact.strength}, turn {entry.turn}{'' if entry.active else ', replaced'}]"
        for entry in belief.entries
    ]
    if belief.declined:
        lines.append(f"no preference on: {', '.join(belief.declined)}")
    if belief.asked:
        lines.append(f"asked: {', '.join(attribute for _, attribute in belief.asked)}")
    if belief.rejected:
        lines.append(f"turned down: {len(belief.rejected)} products")
    return lines or ["nothing yet"]
