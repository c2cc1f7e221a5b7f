"""Two things asked for in one message: each limit belongs to the thing that it was said of.

"Shoes under $60 and a sweater" caps the shoes; "a dress in size 2 and shoes" sizes the dress.
"""

from __future__ import annotations

import itertools
import re

from tools.mentions import Mention
from tools.words import Text

_JOINT = re.compile(r"(?<!\w)(?:and|plus|as well as|also|&)(?!\w)|,(?!\d)|;")
_ARTICLE = re.compile(r"\s*(?:also |maybe |then |perhaps )*(?:an?|some|the|another|(?:a )?pairs? of|my|new)\s")
_EVERYWHERE = frozenset({"category", "department"})


def settle_scopes(text: Text, mentions: list[Mention]) -> list[Mention]:
    """Return the mentions, in order, with the kinds that "and" joins as alternatives and every limit scoped.

    A limit is scoped to the kind in its own part of the sentence; one before the first kind holds for all of them
    unless the next begins with an article of its own ("black boots and shoes" against "black boots and a bag").
    """
    kinds = [m for m in mentions if m.key == "category" and m.polarity == "positive" and m.source != "structured"]
    bounds = [_joint(text, first, second) for first, second in itertools.pairwise(kinds)]
    if not bounds or not all(bounds):
        return mentions
    for mention in mentions:
        if mention.attribute in _EVERYWHERE or mention.polarity == "negative" or mention.replaces:
            continue
        place = sum(mention.start >= bound for bound in bounds)
        kind = kinds[place]
        shared = mention.start < kind.start and place == 0 and not _ARTICLE.match(text.low, bounds[0])
        if not shared and isinstance(kind.value, str):
            mention.scope = kind.value
    first, *others = kinds
    values = [kind.value for kind in kinds if isinstance(kind.value, str)]
    first.value, first.op = list(dict.fromkeys(values)), "one_of"
    first.confidence = min(kind.confidence for kind in kinds)
    return [m for m in mentions if not any(m is other for other in others)]


def _joint(text: Text, first: Mention, second: Mention) -> int:
    """Return where the second thing begins (0 when nothing joins the two)."""
    joints = list(_JOINT.finditer(text.low, first.end, second.start))
    joined = [j for j in joints if j.group() not in (",", ";")]
    return joined[-1].end() if joined else 0
