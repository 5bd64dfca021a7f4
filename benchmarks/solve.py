"""How long does the default game take to an error bound of 1e-9, and what would it take otherwise?

Against plain Gauss-Seidel value iteration over the same kernel, with the same threads, start and
stopping bound; against one thread; against the narrower instruction sets. Each solve is a fresh
process. "Passes" are backward passes over all positions, those of the certificate counted;
Gauss-Seidel has no certificate. "Same bits" says whether all values are those of the first line.
"""

from __future__ import annotations

import hashlib
import tempfile
from functools import partial
from pathlib import Path
from time import perf_counter

import common

TOLERANCE = 1e-9


def measure(quick: bool, method: str, threads: int, width: int) -> common.Result:
    """Solve once."""
    import games

    import solver

    rules = games.MIDDLE if quick else solver.SHARABESHKI
    started = perf_counter()
    solution = getattr(solver, method)(rules, TOLERANCE, threads=threads, width=width)
    return {
        "seconds": perf_counter() - started,
        "peak_mib": common.peak_mib(),
        "passes": solution.passes,
        "error_bound": solution.error_bound,
        "threads": threads,
        "width": width,
        "start": solution.start,
        "bits": hashlib.sha256(solution.values).hexdigest(),
        "values": solution.values,
    }


def alternatives(widest: int) -> dict[str, common.Result]:
    """What is compared: names and the arguments of `measure`."""
    cores = common.processors()
    ways = {"solve": {"method": "solve", "threads": cores, "width": widest}}
    if cores > 1:
        ways["solve, one thread"] = {"method": "solve", "threads": 1, "width": widest}
    for width in range(widest - 1, -1, -1):
        ways[f"solve, width {width}"] = {"method": "solve", "threads": cores, "width": width}
    ways["gauss_seidel"] = {"method": "gauss_seidel", "threads": cores, "width": widest}
    return ways


def same_bits(runs: list[common.Result], reference: list[common.Result]) -> bool:
    """Whether all values of all runs are the same."""
    return len({run["bits"] for run in runs + reference}) == 1


def report(results: common.Results, quick: bool) -> common.Report:
    """One line for each alternative."""
    found = common.Report(
        f"{'Game to 300' if quick else 'Default game'} to {TOLERANCE:g}",
        ("", "threads", "width", "seconds", "x solve", "passes", "MiB", "error bound", "same bits"),
        runs=results,
    )
    reference = results["solve"]
    for name, runs in results.items():
        found.add(
            name,
            runs[0]["threads"],
            runs[0]["width"],
            common.median(runs, "seconds"),
            common.ratio(runs, reference),
            common.median(runs, "passes"),
            common.median(runs, "peak_mib"),
            runs[0]["error_bound"],
            same_bits(runs, reference) if name != "gauss_seidel" else None,
        )
    passes = common.median(results["gauss_seidel"], "passes")
    less = passes / common.median(reference, "passes")
    found.note(f"gauss_seidel takes {less:.1f} times as many passes as solve")
    return found


def main() -> None:
    """Measure and print."""
    import numpy as np

    from solver._kernel import WIDEST

    arguments = common.read(common.options(__doc__, quick_runs=1))
    with tempfile.TemporaryDirectory() as folder:
        files = {name: str(Path(folder, f"{name}.npy")) for name in alternatives(WIDEST)}
        measures = {
            name: partial(
                common.fresh, "solve", "measure", values=files[name], quick=arguments.quick, **way
            )
            for name, way in alternatives(WIDEST).items()
        }
        found = report(common.interleaved(measures, arguments.runs), arguments.quick)
        apart = np.abs(np.load(files["solve"]) - np.load(files["gauss_seidel"])).max()
    found.note(f"the values of the two are at most {apart:.1e} apart")
    found.show(arguments.json)


if __name__ == "__main__":
    main()
