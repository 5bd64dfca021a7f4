"""Where the solver starts: two players who race for the target without minding each other.

Alone, a player who wants to need few turns faces a problem over statuses only. From his policy
comes the distribution of the number of turns to the target, and from the distributions of two
such players the chance that the mover is there first. It misses the overtakes and all tactics,
yet is within about 0.01 of the game's values on average, and costs a fraction of a backward pass.
"""

from __future__ import annotations

import numpy as np

from solver.bellman import BLOCK, Array, Fronts
from solver.policy import Policy

__all__ = ["race"]

LONGEST = 2000  # turns of a lone player
DIGITS = 3  # of the result: far coarser than what the threads of a BLAS do to sums


def race(policy: Policy) -> tuple[Array, Array]:
    """Estimate the values of all positions, and how many turns are left.

    Parameters
    ----------
    policy : Policy
        Is made the lone player's where it matters; holds nothing of use afterwards.

    Returns
    -------
    values, turns : (n, n) arrays
        1/2 and 1 everywhere if the lone player may need very long.
    """
    bellman = policy.bellman
    ends = _turns_to_target(_lone_chain(policy))
    if ends is None:
        return np.full((bellman.size,) * 2, 0.5), np.ones((bellman.size,) * 2)
    still = 1.0 - np.cumsum(ends, axis=1) + ends  # the target takes at least t turns
    values = np.clip(ends @ still.T, 0.0, 1.0)
    turns = 1.0 + still[:, 1:] @ (still[:, 1:] + still[:, :-1]).T
    return np.round(values, DIGITS), np.round(turns, DIGITS)


def _lone_chain(policy: Policy) -> Array:
    """The statuses' transition matrix when a lone player wants to need few turns.

    In the kernel's terms: reaching the target is worth 1 and each turn before that costs 1. One
    step of policy iteration from a guess of the turns does; more do not bring the race any closer
    to the game.
    """
    bellman = policy.bellman
    gain = bellman.positions.levels / 20.0  # a guess of what a turn brings
    turns = 1.0 + (bellman.positions.levels - bellman.level) / gain
    tasks = np.zeros((bellman.size, 2), dtype=np.int32)
    tasks[:, 0] = np.arange(bellman.size)
    policy.update(np.tile(turns, (bellman.size, 1)), Fronts.together(tasks))
    size, bank_status = bellman.size, bellman.positions.bank_status
    chain = np.zeros((size, size))
    counts = policy.counts[:, 0]
    first = policy.starts[:, 0] - np.cumsum(counts) + counts
    lines = np.repeat(first, counts) + np.arange(counts.sum())
    banks = np.repeat(np.arange(size), counts), bank_status[policy.levels[lines]]
    np.add.at(chain, banks, policy.chances[lines * BLOCK])
    busts = bellman.players[:, 2:].T
    for chances, to in zip(
        policy.others[:, :, 0], (*busts, bellman.positions.dump_status), strict=True
    ):
        np.add.at(chain, (np.arange(size), to), chances)
    return chain


def _turns_to_target(chain: Array) -> Array | None:
    """[i, t]: the chance that status i needs t + 1 turns; None if many may be needed."""
    ends = [1.0 - chain.sum(axis=1)]
    left = 1.0 - ends[0]
    while left.max() > 1e-4:
        if len(ends) == LONGEST:
            return None
        ends.append(chain @ ends[-1])
        left = left - ends[-1]
    return np.stack(ends, axis=1)
