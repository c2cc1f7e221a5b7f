"""Choose the one attribute worth asking about, and how many products to commit to."""

from __future__ import annotations

from typing import Any

from graph.events import believe
from graph.state import BASIS, Context, TurnState
from tools.clarification import choose, is_exhausted, posterior
from tools.commitment import MOST, exhausted, informed
from tools.evidence import scores_of
from tools.leaders import Leaders
from tools.options import options
from tools.pool import known
from tools.shop import Shop


def clarify(state: TurnState, shop: Shop, context: Context) -> dict[str, Any]:
    """Return `ask_attribute` (None: nothing worth asking), the options to name and `commit`."""
    belief = believe(state.events)
    dialogue = shop.dialogue
    ids = known(shop.index, state.candidates)
    scores = scores_of(shop.index, belief, state.query, ids, state.scores, shop.ranking)
    chances = posterior(scores, dialogue.temperature)
    leaders = Leaders(shop.index, ids[: dialogue.leaders])
    weights = chances[: len(leaders)]
    choice = choose(belief, leaders, weights, dialogue)
    attribute = choice.attribute
    commit = MOST
    if context.policy == "confident":
        done = attribute is None or is_exhausted(belief, dialogue) or state.turn >= dialogue.late_turn
        if done:
            commit = exhausted(chances, min(state.turn, dialogue.turns), dialogue.turns)
        else:
            commit = informed(chances, state.turn, dialogue.informed_rank)
    naming = attribute is not None and dialogue.questions[attribute].with_options
    named = options(attribute, leaders, weights, belief) if attribute and naming else []
    return {
        "ask_attribute": attribute,
        "options": named,
        "commit": min(commit, len(state.candidates)),
        BASIS: {"leaders": len(leaders), "reason": choice.reason, "splits": choice.splits, "worth": choice.worth},
    }
