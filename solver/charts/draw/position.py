"""The drawing of a position sheet."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from matplotlib.figure import Figure

from solver.charts.draw.page import INK, MARGIN, PALE, SOFT, Page, region, width_of
from solver.charts.position import PositionSheet
from solver.charts.words import Words

__all__ = ["draw_position", "excerpt", "position_page"]

EDGES = (0.0, 0.1, 0.5, 1.0, 2.0, 5.0)  # percentage points: where the shades begin
BANK = ("#f6fafd", "#e3eef8", "#cadff0", "#abcfe8", "#83b9de", "#5a9fd0")
ROLL = ("#fffaf3", "#feecd6", "#fdd9b1", "#fdc085", "#f9a055", "#ee7f2d")
MARKS = {"hot dice": "↻", "entry": "⇥", "barrel": "◎", "dump truck": "✖"}
DUMP = "#333333"
GAP = 3.0  # between the blocks of the grid
LABEL = 0.95  # width of the column of turn totals, in cells
LEAST_ROW, MOST_ROW = 4.2, 6.5
FEW = 20  # rows that are not split
MOST_BLOCKS = 3


def draw_position(chart: PositionSheet, words: Words) -> list[Callable[[int, int], Figure]]:
    """The one page."""
    return [partial(position_page, chart, words)]


def position_page(
    chart: PositionSheet, words: Words, number: int, count: int, kind: str = ""
) -> Figure:
    """The sheet; `kind` stands above its title."""
    page = Page(words)
    chance = words.percent(chart.chance, chart.source.digits(2))
    room = page.right - MARGIN - 50.0
    top = page.head(kind or words("position.kind"), chart.title(words), chart.players(words), room)
    page.text(page.right, 16.0, words("position.your_chance"), 7.5, align="right", colour=SOFT)
    page.text(page.right, 25.0, chance, 20.0, weight="bold", align="right")
    middle = 106.0
    left = page.bullets(
        MARGIN, top + 1.0, [words(key, **values) for key, values in chart.notes], middle - 20.0, 9.0
    )
    summary = chart.summary(words)
    if summary.rows:
        right = page.table(middle, top, summary, (34.0, page.right - middle - 34.0), 9.0)
    else:
        right = page.paragraph(
            middle, top + 1.0, words("position.nothing"), page.right - middle, 9.0
        )
    top = max(left, right) + 2.5
    page.rule(top - 3.0, 0.3, SOFT)
    how = words("position.grid", bank=words("letter.bank"), roll=words("letter.roll"))
    top = page.paragraph(MARGIN, top + 1.5, how, page.right - MARGIN, 8.0)
    bottom = page.height - 38.0
    if chart.shown > 1:
        end = _grid(page, chart, top + 1.0, bottom - 5.0)
        _rest(page, chart, end + 4.0)
    _legend(page, chart, bottom + 6.5)
    page.foot(chart.source.line(words), number, count)
    return page.figure


def _rest(page: Page, chart: PositionSheet, y: float) -> None:
    """What is to be done at the turn totals that are not drawn."""
    if chart.shown < len(chart.table.turn_totals):
        total = chart.table.turn_totals[chart.shown]
        text = page.words("position.rest", total=total, bank=page.words("letter.bank"))
        page.text(MARGIN, y, text, 8.0, colour=SOFT)


def _grid(page: Page, chart: PositionSheet, top: float, bottom: float) -> float:
    """The cells, in as few blocks side by side as leave the rows high enough; the y below."""
    rows = list(range(1, chart.shown))
    blocks, height, least = 1, 0.0, 1 + (len(rows) > FEW)
    for blocks in range(least, MOST_BLOCKS + 1):
        long = -(-len(rows) // blocks)
        height = min(MOST_ROW, (bottom - top) / (long + 1))
        if height >= LEAST_ROW:
            break
    room = (page.right - MARGIN + GAP) / max(blocks, 2) - GAP
    for block in range(blocks):
        part = rows[block * long : (block + 1) * long]
        if part:
            _block(page, chart, part, MARGIN + block * (room + GAP), top, room, height)
    return top + (long + 1) * height


def excerpt(
    page: Page, chart: PositionSheet, rows: int, left: float, top: float, width: float
) -> None:
    """The first rows of a sheet."""
    last = min(rows + 1, chart.shown)
    if last > 1:
        _block(page, chart, list(range(1, last)), left, top, width, 5.0)


def _block(
    page: Page, chart: PositionSheet, rows: list[int], left: float, top: float, width: float,
    height: float,
) -> None:  # fmt: skip
    """Some rows of the grid, under a head of their own."""
    table = chart.table
    cell = width / (len(table.dice) + LABEL)
    xs = [left + (LABEL + column) * cell for column in range(len(table.dice) + 1)]
    ys = [top + (row + 1) * height for row in range(len(rows) + 1)]
    size = min(8.5, height / 0.6)
    digits = chart.source.digits(1)
    for x, dice in zip(xs, table.dice, strict=False):
        page.text(x + cell / 2, top + 0.7 * height, str(dice), size + 1.0, weight="bold",
                  align="center")  # fmt: skip
    _fill(page, chart, rows, xs, ys)
    for y, row in zip(ys, rows, strict=False):
        base = y + 0.69 * height
        total = str(table.turn_totals[row])
        page.text(xs[0] - 1.0, base, total, size, weight="bold", align="right")
        for x, column in zip(xs, range(len(table.dice)), strict=False):
            _cell(page, chart, (row, column), x + cell / 2, base, size, digits, cell - 1.6)
    page.lines([[(xs[0], y), (xs[-1], y)] for y in ys], 0.5, "white")
    page.lines([[(x, ys[0]), (x, ys[-1])] for x in xs], 0.8, "white")
    page.lines([[(xs[0], ys[0]), (xs[-1], ys[0])]], 0.7)


def _fill(
    page: Page, chart: PositionSheet, rows: list[int], xs: list[float], ys: list[float]
) -> None:
    """The shades of the cells."""
    table, shade = chart.table, shades(chart)[rows]
    free = table.forced[rows] == ""
    for action, colours in (("bank", BANK), ("roll", ROLL)):
        chosen = (table.action[rows] == action) & free
        for level, colour in enumerate(colours):
            page.area(region(chosen & (shade == level), xs, ys), facecolor=colour)
    forced = (table.action[rows] == "roll") & ~free
    page.area(region(forced, xs, ys), facecolor=PALE)
    page.area(region(table.action[rows] == "dump", xs, ys), facecolor=DUMP)


def shades(chart: PositionSheet) -> np.ndarray:
    """(rows, columns) int: which of the `EDGES` the cost of each cell has passed."""
    return np.searchsorted(EDGES, np.nan_to_num(100.0 * chart.cost), side="right") - 1


def _cell(
    page: Page, chart: PositionSheet, at: tuple[int, int], x: float, y: float, size: float,
    digits: int, room: float,
) -> None:  # fmt: skip
    """What a cell says: a letter or a mark, and the chance to win."""
    action, forced = str(chart.table.action[at]), str(chart.table.forced[at])
    if not action:
        return
    sign = MARKS.get(forced, "") if forced else page.words(f"letter.{action}")
    chance = page.words.decimal(100.0 * float(chart.table.value[at]), digits)
    page.text(
        x, y, f"{sign} {chance}", size, align="center", fit=room,
        weight="bold" if action == "bank" else "normal",
        colour="white" if action == "dump" else SOFT if forced else INK,
    )  # fmt: skip


def _legend(page: Page, chart: PositionSheet, y: float) -> None:
    """The shades and the marks."""
    words, width = page.words, 15.5
    page.text(MARGIN, y, words("position.shade"), 7.5, weight="bold")
    start = page.right - len(EDGES) * width
    for level in range(len(EDGES)):
        x = start + level * width
        page.text(x + width / 2, y, _interval(words, level), 7.0, align="center")
        for line, (colours, letter) in enumerate(((BANK, "bank"), (ROLL, "roll"))):
            page.box(x, y + 1.3 + 4.2 * line, width - 0.6, 3.8, facecolor=colours[level])
            page.text(
                x + width / 2, y + 4.1 + 4.2 * line, words(f"action.{letter}"), 6.5,
                align="center", fit=width - 2.0, weight="bold" if letter == "bank" else "normal",
            )  # fmt: skip
    _marks(page, chart, y + 14.5)


def _interval(words: Words, level: int) -> str:
    """The costs that one shade stands for."""
    low, high = EDGES[level], EDGES[level + 1] if level + 1 < len(EDGES) else None
    if high is None:
        return words("shade.last", low=_short(words, low))
    if level == 0:
        return words("shade.first", high=_short(words, high))
    return f"{_short(words, low)}–{_short(words, high)}"


def _short(words: Words, value: float) -> str:
    return words.decimal(value, 0 if value == int(value) else 1)


def _marks(page: Page, chart: PositionSheet, y: float) -> None:
    """The marks of forced cells, those that the sheet has."""
    words = page.words
    x = MARGIN + page.text(MARGIN, y, words("position.no_choice"), 7.5, weight="bold") + 3.0
    present = set(chart.table.forced.ravel().tolist())
    for forced, mark in MARKS.items():
        if forced not in present:
            continue
        dark = forced == "dump truck"
        page.box(x, y - 3.0, 5.0, 4.0, facecolor=DUMP if dark else PALE)
        page.text(x + 2.5, y, mark, 7.5, align="center", colour="white" if dark else SOFT)
        label = words(f"mark.{forced.replace(' ', '_')}")
        x += 6.2 + page.text(x + 6.2, y, label, 7.5) + 4.0
    label = words("mark.blank")
    page.lines(_outline(x, y - 3.0, 5.0, 4.0), 0.3, SOFT)
    page.text(x + 6.2, y, label, 7.5)
    assert x + 6.2 + width_of(label, 7.5) <= page.right + 0.1, "the legend is too long"


def _outline(x: float, y: float, width: float, height: float) -> list[list[tuple[float, float]]]:
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]
    return [corners]
