"""How a stored turn looks, and how it looks beside the same message answered again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graph.cli.output import write
from graph.cli.render import TITLE_WIDTH, print_step
from graph.cli.text import one_line

if TYPE_CHECKING:
    from catalog.search import ProductIndex
    from graph.replay.compare import Comparison, Difference
    from graph.replay.record import TurnRecord

MESSAGE_WIDTH = 200


def print_record(turn: TurnRecord, index: ProductIndex | None, *, trace: bool = False) -> None:
    """Print one turn: message, acts, facts, what was held, the question, the products and the reply.

    With `trace`, also what each node decided, where that was stored.
    """
    from graph.replay.compare import COMPARED, belief_rows, in_words

    facts = "; ".join(row["words"] for row in turn.facts)
    write(f"--- turn {turn.turn}")
    write(f"Shopper: {one_line(turn.message, MESSAGE_WIDTH)}")
    write(f"Acts: {', '.join(turn.acts)}{f' ({one_line(facts)})' if facts else ''}")
    write("Held:")
    for row in belief_rows(turn.belief) or ["nothing yet"]:
        write(f"  {one_line(in_words(row))}")
    if turn.relaxed:
        write(f"Given up: {'; '.join(in_words(row) for row in turn.relaxed)}")
    (question,) = COMPARED["question"](turn)
    write(f"Asked: {one_line(question)}")
    asins = [row.parent_asin for row in turn.products]
    for number, asin in enumerate(asins, 1):
        write(f"{number:>2}. {_named(asin, _titles(asins, index))}")
    write(f"Agent: {turn.reply}")
    if trace:
        for step in turn.steps:
            took = turn.took_ms.get(step["node"])
            print_step(step if took is None else {**step, "took_ms": took})
    write()


def record_json(turn: TurnRecord, index: ProductIndex | None) -> dict[str, Any]:
    """Return the exported row of a turn, with the titles of its products where the catalog has them."""
    row = {**turn.model_dump(mode="json"), "took_ms": turn.took_ms}
    titles = _titles([product.parent_asin for product in turn.products], index)
    row["products"] = [{**product, "title": titles.get(product["parent_asin"])} for product in row["products"]]
    return row


def print_comparison(one: Comparison, index: ProductIndex) -> None:
    """Print what differs of one turn, stored lines marked `-` and new ones `+`."""
    write(f"turn {one.stored.turn}: {one_line(one.stored.message, MESSAGE_WIDTH)}")
    if one.same:
        write("  the same")
        return
    if one.inherited:
        write("  it began from what the turns before it came to now")
    write(f"  first to differ: {one.began_at}")
    for line in _deciding_lines(one):
        write(f"    {one_line(line)}")
    for difference in one.differences:
        write(f"  {difference.field}")
        for line in _difference_lines(difference, index):
            write(f"    {one_line(line)}")


def print_summary(found: Sequence[Comparison]) -> None:
    """Print the closing line: how many turns, and which of them differ."""
    differ = [str(one.stored.turn) for one in found if not one.same]
    turns = f"{len(found)} turn{'' if len(found) == 1 else 's'}"
    write(
        f"{turns} answered again, {len(differ)} differ: {', '.join(differ)}"
        if differ
        else f"{turns} answered again, all the same"
    )


def comparison_json(found: Sequence[Comparison], mode: str, path: Path) -> dict[str, Any]:
    """Return a comparison as JSON types."""
    turns = [
        {
            "turn": one.stored.turn,
            "message": one.stored.message,
            "same": one.same,
            "inherited": one.inherited,
            "began_at": None if one.began_at is None else one.began_at._asdict(),
            "differences": [difference._asdict() for difference in one.differences],
        }
        for one in found
    ]
    return {
        "conversation": found[0].stored.conversation,
        "mode": mode,
        "catalog": str(path),
        "different": sum(not one.same for one in found),
        "turns": turns,
    }


def _deciding_lines(one: Comparison) -> Iterator[str]:
    """Yield what the first node that differs decided, stored and now, where its records say so."""
    node = one.began_at.node if one.began_at else None
    for sign, turn in (("-", one.stored), ("+", one.now)):
        for step in turn.steps if turn is not None else []:
            if step["node"] == node:
                yield f"{sign} {step['in']} -> {step['decided']}{': ' if step['why'] else ''}{step['why']}"


def _difference_lines(difference: Difference, index: ProductIndex) -> Iterator[str]:
    """Yield the lines of one side that the other lacks, in order; products with their place in the list."""
    stored, now = difference.stored, difference.now
    listed = difference.field == "products"
    titles = _titles([*stored, *now], index) if listed else {}
    for tag, a, b, c, d in SequenceMatcher(None, stored, now, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        for sign, side, start, end in (("-", stored, a, b), ("+", now, c, d)):
            for place in range(start, end):
                line = f"{place + 1:>2}. {_named(side[place], titles)}" if listed else side[place]
                yield f"{sign} {line}"


def _titles(asins: Sequence[str], index: ProductIndex | None) -> dict[str, str]:
    if index is None:
        return {}
    rows = [row for row in index.ids(list(dict.fromkeys(asins))) if row is not None]
    return {product.parent_asin: product.title for product in index.products(rows)}


def _named(asin: str, titles: dict[str, str]) -> str:
    return f"{asin} {one_line(titles[asin], TITLE_WIDTH)}" if asin in titles else asin
