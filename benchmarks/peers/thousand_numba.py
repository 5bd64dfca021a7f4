"""Peer: the two-player game "1000", hand-written in Numba (0.68.1 measured, ``pip install numba``).

What a competent user writes in an afternoon instead of using a library: plain Gauss-Seidel value
iteration, as in every textbook (M. L. Puterman, "Markov Decision Processes", Wiley 1994, section
6.3.3), over a table of option sets.  An option is (points, dice left) of a set-aside; throws
with the same options are one entry with a count, which leaves 112 entries and 398 options for
1 to 5 dice.  Positions between turns are pairs of statuses (score, entered, bolts).  A sweep
goes through the mover's statuses in descending score and spreads the opponents over all cores
with ``numba.prange``; for each position it works backwards through the turn.

The stop rule is the usual one, a change below ``eps`` in a whole sweep: it bounds no error, so a
comparison at equal accuracy has to measure the error, and ``values`` is returned for that.  At
target 300 the error left was measured as 1.3 times the last change; the default ``eps`` ends there
after 50 sweeps, 6.5e-10 off at the worst position.

Run alone, ``python thousand_numba.py [target [eps]]`` prints the result as JSON; peak memory is
that of the whole process, so ask for it in a fresh one.
"""

from __future__ import annotations

import json
import resource
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from math import inf
from time import perf_counter
from typing import Any

DICE = 5
STEP = 5  # every score is a multiple of it
PADDING = 1000 // STEP  # the most points that one throw is worth
EPS = 7e-10  # leaves less than 1e-9 at target 300

Status = tuple[int, int, int]  # score, entered (0 or 1), bolts
Faces = tuple[int, ...]


@dataclass(frozen=True)
class Game:
    """A rule set; by default the game to 300, with one barrel and one dump truck."""

    target: int = 300
    floor: int = -300
    entry: int = 50
    barrels: Sequence[Sequence[int]] = ((200, 300),)
    dump_trucks: Sequence[int] = (155,)
    dump_on_penalty: bool = False
    bolts_to_penalty: int = 3
    bolt_penalty: int = 50
    bolt_on: str = "any_throw"
    overtake_penalty: int = 50
    set_aside: str = "any"
    hot_dice: str = "must_roll"

    def lowered(self, score: int, penalty: int) -> int:
        """Return a score after a penalty."""
        score = max(score - penalty, self.floor)
        return 0 if self.dump_on_penalty and score in self.dump_trucks else score

    def statuses(self) -> list[Status]:
        """List all statuses in descending score."""
        entered = range(self.floor, self.target, STEP)
        outside = {0}
        while (lower := self.lowered(min(outside), self.bolt_penalty)) not in outside:
            outside.add(lower)
        scores = [(score, 1) for score in entered] + [(score, 0) for score in outside]
        bolts = range(self.bolts_to_penalty)
        return sorted(((*pair, count) for pair in scores for count in bolts), reverse=True)

    def bust(self, status: Status, first_throw: bool) -> Status:
        """Return a status after a throw in which nothing scores."""
        score, entered, bolts = status
        only_first = self.bolt_on == "first_throw" or (
            self.bolt_on == "any_throw_until_entered" and entered
        )
        if only_first and not first_throw:
            return status
        if bolts + 1 == self.bolts_to_penalty:
            return self.lowered(score, self.bolt_penalty), entered, 0
        return score, entered, bolts + 1

    def lowest_bank(self, status: Status) -> int:
        """Return the lowest score that may be banked from a status."""
        score, entered, _ = status
        if not entered:
            return score + max(self.entry, STEP)
        ends = [high for low, high in self.barrels if low <= score < high]
        return max([score + STEP, *ends])


