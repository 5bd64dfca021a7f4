"""The small games that the tests of the charts solve, each once."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from solver.rules import PIG, SHARABESHKI, Rules
from solver.solve import Solution, solve

SMALL = replace(
    SHARABESHKI, target=100, barrels=((60, 80), (90, 100)), dump_trucks=(55,), floor=-50
)
LENIENT = replace(SMALL, hot_dice="may_roll", entry=0, barrels=(), bolts_to_penalty=2)
PLAIN = replace(PIG, target=30)
ALL_MUST = replace(SMALL, set_aside="all", overtake_penalty=0)
GAMES = {"small": SMALL, "lenient": LENIENT, "pig": PLAIN, "all": ALL_MUST}


@cache
def solved(rules: Rules) -> Solution:
    return solve(rules)
