"""What was understood, in words a shopper would recognise."""

from __future__ import annotations

from tools.explanation import describe
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
