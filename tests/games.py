"""Games that several test modules solve, each once a run, and what keeps a solve from hanging."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction as F
from functools import cache
from typing import Any

import numpy as np
import oracles
import reference as ref

from solver import PIG, Progress, Rules, Solution, SolveError, solve
from solver.positions import Status, positions

TINY = {name: Rules(**overrides) for name, overrides in ref.TINY.items()}
SMALL = {name: Rules(**overrides) for name, (overrides, _, _) in oracles.SMALL_GAMES.items()}
#: A coin that scores, no entry, no bolts: each turn is won or lost as the points come.
COIN = Rules(**{**ref.TINY["coin"], "bolt_penalty": 0})
#: The same with a dump truck at the only way to the target: nobody ever gets there.
NEVER = replace(COIN, target=2, dump_trucks=(1,))


def in_a_row(heads: int, sides: int = 2) -> Rules:
    """A game that is won by so many heads in one turn: nobody may ever stop."""
    return replace(COIN, target=heads, sides=sides, hot_dice="must_roll")


def thinned(items: Any, most: int) -> list[Any]:
    """Evenly chosen items, the first among them, at most `most`."""
    everything = list(items)
    return everything[:: -(-len(everything) // most)]


def some_pairs(rules: Rules, most: int) -> list[tuple[Status, Status]]:
    """Positions from all over a game; neighbours differ in both players."""
    statuses = positions(rules).statuses
    size = len(statuses)
    step = max(1, size * size // most)
    while math.gcd(step, size) > 1:
        step += 1
    return [(statuses[k // size], statuses[k % size]) for k in range(0, size * size, step)]


class DoesNotEndError(AssertionError):
    """A solve that has gone on for longer than any in these tests should."""


def watchdog(seconds: float = 20.0) -> Any:
    """A progress callback that turns a solve without end into a failure."""

    def check(progress: Progress) -> None:
        if progress.seconds > seconds:
            raise DoesNotEndError(f"still at it: {progress}")

    return check


def solved(rules: Rules, tolerance: float = 1e-9, **options: Any) -> Solution:
    """`solve`, on one thread unless told otherwise, with a limit on its time."""
    return solve(rules, tolerance, watchdog(), **{"threads": 1, **options})


once = cache(solved)


@cache
def made_up(rules: Rules, error_bound: float = 1e-9) -> Solution:
    """A solution whose values are random, but the same in each run."""
    size = len(positions(rules))
    return Solution(rules, np.random.default_rng(11).random((size, size)), error_bound, 0, 0, 0)


@cache
def least(rules: Rules) -> Solution:
    """Solved to the smallest tolerance of 1e-9, half of it, and so on, that is accepted."""
    solution, tolerance = once(rules), 1e-9
    while True:
        tolerance /= 2
        try:
            solution = solved(rules, tolerance)
        except SolveError:
            return solution


@cache
def exact(rules: Rules) -> dict[tuple[Any, Any], F]:
    """The values of all positions as fractions, from the reference."""
    return ref.solve_exact(rules)


def exact_array(rules: Rules, solution: Solution) -> Any:
    """(n, n) object array of fractions, in the order of the solution's values."""
    statuses = solution.positions.statuses
    known = exact(rules)
    table = np.empty((len(statuses),) * 2, dtype=object)
    for i, me in enumerate(statuses):
        for o, opponent in enumerate(statuses):
            table[i, o] = known[tuple(me), tuple(opponent)]
    return table


def as_fractions(values: Any) -> Any:
    """An array of doubles as the fractions that they are."""
    return np.vectorize(F, otypes=[object])(values)


def furthest(rules: Rules, solution: Solution) -> F:
    """The largest distance of a value from the true one, exactly."""
    distance: F = np.abs(as_fractions(solution.values) - exact_array(rules, solution)).max()
    return distance


def chance(solution: Solution, me: Any, opponent: Any) -> float:
    """The value of a position named by its players."""
    index = solution.positions.index
    return float(solution.values[index[Status(*me)], index[Status(*opponent)]])


def pig(target: int) -> Rules:
    return replace(PIG, target=target)
