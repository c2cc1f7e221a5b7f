"""How one turn looks: a table on a terminal, plain lines in a pipe, a JSON document for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from graph.cli.output import draw, on_terminal, write
from graph.cli.phrases import reasons
from graph.cli.text import one_line

if TYPE_CHECKING:
    from catalog.product import Product

TITLE_WIDTH = 100
REASON_WIDTH = 400


class ShownProduct(NamedTuple):
    """A recommended product, its score (None when another process gave it) and evidence of `tools.explanation`."""

    product: Product
    score: float | None
    evidence: list[dict[str, Any]]


class Turn(NamedTuple):
    """One answered message."""

    conversation: str
    number: int
    understood: list[str]
    acts: list[str]
    facts: list[dict[str, Any]]
    reply: str
    ask_attribute: str | None
    options: list[str]
    relaxed: list[dict[str, Any]]
    shown: list[ShownProduct]


def print_turn(turn: Turn) -> None:
    """Print what was understood, the reply with its question, and the products with the reason for each."""
    write(f"Understood: {one_line('; '.join(turn.understood), REASON_WIDTH)}")
    write(turn.reply)
    if turn.shown and on_terminal():
        _draw_products(turn.shown)
    else:
        for number, shown in enumerate(turn.shown, 1):
            write(f"{number:>2}. {one_line(shown.product.title, TITLE_WIDTH)}")
            write(f"    {_facts_of(shown.product)}")
            write(f"    why: {one_line(reasons(shown.evidence), REASON_WIDTH)}")
    write()


def print_step(step: dict[str, Any]) -> None:
    """Print what one node decided: `node`, how long it took where that is known, what came in, the decision and why."""
    took = f"{step['took_ms']:8.2f} ms" if "took_ms" in step else ""
    decided = f"{step['in']} -> {step['decided']}{': ' if step['why'] else ''}{step['why']}"
    write(f"  {step['node']:<12}{took}  {one_line(decided)}")


def _draw_products(products: list[ShownProduct]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(show_lines=False, expand=False)
    table.add_column("#", justify="right")
    table.add_column("Product", ratio=3)
    table.add_column("Price", justify="right")
    table.add_column("Stars", justify="right")
    table.add_column("Why", ratio=3)
    for number, shown in enumerate(products, 1):
        table.add_row(
            Text(str(number)),
            Text(one_line(shown.product.title, TITLE_WIDTH)),
            Text(_price(shown.product)),
            Text(_stars(shown.product)),
            Text(one_line(reasons(shown.evidence), REASON_WIDTH)),
        )
    draw(table)


def print_evidence(number: int, shown: ShownProduct) -> None:
    """Print everything known of why one product is shown (`/why N`)."""
    write(f"{number}. {one_line(shown.product.title)}")
    write(f"   {shown.product.parent_asin} · {_facts_of(shown.product)}")
    for row in shown.evidence:
        where = f' - {row["field"]}: "{one_line(str(row["words"]))}"' if row.get("words") else ""
        write(f"   {row['verdict']}: {one_line(str(row['fact']))}{where}")
    if not shown.evidence:
        write("   You stated no preference yet: it is close to your words, and often bought.")
    if shown.score is not None:
        write(f"   score {shown.score:.2f} (log-likelihood of what you said, plus popularity)")
    write()


def turn_json(turn: Turn) -> dict[str, Any]:
    """Return the turn as JSON types."""
    products = [
        {
            "parent_asin": shown.product.parent_asin,
            "title": shown.product.title,
            "price": shown.product.price,
            "average_rating": shown.product.average_rating,
            "rating_number": shown.product.rating_number,
            "score": shown.score,
            "evidence": shown.evidence,
        }
        for shown in turn.shown
    ]
    return {
        "conversation": turn.conversation,
        "turn": turn.number,
        "acts": turn.acts,
        "facts": turn.facts,
        "message": turn.reply,
        "ask_attribute": turn.ask_attribute,
        "options": turn.options,
        "relaxed": turn.relaxed,
        "recommendations": products,
    }


def _facts_of(product: Product) -> str:
    return " · ".join((_price(product), _stars(product)))


def _price(product: Product) -> str:
    return "price unknown" if product.price is None else f"${product.price:,.2f}"


def _stars(product: Product) -> str:
    if product.average_rating is None:
        return "not rated"
    return f"{product.average_rating:.1f} stars ({product.rating_number or 0:,})"
