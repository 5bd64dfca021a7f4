"""Looking for good rules: exact chances against one opponent who plays best, and a climb."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeVar

from solver.evaluate import Evaluation, evaluate
from solver.plans import prepare
from solver.rules import Rules
from solver.solution import Solution
from solver.thresholds import Keep, Thresholds

__all__ = ["LEAST", "OnTry", "Search", "asked", "beside"]

LEAST = 1e-5
"""Gain of a step of a climb. A rough evaluation is far closer at the start of the game."""

ROUGH, EXACT = 1e-4, 1e-12  # error bounds asked for: to compare rules, and to report them
STRIDES = (4, 2, 1)  # of thresholds, in steps of the score
PATIENCE = 8  # steps without a gain

Numbers = tuple[int, ...]
OnTry = Callable[[int, float], None]
"""Called with the number of rules that have been tried, and the highest chance among them."""

Point = TypeVar("Point")


class Search:
    """Rules that are tried against a solution, each once.

    Parameters
    ----------
    solution : Solution
    on_try : callable, optional

    Attributes
    ----------
    known : dict of Thresholds to float
        What :meth:`mean` has found.
    """

    def __init__(self, solution: Solution, on_try: OnTry | None = None) -> None:
        self.solution, self.rules = solution, solution.rules
        self.known: dict[Thresholds, float] = {}
        self._on_try = on_try or (lambda tried, best: None)
        self._opponent = prepare(solution, solution.rules)
        self._most = self.rules.target - self.rules.floor  # above it all thresholds are alike
        self._best = -1.0
        self._start: Evaluation | None = None  # of the best rule yet: where the next one starts

    def chances(self, rule: Thresholds, tolerance: float = EXACT) -> Evaluation:
        """The chances of a rule against optimal play."""
        return evaluate(rule, self._opponent, self.rules, tolerance=tolerance, start=self._start)

    def mean(self, rule: Thresholds) -> float:
        """About the chance of a rule at the start of a game, on the mean of both seats."""
        if rule not in self.known:
            result = self.chances(rule, ROUGH)
            self.known[rule] = value = (result.first + result.second) / 2
            if value > self._best:
                self._best, self._start = value, result
            self._on_try(len(self.known), self._best)
        return self.known[rule]

    def climb(
        self,
        point: Point,
        around: Callable[[Point], Iterable[Point]],
        rule: Callable[[Point], Thresholds],
    ) -> Point:
        """Go from one point to a better one beside it, until none is better by `LEAST`.

        Parameters
        ----------
        point : hashable
        around : callable
            The points beside a point, in an order in which like places stand for like moves: a
            move that helped is tried again first.
        rule : callable
            The rule that a point stands for.
        """
        place = 0
        while True:
            others = list(around(point))
            enough = self.mean(rule(point)) + LEAST
            for step in range(len(others)):
                other = others[(place + step) % len(others)]
                if self.mean(rule(other)) > enough:
                    point, place = other, place + step
                    break
            else:
                return point

    def single(self, keep: Keep) -> Numbers:
        """The best threshold for all numbers of dice: upwards, until it has long been worse."""
        best: Numbers = (0,) * self.rules.dice
        idle = 0
        for bank in range(self.rules.step, self._most + 1, self.rules.step):
            numbers = (bank,) * self.rules.dice
            values = [self.mean(Thresholds(one, keep)) for one in (best, numbers)]
            idle = 0 if values[1] > values[0] + LEAST else idle + 1
            if not idle:
                best = numbers
            if idle == PATIENCE:
                break
        return best

    def several(self, keep: Keep, *begin: Numbers) -> Numbers:
        """Climb from the best of some thresholds to where no change of one by a step helps."""
        free = asked(self.rules)
        rest = begin[0][free:]

        def rule(numbers: Numbers) -> Thresholds:
            return Thresholds(numbers + rest, keep)

        starts = [tuple(min(number, self._most) for number in one[:free]) for one in begin]
        numbers = max(starts, key=lambda one: self.mean(rule(one)))
        for stride in STRIDES:
            around = partial(beside, moves=(stride * self.rules.step,), most=self._most)
            numbers = self.climb(numbers, around, rule)
        return numbers + rest


def asked(rules: Rules) -> int:
    """The most dice left with which one may bank or roll."""
    return rules.dice if rules.hot_dice == "may_roll" else max(rules.dice - 1, 1)


def beside(numbers: Numbers, moves: Iterable[int], most: int) -> Iterator[Numbers]:
    """The numbers with one of them moved up or down, within 0 and `most`.

    Examples
    --------
    >>> list(beside((0, 5), (5,), 5))
    [(5, 5), (0, 5), (0, 5), (0, 0)]
    """
    for place, number in enumerate(numbers):
        for move in moves:
            for moved in (number + move, number - move):
                yield (*numbers[:place], min(max(moved, 0), most), *numbers[place + 1 :])
