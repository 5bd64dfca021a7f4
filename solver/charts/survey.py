"""What happens in optimal games: positions met and dice set aside, counted in played games.

The games go on in step, one turn of each at a time, so that a turn of a status is worked through
for many opponents at once, and throws are drawn for all games together. A `keep` rule can bind the
first player; what it costs is then summed exactly, decision by decision: the difference between
two ways to play is the sum of what each decision of the one loses by the values of the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from solver.bellman import BLOCK, Array
from solver.charts.bar import OnStage
from solver.dice import Option, option_sets
from solver.positions import bank_from, bust, overtaken
from solver.rules import Rules
from solver.solution import Solution

__all__ = ["REASONS", "Choices", "Survey", "choices", "survey"]

LONGEST = 10_000  # turns of a game
SEED = 1000
REASONS = ("more_dice", "hot_dice", "dump_truck", "barrel", "other")
TOTALS = 64  # turn totals that are told apart, in steps; the last stands for all above


@dataclass(frozen=True)
class Choices:
    """The option sets of one number of dice, as arrays padded to the longest set.

    Attributes
    ----------
    options : list of tuples of Option
        Of each set, the one with the most points (and, of several, the most dice) first.
    chance : (sets,) array
    steps, left : (sets, longest) int arrays
        Points in steps, and dice left (all, for hot dice); steps is -1 beyond the last option.
    """

    options: list[tuple[Option, ...]]
    chance: Array
    steps: Array
    left: Array


@lru_cache(maxsize=64)
def choices(rules: Rules, dice: int) -> Choices:
    """The option sets of a number of dice; the set of a bust is empty."""
    sets = option_sets(rules, dice)
    options = sorted(tuple(sorted(found, key=lambda o: (-o[0], o[1]))) for found in sets)
    longest = max(map(len, options))
    steps = np.full((len(options), longest), -1)
    left = np.full((len(options), longest), rules.dice)
    for row, found in enumerate(options):
        for column, (points, remaining) in enumerate(found):
            steps[row, column] = points // rules.step
            left[row, column] = remaining or rules.dice
    chance = np.array([sets[frozenset(found)] for found in options]) / rules.sides**dice
    return Choices(options, chance, steps, left)


@dataclass(frozen=True, eq=False)
class Survey:
    """Counts over some games.

    Attributes
    ----------
    games, turns, throws : int
        Of both players together.
    visits : (n, n) int array
        How often each position, mover first, was met between turns.
    taken : dict of dice to (sets, options, 2, TOTALS) int array
        How often each option of :func:`choices` was best, whether the turn went on after it, and
        the turn total before the throw, in steps.
    lost : dict of dice to (sets, 2) array
        What taking the first option (all that scores) would have lost where another was best;
        by whether the turn went on.
    reasons : (reasons,) int array
        How often less than all that scores was best, by the first of the `REASONS` that holds:
        the turn goes on; with all of it hot dice would have to be thrown; it would meet a dump
        truck; it would land in a barrel; other.
    reasons_lost : (reasons,) array
        What taking all would have lost there.
    first_lost : (games,) array
        What the first player lost by his keep rule in each game.
    """

    games: int
    turns: int
    throws: int
    visits: Array
    taken: dict[int, Array]
    lost: dict[int, Array]
    reasons: Array
    reasons_lost: Array
    first_lost: Array


class _Table:
    """The transitions of one rule set between turns, as arrays over statuses and levels."""

    def __init__(self, solution: Solution) -> None:
        rules, positions = solution.rules, solution.positions
        self.rules, self.positions, self.values = rules, positions, solution.values
        statuses, index = positions.statuses, positions.index
        self.level = np.array([positions.level(s.score) for s in statuses])
        self.bank_from = np.array([positions.level(bank_from(rules, s)) for s in statuses])
        self.bust = np.array(
            [[index[bust(rules, s, first)] for s in statuses] for first in (False, True)]
        )
        self.overtaken = np.array(
            [index[overtaken(rules, s, s.score - 1, s.score + 1)] for s in statuses]
        )
        self.entered = np.array([s.entered for s in statuses])
        scores = range(rules.floor, rules.target, rules.step)
        self.in_barrel = np.array([any(lo <= s < hi for lo, hi in rules.barrels) for s in scores])


def survey(
    solution: Solution,
    games: int = 2000,
    seed: int = SEED,
    greedy_first: bool = False,
    on_stage: OnStage | None = None,
) -> Survey:
    """Play games by a solution and count.

    Parameters
    ----------
    solution : Solution
    games : int
    seed : int
        The same seed gives the same counts.
    greedy_first : bool
        Whether the first player always sets aside all that scores (and is at his best in all
        else), which fills `first_lost`.
    on_stage : callable, optional
        Called with "games" and the share of them that is over.
    """
    return _Play(solution, games, seed, greedy_first).run(on_stage)


class _Play:
    """Games under way: the status of the mover and of his opponent in each."""

    def __init__(self, solution: Solution, games: int, seed: int, greedy_first: bool) -> None:
        self.solution, self.table = solution, _Table(solution)
        self.rules, self.rng = solution.rules, np.random.default_rng(seed)
        self.greedy_first, self.first_moves = greedy_first, True
        start = solution.positions.start
        self.me, self.opponent = np.full(games, start), np.full(games, start)
        self.number = np.arange(games)
        numbers = range(1, self.rules.dice + 1)
        sizes = {d: choices(self.rules, d).steps.shape for d in numbers}
        self.taken = {d: np.zeros((*sizes[d], 2, TOTALS), dtype=int) for d in numbers}
        self.lost = {d: np.zeros((sizes[d][0], 2)) for d in numbers}
        self.reasons = np.zeros(len(REASONS), dtype=int)
        self.reasons_lost = np.zeros(len(REASONS))
        self.first_lost = np.zeros(games)
        self.visits = np.zeros(solution.values.shape, dtype=int)
        self.turns = self.throws = 0

    def run(self, on_stage: OnStage | None) -> Survey:
        """Play all games to their ends."""
        games = len(self.me)
        for _ in range(LONGEST):
            if not len(self.me):
                break
            self._turn()
            self.first_moves = not self.first_moves
            if on_stage is not None:
                on_stage("games", 1.0 - len(self.me) / games)
        return Survey(
            games,
            self.turns,
            self.throws,
            self.visits,
            self.taken,
            self.lost,
            self.reasons,
            self.reasons_lost,
            self.first_lost,
        )

    def _turn(self) -> None:
        """One turn in each game; games that are won are over."""
        count, table = len(self.me), self.table
        np.add.at(self.visits, (self.me, self.opponent), 1)
        self.turns += count
        self._look()
        self.level, self.dice = table.level[self.me].copy(), np.full(count, self.rules.dice)
        self.end = np.full(count, -1)  # the mover's status after the turn; -2: he has won
        self.passed = np.zeros(count, dtype=bool)  # whether the opponent is overtaken
        under_way, first = np.arange(count), True
        while len(under_way):
            self.throws += len(under_way)
            dice = self.dice[under_way]
            for number in range(1, self.rules.dice + 1):
                self._throw(under_way[dice == number], number, first)
            under_way, first = under_way[self.end[under_way] == -1], False
        on = self.end >= 0
        opponent = np.where(self.passed, table.overtaken[self.opponent], self.opponent)
        self.me, self.opponent = opponent[on], self.end[on]
        self.number = self.number[on]

    def _look(self) -> None:
        """Work through the turns of all games, each position once."""
        adviser, levels = self.solution.adviser, self.table.positions.levels
        pairs, self.row = np.unique(np.stack([self.me, self.opponent]), axis=1, return_inverse=True)
        self.rolls = np.empty((pairs.shape[1], levels, self.rules.dice))
        self.banks = np.empty((pairs.shape[1], levels))
        bounds = np.searchsorted(pairs[0], np.unique(pairs[0]))
        for low, high in pairwise([*bounds.tolist(), pairs.shape[1]]):
            for begin in range(low, high, BLOCK):
                part = slice(begin, min(begin + BLOCK, high))
                others = pairs[1, part].tolist()
                self.rolls[part], self.banks[part] = adviser.turns(int(pairs[0, low]), others)

    def _worth(self, at: Array, level: Array, left: Array) -> tuple[Array, Array]:
        """What cells of the games `at` are worth, and in which of them one banks.

        Arrays of one shape; `level` is the number of levels where the game is won.
        """
        table, positions, row = self.table, self.table.positions, self.row[at]
        won = level == positions.levels
        inside = np.where(won, 0, level)
        roll, bank = self.rolls[row, inside, left - 1], self.banks[row, inside]
        allowed = level >= table.bank_from[self.me[at]]
        if self.rules.hot_dice == "must_roll":
            allowed &= left < self.rules.dice
        dumped = positions.dump_levels[inside]
        banked = ~won & ~dumped & allowed & (bank >= roll - self.solution.adviser.tie)
        dump = 1.0 - table.values[self.opponent[at], positions.dump_status]
        worth = np.select([won, dumped, banked], [np.ones_like(bank), dump, bank], roll)
        return worth, banked

    def _throw(self, at: Array, dice: int, first: bool) -> None:
        """One throw of `dice` dice in the games `at`, and what is set aside of it."""
        if not len(at):
            return
        found, tie = choices(self.rules, dice), self.solution.adviser.tie
        bounds = np.cumsum(found.chance)[:-1]
        drawn = np.searchsorted(bounds, self.rng.random(len(at)), side="right")
        steps, left = found.steps[drawn], found.left[drawn]
        some = steps[:, 0] >= 0
        self.end[at[~some]] = self.table.bust[int(first)][self.me[at[~some]]]
        at, drawn, steps, left = at[some], drawn[some], steps[some], left[some]
        level = np.minimum(self.level[at, None] + steps, self.table.positions.levels)
        worth, banked = self._worth(np.broadcast_to(at[:, None], level.shape), level, left)
        value = np.where(steps >= 0, worth, -1.0)
        value[:, 0] += tie  # among equals: all that scores
        best = value.argmax(axis=1)
        lost = np.where(best > 0, value.max(axis=1) - value[:, 0], 0.0)
        if self.greedy_first and self.first_moves:
            self.first_lost[self.number[at]] += lost
            best = np.zeros_like(best)
        rows = np.arange(len(at))
        total = np.minimum(self.level[at] - self.table.level[self.me[at]], TOTALS - 1)
        self._settle(at, level[rows, best], left[rows, best], banked[rows, best])
        goes_on = (self.end[at] == -1).astype(int)
        np.add.at(self.taken[dice], (drawn, best, goes_on, total), 1)
        np.add.at(self.lost[dice], (drawn, goes_on), lost)
        less = best > 0
        reason = self._reasons(level[less, 0], left[less, 0], goes_on[less])
        np.add.at(self.reasons, reason, 1)
        np.add.at(self.reasons_lost, reason, lost[less])

    def _reasons(self, level: Array, left: Array, goes_on: Array) -> Array:
        """Which of the `REASONS` there is not to take all, which leads to `level` and `left`."""
        positions = self.table.positions
        inside = np.minimum(level, positions.levels - 1)
        forced = (left == self.rules.dice) & (self.rules.hot_dice == "must_roll")
        return np.select(
            [goes_on == 1, forced, positions.dump_levels[inside], self.table.in_barrel[inside]],
            range(len(REASONS) - 1),
            len(REASONS) - 1,
        )

    def _settle(self, at: Array, level: Array, left: Array, bank: Array) -> None:
        """The dice set aside are counted: the turn goes on, or ends."""
        table, positions = self.table, self.table.positions
        self.level[at], self.dice[at] = level, left
        won = level == positions.levels
        dumped = positions.dump_levels[np.where(won, 0, level)] & ~won
        self.end[at[won]] = -2
        self.end[at[dumped]] = positions.dump_status
        self.end[at[bank]] = positions.bank_status[level[bank]]
        opponent = self.opponent[at]
        theirs = table.level[opponent]
        between = (table.level[self.me[at]] < theirs) & (theirs < level)
        self.passed[at] = bank & between & table.entered[opponent]
