"""The drawing of threshold maps: my score upwards, the opponent's to the right.

Players who have not entered have strips of their own below and to the left, a little apart; the
ticks, the barrels and the dump trucks are marked on the rims.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import numpy as np
from matplotlib.figure import Figure

from solver.charts.draw.page import INK, MARGIN, SOFT, Page, boxes_path, region, width_of
from solver.charts.thresholds import NEVER, NO_CHOICE, ThresholdMap, ThresholdMaps
from solver.charts.words import Words
from solver.positions import Status
from solver.rules import Rules

__all__ = ["draw_thresholds", "large_page", "map_page", "panel"]

COLOURS = (
    "#ffffe0", "#e8f6b9", "#c4e8b6", "#8dd3b9", "#54bcc0", "#2d9cc0", "#2276b1", "#27509c",
    "#1b2c66",
)  # fmt: skip
EDGES = (0, 4, 5, 6, 8, 11, 16, 23, 33)  # where the shades begin, in steps of the score
LIGHT_FROM = 5  # numbers are white from this shade on
NEVER_COLOUR, WIN_COLOUR = "#3d0c2e", "#dcdcdc"
STRIP, APART = 0.055, 0.012  # of the side: a strip of players not entered, and its distance
SIDES = (10, 20, 25, 50, 100, 200, 250, 500, 1000)


class Axis:
    """Where the statuses of one player lie on a map, in parts of its side from 0 to 1."""

    def __init__(self, statuses: tuple[Status, ...], rules: Rules) -> None:
        self.rules = rules
        outside = [status for status in statuses if not status.entered]
        strip = STRIP if outside else 0.0
        self.start = strip + (APART if outside else 0.0)
        inside = [status.score for status in statuses if status.entered]
        self.low, self.high = inside[0], inside[-1] + rules.step
        edges = list(np.linspace(0.0, strip, len(outside) + 1)[:-1]) if outside else []
        self.strip, self.outside = strip, len(outside)
        self.edges = [*edges, *([strip] if outside else []), *map(self.at, inside), 1.0]
        self.present = self._columns(len(outside), len(inside))

    def _columns(self, outside: int, inside: int) -> list[int]:
        """The status of each interval between edges; -1: the gap."""
        gap = [-1] if outside else []
        return [*range(outside), *gap, *range(outside, outside + inside)]

    def at(self, score: float) -> float:
        """The place of an entered score."""
        part = (score - self.low) / (self.high - self.low)
        return self.start + (1.0 - self.start) * part

    def ticks(self) -> list[int]:
        """Round scores to name."""
        span = self.high - self.low
        side = next((side for side in SIDES if span / side <= 14), span)
        return [n * side for n in range(-(-self.low // side), self.high // side + 1)]


def draw_thresholds(
    chart: ThresholdMap | ThresholdMaps, words: Words
) -> list[Callable[[int, int], Figure]]:
    """A page for each map."""
    maps = chart.maps if isinstance(chart, ThresholdMaps) else (chart,)
    return [partial(map_page, one, words) for one in maps]


def map_page(chart: ThresholdMap, words: Words, number: int, count: int) -> Figure:
    """All numbers of dice on one page."""
    page = Page(words)
    top = page.head(words("thresholds.kind"), chart.title(words), chart.subtitle(words))
    top = page.paragraph(MARGIN, top + 0.5, words("thresholds.how"), page.right - MARGIN, 8.5)
    wide = 1 if len(chart.dice) == 1 else 2
    rows = -(-len(chart.dice) // wide)
    bottom = page.height - 48.0
    room = (page.right - MARGIN - 8.0 * (wide - 1)) / wide
    side = min(room - 9.0, (bottom - top) / rows - 17.0)
    for place, dice in enumerate(chart.dice):
        left = MARGIN + 9.0 + (place % wide) * (room + 8.0)
        panel(page, chart, dice, left, top + 7.0 + (place // wide) * (side + 17.0), side)
    y = page.paragraph(MARGIN, top + rows * (side + 17.0) + 4.0, chart.example(words),
                       page.right - MARGIN, 8.5)  # fmt: skip
    legend(page, chart, y)
    page.foot(chart.source.line(words), number, count)
    return page.figure


def large_page(chart: ThresholdMap, dice: int, words: Words, number: int, count: int) -> Figure:
    """One number of dice on a page of its own."""
    page = Page(words)
    top = page.head(words("thresholds.kind"), words("thresholds.large", dice=dice),
                    chart.subtitle(words))  # fmt: skip
    top = page.paragraph(MARGIN, top + 0.5, words("thresholds.how"), page.right - MARGIN, 8.5)
    side = page.right - MARGIN - 11.0
    panel(page, chart, dice, MARGIN + 9.0, top + 6.0, side, title=False)
    y = page.paragraph(MARGIN, top + side + 20.0, chart.example(words), page.right - MARGIN, 8.5)
    legend(page, chart, y)
    page.foot(chart.source.line(words), number, count)
    return page.figure


def panel(
    page: Page,
    chart: ThresholdMap,
    dice: int,
    left: float,
    top: float,
    side: float,
    title: bool = True,
) -> None:
    """One map."""
    across = Axis(chart.opponents, chart.source.rules)
    up = Axis(chart.statuses, chart.source.rules)
    xs = [left + side * edge for edge in across.edges]
    ys = [top + side * (1.0 - edge) for edge in up.edges]
    column = chart.dice.index(dice)
    lowest = _spread(chart.lowest[:, :, column], up, across, fill=0)
    apart = _spread(np.ones(chart.lowest.shape[:2], int), up, across, fill=0) == 0
    if title:
        page.text(left, top - 2.2, page.words("thresholds.panel", dice=dice), 10.5, weight="bold")
    _paint(page, lowest, apart, chart.source.rules.step, xs, ys)
    marks = _spread(chart.marked()[:, :, column].astype(int), up, across, fill=0) > 0
    page.area(region(marks, xs, ys), facecolor="none", edgecolor="#00000060", hatch="//////")
    _guides(page, (up, across), left, top, side)
    _numbers(page, chart, column, (up, across), left, top, side)
    _rims(page, (up, across), left, top, side)


def _spread(values: np.ndarray, up: Axis, across: Axis, fill: int) -> np.ndarray:
    """Values of statuses on the intervals between the edges; `fill` in the gaps."""
    padded = np.pad(values, ((0, 1), (0, 1)), constant_values=fill)
    return padded[np.ix_(up.present, across.present)]


def shade(lowest: np.ndarray | int, step: int) -> np.ndarray:
    """The shade of each threshold."""
    return np.searchsorted(EDGES, np.maximum(lowest, 0) // step, side="right") - 1


def _paint(
    page: Page, lowest: np.ndarray, apart: np.ndarray, step: int, xs: list[float], ys: list[float]
) -> None:
    """The areas, each shade over the lighter ones so that no seam shows."""
    shades = np.where(lowest >= 0, shade(lowest, step), -1)
    page.area(region((lowest == NO_CHOICE) & ~apart, xs, ys), facecolor=WIN_COLOUR)
    for level, colour in enumerate(COLOURS):
        page.area(region((shades >= level) & ~apart, xs, ys), facecolor=colour)
    page.area(region((lowest == NEVER) & ~apart, xs, ys), facecolor=NEVER_COLOUR)


def _guides(page: Page, axes: tuple[Axis, Axis], left: float, top: float, side: float) -> None:
    """Barrels, dump trucks, the zero lines and the diagonal of equal scores."""
    up, across = axes
    rules = up.rules

    def line(axis: Axis, score: int) -> list[tuple[float, float]]:
        at = axis.at(score)
        if axis is across:
            return [(left + side * at, top), (left + side * at, top + side * (1.0 - up.start))]
        return [(left + side * across.start, top + side * (1.0 - at)),
                (left + side, top + side * (1.0 - at))]  # fmt: skip

    ends = sorted({end for barrel in rules.barrels for end in barrel if end < up.high})
    page.lines([line(axis, end) for axis in (across, up) for end in ends], 0.5, "#000000b0")
    dumps = [score for score in rules.dump_trucks if up.low <= score < up.high]
    page.lines([line(axis, s) for axis in (across, up) for s in dumps], 0.7, INK, (0, (4, 2)))
    page.lines([line(axis, 0) for axis in (across, up) if axis.low < 0], 0.35, "#00000080")
    low = max(up.low, across.low)
    corners = [
        (left + side * across.at(score), top + side * (1.0 - up.at(score)))
        for score in (low, min(up.high, across.high))
    ]
    page.lines([corners], 0.35, "#00000080", (0, (1, 2)))


def _numbers(
    page: Page, chart: ThresholdMap, column: int, axes: tuple[Axis, Axis], left: float, top: float,
    side: float,
) -> None:  # fmt: skip
    """The most common threshold of each square between the ticks, where it is common enough."""
    up, across = axes
    lowest, size = chart.lowest[:, :, column], min(9.0, side / 14.0)
    step, high = chart.source.rules.step, 0.42 * size
    found: list[tuple[float, float, float, int]] = []
    for y_low, y_high, rows in _squares(up, chart.statuses):
        for x_low, x_high, columns in _squares(across, chart.opponents):
            common = _common(lowest[np.ix_(rows, columns)], step)
            if common >= 0:
                x, y = left + side * (x_low + x_high) / 2, top + side * (1.0 - (y_low + y_high) / 2)
                found.append((x, y, 0.94 * side * (x_high - x_low), common))
    for level, colour in enumerate(COLOURS):
        boxes = []
        for x, y, room, common in found:
            if shade(common, step) == level:
                half = min(room, width_of(str(common), size) + 0.8) / 2
                boxes.append((x - half, x + half, y - high / 2, y + high / 2))
        page.area(boxes_path(boxes), facecolor=colour)
    for x, y, room, common in found:
        page.text(
            x, y, page.words.number(common), size, align="center", base="center_baseline", fit=room,
            colour="white" if shade(common, step) >= LIGHT_FROM else INK,
        )  # fmt: skip


def _common(values: np.ndarray, step: int) -> int:
    """The most common threshold, if most of the values are close to it; else `NEVER`."""
    found, counts = np.unique(values, return_counts=True)
    common = int(found[counts.argmax()])
    close = np.abs(values - common) <= max(step, 0.15 * common)
    return common if close.mean() >= 0.5 else NEVER


def _squares(axis: Axis, statuses: tuple[Status, ...]) -> list[tuple[float, float, list[int]]]:
    """Intervals between the ticks: from, to, and the statuses in it; the strip is one of them."""
    ticks = [tick for tick in axis.ticks() if tick <= axis.high]
    squares = [
        (
            axis.at(low), axis.at(high),
            [i for i, s in enumerate(statuses) if s.entered and low <= s.score < high],
        )
        for low, high in pairwise(ticks)
    ]  # fmt: skip
    return [square for square in squares if square[2]]


def _rims(page: Page, axes: tuple[Axis, Axis], left: float, top: float, side: float) -> None:
    """Ticks with their scores, barrels as bars, names of the axes."""
    up, across = axes
    words, rules = page.words, up.rules
    bottom = top + side
    small = _small(side)
    ticks = []
    for score in up.ticks():
        y = top + side * (1.0 - up.at(score))
        ticks.append([(left - 1.0, y), (left, y)])
        page.text(left - 1.6, y, words.number(score), small, align="right", base="center_baseline")
    for score in across.ticks():
        x = left + side * across.at(score)
        ticks.append([(x, bottom), (x, bottom + 1.0)])
        page.text(x, bottom + 3.4, words.number(score), small, align="center")
    page.lines(ticks, 0.4)
    for low, high in rules.barrels:
        y = top + side * (1.0 - up.at(min(high, up.high)))
        page.box(left + side, y, 1.5, side * (up.at(high) - up.at(low)), facecolor=INK)
        x = left + side * across.at(low)
        page.box(x, top - 1.5, side * (across.at(high) - across.at(low)), 1.5, facecolor=INK)
    _names(page, axes, left, top, side)


def _small(side: float) -> float:
    """The size of the scores on the rims."""
    return min(6.5, max(5.0, side / 17.0))


def _names(page: Page, axes: tuple[Axis, Axis], left: float, top: float, side: float) -> None:
    up, across = axes
    words, bottom = page.words, top + side
    page.text(left + side, bottom + 6.6, words("thresholds.opponent_axis") + " →", 7.0,
              align="right", colour=SOFT)  # fmt: skip
    ticks = max(width_of(words.number(score), _small(side)) for score in up.ticks())
    page.text(left - 2.4 - ticks, top, words("thresholds.my_axis") + " →", 7.0, align="right",
              rotation=90.0, colour=SOFT)  # fmt: skip
    if across.outside:
        page.text(left, bottom + 6.6, words("thresholds.outside"), 6.0, colour=SOFT)
    if up.outside:
        page.text(left - 1.6, bottom - side * up.strip / 2, words("thresholds.outside"), 6.0,
                  align="right", base="center_baseline", colour=SOFT, fit=8.0)  # fmt: skip
    for score in up.rules.dump_trucks:
        page.text(left + side + 0.6, top + side * (1.0 - up.at(score)), words.number(score), 5.5,
                  weight="bold", base="center_baseline")  # fmt: skip


def legend(page: Page, chart: ThresholdMap, y: float) -> None:
    """What the shades and signs stand for."""
    words, step = page.words, chart.source.rules.step
    width = (page.right - MARGIN) / len(COLOURS)
    for level, colour in enumerate(COLOURS):
        low = max(EDGES[level], 1) * step
        last = level + 1 == len(EDGES)
        text = (
            words("thresholds.most", low=low)
            if last else words.span(low, (EDGES[level + 1] - 1) * step)
        )  # fmt: skip
        x = MARGIN + level * width
        page.box(x, y, width - 1.0, 5.0, facecolor=colour, edgecolor=SOFT, linewidth=0.3)
        page.text(x + (width - 1.0) / 2, y + 3.5, text, 7.5, align="center", fit=width - 2.5,
                  colour="white" if level >= LIGHT_FROM else INK)  # fmt: skip
    _signs(page, chart, y + 8.5)


def _signs(page: Page, chart: ThresholdMap, y: float) -> None:
    words, x = page.words, MARGIN
    signs: list[tuple[str, dict[str, str]]] = [
        ("island", {"facecolor": "white", "edgecolor": "#00000090", "hatch": "//////"}),
        ("never", {"facecolor": NEVER_COLOUR}),
        ("no_choice", {"facecolor": WIN_COLOUR}),
        ("barrel", {"facecolor": INK}),
    ]
    for name, style in signs:
        page.box(x, y, 7.0, 1.5 if name == "barrel" else 4.0, **style)
        x += 8.5 + page.text(x + 8.5, y + 3.0, words(f"thresholds.{name}"), 7.5) + 6.0
    if chart.source.rules.dump_trucks:
        page.lines([[(x, y + 2.0), (x + 7.0, y + 2.0)]], 0.7, INK, (0, (4, 2)))
        page.text(x + 8.5, y + 3.0, words("action.dump"), 7.5)
