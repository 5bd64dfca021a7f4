"""What habits cost: human rules against optimal play, points of a turn, and what the floor does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from solver.advice import Adviser, Turn
from solver.ends import turn_ends
from solver.positions import positions, start
from solver.rules import SHARABESHKI, Rules
from solver.search import Search
from solver.solution import Solution
from solver.tables import cached
from solver.thresholds import EVERYTHING, FEWEST, NEVER, Keep, PolicyError, Thresholds

__all__ = [
    "FLOORS",
    "Floor",
    "Habit",
    "best_thresholds",
    "expected_points",
    "floors",
    "habits",
    "points_thresholds",
]

FLOORS = (-100, -200, -300, -400, -500)
ALONE = 600  # steps to the target of a turn that is played for points

OnStage = Callable[[str], None]
"""Called with what is being done."""


@dataclass(frozen=True)
class Habit:
    """A human rule against optimal play.

    Attributes
    ----------
    name : str
    rule : Thresholds
    first, second : float
        Its chance to win if it begins, and if the other does.
    gives_first, gives_second : float
        By how much that is less than what optimal play has there.
    """

    name: str
    rule: Thresholds
    first: float
    second: float
    gives_first: float
    gives_second: float


def habits(solution: Solution, on_stage: OnStage | None = None) -> list[Habit]:
    """How much winning chance human rules give away against optimal play.

    Parameters
    ----------
    solution : Solution
    on_stage : callable, optional

    Returns
    -------
    list of Habit
        Each way to bank with each way to keep. Where the best thresholds are looked for, they are
        multiples of the score's step, and no change of one of them by a step helps by 1e-5.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from solver.rules import PIG
    >>> from solver.solve import solve
    >>> for habit in habits(solve(replace(PIG, target=20))):
    ...     print(f"{habit.name:26} {habit.rule.bank[0]:2} {habit.gives_first:z.4f}")
    bank as soon as allowed     0 0.5233
    the best single threshold  20 0.0000
    the most expected points   20 0.0000
    """
    rules, search = solution.rules, _search(solution, on_stage)
    points = points_thresholds(rules)
    keeps = (EVERYTHING, FEWEST) if rules.dice > 1 and rules.set_aside == "any" else (EVERYTHING,)
    rows = []
    for keep in keeps:
        found = {
            "bank as soon as allowed": (0,) * rules.dice,
            "the best single threshold": search.single(keep),
            "the most expected points": points,
        }
        if rules.dice > 3:
            few = tuple(0 if left < 3 else NEVER for left in range(1, rules.dice + 1))
            found["never roll fewer than three dice"] = few
        if rules.dice > 1:
            best = found["the best single threshold"]
            found["the best thresholds"] = search.several(keep, points, best)
        rows += [_habit(search, name, Thresholds(bank, keep)) for name, bank in found.items()]
    return rows


def _habit(search: Search, name: str, rule: Thresholds) -> Habit:
    """A rule's line of the table."""
    result, best = search.chances(rule), search.solution.start
    gives = best - result.first, 1.0 - best - result.second
    return Habit(name, rule, result.first, result.second, *gives)


def _search(solution: Solution, on_stage: OnStage | None) -> Search:
    if on_stage is None:
        return Search(solution)
    return Search(solution, lambda tried, best: on_stage(f"{tried} rules tried"))


def best_thresholds(
    solution: Solution,
    keep: Keep = EVERYTHING,
    *,
    single: bool = False,
    on_stage: OnStage | None = None,
) -> Thresholds:
    """The thresholds that win most often against optimal play, on the mean of both seats.

    Parameters
    ----------
    solution : Solution
    keep : str or tuple of int
        As in :class:`solver.thresholds.Thresholds`.
    single : bool
        One threshold for all numbers of dice: of all up to where it has long been worse.
    on_stage : callable, optional

    Returns
    -------
    Thresholds
        Of several: a local optimum, where no change of one of them by a step of the score helps
        by 1e-5.
    """
    search = _search(solution, on_stage)
    bank = search.single(keep)
    if not single:
        bank = search.several(keep, points_thresholds(solution.rules), bank)
    return Thresholds(bank, keep)


