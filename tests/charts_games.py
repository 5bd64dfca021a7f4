"""The small games that the tests of the charts solve, each once."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from solver.charts.model import Source
from solver.charts.pocket import PocketChart
from solver.pocket import Climb, Pocket, Twist, openings
from solver.rules import PIG, SHARABESHKI, Rules
from solver.search import Search
from solver.solution import Solution
from solver.solve import solve

SMALL = replace(
    SHARABESHKI, target=100, barrels=((60, 80), (90, 100)), dump_trucks=(55,), floor=-50
)
LENIENT = replace(SMALL, hot_dice="may_roll", entry=0, barrels=(), bolts_to_penalty=2)
PLAIN = replace(PIG, target=30)
ALL_MUST = replace(SMALL, set_aside="all", overtake_penalty=0)
TINY = replace(
    SHARABESHKI, dice=2, sides=4, combinations={(1,): 10, (3,): 5, (1, 1): 30, (2, 2): 20},
    target=60, entry=15, barrels=((30, 40),), dump_trucks=(45,), floor=-50,
)  # fmt: skip
GAMES = {"small": SMALL, "lenient": LENIENT, "pig": PLAIN, "all": ALL_MUST}


@cache
def solved(rules: Rules) -> Solution:
    return solve(rules)


@cache
def pocket() -> PocketChart:
    """A pocket rule that was not searched for, with exceptions of every kind in its ladder."""
    solution, found = solved(SMALL), [("asap", Pocket((0,) * 5)), ("single", Pocket((20,) * 5))]
    numbers, spare = (20, 20, 50, 100, 360), (0, 0, 0, 20, 0)
    found += [("dice", Pocket(numbers)), ("spare", Pocket(numbers, spare))]
    some = (Twist("behind", 30, 20), Twist("into_barrel", by=30), Twist("dump", 10))
    found.append(("twists", Pocket(numbers, spare, some)))
    found.append(("twists", Pocket(numbers, spare, tuple(openings(SMALL)))))
    return PocketChart(
        Source.of(solution), Climb(Search(solution)).ladder(found, 4), solution.start
    )
