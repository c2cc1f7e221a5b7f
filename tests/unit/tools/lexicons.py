"""A small lexicon in memory for tests of the reader: invented entries of an invented shop."""

from __future__ import annotations

from catalog.lexicon import LexiconEntry
from catalog.text import tokens
from graph.events import BeliefEntry, BeliefState, Fact
from tools.language import Reader
from tools.reading import Question, Reading

# key -> value -> surfaces besides the value itself
_VALUES: dict[str, dict[str, list[str]]] = {
    "category": {
        "boots": ["boot"],
        "hiking boots": ["hiking boot"],
        "jeans": [],
        "dresses": ["dress"],
        "dresses casual": [],
        "shoes": ["shoe"],
        "shirts": ["shirt"],
        "t-shirts": ["t-shirt", "tee"],
        "hoodies": ["hoodie"],
        "jackets": ["jacket"],
        "socks": [],
        "sneakers": ["sneaker"],
        "backpacks": ["backpack"],
        "sandals": ["sandal"],
        "slips": ["slip"],
        "belts": ["belt"],
        "cases": ["case"],
        "slip dresses": ["slip dress"],
        "denim jackets": ["denim jacket"],
    },
    "color": {
        "navy": ["navy blue"],
        "black": [],
        "white": [],
        "red": [],
        "blue": [],
        "green": [],
        "pink": [],
        "orange": [],
        "gold": [],
        "maroon": [],
        "brown": [],
        "grey": ["gray"],
        "rose gold": [],
        "light blue": [],
    },
    "material": {
        "leather": [],
        "suede": [],
        "cotton": [],
        "wool": [],
        "canvas": [],
        "polyester": [],
        "denim": [],
        "faux leather": [],
        "fur": [],
        "mesh": [],
    },
    "brand": {
        "old navy": [],
        "orange": [],
        "pink": [],
        "clarks": [],
        "nike": [],
        "skechers": [],
        "under armour": [],
        "adidas": [],
        "gap": [],
        "levi's": ["levis", "levi"],
        "maison corbel": [],
        "and": [],
    },
    "department": {"women": ["womens", "women's"], "men": ["mens", "men's"], "girls": [], "boys": []},
    "sleeve": {"long sleeve": ["long sleeves", "long sleeved"], "short sleeve": ["short sleeves"], "sleeveless": []},
    "neck": {"v-neck": ["v neck"], "crew neck": []},
    "closure": {
        "zipper": ["zip", "zipper closure"],
        "no closure": [],
        "button": ["buttons"],
        "lace up": ["laces"],
        "slip on": ["no laces"],
    },
    "pattern": {"striped": ["stripes"], "floral": []},
    "fit": {"slim fit": ["slim"], "relaxed fit": []},
    "style": {"casual": [], "vintage": [], "hooded": ["hood"]},
    "feature": {
        "hand wash only": [],
        "waterproof": [],
        "non slip": ["non-slip", "no slip"],
        "no show": ["no-show"],
        "no iron": ["no-iron"],
        "machine washable": ["machine wash"],
        "pockets": ["pocket"],
        "breathable": [],
        "quick release": [],
    },
    "theme": {"maroon 5": []},
    "use_case": {"hiking": [], "running": [], "office": []},
    "occasion": {"wedding": []},
    "season": {"winter": []},
    "model": {"501": []},
}
_FAMILY = {
    "sleeve": "style",
    "neck": "style",
    "closure": "style",
    "pattern": "style",
    "fit": "style",
    "occasion": "use_case",
    "season": "use_case",
}
_SHARES = {
    ("brand", "pink"): 0.1,
    ("brand", "orange"): 0.1,
    ("color", "gold"): 0.6,
    ("brand", "and"): 0.0,
    ("category", "slips"): 0.05,
}
_MORE_WORDS = "ring stripes busy collar bite battery lid tall cozy summit trail gear mountain strap camera front skinny"


class SmallLexicon:
    """The `Lexicon` protocol over the table above."""

    def __init__(self) -> None:
        self._entries: dict[tuple[str, ...], list[LexiconEntry]] = {}
        for key, values in _VALUES.items():
            for value, surfaces in values.items():
                share = _SHARES.get((key, value), 0.8)
                entry = LexiconEntry(_FAMILY.get(key, key), key, value, 100, share)  # type: ignore[arg-type]
                for surface in {tokens(s) for s in [value, *surfaces]}:
                    self._entries.setdefault(surface, []).append(entry)
        self._words = {word for surface in self._entries for word in surface} | set(_MORE_WORDS.split())
        self.longest = max(len(surface) for surface in self._entries)

    def readings(self, surface: tuple[str, ...]) -> list[LexiconEntry]:
        return self._entries.get(surface, [])

    def surfaces(self) -> list[str]:
        return [" ".join(surface) for surface in self._entries]

    def knows(self, token: str) -> bool:
        return token in self._words

    def document_frequency(self, token: str) -> int:
        return 100 if token in self._words else 0


READER = Reader(SmallLexicon())


def held(*facts: str) -> BeliefState:
    """Return a belief that holds facts written as `color=navy`, `budget<=50`."""
    entries = []
    for text in facts:
        for sign, op in (("<=", "le"), (">=", "ge"), ("<", "lt"), ("=", "eq")):
            if sign in text:
                key, value = text.split(sign)
                number = float(value) if key in ("budget", "rating") else value
                attribute = _FAMILY.get(key, key)
                detail = key if key != attribute else None
                fact = Fact(attribute=attribute, detail=detail, op=op, value=number)  # type: ignore[arg-type]
                entries.append(BeliefEntry(fact=fact, turn=1))
                break
    return BeliefState(entries=entries)


def read(
    text: str, *, asked: str | None = None, options: tuple[str, ...] = (), belief: BeliefState | None = None, shown=()
) -> Reading:
    """Read a message with the small lexicon."""
    return READER.read(text, Question(attribute=asked, options=list(options)), belief or BeliefState(), shown)


_SIGNS = {
    "eq": "=",
    "le": "<=",
    "ge": ">=",
    "lt": "<",
    "gt": ">",
    "around": "~",
    "between": "..",
    "contains": "*",
    "one_of": "|",
}


def brief(reading: Reading) -> list[str]:
    """Return the facts of a reading as short strings: `color=navy`, `-material=suede`, `budget<=50`."""
    lines = []
    for fact in reading.facts:
        if isinstance(fact.value, list):
            value = ",".join(f"{v:g}" if isinstance(v, float) else str(v) for v in fact.value)
        else:
            value = f"{fact.value:g}" if isinstance(fact.value, (int, float)) else fact.value
        lines.append(f"{'-' if fact.polarity == 'negative' else ''}{fact.facet_key}{_SIGNS[fact.op]}{value}")
    return lines


def moves(reading: Reading) -> list[str]:
    """Return the moves that state no fact as short strings: `remove material leather`, `refer 2`."""
    lines = []
    for move in reading.moves:
        if move.fact is None:
            parts = [move.act, move.detail or move.attribute, move.value, *map(str, move.ordinals)]
            lines.append(" ".join(part for part in parts if part))
    return lines
