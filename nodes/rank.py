"""Order the candidates by evidence."""

from __future__ import annotations

from typing import Any

import numpy as np

from graph.events import believe
from graph.state import BASIS, TurnState
from tools.clarification import posterior
from tools.evidence import weigh
from tools.pool import known
from tools.sentence_evidence import temperature
from tools.shop import Shop

KEPT = 100
"""Ranked candidates that later nodes see; a question or an answer never needs more."""


def rank(state: TurnState, shop: Shop) -> dict[str, Any]:
    """Return the best candidates and their scores, best first; ties go to the lower id."""
    ids = known(shop.index, state.candidates)
    if not len(ids):
        return {"candidates": [], "scores": [], "rest": 0.0, BASIS: {}}
    ids = np.sort(ids)
    belief = believe(state.events)
    evidence = weigh(shop.index, belief, state.query, ids, shop.ranking)
    scores = evidence.total
    ranking = np.argsort(-scores, kind="stable")
    order = ranking[:KEPT]
    heat = shop.dialogue.temperature * temperature(shop.index, belief, shop.ranking.sentence)
    beyond = posterior(scores, heat)[ranking[KEPT:]]
    return {
        "candidates": ids[order].tolist(),
        "scores": [round(float(s), 4) for s in scores[order]],
        "rest": round(float(beyond.sum()), 4),
        BASIS: {
            "leader": shop.index.parent_asins(ids[order[:1]])[0],
            "terms": {name: float(term[order[0]]) for name, term in evidence.terms.items()},
        },
    }
