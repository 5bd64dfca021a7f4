"""How does Pig compare with a hand-written solver and with general tools?

Two players, exact rules, each solve a fresh process. Numba (``peers/pig_numba.py``) is run to the
same accuracy; Storm and OpenSpiel are asked for 1e-12 and 1e-9. "Seconds" are those of the solve
alone; imports, compiling and building models are "start-up". Peers that are not installed are
skipped; --peer-python names an interpreter that has them.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import common

TOLERANCE = 1e-12
NUMBA_EPS = 4e-13  # leaves about 1e-12; shown below the table
Way = Callable[[], common.Result]


def measure(target: int) -> common.Result:
    """Solve by the library."""
    from dataclasses import replace

    started = perf_counter()
    from solver import PIG, solve

    imported = perf_counter()
    solution = solve(replace(PIG, target=target), TOLERANCE)
    solved = perf_counter()
    return {
        "seconds": solved - imported,
        "compile_seconds": imported - started,
        "peak_mib": common.peak_mib(),
        "value": solution.start,
        "error_bound": solution.error_bound,
        "passes": solution.passes,
        "scores": [status.score for status in solution.positions.statuses],
        "values": solution.values,
    }


def available(python: str, notes: list[str]) -> set[str]:
    """The peers that can be measured; a note on each that cannot."""
    probes: dict[str, dict[str, Any]] = {
        "pig_numba": {"target": 5},
        "pig_storm": {"target": 5},
        "pig_openspiel": {"target": 3},
    }
    found = set()
    for peer, arguments in probes.items():
        try:
            common.fresh(f"peers.{peer}", "solve", python, **arguments)
            found.add(peer)
        except common.Missing as error:
            notes.append(f"skipped {peer}: {error}")
    return found


def ways(python: str, target: int, peers: dict[str, dict[str, Any]]) -> dict[str, Way]:
    """What is interleaved at one target: the library first."""
    group: dict[str, Way] = {
        f"solve, {target}": partial(common.fresh, "pig", "measure", target=target)
    }
    for peer, asked in peers.items():
        name = f"{peer.removeprefix('pig_')}, {target}"
        group[name] = partial(
            common.fresh, f"peers.{peer}", "solve", python, target=target, **asked
        )
    return group


def groups(peers: set[str], quick: bool, runs: int) -> list[tuple[int, list[str], int]]:
    """(target, peers, runs) of what is interleaved: what takes a second more often than what takes
    minutes."""
    if quick:
        asked = [(100, ["pig_numba"], runs), (20, ["pig_storm", "pig_openspiel"], runs)]
    else:
        asked = [
            (100, ["pig_numba"], 3 * runs),
            (50, ["pig_storm"], 3 * runs),
            (50, ["pig_openspiel"], runs),
            (100, ["pig_storm"], runs),
        ]
    there = [
        (target, [name for name in names if name in peers], often) for target, names, often in asked
    ]
    return [group for group in there if group[1] or group is there[0]]


def accuracy(python: str) -> str:
    """How far both are from the hand-written solver at its limit, at target 100."""
    import numpy as np

    with tempfile.TemporaryDirectory() as folder:
        ours, theirs, limit = (str(Path(folder, f"{name}.npy")) for name in range(3))
        scores = common.fresh("pig", "measure", values=ours, target=100)["scores"]
        ask = partial(common.fresh, "peers.pig_numba", "solve", python, target=100)
        ask(values=theirs, eps=NUMBA_EPS)
        ask(values=limit, eps=1e-15)
        exact = np.load(limit)
        off = np.abs(np.load(ours) - exact[np.ix_(scores, scores)]).max()
        return (
            f"off by at most, at target 100: solve {off:.1e}, "
            f"numba {np.abs(np.load(theirs) - exact).max():.1e}"
        )


def add(found: common.Report, results: common.Results) -> None:
    """The lines of a group: the library first."""
    reference = next(iter(results.values()))
    for name, runs in results.items():
        for run in runs:
            run.pop("scores", None)
        found.add(
            name,
            len(runs),
            common.median(runs, "seconds"),
            common.ratio(runs, reference),
            common.median(runs, "compile_seconds"),
            common.median(runs, "peak_mib"),
            abs(runs[0]["value"] - reference[0]["value"]),
            runs[0].get("version", ""),
        )
        found.runs.setdefault(name, []).extend(runs)


def main() -> None:
    """Measure and print."""
    parser = common.options(__doc__)
    parser.add_argument("--peer-python", default=sys.executable, help="interpreter for the peers")
    arguments = common.read(parser)
    columns = ("", "runs", "seconds", "x solve", "start-up", "MiB", "value apart", "")
    found = common.Report(f"Pig to {TOLERANCE:g}", columns)
    python = arguments.peer_python
    peers = available(python, found.notes)
    for target, names, runs in groups(peers, arguments.quick, arguments.runs):
        asked = {name: {"eps": NUMBA_EPS} if name == "pig_numba" else {} for name in names}
        add(found, common.interleaved(ways(python, target, asked), runs))
    if "pig_numba" in peers:
        found.note(accuracy(python))
    found.show(arguments.json)


if __name__ == "__main__":
    main()
