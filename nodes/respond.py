"""Compose the answer, check it against the contract and the catalog, and record what was shown and asked."""

from __future__ import annotations

from typing import Any

import numpy as np
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from graph.events import AttributeAsked, Event, ProductsShown, believe, dump
from graph.state import BASIS, Context, State
from tools.answer import checked
from tools.explanation import evidence_of, unconfirmed
from tools.shop import Shop
from tools.wording import question_words, reply_words


def respond(state: State, shop: Shop, context: Context) -> dict[str, Any]:
    """Return the reply and recommendations; raises `ValueError` when they would break the contract."""
    belief = believe(state.events)
    shown = state.candidates[: state.commit]
    products = shop.index.products(shown)
    evidence = evidence_of(shop.index, np.asarray(shown, np.int32), belief.constraints, state.relaxed)
    recommendations = [
        {"parent_asin": product.parent_asin, "score": score}
        for product, score in zip(products, state.scores, strict=False)
    ]
    times_asked = sum(attribute == state.ask_attribute for _, attribute in belief.asked)
    question = question_words(state.ask_attribute, state.options, shop.dialogue, times_asked)
    unmet = unconfirmed(belief.constraints, evidence)
    reply = reply_words(products, state.notices, question, unmet)
    checked(reply, state.ask_attribute, recommendations, shop.index)
    events: list[Event] = [ProductsShown(turn=state.turn, products=[p.parent_asin for p in products])]
    if state.ask_attribute is not None:
        events.append(AttributeAsked(turn=state.turn, attribute=state.ask_attribute, options=state.options))
    return {
        "events": dump(events),
        "reply": reply,
        "recommendations": recommendations,
        "evidence": {product.parent_asin: rows for product, rows in zip(products, evidence, strict=True)},
        "candidates": shown,
        "scores": state.scores[: state.commit],
        "messages": _chat(state, reply),
        "message": "",
        "notices": [],
        BASIS: {"unmet": unmet},
        "served": {**context.model_dump(mode="json"), "catalog_sha256": shop.index.manifest.catalog_sha256},
    }


def _chat(state: State, reply: str) -> list[BaseMessage]:
    """Return what the chat view gains: the shopper's words too when they came by `message`."""
    answer = AIMessage(content=reply, id=f"turn-{state.turn}-agent")
    last = state.messages[-1] if state.messages else None
    if last is not None and last.type == "human" and last.text == state.message:
        return [answer]
    return [HumanMessage(content=state.message, id=f"turn-{state.turn}-shopper"), answer]
