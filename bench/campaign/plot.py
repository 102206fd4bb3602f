"""Growth as a page: one plot for each measure, both axes logarithmic, so that a power is a line."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

_WIDTH: Final = 460
_HEIGHT: Final = 300
_LEFT: Final = 70
_RIGHT: Final = 40
_TOP: Final = 20
_BOTTOM: Final = 45

_STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 15px/1.4 system-ui, sans-serif; margin: 2rem; }
main { display: flex; flex-wrap: wrap; gap: 2rem; }
figure { margin: 0; }
figcaption { font-weight: 600; }
svg { display: block; }
text { font-size: 12px; fill: currentColor; }
.grid { stroke: currentColor; stroke-opacity: 0.15; }
.linear { stroke: currentColor; stroke-opacity: 0.6; stroke-dasharray: 5 4; }
.cost { fill: none; stroke: #2a78d6; stroke-width: 2; }
.point { fill: #2a78d6; }
"""


@dataclass(frozen=True)
class Curve:
    """What a measure came to: its costs in milliseconds, one for each size."""

    name: str
    sizes: Sequence[int]
    costs: Sequence[float]
    exponent: float


def page(curves: Iterable[Curve]) -> str:
    """The page as HTML that needs nothing else."""
    figures = "\n".join(map(_figure, curves))
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Growth</title>\n'
        f"<style>{_STYLE}</style>\n<h1>How cost grows</h1>\n"
        "<p>CPU milliseconds by size, both logarithmic. The dashed line through the last point "
        "grows as the size does (exponent 1): what is flatter grows less.</p>\n"
        f"<main>\n{figures}\n</main>\n</html>\n"
    )


def _figure(curve: Curve) -> str:
    across = _Axis.over(curve.sizes, _LEFT, _WIDTH - _RIGHT)
    up = _Axis.over(curve.costs, _HEIGHT - _BOTTOM, _TOP)
    points = [(across.at(n), up.at(c)) for n, c in zip(curve.sizes, curve.costs, strict=True)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    marks = "".join(
        f'<circle class="point" cx="{x:.1f}" cy="{y:.1f}" r="4">'
        f"<title>{size:,}: {cost:.3g} ms</title></circle>"
        for (x, y), size, cost in zip(points, curve.sizes, curve.costs, strict=True)
    )
    told = f"{curve.name}: exponent {curve.exponent:.2f}"
    return (
        f"<figure>\n<figcaption>{escape(told)}</figcaption>\n"
        f'<svg width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-label="{escape(told)}">\n'
        f"{_grid(across, up)}\n{_reference(curve, across, up)}\n"
        f'<polyline class="cost" points="{path}"/>{marks}\n</svg>\n</figure>'
    )


def _grid(across: "_Axis", up: "_Axis") -> str:
    lines = []
    for value in across.decades():
        x = across.at(value)
        lines.append(f'<path class="grid" d="M{x:.1f} {_TOP}V{_HEIGHT - _BOTTOM}"/>')
        below = _HEIGHT - _BOTTOM + 18
        lines.append(f'<text x="{x:.1f}" y="{below}" text-anchor="middle">{value:,.0f}</text>')
    for value in up.decades():
        y = up.at(value)
        lines.append(f'<path class="grid" d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}"/>')
        lines.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:g} ms</text>')
    return "".join(lines)


def _reference(curve: Curve, across: "_Axis", up: "_Axis") -> str:
    """A line of exponent 1 through the last point, as far as the plot goes."""
    size, cost = curve.sizes[-1], curve.costs[-1]
    least = max(across.low, size * up.low / cost)
    ends = [(least, cost * least / size), (size, cost)]
    (x1, y1), (x2, y2) = ((across.at(n), up.at(c)) for n, c in ends)
    return f'<path class="linear" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>'


@dataclass(frozen=True)
class _Axis:
    """Whole decades from `low` to `high`, laid out from one place to another."""

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def over(cls, values: Sequence[float], start: float, end: float) -> "_Axis":
        low = math.floor(math.log10(min(values)))
        high = max(math.ceil(math.log10(max(values))), low + 1)
        return cls(10.0**low, 10.0**high, start, end)

    def at(self, value: float) -> float:
        share = math.log10(value / self.low) / math.log10(self.high / self.low)
        return self.start + share * (self.end - self.start)

    def decades(self) -> list[float]:
        low, high = round(math.log10(self.low)), round(math.log10(self.high))
        return [10.0**power for power in range(low, high + 1)]
