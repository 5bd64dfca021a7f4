"""The drawing of the booklet: cover, how to read it, then the charts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from matplotlib.figure import Figure

from solver.charts.book import Book, rules_in_brief
from solver.charts.draw.dice import draw_dice
from solver.charts.draw.keeps import draw_keeps
from solver.charts.draw.page import MARGIN, POINT, SOFT, Page
from solver.charts.draw.pocket import draw_pocket
from solver.charts.draw.position import excerpt, position_page
from solver.charts.draw.thresholds import large_page, map_page, panel
from solver.charts.words import Words
from solver.rules import Rules

__all__ = ["draw_book"]

Draw = Callable[[int, int], Figure]
TERMS = ("bank", "roll", "turn_total", "bust", "hot_dice", "bolt", "barrel", "dump", "overtake")
EXCERPT = 14  # rows of a sheet that are shown as an example


def draw_book(book: Book, words: Words) -> list[Draw]:
    """All pages, in their order."""
    parts = _parts(book, words)
    first: list[Draw] = [
        partial(cover, book, words, _contents(parts)),
        partial(reading, book, words),
    ]
    return first + [page for _, pages in parts for page in pages]


def _parts(book: Book, words: Words) -> list[tuple[str, list[Draw]]]:
    """The charts by chapter: the key of its name, and its pages."""
    main = book.maps[0]
    maps: list[Draw] = [partial(large_page, main, dice, words) for dice in main.dice]
    maps += [partial(map_page, one, words) for one in book.maps[1:]]
    frequent, edges = (
        [
            partial(position_page, sheet.chart, words, kind=words(sheet.why[0], **sheet.why[1]))
            for sheet in book.sheets
            if (sheet.why[0] == "book.frequent") is wanted
        ]
        for wanted in (True, False)
    )
    return [
        ("maps", maps),
        ("sheets", [*frequent]),
        ("edges", [*edges]),
        ("keeps", draw_keeps(book.keeps, words)),
        ("pocket", draw_pocket(book.pocket, words) if book.pocket is not None else []),
    ]


def _contents(parts: list[tuple[str, list[Draw]]]) -> list[tuple[str, int]]:
    """The chapters with the pages that they begin on."""
    contents, page = [("read", 2)], 3
    for name, pages in parts:
        if pages:
            contents.append((name, page))
        page += len(pages)
    return contents


def cover(
    book: Book, words: Words, contents: list[tuple[str, int]], number: int, count: int
) -> Figure:
    """Title, headline numbers, rules in brief, what scores, contents."""
    page, rules = Page(words), book.source.rules
    draw_dice(page, MARGIN, 24.0, [(face, "kept") for face in _faces(rules)], 13.0)
    page.text(MARGIN, 51.0, words("book.title"), 38.0, weight="bold", fit=page.right - MARGIN)
    page.text(MARGIN, 61.0, words("book.subtitle"), 15.0, colour=SOFT, fit=page.right - MARGIN)
    page.rule(66.5)
    width = (page.right - MARGIN) / 3
    for place, (figure, meaning) in enumerate(book.headline(words)):
        page.text(MARGIN + place * width, 79.0, figure, 23.0, weight="bold", fit=width - 6.0)
        page.paragraph(MARGIN + place * width, 85.5, meaning, width - 6.0, 9.0, colour=SOFT)
    page.rule(93.0, 0.3, SOFT)
    middle = 112.0
    page.text(MARGIN, 102.0, words("book.rules"), 12.0, weight="bold")
    left = page.bullets(MARGIN, 110.0, rules_in_brief(rules, words), middle - MARGIN - 8.0, 8.8)
    page.text(middle, 102.0, words("book.points"), 12.0, weight="bold")
    right = _points(page, rules, middle, 110.0)
    y = max(left, right) + 8.0
    page.text(MARGIN, y, words("book.contents"), 12.0, weight="bold")
    for name, begins in contents:
        y += 6.2
        page.text(MARGIN, y, words(f"book.page_{name}"), 9.5)
        page.text(middle - 8.0, y, str(begins), 9.5, align="right", weight="bold")
        page.lines([[(MARGIN, y + 1.6), (middle - 8.0, y + 1.6)]], 0.25, SOFT)
    page.foot(book.source.line(words), number, count)
    return page.figure


def _faces(rules: Rules) -> list[int]:
    """Faces for show: as many dice as there are, from 1 on."""
    return [place % rules.sides + 1 for place in range(rules.dice)]


def _points(page: Page, rules: Rules, x: float, y: float) -> float:
    """The combinations: dice of one kind by number, then the others; returns the y after them."""
    kinds = {(f[0], len(f)): points for f, points in rules.combinations if len(set(f)) == 1}
    numbers = sorted({number for _, number in kinds})
    step = min(16.0, (page.right - x - 8.0) / max(len(numbers), 1))
    for column, number in enumerate(numbers):
        label = f"{number} ×" if page.words.language == "en" else f"{number} шт."
        page.text(x + 8.0 + (column + 0.8) * step, y, label, 8.0, align="right", colour=SOFT)
    for face in sorted({face for face, _ in kinds}):
        y += 6.3
        draw_dice(page, x, y - 1.3, [(face, "left")], 4.6)
        for column, number in enumerate(numbers):
            if (face, number) in kinds:
                text = page.words.number(kinds[face, number])
                page.text(x + 8.0 + (column + 0.8) * step, y, text, 9.0, align="right")
    y += 2.0
    for faces, points in sorted(rules.combinations, key=lambda pair: (len(pair[0]), pair[0])):
        if len(set(faces)) > 1:
            y += 6.3
            end = draw_dice(page, x, y - 1.3, [(face, "left") for face in faces], 4.6)
            page.text(end + 3.0, y, page.words.number(points), 9.0)
    return y + 3.0


def reading(book: Book, words: Words, number: int, count: int) -> Figure:
    """How to read a sheet and a map, and what the words mean."""
    page = Page(words)
    top = page.head(words("book.kind"), words("book.page_read")) + 2.0
    middle = 108.0
    page.text(MARGIN, top, words("book.read_sheet"), 12.0, weight="bold")
    if book.sheets:
        excerpt(page, book.sheets[0].chart, EXCERPT, MARGIN, top + 1.0, 84.0)
    texts = [words(f"book.sheet.{k}", bank=words("letter.bank"), roll=words("letter.roll"))
             for k in range(1, 6)]  # fmt: skip
    page.bullets(middle, top + 7.0, texts, page.right - middle, 9.0)
    top += EXCERPT * 5.0 + 18.0
    page.rule(top - 7.0, 0.3, SOFT)
    page.text(MARGIN, top, words("book.read_map"), 12.0, weight="bold")
    main = book.maps[0]
    panel(page, main, main.dice[len(main.dice) // 2], MARGIN + 9.0, top + 9.0, 72.0)
    texts = [words(f"book.map.{k}") for k in range(1, 6)]
    page.bullets(middle, top + 7.0, texts, page.right - middle, 9.0)
    _terms(page, top + 98.0)
    page.foot(book.source.line(words), number, count)
    return page.figure


def _terms(page: Page, y: float) -> None:
    """The words of the game, in two columns."""
    page.rule(y - 7.0, 0.3, SOFT)
    page.text(MARGIN, y, page.words("book.read_terms"), 12.0, weight="bold")
    width = (page.right - MARGIN) / 2
    half = -(-len(TERMS) // 2)
    for column in range(2):
        at = y + 6.5
        for term in TERMS[column * half : (column + 1) * half]:
            x = MARGIN + column * width
            used = page.text(x, at, page.words(f"term.{term}"), 8.8, weight="bold")
            meaning = page.words(f"meaning.{term}")
            at = _hanging(page, x, at, used + 2.0, meaning, width - 6.0)


def _hanging(page: Page, x: float, y: float, used: float, text: str, width: float) -> float:
    """Text that goes on behind what stands in its first line; returns the y after it."""
    size = 8.8
    first, rest = page.split(text, width - used, size)
    page.text(x + used, y, first, size)
    y += size * 1.38 * POINT
    return page.paragraph(x, y, rest, width, size) + 0.6 if rest else y + 0.6
