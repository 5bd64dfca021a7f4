"""How many win probabilities a second, for arrays of random states of the default game?

Between turns that is a look-up; inside turns each position is worked through, up to eight opponents
at a time. Both in a fresh process that loads a saved solution from the cache (solved first if it
is not there); the same states one by one for comparison.
"""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

import common

if TYPE_CHECKING:
    import numpy as np

    from solver import Solution

SINGLY = 300


def statuses(solution: Solution, rng: np.random.Generator, count: int) -> dict[str, Any]:
    """Arguments of `win_probabilities`: random pairs of statuses."""
    import numpy as np

    table = np.array([(s.score, s.entered, s.bolts) for s in solution.positions.statuses])
    me, opponent = (table[rng.integers(len(table), size=count)].T for _ in range(2))
    return {
        "score": me[0],
        "opponent_score": opponent[0],
        "bolts": me[2],
        "opponent_bolts": opponent[2],
        "entered": me[1].astype(bool),
        "opponent_entered": opponent[1].astype(bool),
    }


def turns(solution: Solution, rng: np.random.Generator, count: int) -> dict[str, Any]:
    """The same, each somewhere in a turn that has not ended."""
    import numpy as np

    from solver.moves import reachable

    arguments = statuses(solution, rng, count)
    rules = solution.rules
    cells = {
        int(score): [c for c in sorted(reachable(rules, int(score))) if c[0]] or [(0, rules.dice)]
        for score in np.unique(arguments["score"])
    }
    drawn = [cells[score][rng.integers(len(cells[score]))] for score in arguments["score"].tolist()]
    arguments["turn_total"], arguments["dice_left"] = np.array(drawn).T
    return arguments


def singly(solution: Solution, arguments: dict[str, Any]) -> float:
    """States a second, one by one."""
    from solver import State

    names = list(arguments)
    columns = (arguments[name][:SINGLY].tolist() for name in names)
    states = [State(**dict(zip(names, row, strict=True))) for row in zip(*columns, strict=True)]
    started = perf_counter()
    for state in states:
        solution.win_probability(state)
    return len(states) / (perf_counter() - started)


def measure(kind: str, count: int, seed: int) -> common.Result:
    """Ask for many positions at once."""
    import numpy as np

    from solver import tables

    solution = tables.cached()
    make = {"between": statuses, "inside": turns}[kind]
    rng = np.random.default_rng(seed)
    turns(solution, rng, 20_000)  # fills tables that answers one by one share
    solution.win_probabilities(**make(solution, rng, 10))
    arguments = make(solution, rng, count)
    started = perf_counter()
    solution.win_probabilities(**arguments)
    seconds = perf_counter() - started
    return {"count": count, "a second": count / seconds, "singly": singly(solution, arguments)}


def main() -> None:
    """Measure and print."""
    from solver.tables import cached

    arguments = common.read(common.options(__doc__, runs=5))
    cached()
    scale = 1 if arguments.quick else 4
    asked = partial(common.fresh, "batch", "measure", seed=1)
    ways = {
        "between turns": partial(asked, kind="between", count=1_000_000 * scale),
        "inside turns": partial(asked, kind="inside", count=20_000 * scale),
    }
    results = common.interleaved(ways, arguments.runs)
    found = common.Report(
        "Win probabilities, default game",
        ("", "states", "a second", "at least", "one by one, a second", "MiB"),
        runs=results,
    )
    for (name, runs), least in zip(results.items(), (1_000_000, 20_000), strict=True):
        rates = (common.median(runs, key) for key in ("a second", "singly", "peak_mib"))
        rate, alone, memory = rates
        found.add(name, runs[0]["count"], rate, least, alone, memory)
    found.show(arguments.json)


if __name__ == "__main__":
    main()