@lru_cache(maxsize=8)
def _alone(rules: Rules) -> Rules:
    """The same dice, for a turn in which nothing but points counts."""
    return replace(
        rules,
        target=ALONE * rules.step,
        entry=0,
        barrels=(),
        dump_trucks=(),
        bolts_to_penalty=0,
        floor=0,
    )


@lru_cache(maxsize=8)
def _best_turn(rules: Rules) -> Turn:
    """All that a turn can come to that is played for points, as parts of the target."""
    alone = _alone(rules)
    where = positions(alone)
    left = np.array([1.0 - status.score / alone.target for status in where.statuses])
    adviser = Adviser(alone, np.tile(left, (len(left), 1)), None)
    return adviser.turn(start(alone), start(alone))


def expected_points(rule: Thresholds | None = None, rules: Rules = SHARABESHKI) -> float:
    """The expected points of one turn in which nothing but points counts.

    There is no target, entry, barrel, dump truck or opponent; a bust is worth nothing.

    Parameters
    ----------
    rule : Thresholds or None
        Without cases; None: the most that can be had.
    rules : Rules
        For their dice, combinations, hot dice and set-aside.

    Examples
    --------
    >>> from solver.rules import PIG
    >>> round(expected_points(), 9), round(expected_points(Thresholds(20), PIG), 10)
    (36.906465356, 8.1417948937)
    """
    alone = _alone(rules)
    if rule is None:
        return float(_best_turn(rules).rolls[0, -1]) * alone.target
    if rule.cases:
        raise PolicyError("in a turn that is played for points, cases of a rule make no sense")
    rule.check(rules)
    ends = turn_ends(alone, rule.plain([]))
    scores = np.arange(positions(alone).levels) * alone.step
    return float(ends.bank[0] @ scores + ends.win[0] * alone.target)


def points_thresholds(rules: Rules = SHARABESHKI) -> tuple[int, ...]:
    """The least points with 1, 2, ... dice left where banking has more expected points.

    The last is for hot dice, as if they could be banked.

    Examples
    --------
    >>> points_thresholds()
    (20, 20, 40, 100, 360)
    """
    turn = _best_turn(rules)
    better = turn.banks[1:, None] >= turn.rolls[1:] - 1e-12
    return tuple(int(first + 1) * rules.step for first in better.argmax(axis=0))


@dataclass(frozen=True)
class Floor:
    """What a floor makes of the game.

    Attributes
    ----------
    floor : int
    positions : int
    start : float
        The first player's chance.
    error_bound : float
    """

    floor: int
    positions: int
    start: float
    error_bound: float


def floors(
    rules: Rules = SHARABESHKI,
    at: Iterable[int] = FLOORS,
    tolerance: float = 1e-9,
    get: Callable[[Rules, float], Solution] = cached,
) -> Iterator[Floor]:
    """How much the floor moves the first player's chance: each game is solved in its turn.

    Parameters
    ----------
    rules : Rules
    at : iterable of int
    tolerance : float
    get : callable
        Where solutions come from; default: the cache.

    Raises
    ------
    RulesError
        For a floor that the rules cannot have.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from solver.rules import PIG
    >>> game = replace(PIG, target=10, bolts_to_penalty=1, bolt_penalty=1)
    >>> for row in floors(game, (0, -1, -2, -3, -4)):
    ...     print(row.floor, row.positions, round(row.start, 6))
    0 100 0.709424
    -1 121 0.707206
    -2 144 0.706813
    -3 169 0.706738
    -4 196 0.706722
    """
    for floor in at:
        solution = get(replace(rules, floor=floor), tolerance)
        bound = np.inf if solution.error_bound is None else solution.error_bound
        yield Floor(floor, solution.values.size, solution.start, bound)
