"""How do time and memory grow with the size of the game?

Targets 250 to 2000 with barrels and dump truck at the same fractions of the target; the floor and
the penalties stay. Fitted are exponents: time ~ positions ** exponent, by least squares over the
logarithms. "Cells" are what one backward pass works through: for each position the levels of
score + turn total from the mover's score to the target.

What sets the exponent. Positions are pairs of statuses, so they grow with the square of the number
of scores, and a turn has as many levels as there are scores above the mover's: a pass costs the
cells, positions ** 1.5 (a little more while the statuses of players who have not entered, which do
not grow, are part of the count). Time is what a pass costs times the number of passes. Small games
also pay for what does not grow with them: starting threads, and waiting for each other in sweeps.
Memory is the maps of the policy: for each position the banks that its turn can end in. Those are
cells too, but chances below a threshold are not kept, and a turn rarely brings more than a few
hundred points: its exponent lies between 1 and 1.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import log
from pathlib import Path
from statistics import linear_regression
from time import perf_counter

import common

TOLERANCE = 1e-9
TARGETS = (250, 500, 1000, 2000)
QUICK_TARGETS = (125, 250, 500)
PICTURE = Path(__file__).with_name("growth.svg")


def measure(target: int) -> common.Result:
    """Solve once."""
    import games

    import solver
    from solver.positions import positions

    idle = common.peak_mib()
    started = perf_counter()
    solution = solver.solve(games.scaled(target), TOLERANCE)
    seconds = perf_counter() - started
    peak = common.peak_mib()
    table = positions(solution.rules)
    above = [table.levels - 1 - int(level) for level in table.players[:, 0]]
    return {
        "target": target,
        "positions": solution.values.size,
        "cells": sum(above) * len(table),
        "seconds": seconds,
        "passes": solution.passes,
        "seconds_per_pass": seconds / solution.passes,
        "peak_mib": peak,
        "solve_mib": peak - idle,
    }


def exponent(results: common.Results, key: str) -> float:
    """The slope of a number over the positions, both as logarithms."""
    points = [(runs[0]["positions"], common.median(runs, key)) for runs in results.values()]
    x, y = ([log(value) for value in column] for column in zip(*points, strict=True))
    return linear_regression(x, y).slope


def report(results: common.Results) -> common.Report:
    """One line for each target, and one for the exponents."""
    keys = ("positions", "cells", "passes", "seconds", "seconds_per_pass", "peak_mib", "solve_mib")
    found = common.Report(
        f"Growth, to {TOLERANCE:g}",
        ("target", "positions", "cells", "passes", "seconds", "a pass", "MiB", "above import"),
        runs=results,
    )
    for name, runs in results.items():
        numbers = [common.median(runs, key) for key in keys]
        found.add(name, *(int(number) for number in numbers[:2]), *numbers[2:])
    fitted = [f"{exponent(results, key):.2f}" for key in keys]
    fitted[keys.index("peak_mib")] = ""
    found.add("exponent", *fitted)
    return found


def draw(results: common.Results, path: Path) -> str:
    """Write the picture; a line that says so, or why not."""
    try:
        import matplotlib as mpl
    except ImportError:
        return "no picture: matplotlib is not installed"
    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = path.name
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(8.0, 3.4), layout="constrained")
    panels = (("seconds", "time (s)"), ("solve_mib", "memory above import (MiB)"))
    for axis, (key, label) in zip(axes, panels, strict=True):
        x = [runs[0]["positions"] for runs in results.values()]
        y = [common.median(runs, key) for runs in results.values()]
        axis.loglog(x, y, "o-", color="#1f5f8b")
        for place, name in zip(zip(x, y, strict=True), results, strict=True):
            axis.annotate(name, place, xytext=(6, -10), textcoords="offset points", fontsize=8)
        axis.set_xlabel("positions (labels: target)")
        axis.set_title(f"{label}, exponent {exponent(results, key):.2f}", fontsize=10)
        axis.grid(alpha=0.3, which="both", linewidth=0.5)
        axis.margins(0.15)
    figure.savefig(path, metadata={"Date": None})
    return f"picture: {path.name}"


def targets(arguments: Sequence[int] | None, quick: bool) -> Sequence[int]:
    """What is solved."""
    return arguments or (QUICK_TARGETS if quick else TARGETS)


def main() -> None:
    """Measure, print and draw."""
    parser = common.options(__doc__, quick_runs=1)
    parser.add_argument("--targets", type=int, nargs="+")
    parser.add_argument("--picture", type=Path, help="default: growth.svg here; none with --quick")
    arguments = common.read(parser)
    measures = {
        str(target): partial(common.fresh, "growth", "measure", target=target)
        for target in targets(arguments.targets, arguments.quick)
    }
    results = common.interleaved(measures, arguments.runs)
    found = report(results)
    picture = arguments.picture or (None if arguments.quick else PICTURE)
    if picture is not None:
        found.note(draw(results, picture))
    found.show(arguments.json)


if __name__ == "__main__":
    main()
