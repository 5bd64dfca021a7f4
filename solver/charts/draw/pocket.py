"""The drawing of the pocket rule: a card to cut out and fold, and what it is worth."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from matplotlib.figure import Figure

from solver.charts.draw.dice import draw_dice
from solver.charts.draw.page import INK, MARGIN, SOFT, Page
from solver.charts.pocket import PocketChart
from solver.charts.words import Words

__all__ = ["draw_pocket"]

CARD = (85.0, 55.0)  # a business card
EDGE = 4.5  # blank rim of the card
PATTERNS, FEW = 12, 6  # throws on the card; so many can be larger


def draw_pocket(chart: PocketChart, words: Words) -> list[Callable[[int, int], Figure]]:
    """The one page."""
    return [partial(pocket_page, chart, words)]


def pocket_page(chart: PocketChart, words: Words, number: int, count: int) -> Figure:
    """The card above; below, what its parts are worth, and other rules beside it."""
    page = Page(words)
    top = page.head(words("pocket.kind"), words("pocket.title"), chart.headline(words)[0])
    left = (page.width - 2 * CARD[0]) / 2
    _front(page, chart, left, top + 3.0)
    _back(page, chart, left + CARD[0], top + 3.0)
    _marks(page, left, top + 3.0)
    y = top + CARD[1] + 9.5
    page.text(left, y, words("pocket.cut"), 7.0, colour=SOFT)
    y += 9.0
    if chart.twists:
        sides = ["left", "right", "right"]
        y = page.table(MARGIN, y, chart.worths(words), (128.0, 30.0, 26.0), 8.8, sides)
        y += 6.0
    widths = (86.0, 24.0, 25.0, 25.0, 24.0)
    y = page.table(MARGIN, y, chart.table(words), widths, 8.8, ["left", *["right"] * 4])
    page.rule(y - 2.4, 0.5)
    y = page.paragraph(MARGIN, y + 3.0, words("pocket.family"), page.right - MARGIN, 8.0)
    text = words("pocket.source", evaluations=chart.ladder.evaluations)
    page.paragraph(MARGIN, y + 1.0, text, page.right - MARGIN, 8.0, colour=SOFT)
    page.foot(chart.source.line(words), number, count)
    return page.figure


def _front(page: Page, chart: PocketChart, left: float, top: float) -> None:
    """The numbers, and what to set aside."""
    words, x, room = page.words, left + EDGE, CARD[0] - 2 * EDGE
    page.text(x, top + 7.0, words("pocket.bank_short"), 9.0, weight="bold")
    numbers = chart.numbers()
    width = room / len(numbers)
    for place, (dice, number) in enumerate(numbers):
        at = x + place * width
        draw_dice(page, at, top + 11.5, [(0, "left")] * dice, min(2.9, (width - 2.0) / 1.2 / dice))
        page.text(at, top + 20.5, words.number(number), 17.0, weight="bold", fit=width - 1.5)
    page.lines([[(x, top + 23.4), (x + room, top + 23.4)]], 0.3, SOFT)
    patterns = chart.keeps()[:PATTERNS]
    key = "pocket.keep" if patterns else "pocket.keep_all"
    y = page.paragraph(x, top + 27.4, words(key), room, 7.2) + 1.2
    _patterns(page, patterns, x, y, room)


def _patterns(
    page: Page,
    patterns: list[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]],
    x: float,
    y: float,
    room: float,
) -> None:
    """Throws and what is set aside of them; dice that do not score are grey."""
    columns, size, height = (2, 4.0, 6.4) if len(patterns) <= FEW else (3, 2.75, 5.4)
    for place, (throw, scoring, kept) in enumerate(patterns):
        at, line = x + place % columns * room / columns, y + place // columns * height
        blank = len(throw) - len(scoring)
        end = draw_dice(
            page, at, line, [(f, "left") for f in scoring] + [(0, "none")] * blank, size
        )
        page.text(end, line, "→", 6.0, base="center_baseline", colour=SOFT)
        draw_dice(page, end + 2.6, line, [(face, "kept") for face in kept], size)


def _back(page: Page, chart: PocketChart, left: float, top: float) -> None:
    """Hot dice, dump trucks, the exceptions, and how good it is."""
    words, x, room = page.words, left + EDGE, CARD[0] - 2 * EDGE
    y = page.paragraph(x, top + 7.0, words("pocket.hot"), room, 7.6) + 0.8
    if chart.source.rules.dump_trucks:
        y = page.paragraph(x, y, words("pocket.dump_last"), room, 7.6) + 0.8
    said = chart.exceptions(words)
    if said:
        y = page.paragraph(x, y + 1.0, words("pocket.exceptions"), room, 8.0, weight="bold") + 0.4
        page.bullets(x, y, said, room, 7.6)
    rung = chart.rung
    text = words("pocket.chance_short", first=rung.first, second=rung.second)
    page.text(x, top + CARD[1] - 3.6, text, 6.6, colour=SOFT, fit=room)


def _marks(page: Page, left: float, top: float) -> None:
    """The rim of the card, dashed, and the line to fold it along."""
    width, height = CARD
    right, bottom = left + 2 * width, top + height
    rim = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    page.lines([rim], 0.5, INK, (0, (5, 3)))
    page.lines([[(left + width, top), (left + width, bottom)]], 0.35, SOFT, (0, (1, 2)))
