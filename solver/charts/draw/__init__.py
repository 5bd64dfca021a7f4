"""The drawings of the charts: the only place that loads matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path as FilePath
from typing import Any

from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure

from solver.charts.bar import OnStage
from solver.charts.draw.book import draw_book
from solver.charts.draw.keeps import draw_keeps
from solver.charts.draw.page import settings
from solver.charts.draw.pocket import draw_pocket
from solver.charts.draw.position import draw_position
from solver.charts.draw.thresholds import draw_thresholds
from solver.charts.model import Chart, whole
from solver.charts.words import Words

__all__ = ["pages", "save"]

DRAWERS: dict[str, Callable[[Any, Words], list[Callable[[int, int], Figure]]]] = {
    "book": draw_book,
    "keeps": draw_keeps,
    "pocket": draw_pocket,
    "position": draw_position,
    "thresholds": draw_thresholds,
}
"""For each kind of chart, what gives its pages: functions of their number and of how many."""


def pages(chart: Chart, words: Words) -> Iterator[tuple[int, Figure]]:
    """Each page as it is drawn, with the number of pages that there will be."""
    drawn = DRAWERS[chart.kind](chart, words)
    for number, draw in enumerate(drawn, start=1):
        with settings():
            figure = draw(number, len(drawn))
        yield len(drawn), figure


def save(
    chart: Chart, target: FilePath, words: Words, dpi: int = 150, on_stage: OnStage | None = None
) -> list[FilePath]:
    """Write a chart as PDF, SVG or PNG; the same bytes for the same chart."""
    if target.suffix.lower() == ".pdf":
        return [_save_pdf(chart, target, words, on_stage)]
    written = []
    for number, count, figure in _counted(chart, words, on_stage):
        stem = f"{target.stem}-{number:0{len(str(count))}}"
        path = target if count == 1 else target.with_stem(stem)
        ending = path.suffix.lower()
        with settings(), whole(path) as scratch:
            figure.savefig(scratch, format=ending[1:], dpi=dpi, metadata=_about(chart, ending))
        written.append(path)
    return written


def _counted(
    chart: Chart, words: Words, on_stage: OnStage | None
) -> Iterator[tuple[int, int, Figure]]:
    """Each page with its number and their number, reported when its user is done with it."""
    for number, (count, figure) in enumerate(pages(chart, words), start=1):
        yield number, count, figure
        if on_stage is not None:
            on_stage("pages", number / count)


def _about(chart: Chart, ending: str) -> dict[str, Any]:
    """What a picture says of itself: no date."""
    if ending == ".svg":
        return {"Date": None, "Title": f"sharabeshki {chart.kind}"}
    return {"Title": f"sharabeshki {chart.kind}"}


def _save_pdf(chart: Chart, target: FilePath, words: Words, on_stage: OnStage | None) -> FilePath:
    """All pages in one file, which is there only once it is complete."""
    about = {
        "Title": words(f"{chart.kind}.kind"),
        "Subject": chart.source.line(words),
        "Keywords": f"sharabeshki, 1000, {chart.kind}",
        "CreationDate": None,
        "ModDate": None,
    }
    with whole(target) as scratch, settings(), PdfPages(scratch, metadata=about) as file:
        for _, _, figure in _counted(chart, words, on_stage):
            file.savefig(figure)
    return target
