"""A page in millimetres: text that is measured, areas, rules, and a foot with the source.

x runs to the right and y down, from the upper left corner of the sheet. Nothing here knows a
chart. Text is measured before it is set, so that it can be wrapped, shrunk and aligned.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.textpath import text_to_path

from solver.charts.model import Table
from solver.charts.words import Words

__all__ = [
    "A4",
    "INK",
    "MARGIN",
    "PALE",
    "POINT",
    "SOFT",
    "Page",
    "Sheet",
    "boxes_path",
    "region",
    "settings",
    "width_of",
]

A4 = (210.0, 297.0)
MARGIN = 14.0
POINT = 25.4 / 72.0  # millimetres
LEADING = 1.38  # line height over font size
INK, SOFT, PALE = "#1a1a1a", "#6b6b6b", "#efefef"
FAMILY = "DejaVu Sans"  # comes with matplotlib, and has Cyrillic
FIXED: Any = {
    "font.family": [FAMILY],
    "pdf.fonttype": 42,
    "pdf.compression": 9,
    "svg.hashsalt": "sharabeshki",
    "svg.fonttype": "path",
    "path.simplify": False,
    "hatch.linewidth": 0.35,
    "axes.unicode_minus": True,
}


@contextmanager
def settings() -> Iterator[None]:
    """The settings that pages are drawn and written with, whatever the user's own are."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(FIXED)
        yield


class Sheet(Figure):
    """A figure that a notebook shows without any set-up."""

    def _repr_svg_(self) -> str:
        out = io.StringIO()
        with settings():
            self.savefig(out, format="svg", metadata={"Date": None})
        return out.getvalue()


@lru_cache(maxsize=256)
def font(size: float, weight: str = "normal") -> FontProperties:
    """The font of a page in some size."""
    return FontProperties(family=FAMILY, size=size, weight=weight)


def width_of(text: str, size: float, weight: str = "normal") -> float:
    """The width of a line of text in millimetres; sizes are in points."""
    return size * _unit_width(text, weight)


@lru_cache(maxsize=4096)
def _unit_width(text: str, weight: str) -> float:
    """The width of a line of text in a font of one point; widths grow with the size."""
    if not text:
        return 0.0
    width, _, _ = text_to_path.get_text_width_height_descent(text, font(1.0, weight), ismath=False)
    return float(width) * POINT


