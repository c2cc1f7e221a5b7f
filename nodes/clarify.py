"""Choose the one attribute worth asking about, and how many products to commit to."""

from __future__ import annotations

from typing import Any

from graph.events import believe
from graph.state import BASIS, Context, TurnState
from tools.clarification import answer_chance, choose, posterior
from tools.commitment import MOST, best_size
from tools.evidence import scores_of
from tools.leaders import Leaders
from tools.options import options
from tools.pool import known
from tools.sentence_evidence import temperature
from tools.shop import Shop


def clarify(state: TurnState, shop: Shop, context: Context) -> dict[str, Any]:
    """Return `ask_attribute` (None: nothing worth asking), the options to name and `commit`."""
    belief = believe(state.events)
    dialogue = shop.dialogue
    ids = known(shop.index, state.candidates)
    scores = scores_of(shop.index, belief, state.query, ids, state.scores, shop.ranking)
    heat = dialogue.temperature * temperature(shop.index, belief, shop.ranking.sentence)
    chances = posterior(scores, heat) * (1 - state.rest)
    leaders = Leaders(shop.index, ids[: dialogue.leaders])
    weights = chances[: len(leaders)]
    choice = choose(belief, leaders, weights, dialogue)
    attribute = choice.attribute
    commit = MOST
    if context.policy == "confident":
        informed = answer_chance(attribute, belief, dialogue)
        commit = best_size(chances, state.turn, dialogue.turns, informed=informed, rank=dialogue.informed_rank)
    naming = attribute is not None and dialogue.questions[attribute].with_options
    named = options(attribute, leaders, weights, belief) if attribute and naming else []
    return {
        "ask_attribute": attribute,
        "options": named,
        "commit": min(commit, len(state.candidates)),
        BASIS: {"leaders": len(leaders), "reason": choice.reason, "splits": choice.splits, "worth": choice.worth},
    }
