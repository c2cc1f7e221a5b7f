"""Seeded draws from text: the same on every machine and in every version of every library."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")


def unit(*parts: object) -> float:
    """Return a number in (0, 1) that depends on `parts` alone (53 bits of their SHA-256)."""
    digest = hashlib.sha256("\x1f".join(map(str, parts)).encode("utf-8", "surrogatepass")).digest()
    return ((int.from_bytes(digest[:8], "big") >> 11) + 0.5) / 2**53


def pick(options: Sequence[T], *parts: object) -> T:
    """Return one of `options`, drawn evenly by `parts`."""
    return options[int(unit(*parts) * len(options))]


def weighted_key(weight: float, *parts: object) -> float:
    """Return a sort key under which ascending order is a weighted draw without replacement.

    Taking the smallest keys first draws each item in turn with probability proportional to its weight among
    those left (Efraimidis and Spirakis 2006, in exponential form). The key of an item depends on nothing but
    its own name and weight, so a product that joins the catalog does not reshuffle the others.
    """
    return -math.log(unit(*parts)) / weight


def apportion(n: int, shares: Mapping[str, int]) -> dict[str, int]:
    """Split `n` over shares in percent exactly, by largest remainder (ties: the earlier name).

    Example: `apportion(10, {"buying": 75, "browsing": 25})` is 8 buying and 2 browsing.
    """
    counts = {name: n * share // 100 for name, share in shares.items()}
    by_remainder = sorted(shares, key=lambda name: -(n * shares[name] % 100))
    for name in by_remainder[: n - sum(counts.values())]:
        counts[name] += 1
    return counts


def deal(ids: Sequence[str], counts: Mapping[str, int]) -> dict[str, str]:
    """Deal names, each as often as `counts` says, to ids in an order that the ids draw."""
    dealt = [name for name, count in counts.items() for _ in range(count)]
    return dict(zip(sorted(ids, key=lambda name: unit(name, "scenario")), dealt, strict=True))
