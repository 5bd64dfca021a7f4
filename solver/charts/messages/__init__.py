"""The messages of the charts, each in English and in Russian, and the nouns that they count.

How a field is formatted is explained in :mod:`solver.charts.words`. Russian nouns have the forms
that go with 1, with 2 to 4, and with 5 and more.
"""

from __future__ import annotations

from solver.charts.messages.booklet import BOOK, RULES
from solver.charts.messages.card import POCKET
from solver.charts.messages.common import COMMON
from solver.charts.messages.keeping import KEEPS
from solver.charts.messages.maps import THRESHOLDS
from solver.charts.messages.sheets import NOTES, POSITION

__all__ = ["MESSAGES", "NOUNS"]

NOUNS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "point": (("point", "points"), ("очко", "очка", "очков")),
    "die": (("die", "dice"), ("кубик", "кубика", "кубиков")),
    "bolt": (("bolt", "bolts"), ("болт", "болта", "болтов")),
    "game": (("game", "games"), ("партия", "партии", "партий")),
    "turn": (("turn", "turns"), ("ход", "хода", "ходов")),
    "throw": (("throw", "throws"), ("бросок", "броска", "бросков")),
    "exception": (("exception", "exceptions"), ("исключение", "исключения", "исключений")),
    "evaluation": (
        ("exact evaluation", "exact evaluations"),
        ("точная оценка", "точные оценки", "точных оценок"),
    ),
    "position": (("position", "positions"), ("позиция", "позиции", "позиций")),
}

MESSAGES: dict[str, tuple[str, str]] = {
    **COMMON, **POSITION, **NOTES, **THRESHOLDS, **KEEPS, **RULES, **BOOK, **POCKET,
}  # fmt: skip
