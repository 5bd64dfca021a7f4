"""Strategy charts to print: the data, text in English and Russian, and drawings.

Each function makes a :class:`Chart` of numbers; what is done with it is the chart's business:

>>> from solver import PIGLET, State, solve
>>> from solver.charts import position_sheet
>>> chart = position_sheet(solve(PIGLET), State())
>>> print(chart.text("ru").splitlines()[0])
0 против 0
>>> chart.csv().splitlines()[0]
'turn_total,dice_left,action,roll,bank,forced,cost'

``chart.figures("ru")`` draws its pages, ``chart.save("sheet.pdf")`` writes them. matplotlib (the
extra ``charts``) is loaded by these two only.
"""

from __future__ import annotations

from solver.charts.book import Book, booklet
from solver.charts.keeps import KeepGuide, keep_guide
from solver.charts.model import Chart, Source, Table
from solver.charts.pocket import PocketChart, pocket_rule, pocket_search
from solver.charts.position import PositionSheet, position_sheet
from solver.charts.text import html
from solver.charts.thresholds import ThresholdMap, ThresholdMaps, threshold_map, threshold_maps
from solver.charts.words import LANGUAGES, ChartError

__all__ = [
    "LANGUAGES",
    "Book",
    "Chart",
    "ChartError",
    "KeepGuide",
    "PocketChart",
    "PositionSheet",
    "Source",
    "Table",
    "ThresholdMap",
    "ThresholdMaps",
    "booklet",
    "html",
    "keep_guide",
    "pocket_rule",
    "pocket_search",
    "position_sheet",
    "threshold_map",
    "threshold_maps",
]
