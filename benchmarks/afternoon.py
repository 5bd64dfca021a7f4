"""How far ahead of what a competent user writes in an afternoon?

That is plain Gauss-Seidel value iteration in Numba over a table of option sets
(``peers/thousand_numba.py``), run to the same accuracy at target 300 (one barrel, a dump truck at
155) with all cores. With --quick it does two sweeps and the time is scaled to all of them.
Compiling is not counted; the certificate is.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import common

TOLERANCE = 1e-9
SWEEPS = 50  # that the peer took to this accuracy; the full run counts them again


def measure() -> common.Result:
    """Solve by the library."""
    import games

    import solver

    started = perf_counter()
    solution = solver.solve(games.MIDDLE, TOLERANCE)
    return {
        "seconds": perf_counter() - started,
        "peak_mib": common.peak_mib(),
        "sweeps": solution.passes,
        "value": solution.start,
        "statuses": [[s.score, int(s.entered), s.bolts] for s in solution.positions.statuses],
        "values": solution.values,
    }


def peer(max_sweeps: int | None) -> common.Result:
    """Solve by the peer."""
    from peers import thousand_numba

    result = thousand_numba.solve(max_sweeps=max_sweeps)
    if max_sweeps is not None:
        result["seconds"] *= SWEEPS / result["sweeps"]
    return result


def distance(ours: common.Result, theirs: common.Result, files: list[str]) -> float:
    """The largest difference of two arrays over statuses that are in another order."""
    import numpy as np

    index = {tuple(status): number for number, status in enumerate(ours["statuses"])}
    order = [index[tuple(status)] for status in theirs["statuses"]]
    values: list[Any] = [np.load(file) for file in files]
    return float(np.abs(values[0][np.ix_(order, order)] - values[1]).max())


def report(results: common.Results, scaled: bool) -> common.Report:
    """One line for each of the two."""
    columns = ("", "seconds", "x solve", "passes", "compiling", "MiB", "first player")
    found = common.Report(f"Game to 300 to {TOLERANCE:g}", columns, runs=results)
    for name, runs in results.items():
        found.add(
            name,
            common.median(runs, "seconds"),
            common.ratio(runs, results["solve"]),
            common.median(runs, "sweeps"),
            common.median(runs, "compile_seconds") if "compile_seconds" in runs[0] else 0.0,
            common.median(runs, "peak_mib"),
            f"{runs[0]['value']:.10f}",
        )
    if scaled:
        found.note(f"Numba: the time of {runs[0]['sweeps']} sweeps, scaled to {SWEEPS}")
    return found


def main() -> None:
    """Measure and print."""
    arguments = common.read(common.options(__doc__, quick_runs=1))
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder, name)) for name in ("solve.npy", "peer.npy")]
        max_sweeps = 2 if arguments.quick else None
        ways = {
            "solve": partial(common.fresh, "afternoon", "measure", values=files[0]),
            "Numba": partial(
                common.fresh, "afternoon", "peer", values=files[1], max_sweeps=max_sweeps
            ),
        }
        results = common.interleaved(ways, arguments.runs)
        apart = distance(results["solve"][0], results["Numba"][0], files)
    for run in (run for runs in results.values() for run in runs):
        del run["statuses"]
    found = report(results, scaled=arguments.quick)
    if not arguments.quick:
        found.note(f"the values of the two are at most {apart:.1e} apart")
    found.show(arguments.json)


if __name__ == "__main__":
    main()
