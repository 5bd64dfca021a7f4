"""Where the solver starts: two players who race for the target without minding each other.

Alone, a player who wants to need few turns faces a problem over statuses only. From his policy
comes the distribution of the number of turns to the target, and from the distributions of two
such players the chance that the mover is there first. It misses the overtakes and all tactics,
yet is within about 0.02 of the game's values on average, and costs less than one backward pass.
"""

from __future__ import annotations

import numpy as np

from solver.bellman import BLOCK, MEMORY, Array, Fronts, Policy, extrapolated

__all__ = ["race"]

LONGEST = 2000  # turns of a lone player, and steps to find them
DIGITS = 3  # of the result: far coarser than what the threads of a BLAS do to sums


def race(policy: Policy, rounds: int = 5) -> tuple[Array, Array]:
    """Estimate the values of all positions, and how many turns are left.

    Parameters
    ----------
    policy : Policy
        Is made the lone player's where it matters; holds nothing of use afterwards.
    rounds : int
        Steps of policy iteration for the lone player.

    Returns
    -------
    values, turns : (n, n) arrays
        1/2 and 1 everywhere if the lone player may never be done.
    """
    bellman = policy.bellman
    chain = _lone_chain(policy, rounds)
    ends = _turns_to_target(chain) if chain is not None else None
    if ends is None:
        return np.full((bellman.size,) * 2, 0.5), np.ones((bellman.size,) * 2)
    still = 1.0 - np.cumsum(ends, axis=1) + ends  # the target takes at least t turns
    values = np.clip(ends @ still.T, 0.0, 1.0)
    turns = 1.0 + still[:, 1:] @ (still[:, 1:] + still[:, :-1]).T
    return np.round(values, DIGITS), np.round(turns, DIGITS)


def _lone_chain(policy: Policy, rounds: int) -> Array | None:
    """The statuses' transition matrix when a lone player wants to need few turns.

    In the kernel's terms: reaching the target is worth 1 and each turn before that costs 1.
    """
    bellman = policy.bellman
    gain = bellman.positions.levels / 20.0  # a first guess of what a turn brings
    turns = 1.0 + (bellman.positions.levels - bellman.level) / gain
    tasks = np.zeros((bellman.size, 2), dtype=np.int32)
    tasks[:, 0] = np.arange(bellman.size)
    for _ in range(rounds):
        policy.update(np.tile(turns, (bellman.size, 1)), Fronts.together(tasks))
        chain = _chain(policy)
        settled = _turns_left(chain, turns)
        if settled is None:
            return None
        turns = settled
    return chain


def _turns_left(chain: Array, turns: Array) -> Array | None:
    """The solution of ``turns = 1 + chain turns``; None if a race may be very long."""
    past: list[tuple[Array, Array]] = []
    for _ in range(LONGEST):
        step = 1.0 + (chain * turns).sum(axis=1) - turns
        if np.abs(step).max() <= 1e-5 * np.abs(turns).max():
            return turns if turns.min() > 0.99 else None
        past = [*past[1 - MEMORY :], (turns + step, step)]
        turns = extrapolated(past)
    return None


def _chain(policy: Policy) -> Array:
    """P of the first block's first opponent as a matrix from status to status."""
    bellman = policy.bellman
    size, bank_status = bellman.size, bellman.positions.bank_status
    chain = np.zeros((size, size))
    for i, (start, count) in enumerate(zip(policy.starts[:, 0], policy.counts[:, 0], strict=True)):
        lines = slice(start, start + count)
        chances = policy.chances.reshape(-1, BLOCK)[lines, 0]
        chain[i, bank_status[policy.levels[lines]]] += chances
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
        ends.append((chain * ends[-1]).sum(axis=1))
        left = left - ends[-1]
    return np.stack(ends, axis=1)
