"""Shades that people do not tell apart by name: "dark blue", "navy" and "midnight blue" are said of one coat.

Two shades of one base colour are near when their colour difference is small (CIEDE2000; Sharma, Wu and Dalal 2005).
"""

from __future__ import annotations

import csv
import math
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from catalog.vocabulary import broader_values

NEAR = 12.0
"""Colour difference up to which two names are said of one thing: navy is 11 from dark blue, 6 from midnight blue."""

_COLUMNS = ["value", "srgb"]
_WHITE = (0.95047, 1.0, 1.08883)
_TO_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))


class Lab(NamedTuple):
    """A colour in CIELAB under daylight (D65)."""

    lightness: float
    a: float
    b: float


@cache
def near_shades(value: str) -> frozenset[str]:
    """Return the shades near a shade, none for a base colour or a value whose look is not known.

    Example: `near_shades("burgundy")` holds maroon and wine, but no pink.
    """
    known, bases = shades(), broader_values("colors")
    if value not in known:
        return frozenset()
    above = set(bases[value])
    return frozenset(
        other
        for other, lab in known.items()
        if other != value and above & set(bases[other]) and difference(known[value], lab) <= NEAR
    )


@cache
def shades() -> dict[str, Lab]:
    """Return the look of each shade of `data/shades.csv`; raises `ValueError` naming a malformed row."""
    text = files("catalog").joinpath("data/shades.csv").read_text(encoding="utf-8")
    reader = csv.reader(line for line in text.splitlines() if line and not line.startswith("#"))
    if (header := next(reader)) != _COLUMNS:
        raise ValueError(f"shades.csv: columns are {header}; write {_COLUMNS}")
    found: dict[str, Lab] = {}
    for record in reader:
        try:
            value, code = record
            found[value] = lab(code)
        except ValueError as error:
            raise ValueError(f"shades.csv: bad row {record}; write a value and six hexadecimal digits") from error
    return found


def lab(code: str) -> Lab:
    """Return an sRGB colour of six hexadecimal digits in CIELAB (IEC 61966-2-1, CIE 15); raises `ValueError`."""
    if len(code) != 6:
        raise ValueError(f"{code!r} is no colour: write six hexadecimal digits")
    channels = [int(code[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [((c + 0.055) / 1.055) ** 2.4 if c > 0.04045 else c / 12.92 for c in channels]
    xyz = [sum(part * c for part, c in zip(row, linear, strict=True)) for row in _TO_XYZ]
    x, y, z = (_cube_root(value / white) for value, white in zip(xyz, _WHITE, strict=True))
    return Lab(116 * y - 16, 500 * (x - y), 200 * (y - z))


def _cube_root(ratio: float) -> float:
    return float(ratio ** (1 / 3)) if ratio > 0.008856 else 7.787 * ratio + 16 / 116


def difference(first: Lab, second: Lab) -> float:
    """Return the CIEDE2000 difference of two colours: about 1 is just visible, 100 is black against white."""
    chroma = (math.hypot(*first[1:]) + math.hypot(*second[1:])) / 2
    stretch = 1.5 - 0.5 * math.sqrt(chroma**7 / (chroma**7 + 25**7))
    (c1, h1), (c2, h2) = (_polar(stretch * color.a, color.b) for color in (first, second))
    light, mean_chroma = (first.lightness + second.lightness) / 2, (c1 + c2) / 2
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    hue = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    weight = 1 - 0.17 * _cos(hue - 30) + 0.24 * _cos(2 * hue) + 0.32 * _cos(3 * hue + 6) - 0.2 * _cos(4 * hue - 63)
    by_light = (second.lightness - first.lightness) / (1 + 0.015 * (light - 50) ** 2 / math.hypot(20**0.5, light - 50))
    by_chroma = (c2 - c1) / (1 + 0.045 * mean_chroma)
    by_hue = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / (1 + 0.015 * mean_chroma * weight)
    rotation = 2 * math.sqrt(mean_chroma**7 / (mean_chroma**7 + 25**7))
    rotation *= -math.sin(math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2))))
    return math.sqrt(max(by_light**2 + by_chroma**2 + by_hue**2 + rotation * by_chroma * by_hue, 0.0))


def _polar(a: float, b: float) -> tuple[float, float]:
    return math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360 if a or b else 0.0


def _cos(degrees: float) -> float:
    return math.cos(math.radians(degrees))
