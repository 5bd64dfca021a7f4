"""How many games a second are played in simulation?

The default game: two players who bank at thresholds, two who play optimally, and one of each, on
all cores. Each measurement is a fresh process; loading the solution from the cache (solved first
if it is not there) is not counted. "Off" is the distance of the optimal players' win rate from the
solved chance, in standard errors.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import common

if TYPE_CHECKING:
    from solver.simulate import Policy

THRESHOLDS = (20, 20, 40, 100, 360)  # for 1 to 5 dice left
GAMES = {"thresholds": 2_000_000, "optimal": 1_000_000, "optimal against thresholds": 200_000}
QUICK_GAMES = {"thresholds": 100_000, "optimal": 10_000, "optimal against thresholds": 10_000}
LEAST = {"thresholds": 200_000.0, "optimal": 1_000_000 / 300}  # games a second


def measure(kind: str, games: int, seed: int) -> common.Result:
    """Play."""
    from solver import tables
    from solver.simulate import simulate
    from solver.thresholds import Thresholds

    solution, thresholds = tables.cached(), Thresholds(THRESHOLDS)
    pair: dict[str, tuple[Policy, Policy]] = {
        "thresholds": (thresholds, thresholds),
        "optimal": (solution, solution),
        "optimal against thresholds": (solution, thresholds),
    }
    result = simulate(pair[kind], games, seed)
    rate, error = result.win_rate
    return {
        "seconds": result.seconds,
        "a second": games / result.seconds,
        "win rate": rate,
        "off": (rate - solution.start) / error,
        "turns": result.turns.mean,
        "throws": result.throws.mean,
    }


def main() -> None:
    """Measure and print."""
    from solver.tables import cached

    arguments = common.read(common.options(__doc__))
    cached()
    ways = {
        kind: partial(common.fresh, "simulation", "measure", kind=kind, games=games, seed=1)
        for kind, games in (QUICK_GAMES if arguments.quick else GAMES).items()
    }
    results = common.interleaved(ways, arguments.runs)
    keys = ("seconds", "a second", "win rate", "off", "turns", "throws", "peak_mib")
    found = common.Report(
        "Simulation, default game",
        (
            "",
            "games",
            "seconds",
            "a second",
            "win rate",
            "off",
            "turns",
            "throws",
            "MiB",
            "at least",
        ),
        runs=results,
    )
    for kind, runs in results.items():
        numbers = {key: common.median(runs, key) for key in keys}
        cells = [numbers[key] if key != "off" or kind == "optimal" else None for key in keys]
        found.add(kind, ways[kind].keywords["games"], *cells, LEAST.get(kind))
    found.show(arguments.json)


if __name__ == "__main__":
    main()
