"""Compose the answer, check it against the contract and the catalog, and record what was shown and asked."""

from __future__ import annotations

from typing import Any, NamedTuple

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from catalog.product import Product
from graph.events import AttributeAsked, BeliefState, Event, ProductsShown, believe, dump
from graph.state import BASIS, Context, State
from tools.answer import ASKABLE, checked
from tools.clarification import OPEN
from tools.concession import Offer, concession, offer, refusal
from tools.evidence import scores_of
from tools.explanation import evidence_of, unconfirmed
from tools.pool import known
from tools.relaxation import nearest, withheld_ids
from tools.sentence_explanation import sentence_rows
from tools.shop import Shop
from tools.wording import NOTHING_FITS, question_words, reply_words, wanted_kind


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
    near = sentence_rows(shop.index, belief, shown, shop.ranking.sentence)
    evidence = [said + meant for said, meant in zip(evidence, near, strict=True)]
    recommendations = [
        {"parent_asin": product.parent_asin, "score": score} for product, score in zip(products, scores, strict=True)
    ]
    told = " ".join(state.notices)
    unmet = [wish for wish in unconfirmed(belief.constraints, evidence) if wish not in told]
    said = _written_reply(state) if state.reply else _composed(state, shop, context, belief, products, unmet)
    asked = None if said.asked is None else said.asked if said.asked in ASKABLE else OPEN
    checked(said.reply, asked, recommendations, shop.index)
    events: list[Event] = [ProductsShown(turn=state.turn, products=[p.parent_asin for p in products])]
    if said.asked is not None:
        events.append(AttributeAsked(turn=state.turn, attribute=said.asked, options=said.options))
    return {
        "events": dump(events),
        "reply": said.reply,
        "ask_attribute": asked,
        "options": said.options,
        "recommendations": recommendations,
        "evidence": {product.parent_asin: rows for product, rows in zip(products, evidence, strict=True)},
        "candidates": shown.tolist(),
        "scores": scores,
        "messages": _chat(state, said.reply),
        "message": "",
        "notices": [],
        BASIS: {"unmet": unmet},
        "served": {**context.model_dump(mode="json"), "catalog_sha256": shop.index.manifest.catalog_sha256},
    }


class Said(NamedTuple):
    """A reply, the attribute that it asks for (of all that a shopper can state) and the values that it names."""

    reply: str
    asked: str | None
    options: list[str]


def _written_reply(state: State) -> Said:
    """Return what a person wrote: it asks for nothing when it holds no question, whatever `clarify` chose."""
    asked = state.ask_attribute if "?" in state.reply else None
    return Said(state.reply, asked, state.options)


def _composed(
    state: State, shop: Shop, context: Context, belief: BeliefState, products: list[Product], unmet: list[str]
) -> Said:
    """Return the reply in the agent's words, with its question."""
    asked, options, gap = state.ask_attribute, state.options, NOTHING_FITS
    question = question_words(asked, options, shop.dialogue, _times_asked(state, asked), wanted_kind(belief))
    if not products:
        near = nearest(shop.index, belief, withheld_ids(shop.index, belief, context.policy))
        if near is not None and near.broken:
            (product,) = shop.index.products([near.id])
            gap = refusal(belief, near, product)
            offered = offer(near, product)
            if offered is not None and not _was_offered(state, offered):
                asked, options, question = offered.attribute, [offered.value], offered.question
    gave_way = concession(belief, state.relaxed, products)
    notices = [*state.notices, gave_way] if gave_way else state.notices
    return Said(reply_words(products, notices, question, unmet, gap), asked, options)


def _times_asked(state: State, attribute: str | None) -> int:
    """Return how often the conversation has asked for it, in any intent: a change of mind hears no question twice."""
    return sum(event["type"] == "attribute_asked" and event["attribute"] == attribute for event in state.events)


def _was_offered(state: State, offered: Offer) -> bool:
    """Return whether the conversation has offered this alternative: a shopper who wanted it would have said so."""
    asked = {"type": "attribute_asked", "attribute": offered.attribute, "options": [offered.value]}
    return any(asked.items() <= event.items() for event in state.events)


def _chat(state: State, reply: str) -> list[BaseMessage]:
    """Return what the chat view gains: the shopper's words too when they came by `message`."""
    answer = AIMessage(content=reply, id=f"turn-{state.turn}-agent")
    last = state.messages[-1] if state.messages else None
    if last is not None and last.type == "human" and last.text == state.message:
        return [answer]
    return [HumanMessage(content=state.message, id=f"turn-{state.turn}-shopper"), answer]
