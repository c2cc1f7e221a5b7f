"""What every node of one catalog works with."""

from __future__ import annotations

from dataclasses import dataclass, field

from catalog.search import ProductIndex
from tools.constants import DialogueConstants, RankingConstants, dialogue_constants, ranking_constants
from tools.language import Reader


@dataclass(frozen=True)
class Shop:
    """One catalog, the reader of its shoppers' language, and the constants of ranking and dialogue."""

    index: ProductIndex
    reader: Reader
    ranking: RankingConstants = field(default_factory=ranking_constants)
    dialogue: DialogueConstants = field(default_factory=dialogue_constants)

    @classmethod
    def of(cls, index: ProductIndex, without: frozenset[str] = frozenset()) -> Shop:
        """Return the shop of a catalog with the shipped constants; `without` names tiers of the reader to leave out."""
        return cls(index=index, reader=Reader(index.lexicon, without))
