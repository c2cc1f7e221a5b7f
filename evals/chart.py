"""Small drawings for reports, as inline SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_WIDTH, _HEIGHT = 640, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 12, 34, 44


def hit_curve_svg(curves: Sequence[tuple[str, str, Sequence[float]]]) -> str:
    """Draw cumulative hit shares by turn: `(name, CSS colour, share by turn 1, 2, ...)` for each curve."""
    turns = max(len(shares) for _, _, shares in curves)
    parts = [_grid(turns)]
    for number, (name, colour, shares) in enumerate(curves):
        points = " ".join(f"{_x(turn, turns):.1f},{_y(share):.1f}" for turn, share in enumerate(shares, start=1))
        place = _LEFT + 210 * number
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5"/>'
            f'<line x1="{place}" y1="12" x2="{place + 24}" y2="12" stroke="{colour}" stroke-width="3"/>'
            f'<text x="{place + 30}" y="16">{escape(name)}</text>'
        )
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="Share of sessions that hit, by turn">'
        f"{''.join(parts)}</svg>"
    )


def _grid(turns: int) -> str:
    lines = "".join(
        f'<line x1="{_LEFT}" y1="{_y(share):.1f}" x2="{_WIDTH - _RIGHT}" y2="{_y(share):.1f}" stroke="var(--line)"/>'
        f'<text x="{_LEFT - 6}" y="{_y(share) + 4:.1f}" text-anchor="end">{share:.0%}</text>'
        for share in (0, 0.25, 0.5, 0.75, 1)
    )
    labels = "".join(
        f'<text x="{_x(turn, turns):.1f}" y="{_HEIGHT - 22}" text-anchor="middle">{turn}</text>'
        for turn in range(1, turns + 1)
    )
    return lines + labels + f'<text x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 3}" text-anchor="end">turn</text>'


def _x(turn: int, turns: int) -> float:
    return _LEFT + 12 + (turn - 1) * (_WIDTH - _LEFT - _RIGHT - 24) / max(1, turns - 1)


def _y(share: float) -> float:
    return _TOP + (1 - share) * (_HEIGHT - _TOP - _BOTTOM)
