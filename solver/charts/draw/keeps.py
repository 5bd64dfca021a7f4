"""The drawing of the keep guide."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from functools import partial

from matplotlib.figure import Figure

from solver.charts.draw.dice import draw_dice
from solver.charts.draw.page import MARGIN, SOFT, Page
from solver.charts.keeps import KeepGuide, KeepRow
from solver.charts.words import Words

__all__ = ["draw_keeps"]

ROW = 7.2
SECOND = 0.15  # share from which the second choice is shown too
LEFTS = (MARGIN, 50.0, 104.0, 122.0, 145.0, 166.0)  # of the columns; numbers end at the next
SHOWN = 20  # rows


def draw_keeps(chart: KeepGuide, words: Words) -> list[Callable[[int, int], Figure]]:
    """The one page."""
    return [partial(keeps_page, chart, words)]


def keeps_page(chart: KeepGuide, words: Words, number: int, count: int) -> Figure:
    """Sentences and numbers of dice above, throws below."""
    page = Page(words)
    counted = words("keeps.counted", games=words.count(chart.games, "game"))
    top = page.head(words("keeps.kind"), words("keeps.title"), counted)
    middle = 104.0
    left = page.bullets(MARGIN, top + 1.0, chart.advice(words), middle - MARGIN - 6.0, 9.0)
    right = page.table(
        middle, top, chart.by_dice(words), (17.0, 19.0, 17.0, 24.0, 17.0), 8.5,
        ["left", *["right"] * 4],
    )  # fmt: skip
    right = page.table(
        middle, right + 4.0, chart.by_reason(words), (60.0, 17.0, 17.0), 8.5,
        ["left", "right", "right"],
    )  # fmt: skip
    top = max(left, right) + 4.0
    rows = sorted(
        sorted(chart.notable, key=lambda row: -row.worth)[:SHOWN],
        key=lambda row: (-len(row.throw), -row.worth),
    )
    top = _head(page, top)
    for place, row in enumerate(rows):
        if place and len(row.throw) != len(rows[place - 1].throw):
            page.rule(top, 0.4, SOFT)
        _row(page, row, top + ROW / 2, place)
        top += ROW
    page.rule(top, 0.6)
    top = page.paragraph(MARGIN, top + 5.0, words("keeps.legend"), page.right - MARGIN, 8.0)
    page.paragraph(MARGIN, top + 0.5, words("keeps.source"), page.right - MARGIN, 8.0, colour=SOFT)
    page.foot(chart.source.line(words), number, count)
    return page.figure


def _head(page: Page, y: float) -> float:
    """The names of the columns; returns the y where the rows begin."""
    names = ("throw", "set_aside", "share", "bank_share", "per_game", "worth")
    ends = (*LEFTS[1:], page.right)
    for place, (name, left, end) in enumerate(zip(names, LEFTS, ends, strict=True)):
        text = page.words(f"keeps.{name}")
        if place < 2:
            page.text(left, y, text, 8.0, weight="bold", fit=end - left - 2.0)
        else:
            page.text(end, y, text, 8.0, weight="bold", align="right", fit=end - left - 2.0)
    page.rule(y + 1.8, 0.6)
    return y + 1.8


def _row(page: Page, row: KeepRow, y: float, place: int) -> None:
    """One kind of throw."""
    words, base = page.words, y + 1.15
    if place % 2:
        page.box(MARGIN - 1.0, y - ROW / 2, page.right - MARGIN + 2.0, ROW, facecolor="#f6f6f6")
    draw_dice(page, LEFTS[0], y, _styled(row, row.scoring, "left"))
    if not math.isnan(row.share):
        x = draw_dice(page, LEFTS[1], y, _styled(row, row.best, "kept", rest=False))
        if row.second_share >= SECOND and len(row.best) + len(row.second) < 9:
            share = words.percent(row.second_share, 0)
            x += 1.5 + page.text(x + 1.5, base, words("keeps.or"), 7.0, colour=SOFT)
            x = draw_dice(page, x + 1.5, y, _styled(row, row.second, "kept", rest=False), 3.4)
            page.text(x + 0.5, base, f"({share})", 7.0, colour=SOFT)
        page.text(LEFTS[3], base, words.percent(row.share, 0), 9.0, align="right")
    page.text(LEFTS[4], base, words.percent(row.bank_share, 0), 9.0, align="right")
    page.text(LEFTS[5], base, words.decimal(row.per_game, 2), 9.0, align="right")
    worth = words.decimal(100.0 * row.worth, 2)
    page.text(page.right, base, worth, 9.0, align="right", weight="bold")


def _styled(
    row: KeepRow, chosen: tuple[int, ...], style: str, rest: bool = True
) -> list[tuple[int, str]]:
    """Dice in a style, and the others of the throw in grey."""
    faces = [(face, style) for face in chosen]
    if not rest:
        return faces
    others = Counter(row.throw) - Counter(chosen)
    return faces + [(face, "none") for face in sorted(others.elements())]
