"""The games of the benchmarks."""

from __future__ import annotations

from dataclasses import replace

from solver import SHARABESHKI, Rules

MIDDLE = replace(SHARABESHKI, target=300, barrels=((200, 300),), dump_trucks=(155,))


def scaled(target: int) -> Rules:
    """The default game to another target: barrels and dump truck at the same fractions of it.

    Examples
    --------
    >>> scaled(500).barrels, scaled(500).dump_trucks
    (((100, 150), (300, 350), (450, 500)), (280,))
    """
    whole, step = SHARABESHKI.target, SHARABESHKI.step

    def at(score: int) -> int:
        return round(score * target / whole / step) * step

    return replace(
        SHARABESHKI,
        target=target,
        barrels=tuple((at(low), at(high)) for low, high in SHARABESHKI.barrels),
        dump_trucks=tuple(at(score) for score in SHARABESHKI.dump_trucks),
    )
