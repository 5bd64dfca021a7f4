"""kill -9 at random moments leaves the old good file or the new good one."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from solver import PIG, solve
from solver.tables import cached, load, save

pytestmark = pytest.mark.slow

KILLS = 50
GAME = replace(PIG, target=40)

SAVE_FOREVER = """
import itertools, sys
from solver.tables import load, save
old, new = load(sys.argv[1]), load(sys.argv[2])
print("ready", flush=True)
for solution in itertools.cycle((old, new)):
    save(solution, sys.argv[3])
"""

SOLVE_FOREVER = """
import sys
from dataclasses import replace
from solver import PIG
from solver.tables import cached
print("ready", flush=True)
while True:
    cached(replace(PIG, target=40), folder=sys.argv[1], fresh=True)
"""


def kill_at_random(code, *arguments, longest, rng):
    """Start a program, let it get going, and kill it within `longest` seconds."""
    command = [sys.executable, "-P", "-c", code, *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"ready\n"
        time.sleep(rng.uniform(0, longest))
        assert process.poll() is None
        process.send_signal(signal.SIGKILL)


def test_killed_saves_leave_a_good_file(tmp_path):
    rng = random.Random(1)
    old = solve(GAME)
    new = replace(old, values=1.0 - old.values, passes=0.0)
    for solution, name in ((old, "old"), (new, "new"), (old, "file")):
        save(solution, tmp_path / name)
    seen = set()
    for _ in range(KILLS):
        kill_at_random(
            SAVE_FOREVER, *(tmp_path / n for n in ("old", "new", "file")), longest=0.05, rng=rng
        )
        found = load(tmp_path / "file")
        seen.add(found.passes)
        assert np.array_equal(found.values, new.values if found.passes == 0.0 else old.values)
    assert seen == {old.passes, new.passes}


def test_killed_solves_leave_a_good_cache(tmp_path):
    rng = random.Random(2)
    values = solve(GAME).values
    for _ in range(KILLS):
        kill_at_random(SOLVE_FOREVER, tmp_path, longest=0.3, rng=rng)
        for path in tmp_path.glob("*.npz"):
            assert np.array_equal(load(path).values, values)
        if rng.random() < 0.2:
            for path in tmp_path.iterdir():
                path.unlink()
    cached(GAME, folder=tmp_path)
    (path,) = tmp_path.glob("*.npz")
    assert np.array_equal(load(path).values, values)


def test_killed_first_save_leaves_nothing_or_all(tmp_path):
    rng = random.Random(3)
    source = tmp_path / "source"
    save(solve(GAME), source)
    for turn in range(10):
        target = tmp_path / f"target{turn}"
        kill_at_random(SAVE_FOREVER, source, source, target, longest=0.002, rng=rng)
        assert not target.exists() or load(target).rules == GAME
        assert os.path.getsize(source) > 0