def wrapped(text: str, width: float, size: float, weight: str = "normal") -> list[str]:
    """A text as lines that are no wider than `width`."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            longer = f"{line} {word}" if line else word
            if line and width_of(longer, size, weight) > width:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return lines


def region(mask: np.ndarray, xs: Sequence[float], ys: Sequence[float]) -> Path:
    """The area of the cells where `mask` holds, as one path of few rectangles.

    Parameters
    ----------
    mask : (rows, columns) bool array
    xs, ys : sequences of float
        The edges of the columns and of the rows, one more than there are.
    """
    boxes: list[tuple[float, float, float, float]] = []
    open_runs: dict[tuple[int, int], int] = {}
    padded = np.pad(mask.astype(np.int8), ((0, 1), (1, 1)))
    for row, line in enumerate(np.diff(padded, axis=1)):
        runs = set(zip(np.flatnonzero(line == 1).tolist(), np.flatnonzero(line == -1).tolist(),
                       strict=True))  # fmt: skip
        for run in [run for run in open_runs if run not in runs]:
            boxes.append((xs[run[0]], xs[run[1]], ys[open_runs.pop(run)], ys[row]))
        for run in runs:
            open_runs.setdefault(run, row)
    return boxes_path(sorted(boxes))


def boxes_path(boxes: Sequence[tuple[float, float, float, float]]) -> Path:
    """Rectangles (left, right, top, bottom) as one path."""
    left, right, top, bottom = np.array(boxes, dtype=float).reshape(-1, 4).T
    corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    vertices = np.stack([np.stack(pair, axis=1) for pair in corners], axis=1).reshape(-1, 2)
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY] * len(boxes)
    return Path(vertices, np.array(codes, dtype=Path.code_type))


class Page:
    """One page to draw on.

    Parameters
    ----------
    words : Words
    size : (float, float)
        Width and height in millimetres.
    """

    def __init__(self, words: Words, size: tuple[float, float] = A4) -> None:
        self.words, (self.width, self.height) = words, size
        self.figure = Sheet(figsize=(self.width / 25.4, self.height / 25.4), facecolor="white")
        FigureCanvasAgg(self.figure)
        self.axes = self.figure.add_axes((0.0, 0.0, 1.0, 1.0))
        self.axes.set_axis_off()
        self.axes.set_xlim(0.0, self.width)
        self.axes.set_ylim(self.height, 0.0)

    @property
    def right(self) -> float:
        """Where the text area ends."""
        return self.width - MARGIN

    def text(
        self, x: float, y: float, text: str, size: float = 9.0, *, weight: str = "normal",
        colour: str = INK, align: str = "left", rotation: float = 0.0,
        fit: float | None = None, base: str = "baseline",
    ) -> float:  # fmt: skip
        """A line of text with its base line at y; returns its width.

        Parameters
        ----------
        fit : float, optional
            The font shrinks until the line is no wider.
        """
        width = width_of(text, size, weight)
        if fit is not None and width > fit:
            size, width = size * fit / width, fit
        self.axes.add_artist(
            Text(
                x, y, text, fontproperties=font(size, weight), color=colour, ha=align,
                va=base, rotation=rotation, rotation_mode="anchor", parse_math=False,
                transform=self.axes.transData, clip_on=False,
            )
        )  # fmt: skip
        return width

    def paragraph(
        self, x: float, y: float, text: str, width: float, size: float = 9.0, **how: Any
    ) -> float:
        """Text in lines of at most `width`, the first base line at y; returns the y after it."""
        weight = how.get("weight", "normal")
        for line in wrapped(text, width, size, weight):
            self.text(x, y, line, size, **how)
            y += size * LEADING * POINT
        return y

    def split(self, text: str, width: float, size: float) -> tuple[str, str]:
        """The words that go into a line of some width, and the others."""
        first = wrapped(text, width, size)[0]
        return first, text[len(first) :].lstrip()

    def bullets(self, x: float, y: float, texts: Sequence[str], width: float, size: float) -> float:
        """Paragraphs with a dot before each; returns the y after them."""
        for text in texts:
            self.text(x, y, "•", size, colour=SOFT)
            y = self.paragraph(x + 3.5, y, text, width - 3.5, size) + 0.7
        return y

    def box(self, x: float, y: float, width: float, height: float, **style: Any) -> None:
        """A rectangle; `style` as for a matplotlib patch."""
        self.area(boxes_path([(x, x + width, y, y + height)]), **style)

    def area(self, path: Path, **style: Any) -> None:
        """A path, filled."""
        if np.size(path.vertices):
            patch = PathPatch(path, transform=self.axes.transData, **{"linewidth": 0.0, **style})
            self.axes.add_artist(patch)  # add_patch would look for the extent of every curve

    def lines(
        self, segments: Sequence[Sequence[tuple[float, float]]], width: float = 0.4,
        colour: str = INK, dash: Any = "solid",
    ) -> None:  # fmt: skip
        """Straight lines; `width` in points."""
        if segments:
            lines = LineCollection(
                list(segments), linewidths=width, colors=colour, linestyles=dash, capstyle="butt"
            )
            self.axes.add_collection(lines, autolim=False)

    def rule(self, y: float, width: float = 0.6, colour: str = INK) -> None:
        """A line across the text area."""
        self.lines([[(MARGIN, y), (self.right, y)]], width, colour)

    def head(self, kind: str, title: str, subtitle: str = "", room: float | None = None) -> float:
        """The head of a page; returns the y below its rule."""
        fit = self.right - MARGIN if room is None else room
        self.text(MARGIN, 16.0, kind.upper(), 7.5, weight="bold", colour=SOFT)
        self.text(MARGIN, 25.0, title, 20.0, weight="bold", fit=fit)
        if subtitle:
            self.text(MARGIN, 31.5, subtitle, 9.5, fit=self.right - MARGIN)
        self.rule(35.0)
        return 41.0

    def foot(self, source: str, page: int = 0, pages: int = 0) -> None:
        """Where the numbers come from, and the number of the page if there are several."""
        y = self.height - 9.0
        self.lines([[(MARGIN, y - 3.4), (self.right, y - 3.4)]], 0.3, SOFT)
        self.text(MARGIN, y, source, 6.2, colour=SOFT, fit=self.right - MARGIN - 18.0)
        if pages > 1:
            number = self.words("foot.page", page=page, pages=pages)
            self.text(self.right, y, number, 8.0, align="right", weight="bold")

    def table(
        self, x: float, y: float, table: Table, widths: Sequence[float], size: float = 8.5,
        align: Sequence[str] | None = None,
    ) -> float:  # fmt: skip
        """A table with a rule under its head; cells are wrapped. Returns the y after it."""
        align = align or ["left"] * len(widths)
        lefts = [x + sum(widths[:column]) for column in range(len(widths))]
        y = self._row(table.columns, lefts, y, widths, size - 0.8, align, weight="bold")
        end = x + sum(widths) - (2.0 if align[-1] == "right" else 0.0)
        self.lines([[(x, y - 2.6), (end, y - 2.6)]], 0.5)
        y += 0.9
        for row in table.rows:
            cells = ["" if value is None else str(value) for value in row]
            y = self._row(cells, lefts, y, widths, size, align) + 0.5
        return y

    def _row(
        self, cells: Sequence[str], lefts: Sequence[float], y: float, widths: Sequence[float],
        size: float, align: Sequence[str], **how: Any,
    ) -> float:  # fmt: skip
        ends = [y]
        for cell, left, width, side in zip(cells, lefts, widths, align, strict=True):
            room = width - 2.0
            at = {"left": left, "right": left + room, "center": left + room / 2}[side]
            ends.append(self.paragraph(at, y, cell, room, size, align=side, **how))
        return max(ends)
