"""What the benchmark scripts share: fresh processes, interleaved runs, medians, tables.

A measurement is a function with JSON arguments that returns a dictionary; :func:`fresh` calls it
in a process of its own, so that nothing is warm and the peak memory is its own. Only the standard
library is imported here, so that a peer can be measured with another interpreter than this one.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

Result = dict[str, Any]
Results = dict[str, list[Result]]
Cell = str | float | int | bool | None

PACKAGES = ("sharabeshki", "numpy", "numba")
LOAD = os.getloadavg()[0]  # before a script adds its own


class Missing(ImportError):
    """What is to be measured is not installed."""


# ---------------------------------------------------------------- measuring


def peak_mib() -> float:
    """The most memory that this process has held so far.

    A child begins with what its parent held when it was started, so parents stay small.
    """
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def fresh(
    module: str, function: str, python: str = sys.executable, values: str = "", **arguments: Any
) -> Result:
    """Call ``module.function(**arguments)`` in a fresh process.

    Parameters
    ----------
    module, function : str
        A module beside this one.
    python : str
        The interpreter.
    values : str
        File for the array that the result has under "values"; "": it is dropped.
    **arguments
        Of the function.

    Raises
    ------
    Missing
        If the function raises ImportError.
    """
    command = [python, __file__, module, function, values, json.dumps(arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    result: Result = json.loads(done.stdout.splitlines()[-1])
    if "missing" in result:
        raise Missing(result["missing"])
    return result


def answer(module: str, function: str, path: str, arguments: str) -> None:
    """The other end of :func:`fresh`."""
    try:
        result = getattr(import_module(module), function)(**json.loads(arguments))
    except ImportError as error:
        print(json.dumps({"missing": str(error)}))
        return
    result.setdefault("peak_mib", peak_mib())
    values = result.pop("values", None)
    if path:
        import numpy as np

        np.save(path, values)
    print(json.dumps(result))


def interleaved(alternatives: Mapping[str, Callable[[], Result]], runs: int) -> Results:
    """Run alternatives in turn, `runs` times each, so that a drift of the machine hits all."""
    results: Results = {name: [] for name in alternatives}
    for run in range(runs):
        for name, measure in alternatives.items():
            print(f"run {run + 1} of {runs}: {name}", file=sys.stderr, flush=True)
            results[name].append(measure())
    return results


def median(results: Sequence[Result], key: str) -> float:
    """The median over runs of one number."""
    return float(statistics.median(result[key] for result in results))


def ratio(over: Sequence[Result], under: Sequence[Result], key: str = "seconds") -> float:
    """The median of the ratios within each round of interleaved runs."""
    return float(statistics.median(a[key] / b[key] for a, b in zip(over, under, strict=True)))


# ---------------------------------------------------------------- telling


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0))


def machine() -> Result:
    """Processor, cores, load and versions."""
    versions: Result = {}
    for package in PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            versions[package] = None
    return {
        "cpu": _cpu(),
        "cores": processors(),
        "load before": round(LOAD, 1),
        "python": platform.python_version(),
        **versions,
    }


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    facts = dict(line.replace("\t", "").split(":", 1) for line in lines if ":" in line)
    if "model name" not in facts:
        return platform.processor() or platform.machine()
    return f"{facts['model name'].strip()} ({facts['cpu family'].strip()}/{facts['model'].strip()})"


@dataclass
class Report:
    """What a script found out; printed as text or as JSON."""

    title: str
    columns: Sequence[str]
    rows: list[Sequence[Cell]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    runs: Results = field(default_factory=dict)
    machine: Result = field(default_factory=machine)

    def add(self, *cells: Cell) -> None:
        """A row of the table."""
        self.rows.append(cells)

    def note(self, text: str) -> None:
        """A line below the table."""
        self.notes.append(text)

    def show(self, as_json: bool) -> None:
        """Print it."""
        print(json.dumps(asdict(self), indent=1) if as_json else self.text())

    def text(self) -> str:
        """Title, machine, aligned table and notes."""
        about = ", ".join(
            f"{name} {value}" for name, value in self.machine.items() if value is not None
        )
        runs = [len(results) for results in self.runs.values()]
        span = f"{min(runs)} to {max(runs)}" if min(runs) < max(runs) else f"{max(runs)}"
        how_often = f"medians of {span} interleaved runs"
        rows = table(self.columns, self.rows)
        return "\n".join([self.title, about, how_often, "", rows, "", *self.notes])


def shown(cell: Cell) -> str:
    """A cell as text; numbers to three digits.

    Examples
    --------
    >>> [shown(x) for x in (None, True, 12345.6, 0.012345, 1.234e-10, 7)]
    ['', 'yes', '12,346', '0.0123', '1.2e-10', '7']
    """
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "NO"
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int) or abs(cell) >= 1000:
        return f"{cell:,.0f}"
    return f"{cell:.3g}" if cell == 0 or abs(cell) >= 1e-3 else f"{cell:.1e}"


def table(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """Aligned text: the first column to the left, the others to the right."""
    lines = [list(columns), *([shown(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def options(description: str | None, runs: int = 3, quick_runs: int = 3) -> argparse.ArgumentParser:
    """The options that all scripts have; read them with :func:`read`."""
    parser = argparse.ArgumentParser(description=(description or "").split("\n\n")[0])
    parser.add_argument("--quick", action="store_true", help="less of it, in under a minute")
    parser.add_argument("--json", action="store_true", help="print JSON, with each single run")
    parser.add_argument("--runs", type=int, help=f"default {runs}, with --quick {quick_runs}")
    parser.set_defaults(full_runs=runs, quick_runs=quick_runs)
    return parser


def read(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """The command line, with the number of runs filled in."""
    arguments = parser.parse_args()
    arguments.runs = arguments.runs or (
        arguments.quick_runs if arguments.quick else arguments.full_runs
    )
    return arguments


if __name__ == "__main__":
    answer(*sys.argv[1:])
