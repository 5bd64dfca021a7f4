"""A coarse grid of scores, on which the slow part of an evaluation is corrected.

Sweeps over all positions settle soon what depends on the next turns; what depends on players who
fall back and climb again takes dozens of them. Such errors are smooth in the scores. So they are
solved for on the statuses whose scores are multiples of a larger unit. There, turns end as in the
full game, except that what is banked between two scores of the grid is shared out between them;
the result is interpolated. This is a two-grid method. How good the grid is decides how long an
evaluation takes, not how exact it is.

References
----------
U. Trottenberg, C. W. Oosterlee and A. Schüller, *Multigrid*, 2001, chapter 2.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np

from solver.bellman import BLOCK, Array, Bellman, Policy
from solver.positions import Positions, Status, bank_from, positions
from solver.rules import Rules

__all__ = ["Grid", "grid"]

WORTHWHILE = 300  # statuses from which on a grid pays
WIDEST = 6  # steps of the score in a unit


class Grid:
    """The statuses on the grid, and the ways between them and all statuses.

    Parameters
    ----------
    where : Positions
        Of the full game.
    unit : int
        Points; divides the penalties and the floor.

    Attributes
    ----------
    bellman : Bellman
        Of the rules in that unit.
    fine : (m,) int array
        Of each status on the grid, the index in the full game.
    spread : (n, m) array
        How a status is interpolated between those on the grid; rows add up to 1.
    gather : (m, n) array
        How averages are taken; rows add up to 1.
    banks : (levels, coarse levels) array
        How a bank is shared out between scores on the grid.
    """

    def __init__(self, where: Positions, unit: int) -> None:
        self.bellman = Bellman(positions(_in_units(where.rules, unit)))
        coarse = self.bellman.positions
        self.fine = np.array([where.index[status] for status in coarse.statuses])
        self.spread = np.zeros((len(where), len(coarse)))
        for index, status in enumerate(where.statuses):
            for near, weight in _neighbours(where.rules, status, unit):
                self.spread[index, coarse.index[near]] = weight
        self.gather = (self.spread / self.spread.sum(axis=0)).T
        self.banks = self.spread[where.bank_status][:, coarse.bank_status]

    def restrict(self, x: Array) -> Array:
        """(m, m) averages of an (n, n) array."""
        averages: Array = self.gather @ x @ self.gather.T
        return averages

    def prolong(self, x: Array) -> Array:
        """(n, n) interpolated from (m, m)."""
        smooth: Array = self.spread @ x @ self.spread.T
        return smooth

    def ends(self, policy: Policy) -> tuple[Array, Array]:
        """How turns end on the grid under a policy of the full game.

        Returns
        -------
        bank : (m, m, coarse levels) array
        others : (m, m, 3) array
        """
        size = len(self.fine)
        bank = np.zeros((size, size, self.banks.shape[1]))
        chances, block = policy.chances.reshape(-1, BLOCK), self.fine // BLOCK
        for row, status in enumerate(self.fine):
            for b in np.unique(block):
                columns = np.flatnonzero(block == b)
                first = policy.starts[status, b]
                lines = slice(first, first + policy.counts[status, b])
                part = chances[lines][:, self.fine[columns] % BLOCK]
                bank[row, columns] = part.T @ self.banks[policy.levels[lines]]
        others = policy.others[:, self.fine[:, None], self.fine]
        return bank, np.moveaxis(others, 0, 2)


def _in_units(rules: Rules, unit: int) -> Rules:
    """Rules whose statuses are those of `rules` with scores in a unit; turns do not matter."""
    dumps = tuple(score for score in rules.dump_trucks if score % unit == 0)
    return replace(rules, dice=1, combinations=(((1,), unit),), dump_trucks=dumps)


def _neighbours(rules: Rules, status: Status, unit: int) -> list[tuple[Status, float]]:
    """The statuses on the grid next to a status, none across the end of a barrel, with weights."""
    low = status._replace(score=status.score // unit * unit)
    part = (status.score - low.score) / unit
    near = [(low, 1.0 - part), (low._replace(score=low.score + unit), part)]
    alike = [
        (other, weight)
        for other, weight in near
        if weight and other.score < rules.target and _goal(rules, other) == _goal(rules, status)
    ] or near[:1]
    total = sum(weight for _, weight in alike)
    return [(other, weight / total) for other, weight in alike]


def _goal(rules: Rules, status: Status) -> int:
    """The end of the barrel that a status is on; 0: on none."""
    least = bank_from(rules, status)
    return least if least > status.score + 1 else 0


@lru_cache(maxsize=4)
def grid(rules: Rules) -> Grid | None:
    """The grid of a rule set; None where the game is small, or its penalties leave no unit."""
    where = positions(rules)
    common = math.gcd(rules.floor, rules.bolt_penalty, rules.overtake_penalty)
    units = [steps * rules.step for steps in range(2, WIDEST + 1)]
    units = [unit for unit in units if common % unit == 0 and unit < rules.target]
    return Grid(where, units[-1]) if units and len(where) >= WORTHWHILE else None
