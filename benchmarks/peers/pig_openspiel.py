"""Peer: two-player Pig in OpenSpiel (2.0.2 measured, ``pip install open_spiel cvxpy``).

The game is OpenSpiel's own ``pig`` and the solver its Python
``open_spiel.python.algorithms.value_iteration``, the one documented way to the values of a game
with chance and perfect information (M. Lanctot et al., "OpenSpiel: A Framework for Reinforcement
Learning in Games", arXiv:1908.09453, 2019); the C++ value iteration has no Python binding.  It
sweeps all states in the order in which they were found until no value changes by more than
``threshold``, which bounds no error.

Three things to know when asking: the module imports cvxpy, which open_spiel does not depend on;
the states are listed by a recursion as deep as the longest chain of states, so it runs in a
thread with a large stack; and ``horizon`` ends a game as a draw after so many moves, so it is
set beyond any chain.  Returns are +1 and -1: chance = (1 + value) / 2.

Run alone, ``python pig_openspiel.py [target [threshold]]`` prints the result as JSON; peak memory
is that of the whole process, so ask for it in a fresh one.
"""

from __future__ import annotations

import json
import resource
import sys
import threading
from collections.abc import Callable
from importlib.metadata import version
from time import perf_counter
from typing import Any

STACK_BYTES = 1 << 30
RECURSION_LIMIT = 10_000_000


def deep(function: Callable[[], Any]) -> Any:
    """Call a function in a thread with room for a deep recursion."""
    results: list[Any] = []
    limit = sys.getrecursionlimit()
    threading.stack_size(STACK_BYTES)
    sys.setrecursionlimit(RECURSION_LIMIT)
    try:
        thread = threading.Thread(target=lambda: results.append(function()))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(0)
        sys.setrecursionlimit(limit)
    if not results:
        raise RuntimeError("OpenSpiel's value iteration ended with the error printed above")
    return results[0]


def solve(target: int = 50, threshold: float = 1e-9) -> dict[str, Any]:
    """Solve two-player Pig.

    Parameters
    ----------
    target : int
        Points that win.
    threshold : float
        OpenSpiel stops when a sweep changes no value by more (in returns, twice the chance).

    Returns
    -------
    dict
        ``value`` (the first player's chance to win), ``seconds`` (listing the states and the
        sweeps, which are one call), ``compile_seconds`` (imports and loading the game), ``sweeps``
        (None: OpenSpiel does not tell), ``peak_mib``, ``version`` and ``states``.

    Raises
    ------
    ImportError
        If open_spiel or cvxpy is not installed.
    """
    started = perf_counter()
    import pyspiel
    from open_spiel.python.algorithms import value_iteration

    horizon = 2 * (target + 1) ** 3  # more than there are states
    game = pyspiel.load_game("pig", {"winscore": target, "horizon": horizon})
    loaded = perf_counter()
    values = deep(lambda: value_iteration.value_iteration(game, -1, threshold, cyclic_game=True))
    seconds = perf_counter() - loaded
    return {
        "value": (1 + values[str(game.new_initial_state())]) / 2,
        "seconds": seconds,
        "compile_seconds": loaded - started,
        "sweeps": None,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "version": f"open-spiel {version('open_spiel')}",
        "states": len(values),
    }


if __name__ == "__main__":
    kinds = int, float
    print(json.dumps(solve(*(kind(text) for kind, text in zip(kinds, sys.argv[1:], strict=False)))))
