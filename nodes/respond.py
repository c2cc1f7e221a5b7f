"""Compose the answer, check it against the contract and the catalog, and record what was shown and asked."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from graph.events import AttributeAsked, Event, ProductsShown, believe, dump
from graph.state import BASIS, Context, State
from tools.answer import checked
from tools.evidence import scores_of
from tools.explanation import evidence_of, unconfirmed
from tools.pool import known
from tools.shop import Shop
from tools.wording import question_words, reply_words, wanted_kind


def respond(state: State, shop: Shop, context: Context) -> dict[str, Any]:
    """Return the reply and recommendations; raises `ValueError` when they would break the contract.

    A reply that is there already was written by a person at an interrupt: it is said as it stands.
    """
    belief = believe(state.events)
    ids = known(shop.index, state.candidates)
    scores = scores_of(shop.index, belief, state.query, ids, state.scores, shop.ranking)[: state.commit]
    shown = ids[: state.commit]
    products = shop.index.products(shown)
    evidence = evidence_of(shop.index, shown, belief.constraints, state.relaxed)
    recommendations = [
        {"parent_asin": product.parent_asin, "score": score} for product, score in zip(products, scores, strict=True)
    ]
    unmet = unconfirmed(belief.constraints, evidence)
    asked = _asked(state)
    reply = state.reply
    if not reply:
        question = question_words(asked, state.options, shop.dialogue, _times_asked(state, asked), wanted_kind(belief))
        reply = reply_words(products, state.notices, question, unmet)
    checked(reply, asked, recommendations, shop.index)
    events: list[Event] = [ProductsShown(turn=state.turn, products=[p.parent_asin for p in products])]
    if asked is not None:
        events.append(AttributeAsked(turn=state.turn, attribute=asked, options=state.options))
    return {
        "events": dump(events),
        "reply": reply,
        "ask_attribute": asked,
        "recommendations": recommendations,
        "evidence": {product.parent_asin: rows for product, rows in zip(products, evidence, strict=True)},
        "candidates": shown.tolist(),
        "scores": scores,
        "messages": _chat(state, reply),
        "message": "",
        "notices": [],
        BASIS: {"unmet": unmet},
        "served": {**context.model_dump(mode="json"), "catalog_sha256": shop.index.manifest.catalog_sha256},
    }


def _times_asked(state: State, attribute: str | None) -> int:
    """Return how often the conversation has asked for it, in any intent: a change of mind hears no question twice."""
    return sum(event["type"] == "attribute_asked" and event["attribute"] == attribute for event in state.events)


def _asked(state: State) -> str | None:
    """Return what the answer asks for: nothing when a person's reply holds no question, whatever `clarify` chose."""
    return None if state.reply and "?" not in state.reply else state.ask_attribute


def _chat(state: State, reply: str) -> list[BaseMessage]:
    """Return what the chat view gains: the shopper's words too when they came by `message`."""
    answer = AIMessage(content=reply, id=f"turn-{state.turn}-agent")
    last = state.messages[-1] if state.messages else None
    if last is not None and last.type == "human" and last.text == state.message:
        return [answer]
    return [HumanMessage(content=state.message, id=f"turn-{state.turn}-shopper"), answer]
