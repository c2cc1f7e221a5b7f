"""What speaks for a product before its values are compared with the wishes: purchases, and how much it has to say."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from catalog.search import Ids, ProductIndex
from graph.events import BeliefState
from tools.clarification import has_nothing_to_add
from tools.constants import PriorConstants, RecordConstants

Floats = NDArray[np.float32]


def log_prior(index: ProductIndex, ids: Ids, constants: PriorConstants) -> Floats:
    """Return the log prior of each product, shape (k,), in nats up to a constant; `weight` is not applied.

    The wanted product is one that sells (with a chance proportional to its rating count n) or any product alike: the
    logarithm of that mixture is ln(1 + n / (shrinkage * mean n)). Few ratings hardly count, many count in full.
    """
    counts = index.rating_count()
    mean = max(float(counts.mean()), 1.0)
    return np.asarray(np.log1p(counts[ids] / (constants.shrinkage * mean)), dtype=np.float32)


def record_units(index: ProductIndex, belief: BeliefState, ids: Ids, constants: RecordConstants) -> dict[str, Floats]:
    """Return what the length of a product's record says of what was told and not told, by its weight's name.

    Each has shape (k,) and is at most 0. Who wants a product with little to say of itself answers with just that; who
    wants one with much to say would likely have answered other things, and would have something to add when asked for
    anything else. What a shopper opens with names what is looked for: it is no such draw before an answer shows how
    this shopper talks.
    """
    asked = min((turn for turn, _ in belief.asked), default=None)
    answered = asked is not None and any(entry.turn > asked for entry in belief.entries)
    told = min(sum(entry.fact.source != "profile" for entry in belief.entries), constants.most) if answered else 0
    silent = bool(told) and has_nothing_to_add(belief)
    length = np.log1p(np.minimum(index.statement_counts()[ids], constants.longest)).astype(np.float32)
    return {"record.told": -told * length, "record.silence": -float(silent) * length}
