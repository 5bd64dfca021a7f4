"""How turns end under a rule of thumb: the exact chances, for all scores at once.

A turn under a rule ends in ways that depend on the mover's score and on whether he has entered,
but on nothing about the opponent. So all players are followed together through the (turn total,
dice left) of a turn, from the first throw on, each with the chance that he comes there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from solver.bellman import Array
from solver.dice import Option, option_sets
from solver.positions import Status, may_bank, positions
from solver.rules import Rules
from solver.thresholds import NEVER, THENS, Plain

__all__ = ["TurnEnds", "kinds", "turn_ends"]

TINY = 1e-25  # chances that are not worth following


@dataclass(frozen=True, eq=False)
class TurnEnds:
    """How turns end, for several kinds of players: the rows.

    Attributes
    ----------
    bank : (rows, levels) array
        The chance to bank at each level of the score.
    others : (rows, 3) array
        The chances of a bust on the first throw, of one on a later throw, and of a dump truck.
    win : (rows,) array
        The chance to reach the target.
    """

    bank: Array
    others: Array
    win: Array


@lru_cache(maxsize=16)
def kinds(rules: Rules) -> tuple[Array, Array]:
    """Players whose turns are alike: (rows, 2) the level, and the lowest level to bank, of each
    kind; (n,) the kind of each status."""
    table, row = np.unique(positions(rules).players[:, :2], axis=0, return_inverse=True)
    return table.astype(np.int64), row.reshape(-1)


@lru_cache(maxsize=128)
def turn_ends(rules: Rules, plain: Plain) -> TurnEnds:
    """How a turn ends under a rule, for each of the :func:`kinds` of players.

    The chances of a row add up to 1 but for rounding.

    Examples
    --------
    Pig, holding at 20: the turn is lost with a chance of 0.6245 (Neller and Presser 2004).

    >>> from solver.rules import PIG
    >>> from solver.thresholds import Thresholds
    >>> ends = turn_ends(PIG, Thresholds(20).plain([]))
    >>> round(float(ends.others[0].sum()), 4)
    0.6245
    """
    return _Flow(rules, plain).run()


@dataclass(frozen=True, eq=False)
class _Roll:
    """The throws of some dice, as arrays over distinct options and option sets."""

    options: list[Option]
    steps: Array
    left: Array
    sets: Array  # (sets, longest) options, the last repeated
    chances: Array
    bust: float


@lru_cache(maxsize=64)
def _roll(rules: Rules, dice: int) -> _Roll:
    sets = option_sets(rules, dice)
    options = sorted(set().union(*sets))
    place = {option: index for index, option in enumerate(options)}
    scoring = [sorted(place[option] for option in options) for options in sets if options]
    longest = max(map(len, scoring), default=1)
    outcomes = rules.sides**dice
    return _Roll(
        options,
        np.array([points // rules.step for points, _ in options], dtype=np.int64),
        np.array([left or rules.dice for _, left in options], dtype=np.int64),
        np.array([chosen + chosen[-1:] * (longest - len(chosen)) for chosen in scoring], dtype=int),
        np.array([count / outcomes for options, count in sets.items() if options]),
        sets.get(frozenset(), 0) / outcomes,
    )


class _Flow:
    """Follows the chances of all kinds of players through a turn, from low totals to high."""

    def __init__(self, rules: Rules, plain: Plain) -> None:
        self.rules, self.plain = rules, plain
        where = positions(rules)
        self.levels, self.dump = where.levels, where.dump_levels
        self.level, self.bank_from = kinds(rules)[0].T
        self.threshold = self._thresholds()
        rows = len(self.level)
        self.mass = np.zeros((self.levels - self.level.min() + 1, rules.dice + 1, rows))
        self.ends = TurnEnds(np.zeros((rows, self.levels)), np.zeros((rows, 3)), np.zeros(rows))

    def _thresholds(self) -> Array:
        """(levels, dice + 1): the least turn total, in steps, to bank with so many dice left; the
        rules about scores aside."""
        rules, anyone = self.rules, Status(0, True, 0)
        table = np.full((self.levels, rules.dice + 1), NEVER)
        for dice in range(1, rules.dice + 1):
            if not may_bank(rules, anyone, rules.target, dice):
                continue  # hot dice
            for level in range(self.levels):
                points = self.plain.threshold(rules, rules.floor + level * rules.step, dice)
                table[level, dice] = -(-points // rules.step)
        return table

    def run(self) -> TurnEnds:
        """Follow every chance to its end."""
        dice = self.rules.dice
        self.mass[0, dice] = 1.0
        for total in range(len(self.mass)):
            for left in range(1, dice + 1):
                rows = np.flatnonzero(self.mass[total, left] > TINY)
                if len(rows):
                    self._throw(total, _roll(self.rules, left), rows, self.mass[total, left, rows])
        return self.ends

    def _throw(self, total: int, roll: _Roll, rows: Array, mass: Array) -> None:
        """Throw dice: with the chances `mass`, the `rows` have made `total` steps."""
        self.ends.others[rows, 0 if total == 0 else 1] += mass * roll.bust
        if not roll.options:
            return
        to = self.level[rows, None] + total + roll.steps
        won, at = to >= self.levels, np.minimum(to, self.levels - 1)
        dump = self.dump[at] & ~won
        bank = (at >= self.bank_from[rows, None]) & ~won & ~dump
        bank &= total + roll.steps >= self.threshold[at, roll.left]
        share = self._taken(roll, won, dump, bank) * mass[:, None]
        self.ends.win[rows] += (share * won).sum(axis=1)
        self.ends.others[rows, 2] += (share * dump).sum(axis=1)
        line, option = np.nonzero(bank & (share > 0.0))
        np.add.at(self.ends.bank, (rows[line], at[line, option]), share[line, option])
        line, option = np.nonzero(~(bank | won | dump) & (share > 0.0))
        self.mass[total + roll.steps[option], roll.left[option], rows[line]] += share[line, option]

    def _taken(self, roll: _Roll, won: Array, dump: Array, bank: Array) -> Array:
        """(rows, options): the chance that each option is set aside."""
        dice = self.rules.dice
        rank = {
            then: np.array([self.plain.rank(then, *option, dice) for option in roll.options])
            for then in THENS
        }
        ranks = np.where(bank, rank["bank"], rank["roll"])
        ranks = np.where(won, rank["win"], np.where(dump, rank["dump"], ranks))
        best = ranks[:, roll.sets].argmax(axis=2)
        rows, options = ranks.shape
        place = np.arange(rows)[:, None] * options + roll.sets[np.arange(len(roll.sets)), best]
        chances = np.tile(roll.chances, rows)
        return np.bincount(place.ravel(), chances, rows * options).reshape(rows, options)
