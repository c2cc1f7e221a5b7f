"""Why a product is shown and what is believed, in words."""

from __future__ import annotations

import pytest

from catalog.product import Product
from graph.cli.phrases import belief_lines, reasons
from graph.cli.render import ShownProduct, Turn, print_evidence, print_turn, turn_json
from graph.events import BeliefEntry, BeliefState, Fact

NAVY = Fact(attribute="color", value="navy")


def _row(verdict: str, fact: str, **where: str) -> dict[str, str]:
    return {"verdict": verdict, "fact": fact, **where}


def test_reasons_tell_stated_from_unknown_and_different() -> None:
    rows = [
        _row("unknown", "brand acme"),
        _row("satisfied", "color navy", field="title", words="Navy"),
        _row("violated", "under $20"),
        _row("relaxed", "size 9"),
        _row("satisfied", "not suede"),
        _row("unknown", "not leather"),
    ]
    assert reasons(rows) == (
        'color navy (title: "Navy"), not suede; not stated: brand acme, whether leather; '
        "differs: under $20; given up: size 9"
    )


def test_reasons_without_facts_say_what_ranked() -> None:
    assert reasons([]) == "closest to your words, and often bought"


def test_belief_in_lines() -> None:
    belief = BeliefState(
        entries=[BeliefEntry(fact=NAVY, turn=1, weight=0.4), BeliefEntry(fact=NAVY, turn=2)],
        declined=["brand"],
        asked=[(1, "size")],
        rejected=["A1"],
    )
    assert belief_lines(belief) == [
        "color navy [hard, turn 1, replaced]",
        "color navy [hard, turn 2]",
        "no preference on: brand",
        "asked: size",
        "turned down: 1 products",
    ]
    assert belief_lines(BeliefState()) == ["nothing yet"]


def _turn() -> Turn:
    product = Product(parent_asin="A1", title="Navy\x1b[31m coat", price=39.5, average_rating=4.3, rating_number=1200)
    bare = Product(parent_asin="A2", title="[bold]Coat[/bold]")
    evidence = [_row("satisfied", "color navy", field="title", words="Navy")]
    return Turn(
        conversation="c1",
        number=3,
        understood=["color navy"],
        acts=["add"],
        facts=[NAVY.model_dump(mode="json")],
        reply="Here are 2 products. Which size?",
        ask_attribute="size",
        options=["S", "M"],
        relaxed=[],
        shown=[ShownProduct(product, 1.5, evidence), ShownProduct(bare, float("nan"), [])],
    )


def test_a_turn_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    print_turn(_turn())
    assert capsys.readouterr().out.splitlines() == [
        "Understood: color navy",
        "Here are 2 products. Which size?",
        " 1. Navy[31m coat",
        "    $39.50 · 4.3 stars (1,200)",
        '    why: color navy (title: "Navy")',
        " 2. [bold]Coat[/bold]",
        "    price unknown · not rated",
        "    why: closest to your words, and often bought",
        "",
    ]


def test_a_turn_on_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("graph.cli.render.on_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "160")
    print_turn(_turn())
    shown = capsys.readouterr().out
    assert "[bold]Coat[/bold]" in shown
    assert "\x1b[31m coat" not in shown
    assert "$39.50" in shown


def test_why_one_product(capsys: pytest.CaptureFixture[str]) -> None:
    first, second = _turn().shown
    print_evidence(1, first)
    print_evidence(2, second._replace(score=None))
    shown = capsys.readouterr().out
    assert '   satisfied: color navy - title: "Navy"\n   score 1.50' in shown
    assert shown.endswith("You stated no preference yet: it is close to your words, and often bought.\n\n")


def test_a_turn_for_programs() -> None:
    document = turn_json(_turn())
    assert document["conversation"] == "c1"
    assert [row["parent_asin"] for row in document["recommendations"]] == ["A1", "A2"]
    assert document["recommendations"][1]["price"] is None
