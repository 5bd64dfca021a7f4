"""Certified optimal play for the two-player dice game "1000" and its relatives.

Rules are data (:class:`Rules`); :func:`solve` turns them into a :class:`Solution`, the win
probability of every position between turns with a proven error bound; advice is read off it.

>>> from solver import PIG, State, best_action, keeps
>>> keeps((5, 1, 2, 2, 6))
{(1,): 10, (5,): 5, (1, 5): 15}
>>> str(best_action(State(0, 0, turn_total=25), rules=PIG))
'bank'

The functions of this module that take rules look the solution up in the cache
(:mod:`solver.tables`), and solve the game first if it is not there.
"""

from __future__ import annotations

from collections.abc import Iterable

from solver.advice import HoldRollTable
from solver.dice import keeps
from solver.rules import PIG, PIGLET, PRESETS, SHARABESHKI, Rules, RulesError
from solver.solution import Solution
from solver.solve import Progress, SolveError, gauss_seidel, solve
from solver.state import Action, State, StateError
from solver.tables import SolutionError, cached, load

__all__ = [
    "PIG",
    "PIGLET",
    "PRESETS",
    "SHARABESHKI",
    "Action",
    "HoldRollTable",
    "Progress",
    "Rules",
    "RulesError",
    "Solution",
    "SolutionError",
    "SolveError",
    "State",
    "StateError",
    "action_values",
    "best_action",
    "gauss_seidel",
    "hold_roll_table",
    "keeps",
    "load",
    "solve",
    "win_probability",
]

__version__ = "0.1.0"


def best_action(
    state: State, throw: Iterable[int] | None = None, rules: Rules = SHARABESHKI
) -> Action:
    """The best action in a state: see `Solution.best_action`.

    Examples
    --------
    >>> str(best_action(State(95, 0, turn_total=4), throw=(3,), rules=PIG))
    'keep 3, win'
    """
    return cached(rules).best_action(state, throw)


def action_values(
    state: State, throw: Iterable[int] | None = None, rules: Rules = SHARABESHKI
) -> list[tuple[Action, float]]:
    """Every legal action with its win probability, best first: see `Solution.action_values`."""
    return cached(rules).action_values(state, throw)


def win_probability(
    state: State, throw: Iterable[int] | None = None, rules: Rules = SHARABESHKI
) -> float:
    """The chance to win from a state if both play well: see `Solution.win_probability`."""
    return cached(rules).win_probability(state, throw)


def hold_roll_table(state: State, rules: Rules = SHARABESHKI) -> HoldRollTable:
    """What to do at every turn total and number of dice: see `Solution.hold_roll_table`."""
    return cached(rules).hold_roll_table(state)
