"""Why a product is shown and what is believed, in words a shopper would recognise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph.events import BeliefState


def reasons(evidence: list[dict[str, Any]]) -> str:
    """Return why a product is shown, on one line: what it satisfies, what it does not say, what it lacks.

    Example: `color navy (title: "Navy"), under $50 (price: $39.99); not stated: brand acme`.
    """
    parts = [
        ", ".join(_quoted(row) for row in evidence if row["verdict"] == "satisfied"),
        _nearest(evidence),
        _listed("not stated: ", evidence, "unknown"),
        _listed("differs: ", evidence, "violated"),
        _listed("given up: ", evidence, "relaxed"),
    ]
    return "; ".join(part for part in parts if part) or "closest to your words, and often bought"


def _nearest(evidence: list[dict[str, Any]]) -> str:
    """Return the product's sentences that come near to the shopper's."""
    return ", ".join(f"near to {_quoted(row)}" for row in evidence if row["verdict"] == "near")


def _listed(label: str, evidence: list[dict[str, Any]], verdict: str) -> str:
    facts = [str(row["fact"]) for row in evidence if row["verdict"] == verdict]
    asked = [f"whether {fact.removeprefix('not ')}" if fact.startswith("not ") else fact for fact in facts]
    return label + ", ".join(asked if verdict == "unknown" else facts) if facts else ""


def _quoted(row: dict[str, Any]) -> str:
    """Return a fact with the words of the product that show it; a derived facet has no words of its own."""
    if not row.get("words") or row["field"].startswith("facets."):
        return str(row["fact"])
    return f'{row["fact"]} ({row["field"]}: "{row["words"]}")'


def belief_lines(belief: BeliefState) -> list[str]:
    """Return what the agent holds of the present intent, one line each."""
    from tools.explanation import describe

    lines = [
        f"{describe(entry.fact)} [{entry.fact.strength}, turn {entry.turn}{'' if entry.active else ', replaced'}]"
        for entry in belief.entries
    ]
    lines += [
        f'"{said.text}" [by its meaning, turn {said.turn}{"" if said.weight >= 1 else ", replaced"}]'
        for said in belief.descriptions
    ]
    if belief.declined:
        lines.append(f"no preference on: {', '.join(belief.declined)}")
    if belief.asked:
        lines.append(f"asked: {', '.join(attribute for _, attribute in belief.asked)}")
    if belief.rejected:
        lines.append(f"turned down: {len(belief.rejected)} products")
    return lines or ["nothing yet"]
