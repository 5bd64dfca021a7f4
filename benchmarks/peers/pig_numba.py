"""Peer: two-player Pig, hand-written in Numba (0.68.1 measured, ``pip install numba``).

What a competent user writes instead of using a library: Gauss-Seidel value iteration, one layer
of positions after the other in descending sum of the two scores, as T. W. Neller and C. G. M.
Presser do in "Optimal Play of the Dice Game Pig", The UMAP Journal 25(1), 2004, pp. 25-47.  A
turn never lowers a score, so positions (i, j) and (j, i) depend only on each other and on layers
that are finished already.

The stop rule is the usual one, a change below ``eps``: it bounds no error.  Towards the end the
change shrinks by about a third a sweep, so the error left is about twice ``eps`` (at target 100
and ``eps`` 1e-9 it is 2.1e-9 at the worst position).

Run alone, ``python pig_numba.py [target [eps]]`` prints the result as JSON; peak memory is that
of the whole process, so ask for it in a fresh one.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable
from functools import cache
from time import perf_counter
from typing import Any

WARM_UP_TARGET = 5


@cache
def _compiled() -> Callable[..., int]:
    """Build the kernel; Numba is needed only from here on, and compiles at the first call."""
    import numba
    import numpy as np

    @numba.njit
    def turn(win, i, j, after):  # type: ignore[no-untyped-def]
        """Update the mover's chance at scores i, j; ``after[k]`` is it at turn total k."""
        target = win.shape[0]
        bust = 1.0 - win[j, i]
        for k in range(target - i - 1, -1, -1):
            total = bust
            for face in range(2, 7):
                total += after[k + face] if i + k + face < target else 1.0
            after[k] = total / 6.0
            if k > 0:
                after[k] = max(after[k], 1.0 - win[j, i + k])
        change = abs(after[0] - win[i, j])
        win[i, j] = after[0]
        return change

    @numba.njit
    def iterate(win, eps):  # type: ignore[no-untyped-def]
        """Fill ``win[i, j]`` in place; return the most sweeps that a pair of positions took."""
        target = win.shape[0]
        after = np.empty(target + 6)
        most = 0
        for scores in range(2 * target - 2, -1, -1):
            for i in range(max(0, scores - target + 1), scores // 2 + 1):
                change, sweeps = 1.0, 0
                while change >= eps:
                    change = max(turn(win, i, scores - i, after), turn(win, scores - i, i, after))
                    sweeps += 1
                most = max(most, sweeps)
        return most

    return iterate  # type: ignore[no-any-return]


def solve(target: int = 100, eps: float = 1e-15) -> dict[str, Any]:
    """Solve two-player Pig.

    Parameters
    ----------
    target : int
        Points that win.
    eps : float
        A pair of positions is left when a sweep changes both by less than this.

    Returns
    -------
    dict
        ``value`` (the first player's chance to win), ``seconds`` (the solve alone),
        ``compile_seconds`` (importing Numba and compiling, by a solve at target 5; close to 0 when
        asked a second time), ``sweeps`` (the most that a pair of positions took), ``peak_mib``,
        ``version``, and ``values`` (chance of the mover at ``values[i, j]``, turn total 0).

    Raises
    ------
    ImportError
        If Numba is not installed.
    """
    started = perf_counter()
    iterate = _compiled()
    import numba
    import numpy as np

    iterate(np.zeros((WARM_UP_TARGET, WARM_UP_TARGET)), eps)
    compiled = perf_counter()
    win = np.zeros((target, target))
    sweeps = iterate(win, eps)
    return {
        "value": float(win[0, 0]),
        "seconds": perf_counter() - compiled,
        "compile_seconds": compiled - started,
        "sweeps": sweeps,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "version": f"Numba {numba.__version__}",
        "values": win,
    }


if __name__ == "__main__":
    result = solve(*(kind(text) for kind, text in zip((int, float), sys.argv[1:], strict=False)))
    del result["values"]
    print(json.dumps(result))
