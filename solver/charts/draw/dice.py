"""Dice as they are drawn in charts: small squares with pips."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.path import Path

from solver.charts.draw.page import INK, Page, boxes_path

__all__ = ["draw_dice"]

STYLES = {
    "kept": (INK, INK, "white"),
    "left": ("white", INK, INK),
    "none": ("#e4e4e4", "#e4e4e4", ""),
}
"""Face, edge and pips of a die that is set aside, thrown again, or does not score."""

_PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


def draw_dice(
    page: Page, x: float, y: float, faces: Sequence[tuple[int, str]], size: float = 4.4
) -> float:
    """Draw dice in a row, y their middle; returns the x after them.

    Parameters
    ----------
    faces : sequence of (int, str)
        The face of each die (0: blank), and which of the `STYLES`.
    """
    for style, (face, edge, pips) in STYLES.items():
        places = [place for place, (_, s) in enumerate(faces) if s == style]
        lefts = [x + place * size * 1.18 for place in places]
        boxes = [(left, left + size, y - size / 2, y + size / 2) for left in lefts]
        if boxes:
            page.area(boxes_path(boxes), facecolor=face, edgecolor=edge, linewidth=0.5)
        if pips:
            centres = [left + size / 2 for left in lefts]
            numbers = [faces[place][0] for place in places]
            _pips(page, centres, y, numbers, size, pips)
    return x + len(faces) * size * 1.18


def _pips(
    page: Page, centres: list[float], y: float, numbers: list[int], size: float, colour: str
) -> None:
    """The pips of some dice as one area; a number where a die has too many."""
    circles = []
    for x, number in zip(centres, numbers, strict=True):
        if not number:
            continue
        if number not in _PIPS:
            page.text(
                x, y, str(number), size * 2.0, align="center", base="center_baseline", colour=colour
            )
            continue
        circles += [
            Path.circle((x + 0.27 * size * across, y + 0.27 * size * down), 0.095 * size)
            for across, down in _PIPS[number]
        ]
    if circles:
        vertices = np.concatenate([circle.vertices for circle in circles])
        codes = np.concatenate([circle.codes for circle in circles])
        page.area(Path(vertices, codes), facecolor=colour)
