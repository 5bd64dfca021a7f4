"""Throws and threshold rules as the kernel draws and plays them in a simulation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from solver import _kernel
from solver.bellman import Array
from solver.dice import Option, option_sets
from solver.positions import positions, writes_bolt
from solver.rules import Rules
from solver.thresholds import Thresholds, situations

__all__ = ["Deck", "deck", "habit"]

THENS = ("dump", "roll", "bank", "win")  # in the kernel's order


@dataclass(frozen=True)
class Deck:
    """The throws of a rule set as the kernel draws them: option sets, in one list.

    Attributes
    ----------
    sets : tuple of frozenset of Option
        Those of one die first.
    start : (dice + 1,) int32
        Where those of each number of dice begin.
    threshold : (m,) uint64, alias : (m,) int32
        Alias tables: a column is kept with the chance threshold / 2**64, else its alias is drawn.
    option_start : (m + 1,) int32
    options : (k, 2) int32
        Gain in steps, and dice left less one; in the order in which equals are preferred: more
        points, then more dice left.
    """

    rules: Rules
    sets: tuple[frozenset[Option], ...]
    start: Array
    threshold: Array
    alias: Array
    option_start: Array
    options: Array

    def games(self, kernel: _kernel.Game) -> _kernel.Games:
        """The kernel's side of it."""
        bolts = [
            [writes_bolt(self.rules, status, first) for first in (True, False)]
            for status in positions(self.rules).statuses
        ]
        return _kernel.Games(
            kernel, np.array(bolts, dtype=np.uint8), self.start, self.threshold, self.alias,
            self.option_start, self.options,
        )  # fmt: skip


@lru_cache(maxsize=8)
def deck(rules: Rules) -> Deck:
    """The deck of a rule set.

    Examples
    --------
    >>> from solver.rules import PIG
    >>> pig = deck(PIG)
    >>> len(pig.sets), pig.options[:, 0].tolist()
    (6, [2, 3, 4, 5, 6])
    """
    sets: list[frozenset[Option]] = []
    start, columns = [0], []
    for dice in range(1, rules.dice + 1):
        found = option_sets(rules, dice)
        sets += found
        columns += _alias(list(found.values()))
        start.append(len(sets))
    ordered = [sorted(found, key=lambda option: (-option[0], -option[1])) for found in sets]
    options = [
        (points // rules.step, (left or rules.dice) - 1)
        for found in ordered
        for points, left in found
    ]
    return Deck(
        rules,
        tuple(sets),
        np.array(start, dtype=np.int32),
        np.array([threshold for threshold, _ in columns], dtype=np.uint64),
        np.array([alias for _, alias in columns], dtype=np.int32),
        np.cumsum([0, *map(len, ordered)], dtype=np.int32),
        np.array(options, dtype=np.int32).reshape(-1, 2),
    )


def _alias(counts: list[int]) -> list[tuple[int, int]]:
    """Walker's alias table in whole numbers, so that chances are exact to 2**-64.

    Examples
    --------
    >>> _alias([1, 3]) == [(1 << 63, 1), ((1 << 64) - 1, 1)]
    True
    """
    total, size = sum(counts), len(counts)
    left = [count * size for count in counts]  # a column holds `total`
    table = [(total, k) for k in range(size)]
    large = [k for k in range(size) if left[k] >= total]
    small = [k for k in range(size) if left[k] < total]
    while small:
        k, giver = small.pop(), large[-1]
        table[k] = (left[k], giver)
        left[giver] -= total - left[k]
        if left[giver] < total:
            small.append(large.pop())
    return [(min((part << 64) // total, (1 << 64) - 1), alias) for part, alias in table]


def habit(rule: Thresholds, rules: Rules) -> _kernel.Habit:
    """A threshold rule as the kernel plays it."""
    plains, which = situations(rule, rules)
    if len(plains) == 1:  # nothing to look up: stay in the processor's cache
        which = np.broadcast_to(np.int32(0), which.shape)
    most = rules.target - rules.floor  # points of a turn: thresholds above it are alike
    threshold = [
        [
            [-(-min(plain.threshold(rules, score, dice), most) // rules.step)
             for dice in range(1, rules.dice + 1)]
            for score in range(rules.floor, rules.target, rules.step)
        ]
        for plain in plains
    ]  # fmt: skip
    options = [  # all dice left are hot dice: none are
        (gain * rules.step, (column + 1) % rules.dice)
        for gain, column in deck(rules).options.tolist()
    ]
    rank = [
        [[plain.rank(then, *option, rules.dice) for option in options] for then in THENS]
        for plain in plains
    ]
    return _kernel.Habit(
        which.astype(np.int32, copy=False),
        np.array(threshold, dtype=np.int32),
        np.array(rank, dtype=np.int64),
    )
