"""The threshold map: from which turn total on to bank, for every pair of scores.

For each number of dice left and each pair of statuses the map has the lowest turn total at which
banking is right. Above it rolling can be right again (just short of a barrel's end or of the
opponent, say): such runs of turn totals are *islands*, and all of them are kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from solver.bellman import BLOCK, Array
from solver.charts.bar import OnStage
from solver.charts.model import Block, Chart, Source, Table, Value, joined
from solver.charts.words import ChartError, Words
from solver.moves import reachable
from solver.positions import Status, bank_from
from solver.rules import Rules
from solver.solution import Solution

__all__ = [
    "ISLAND", "NEVER", "NO_CHOICE", "ThresholdMap", "ThresholdMaps", "threshold_map",
    "threshold_maps",
]  # fmt: skip

NEVER = -1  # banking is allowed somewhere, and nowhere right
NO_CHOICE = -2  # banking is nowhere allowed: only a win ends the turn
ISLAND = np.dtype(
    [(name, "i4") for name in ("me", "opponent", "dice", "low", "high")] + [("cost", "f8")]
)
STEPS_IN_TEXT = 26  # rows and columns of a map in text, about
COLUMNS = (
    "bolts", "opponent_bolts", "score", "entered", "opponent_score", "opponent_entered",
    "dice_left", "bank_from", "islands",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class ThresholdMap(Chart):
    """The lowest turn totals to bank, for given bolts of both players.

    Attributes
    ----------
    source : Source
    bolts, opponent_bolts : int
    statuses, opponents : tuple of Status
        The rows and columns: not entered first, then entered, by score.
    dice : tuple of int
        The numbers of dice left with which banking can be allowed.
    lowest : (rows, columns, dice) int array
        Turn totals; `NEVER` or `NO_CHOICE` where there is none.
    islands : (m,) ISLAND array
        me, opponent: row and column; low, high: turn totals at which rolling is right although
        banking is at a lower one; cost: the most that banking there would cost.
    """

    kind: ClassVar[str] = "thresholds"
    source: Source
    bolts: int
    opponent_bolts: int
    statuses: tuple[Status, ...]
    opponents: tuple[Status, ...]
    dice: tuple[int, ...]
    lowest: Array
    islands: Array

    def facts(self) -> dict[str, Any]:
        """The bolts."""
        return {"bolts": self.bolts, "opponent_bolts": self.opponent_bolts}

    def marked(self) -> Array:
        """(rows, columns, dice) bool: where there is an island."""
        marks = np.zeros(self.lowest.shape, dtype=bool)
        columns = np.searchsorted(self.dice, self.islands["dice"])
        marks[self.islands["me"], self.islands["opponent"], columns] = True
        return marks

    def tables(self) -> tuple[Table, ...]:
        """A row for each pair of statuses and number of dice; islands as "low-high;..."."""
        return (Table("thresholds", COLUMNS, tuple(self._rows())),)

    def _rows(self) -> Iterator[tuple[Value, ...]]:
        spans: dict[tuple[int, int, int], str] = {}
        for me, opponent, dice, low, high, _ in self.islands.tolist():
            at = me, opponent, dice
            spans[at] = f"{spans[at]};{low}-{high}" if at in spans else f"{low}-{high}"
        lowest, bolts = self.lowest.tolist(), (self.bolts, self.opponent_bolts)
        for i, me in enumerate(self.statuses):
            for j, opponent in enumerate(self.opponents):
                for k, dice in enumerate(self.dice):
                    least = lowest[i][j][k]
                    yield (
                        *bolts, me.score, me.entered, opponent.score, opponent.entered, dice,
                        least if least >= 0 else "never" if least == NEVER else "no choice",
                        spans.get((i, j, dice), ""),
                    )  # fmt: skip

    def title(self, words: Words) -> str:
        """What the map is of."""
        return words("thresholds.title")

    def subtitle(self, words: Words) -> str:
        """The bolts of both."""
        mine, theirs = (
            words.count(bolts, "bolt") if bolts else words("no_bolts")
            for bolts in (self.bolts, self.opponent_bolts)
        )
        parts = words("thresholds.me", bolts=mine), words("thresholds.opponent", bolts=theirs)
        return joined(parts)

    def example(self, words: Words) -> str:
        """How one pair of scores is read off the map."""
        me, opponent = (
            min(
                (place for place, status in enumerate(side) if status.entered),
                key=lambda place: abs(side[place].score - part * self.source.rules.target),
            )
            for side, part in ((self.statuses, 0.35), (self.opponents, 0.6))
        )
        found = zip(self.dice, self.lowest[me, opponent].tolist(), strict=True)
        parts = [
            words("thresholds.example_part", dice=dice, least=least)
            for dice, least in found
            if least >= 0
        ]
        scores = {"me": self.statuses[me].score, "opponent": self.opponents[opponent].score}
        return words("thresholds.example", parts=", ".join(parts), **scores) if parts else ""

    def blocks(self, words: Words) -> Iterator[Block]:
        """A coarse map for each number of dice: the entered players' scores in even steps."""
        yield self.title(words)
        yield self.subtitle(words)
        yield words("thresholds.text_legend")
        rows = [i for i, status in enumerate(self.statuses) if status.entered]
        step = max(1, -(-len(rows) // STEPS_IN_TEXT))
        zero = next((k for k, i in enumerate(rows) if self.statuses[i].score == 0), 0)
        rows = rows[zero % step :: step]
        marks = self.marked()
        for column, dice in enumerate(self.dice):
            scores = (words.number(self.opponents[j].score) for j in rows)
            head = (words.count(dice, "die"), *scores)
            lines = tuple(
                (
                    words.number(self.statuses[i].score),
                    *(self._sign(i, j, column, marks) for j in rows),
                )
                for i in reversed(rows)
            )
            yield Table("", head, lines)

    def _sign(self, i: int, j: int, column: int, marks: Array) -> str:
        """A cell of a map in text."""
        least = int(self.lowest[i, j, column])
        if least < 0:
            return "—" if least == NEVER else "x"
        return f"{least}*" if marks[i, j, column] else f"{least}"


@dataclass(frozen=True, eq=False)
class ThresholdMaps(Chart):
    """The maps for several pairs of bolts, a page each."""

    kind: ClassVar[str] = "thresholds"
    source: Source
    maps: tuple[ThresholdMap, ...]

    def facts(self) -> dict[str, Any]:
        """The bolts of the maps."""
        return {"maps": [chart.facts() for chart in self.maps]}

    def tables(self) -> tuple[Table, ...]:
        """The tables of all maps as one."""
        rows = tuple(row for chart in self.maps for row in chart.tables()[0].rows)
        return (Table("thresholds", COLUMNS, rows),)

    def blocks(self, words: Words) -> Iterator[Block]:
        """The maps one after another."""
        for chart in self.maps:
            yield from chart.blocks(words)


def threshold_maps(solution: Solution, on_stage: OnStage | None = None) -> ThresholdMaps:
    """The maps for all pairs of bolts.

    Parameters
    ----------
    solution : Solution
    on_stage : callable, optional
        Called with "maps" and the share of them that is made.
    """
    most = max(solution.rules.bolts_to_penalty, 1)
    maps = []
    for bolts in range(most):
        for opponent_bolts in range(most):
            maps.append(threshold_map(solution, bolts, opponent_bolts))
            if on_stage is not None:
                on_stage("maps", len(maps) / most**2)
    return ThresholdMaps(Source.of(solution), tuple(maps))


def threshold_map(solution: Solution, bolts: int = 0, opponent_bolts: int = 0) -> ThresholdMap:
    """The map for given bolts.

    Raises
    ------
    ChartError
        For more bolts than the rules know.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from solver.rules import PIG
    >>> from solver.solve import solve
    >>> chart = threshold_map(solve(replace(PIG, target=40)))
    >>> int(chart.lowest[0, 0, 0]), len(chart.islands)
    (18, 8)
    """
    rules = solution.rules
    for name, number in (("bolts", bolts), ("opponent_bolts", opponent_bolts)):
        if not 0 <= number < max(rules.bolts_to_penalty, 1):
            most = max(rules.bolts_to_penalty, 1) - 1
            raise ChartError(f"{name} = {number}: must be from 0 to {most}")
    rows = [s for s in solution.positions.statuses if s.bolts == bolts]
    columns = [s for s in solution.positions.statuses if s.bolts == opponent_bolts]
    dice = _dice(rules)
    lowest, islands = [], []
    for row, status in enumerate(rows):
        least, runs = _row(solution, status, columns, dice)
        runs["me"] = row
        lowest.append(least)
        islands.append(runs)
    return ThresholdMap(
        Source.of(solution), bolts, opponent_bolts, tuple(rows), tuple(columns), dice,
        np.array(lowest), np.concatenate(islands),
    )  # fmt: skip


def _dice(rules: Rules) -> tuple[int, ...]:
    """The numbers of dice left with which banking can be allowed."""
    most = rules.dice if rules.hot_dice == "may_roll" else rules.dice - 1
    return tuple(range(1, most + 1))


def _row(
    solution: Solution, me: Status, opponents: list[Status], dice: tuple[int, ...]
) -> tuple[Array, Array]:
    """Thresholds and islands of one status against all `opponents`."""
    adviser, index = solution.adviser, solution.positions.index
    others = [index[status] for status in opponents]
    totals, allowed = _allowed(solution.rules, me, dice)
    if not allowed.any():
        return np.full((len(others), len(dice)), NO_CHOICE), np.empty(0, ISLAND)
    first = solution.positions.level(me.score + int(totals[0]))
    levels = slice(first, first + len(totals))
    gain = np.empty((len(dice), len(others), len(totals)))
    for start in range(0, len(others), BLOCK):
        rolls, banks = adviser.turns(index[me], others[start : start + BLOCK])
        part = rolls[:, levels, : len(dice)] - banks[:, levels, None]
        gain[:, start : start + BLOCK] = np.moveaxis(part, 2, 0)
    lowest = np.empty((len(others), len(dice)), dtype=int)
    runs = []
    for column, number in enumerate(dice):
        asked = np.flatnonzero(allowed[:, column])
        mine = gain[column][:, asked]
        banked = mine <= adviser.tie
        lowest[:, column] = _lowest(banked, totals[asked])
        runs.append(_islands(banked, mine, totals[asked], number))
    found = np.concatenate(runs)
    return lowest, found[np.lexsort((found["low"], found["dice"], found["opponent"]))]


def _allowed(rules: Rules, me: Status, dice: tuple[int, ...]) -> tuple[Array, Array]:
    """The turn totals from the lowest that `me` may bank, in steps, and (totals, dice): whether
    he can be asked."""
    least = bank_from(rules, me) - me.score
    totals = np.arange(-(-least // rules.step) * rules.step, rules.target - me.score, rules.step)
    cells = reachable(rules, me.score)
    asked = [[(total, number) in cells for number in dice] for total in totals.tolist()]
    return totals, np.array(asked, dtype=bool).reshape(-1, len(dice))


def _lowest(banked: Array, totals: Array) -> Array:
    """Of each opponent, the first of the turn totals that is banked."""
    if not len(totals):
        return np.full(len(banked), NO_CHOICE)
    return np.where(banked.any(axis=1), totals[banked.argmax(axis=1)], NEVER)


def _islands(banked: Array, gain: Array, totals: Array, number: int) -> Array:
    """Runs of turn totals above the first banked one that are rolled, with `number` dice left.

    Totals that cannot come up with so many dice are not among the `totals`.
    """
    again = np.logical_or.accumulate(banked, axis=1) & ~banked
    with_any = np.flatnonzero(again.any(axis=1))
    again = np.pad(again[with_any], ((0, 0), (1, 1)))
    edges = np.flatnonzero(again[:, 1:] != again[:, :-1])  # where a run begins, and is over
    opponent, begin = np.divmod(edges[::2], len(totals) + 1)
    end = edges[1::2] % (len(totals) + 1)
    lost = np.pad(gain[with_any], ((0, 0), (0, 1)))
    part = np.zeros(len(begin), ISLAND)
    part["opponent"], part["dice"] = with_any[opponent], number
    part["low"], part["high"] = totals[begin], totals[end - 1]
    part["cost"] = np.maximum.reduceat(lost.ravel(), edges)[::2] if len(edges) else 0.0
    return part