def points_of(kept: Faces) -> float:
    """Return the most points that kept dice are worth, -inf if they do not all score."""
    if kept in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6)):
        return 125 if kept[0] == 1 else 250
    total = 0.0
    for face, count in Counter(kept).items():
        base = 10 if face == 1 else face
        single = {1: 10, 5: 5}.get(face, -inf)
        of_a_kind = {3: 10, 4: 20, 5: 100}.get(count, 0) * base
        total += of_a_kind or single * count
    return total


@cache
def option_sets(dice: int, set_aside: str) -> dict[tuple[tuple[int, int], ...], int]:
    """Count the throws of some dice by what they allow: a set of (points, dice left)."""
    sets: Counter[tuple[tuple[int, int], ...]] = Counter()
    for throw in product(range(1, 7), repeat=dice):
        options = set()
        for size in range(1, dice + 1):
            for kept in combinations(sorted(throw), size):
                if points_of(kept) > 0:
                    options.add((int(points_of(kept)), dice - size))
        if options and set_aside == "all":
            options = {max(options, key=lambda option: (option[0], -option[1]))}
        sets[tuple(sorted(options))] += 1
    return sets


def throw_table(set_aside: str) -> tuple[Any, ...]:
    """Flatten the option sets: where each number of dice begins, where each set begins, chances.

    An option is stored as the offset of (points, dice left) from the present score in a table
    with one row a score and one column for each of 0 to 4 dice left.
    """
    import numpy as np

    first, starts, offsets, chances, bust = [0, 0], [0], [], [], [0.0]
    for dice in range(1, DICE + 1):
        sets = option_sets(dice, set_aside)
        bust.append(sets[()] / 6**dice)
        for options, count in sets.items():
            if options:
                offsets += [points // STEP * DICE + left for points, left in options]
                starts.append(len(offsets))
                chances.append(count / 6**dice)
        first.append(len(chances))
    return tuple(np.array(column) for column in (first, starts, offsets, chances, bust))


def status_table(game: Game, statuses: list[Status]) -> tuple[Any, ...]:
    """Describe every status by arrays: scores, and indices of the statuses that it can become."""
    import numpy as np

    index = {status: number for number, status in enumerate(statuses)}
    overtaken = [
        index[game.lowered(score, game.overtake_penalty) if entered else score, entered, bolts]
        for score, entered, bolts in statuses
    ]
    banked = [index[score, 1, 0] for score in range(game.floor, game.target, STEP)]
    columns = (
        [score for score, _, _ in statuses],
        [game.lowest_bank(status) for status in statuses],
        [index[game.bust(status, first_throw=True)] for status in statuses],
        [index[game.bust(status, first_throw=False)] for status in statuses],
        overtaken,
        banked,
        [score in game.dump_trucks for score in range(game.floor, game.target, STEP)],
    )
    return tuple(np.array(column) for column in columns)


def _turn() -> Callable[..., float]:
    """Build the kernel of one position."""
    import numba
    import numpy as np

    @numba.njit
    def turn(win, i, j, floor, target, may_roll, table, throws):  # type: ignore[no-untyped-def]
        """Return the mover's chance at the start of a turn, i against j."""
        score, lowest_bank, bust_first, bust_later, overtaken, banked, dump = table
        first, starts, offsets, chances, bust_chance = throws
        rows = (target - score[i]) // STEP
        after = np.ones((rows + PADDING + 1) * DICE)  # past the target the game is won
        for row in range(rows - 1, -1, -1):
            total = score[i] + row * STEP
            here = (total - floor) // STEP
            if row > 0 and dump[here]:
                after[row * DICE : (row + 1) * DICE] = 1.0 - win[j, banked[-floor // STEP]]
                continue
            bust = 1.0 - win[j, bust_later[i] if row > 0 else bust_first[i]]
            bank = 0.0
            if row > 0 and total >= lowest_bank[i]:
                passed = score[i] < score[j] < total
                bank = 1.0 - win[overtaken[j] if passed else j, banked[here]]
            for left in range(DICE):
                dice = left if left > 0 else DICE
                value = bust_chance[dice] * bust
                for entry in range(first[dice], first[dice + 1]):
                    best = 0.0
                    for option in range(starts[entry], starts[entry + 1]):
                        chance = after[row * DICE + offsets[option]]
                        best = chance if chance > best else best
                    value += chances[entry] * best
                after[row * DICE + left] = max(value, bank) if left > 0 or may_roll else value
        return after[0]

    return turn  # type: ignore[no-any-return]


@cache
def _compiled() -> Callable[..., float]:
    """Build the kernel; Numba is needed only from here on, and compiles at the first call."""
    import numba
    import numpy as np

    turn = _turn()

    @numba.njit(parallel=True)
    def sweep(win, floor, target, may_roll, table, throws):  # type: ignore[no-untyped-def]
        """Update all positions, the mover's statuses in descending score; return the change."""
        change = 0.0
        row = np.empty(len(win))
        for i in range(len(win)):
            for j in numba.prange(len(win)):
                row[j] = turn(win, i, np.int64(j), floor, target, may_roll, table, throws)
            change = max(change, np.abs(row - win[i]).max())
            win[i] = row
        return change

    return sweep


def iterate(game: Game, eps: float, max_sweeps: int | None = None) -> tuple[Any, int]:
    """Sweep until nothing changes by ``eps``; return the values and the number of sweeps."""
    import numpy as np

    statuses = game.statuses()
    fixed = status_table(game, statuses), throw_table(game.set_aside)
    may_roll = game.hot_dice == "may_roll"
    win = np.full((len(statuses), len(statuses)), 0.5)
    change, sweeps = 1.0, 0
    while change >= eps and sweeps != max_sweeps:
        change = _compiled()(win, game.floor, game.target, may_roll, *fixed)
        sweeps += 1
    return win, sweeps


def solve(
    game: Game | None = None,
    eps: float = EPS,
    max_sweeps: int | None = None,
    threads: int | None = None,
) -> dict[str, Any]:
    """Solve the 1000 game.

    Parameters
    ----------
    game : Game, optional
        The rule set; by default the game to 300.
    eps : float
        Stop when a sweep changes no value by as much.
    max_sweeps : int, optional
        Stop after so many sweeps at the latest, to time a sweep.
    threads : int, optional
        Threads of Numba, as many as there are cores where not given.  One thread is faster for
        tiny games and on a busy machine: the threads meet after every status, a row of opponents.

    Returns
    -------
    dict
        ``value`` (the first player's chance to win), ``seconds`` (the sweeps),
        ``compile_seconds`` (importing Numba, listing the option sets and compiling, by one sweep
        of a tiny game; close to 0 when asked a second time), ``sweeps``, ``peak_mib``,
        ``version``, ``values`` (chance of the mover, mover's status first) and ``statuses``
        (score, entered, bolts).

    Raises
    ------
    ImportError
        If Numba is not installed.
    """
    game = game or Game()
    started = perf_counter()
    import numba

    if threads is not None:
        numba.set_num_threads(threads)
    iterate(Game(target=10, floor=0, barrels=(), dump_trucks=()), eps, max_sweeps=1)
    compiled = perf_counter()
    values, sweeps = iterate(game, eps, max_sweeps)
    seconds = perf_counter() - compiled
    statuses = game.statuses()
    start = statuses.index((0, 0, 0) if game.entry > 0 else (0, 1, 0))
    return {
        "value": float(values[start, start]),
        "seconds": seconds,
        "compile_seconds": compiled - started,
        "sweeps": sweeps,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "version": f"Numba {numba.__version__}",
        "values": values,
        "statuses": statuses,
    }


if __name__ == "__main__":
    result = solve(
        Game(target=int(sys.argv[1]) if len(sys.argv) > 1 else 300),
        eps=float(sys.argv[2]) if len(sys.argv) > 2 else EPS,
    )
    print(json.dumps({key: result[key] for key in result if key not in ("values", "statuses")}))
