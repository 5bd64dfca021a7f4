"""How fast are answers, once the game is solved?

Each run is a fresh process that loads a saved solution of the default game and asks about random
positions, none of them twice; its number is the median over them. What is asked first also pays
for tables that later answers share, so the first answers are shown apart. Whole processes
(`sharabeshki best`, imports) are timed from outside, in turn with a bare interpreter and with
`import numpy`. The solution comes from the cache; the game is solved first if it is not there.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, replace
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

import common

if TYPE_CHECKING:
    from solver import State
    from solver.positions import Positions

QUESTION = "195+60d2:540"
HEAVY = ("scipy", "matplotlib", "rich")
Question = tuple["State", tuple[int, ...] | None]
TARGETS = {  # seconds
    "best_action, the first": None,
    "best_action, the next 50": 0.2e-3,
    "best_action, before a throw, new": 0.2e-3,
    "best_action, after a throw, new": 0.2e-3,
    "best_action, asked again": 20e-6,
    "hold_roll_table": 2e-3,
    "load a saved solution": 20e-3,
    "sharabeshki best, whole process": 0.4,
    "import solver, above numpy": 0.06,
}


def positions(table: Positions, count: int, seed: int) -> Iterator[State]:
    """Different random positions between turns."""
    from solver import State

    draw = random.Random(seed)
    for number in draw.sample(range(len(table) ** 2), count):
        me, opponent = (table.statuses[index] for index in divmod(number, len(table)))
        yield State(
            me.score, opponent.score, 0, None, me.bolts, opponent.bolts,
            me.entered, opponent.entered,
        )  # fmt: skip


def inside(table: Positions, count: int, seed: int) -> Iterator[Question]:
    """Random states within turns, each of another position."""
    from solver.moves import reachable

    draw = random.Random(seed)
    for state in positions(table, count, seed):
        cells = sorted(cell for cell in reachable(table.rules, state.score) if cell[0])
        if cells:
            total, dice = draw.choice(cells)
            yield replace(state, turn_total=total, dice_left=dice), None


def thrown(table: Positions, count: int, seed: int) -> Iterator[Question]:
    """Random positions between turns, all dice thrown."""
    draw = random.Random(seed)
    for state in positions(table, count, seed):
        yield state, tuple(draw.choices(range(1, 7), k=table.rules.dice))


def write_questions(table: Positions, path: Path, count: int, seed: int) -> None:
    """Questions for :func:`measure`, made by another process so that nothing is warm there."""
    kinds = {
        "before": inside(table, count, seed),
        "after": thrown(table, count, seed + 1000),
        "tables": ((state, None) for state in positions(table, count // 4, seed + 2000)),
    }
    found = {
        kind: [(astuple(state), throw) for state, throw in questions]
        for kind, questions in kinds.items()
    }
    path.write_text(json.dumps(found), encoding="utf-8")


def timed(ask: Callable[..., Any], questions: Sequence[Sequence[Any]]) -> list[float]:
    """The seconds that each answer takes."""
    times = []
    for question in questions:
        started = perf_counter()
        ask(*question)
        times.append(perf_counter() - started)
    return times


def measure(path: str, questions: str) -> common.Result:
    """Load a solution and ask it."""
    from solver import State, load

    loading = median(timed(load, [(path,)] * 5))
    solution = load(path)
    asked = json.loads(Path(questions).read_text(encoding="utf-8"))
    before, after, tables = (
        [(State(*state), throw) for state, throw in asked[kind]]
        for kind in ("before", "after", "tables")
    )
    times = timed(solution.best_action, before)
    return {
        "best_action, the first": times[0],
        "best_action, the next 50": median(times[1:51]),
        "best_action, before a throw, new": median(times[51:]),
        "best_action, after a throw, new": median(timed(solution.best_action, after)),
        "best_action, asked again": median(timed(solution.best_action, after[-100:])),
        "hold_roll_table": median(timed(solution.hold_roll_table, [t[:1] for t in tables])),
        "load a saved solution": loading,
    }


def process(*arguments: str) -> common.Result:
    """The time of a whole process; modules are compiled once, as an installed package's are."""
    env = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    started = perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=env)
    return {"seconds": perf_counter() - started}


def above(runs: common.Results, under: str) -> float:
    """The median over rounds of what importing the package adds to another process."""
    pairs = zip(runs["import solver"], runs[under], strict=True)
    return float(median(solver["seconds"] - other["seconds"] for solver, other in pairs))


def processes(runs: int) -> common.Results:
    """Whole processes in turn."""
    ways = {
        "python": ("-c", "pass"),
        "import numpy": ("-c", "import numpy"),
        "import solver": ("-c", "import solver"),
        "best": ("-m", "solver", "best", QUESTION),
    }
    return common.interleaved({name: partial(process, *way) for name, way in ways.items()}, runs)


def imported() -> list[str]:
    """Those of the heavy packages that `import solver` brings in."""
    code = f"import sys, solver; print(*(set({HEAVY}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


def report(answers: common.Results, whole: common.Results) -> common.Report:
    """One line for each question, with its target."""
    found = common.Report("Answers, default game", ("", "ms", "at most"), runs={**answers, **whole})
    answered = answers["answers"]
    numbers = {key: common.median(answered, key) for key in TARGETS if key in answered[0]}
    numbers["sharabeshki best, whole process"] = common.median(whole["best"], "seconds")
    numbers["import solver, above numpy"] = above(whole, "import numpy")
    for name, seconds in numbers.items():
        most = TARGETS[name]
        found.add(name, seconds * 1e3, most and most * 1e3)
    bare = ", ".join(
        f"{name} {common.median(whole[name], 'seconds') * 1e3:.0f} ms"
        for name in ("python", "import numpy", "import solver")
    )
    found.note(f"whole processes: {bare}")
    found.note(f"import solver brings in {', '.join(imported()) or 'none'} of {', '.join(HEAVY)}")
    return found


def main() -> None:
    """Measure and print."""
    from solver.tables import cached, save

    arguments = common.read(common.options(__doc__, runs=5))
    solution = cached()
    answers: list[common.Result] = []
    with tempfile.TemporaryDirectory() as folder:
        path, questions = Path(folder, "solution.npz"), Path(folder, "questions.json")
        save(solution, path)
        for seed in range(arguments.runs):
            count = 400 if arguments.quick else 2000
            write_questions(solution.positions, questions, count, seed)
            answers.append(
                common.fresh("answers", "measure", path=str(path), questions=str(questions))
            )
    whole = processes(5 if arguments.quick else 15)
    report({"answers": answers}, whole).show(arguments.json)


if __name__ == "__main__":
    main()
