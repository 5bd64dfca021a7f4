r"""Optimal play, found by iteration and ended by proof.

Let :math:`V(i, o)` be the chance that a player with status *i*, about to start a turn against an
opponent with status *o*, wins when both play to win. A turn is a sequence of choices that ends
with the opponent to move, so

.. math:: V(i, o) = T(V)(i, o) = \max_\pi \Big[ \Pr_\pi(\text{win})
          + \sum_{(i', o')} \Pr_\pi(i', o') \, (1 - V(o', i')) \Big].

Within a turn the score + turn total only grows, so that one *backward pass* over (score + turn
total, dice left) finds the maximum without listing the ways :math:`\pi` to play a turn. Between
turns positions recur (bolts, overtakes, dump trucks); *V* is a fixed point.

:func:`gauss_seidel` is plain value iteration, the reference. :func:`solve` is policy iteration
(Howard 1960; for turn-based games Hoffman and Karp 1966) in four parts that can each be replaced:

1. *start*: two players who race without minding each other (:mod:`solver.race`);
2. *greedy*: a backward pass gives at each position the map
   :math:`V \mapsto c - P V` of the choices that are best for the present values;
3. *evaluate*: Gauss-Seidel sweeps with the sparse *P* find the fixed point of the present maps, at
   a hundredth of the price of a backward pass a sweep;
4. only positions whose prospects have moved, by :math:`P \, |\Delta V|`, are worked through again.

As both players change their choices at once, they may answer each other in circles (Condon 1993);
after some rounds without progress only a part of the way to the new values is gone.

The solve ends when the certificate of :mod:`solver.certificate` holds, never because a change is
small.

References
----------
A. Condon, On algorithms for simple stochastic games, DIMACS Series 13, 1993.
R. A. Howard, *Dynamic Programming and Markov Processes*, 1960.
A. J. Hoffman and R. M. Karp, On nonterminating stochastic games, Management Science 12, 1966.
T. W. Neller and C. G. M. Presser, Optimal play of the dice game Pig, UMAP Journal 25, 2004.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from solver.bellman import BLOCK, Array, Bellman
from solver.certificate import Certificate, certify, rounding
from solver.policy import NOISE, Policy
from solver.positions import positions
from solver.race import race
from solver.rules import SHARABESHKI, Rules
from solver.solution import Solution

__all__ = ["Progress", "SolveError", "gauss_seidel", "solve", "verify"]

GOAL = 0.01  # prospects settle to this part of the tolerance before a certificate is tried
RENEW = 0.1  # positions are worked through again whose prospects moved by this part of the most ...
RENEW_NODES = 6e-4  # ... or, where turns are cheap next to sweeps, by this for each node of a roll
REUSE = 0.01  # choices stay where they are off by no more than this part of that
ACCURACY = 0.02  # of an evaluation, relative to its first sweep
ENOUGH = 0.05  # turns, of the expected number of turns left
DROP = 1e-4  # chances within a turn that P does not follow
PATIENCE = 3  # rounds without progress after which only half the way is gone
LEAST_PART = 1 / 8  # of the way
ROUNDS = 100  # of policy iteration before a certificate is tried all the same
LONGEST = 1e5  # turns that a game may be expected to last
ENDLESS = "no certificate: under these rules the game may never end, or last thousands of turns"


class SolveError(ValueError):
    """A game that cannot be solved to what was asked; the message says why."""


@dataclass(frozen=True)
class Progress:
    """Where a solve stands.

    Attributes
    ----------
    phase : str
        "iterate", "certify" or "sweep".
    passes : float
        Backward passes so far.
    change : float
        The largest change of a value in the last step.
    goal : float
        What it has to come down to.
    seconds : float
    """

    phase: str
    passes: float
    change: float
    goal: float
    seconds: float


OnProgress = Callable[[Progress], None]


class _Clock:
    """Reports progress, with the time since the start."""

    def __init__(self, bellman: Bellman, on_progress: OnProgress | None) -> None:
        self.bellman, self.on_progress, self.begun = bellman, on_progress, time.perf_counter()

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.begun

    def __call__(self, phase: str, change: float, goal: float) -> None:
        if self.on_progress is not None:
            self.on_progress(Progress(phase, self.bellman.passes, change, goal, self.seconds))


def solve(
    rules: Rules = SHARABESHKI,
    tolerance: float = 1e-9,
    on_progress: OnProgress | None = None,
    *,
    threads: int | None = None,
    width: int | None = None,
) -> Solution:
    """Solve a game to a certified error bound.

    Parameters
    ----------
    rules : Rules
    tolerance : float
        The error bound that is asked for, between 0 and 0.1.
    on_progress : callable, optional
        Called with a :class:`Progress` after each step; an exception that it raises ends the
        solve, as Ctrl-C does.
    threads : int, optional
        Default: all processors that this process may use. The result does not depend on it.
    width : int, optional
        Instruction set: 0 baseline, 1 AVX2, 2 AVX-512. The result does not depend on it.

    Returns
    -------
    Solution
        With ``error_bound <= tolerance``.

    Raises
    ------
    SolveError
        If the game may never end, or the tolerance is not to be had in double precision.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from solver.rules import PIGLET
    >>> solution = solve(PIGLET, tolerance=1e-12)
    >>> round(solution.start * 7, 9), solution.error_bound <= 1e-12
    (4.0, True)
    """
    if not (isinstance(tolerance, float | int | np.floating) and 0.0 < tolerance <= 0.1):
        raise SolveError(f"tolerance {tolerance!r}: must be above 0 and at most 0.1")
    bellman = Bellman(positions(rules), threads, width)
    clock = _Clock(bellman, on_progress)
    policy = Policy(bellman)
    values, turns = race(policy)
    policy.forget()
    stale = np.ones((bellman.size, bellman.blocks), dtype=bool)
    goal = tolerance * GOAL
    while goal > rounding(rules) / 100:
        values = _iterate(policy, values, stale, goal, clock)
        turns = _turns_left(policy, turns)
        clock("certify", goal, tolerance)
        found = certify(bellman, values, turns, tolerance)
        if found.holds and found.error_bound <= tolerance:
            return Solution(
                rules, values, found.error_bound, found.residual, bellman.passes, clock.seconds
            )
        stale, goal = _by_block(bellman, found.open_at.astype(float)) > 0, goal / 10
    least = 10 * rounding(rules) * float(turns.max())
    if least < tolerance:
        raise SolveError(
            "no certificate: under these rules a game may go on for ever though both play well"
        )
    raise SolveError(
        f"tolerance {tolerance:g}: not to be certified in double precision for these rules; "
        f"about {least:.1g} is"
    )


def _iterate(policy: Policy, values: Array, stale: Array, goal: float, clock: _Clock) -> Array:
    """Policy iteration from `values`, beginning with the `stale` blocks, until no position's
    prospects have moved by more than `goal` since its choices were last looked at."""
    bellman = policy.bellman
    moved, most, part = np.where(stale, np.inf, 0.0), 0.0, 1.0
    best, idle = np.inf, 0
    renew = min(RENEW, RENEW_NODES * bellman.kernel.nodes)
    for _ in range(ROUNDS):
        new, _ = policy.update(values, policy.fronts.among(stale), DROP, REUSE * most)
        new, settled = policy.evaluate(new, ACCURACY)
        if not settled:
            raise SolveError(ENDLESS)
        if part < 1.0:
            new = values + part * (new - values)
        change = np.abs(new - values)
        moved = np.where(stale, 0.0, moved) + _by_block(bellman, policy.apply(change))
        values, most = new, float(moved.max())
        clock("iterate", float(change.max()), goal)
        if most <= max(goal, NOISE):
            break
        stale = moved > max(renew * most, goal / 2)
        if most < best / 2:
            best, idle, part = most, 0, min(2 * part, 1.0)
        elif (idle := idle + 1) % PATIENCE == 0:
            part = max(part / 2, LEAST_PART)
    return values


def _by_block(bellman: Bellman, x: Array) -> Array:
    """(n, blocks): the largest entry of each block of an (n, n) array."""
    largest: Array = bellman.padded(x).reshape(bellman.size, bellman.blocks, BLOCK).max(axis=2)
    return largest


def _turns_left(policy: Policy, guess: Array) -> Array:
    """(n, n): the expected number of turns left under the policy; each turn takes about 1."""
    ones = policy.bellman.padded(np.ones_like(guess))
    turns, settled = policy.solve(1.0, ones, guess, 0.0, ENOUGH)
    if not (settled and turns.min() > 0.0 and turns.max() < LONGEST):
        raise SolveError(ENDLESS)
    return turns


def verify(
    rules: Rules, values: Array, error_bound: float, *, threads: int | None = None
) -> Certificate:
    """Derive the certificate of values anew, from the rules and the values alone.

    Parameters
    ----------
    rules : Rules
    values : (n, n) array
    error_bound : float
        What is claimed.

    Returns
    -------
    Certificate
        With an `error_bound` of at most what is claimed.

    Raises
    ------
    SolveError
        If the claim cannot be confirmed; the message shows the worst position.
    """
    bellman = Bellman(positions(rules), threads)
    if not (values.shape == (bellman.size,) * 2 and np.isfinite(values).all()):
        raise SolveError(f"values of shape {values.shape}: not numbers for these rules")
    policy = Policy(bellman)
    policy.update(values, drop=DROP)
    found = certify(bellman, values, _turns_left(policy, np.ones_like(values)), error_bound / 0.9)
    if not (found.holds and found.error_bound <= error_bound):
        i, o = np.unravel_index(int(found.excess.argmax()), values.shape)
        me, opponent = bellman.positions.statuses[i], bellman.positions.statuses[o]
        raise SolveError(
            f"an error bound of {error_bound:g} is not confirmed, least so where "
            f"{tuple(me)} is to move against {tuple(opponent)}"
        )
    return found


def gauss_seidel(
    rules: Rules = SHARABESHKI,
    tolerance: float = 1e-9,
    on_progress: OnProgress | None = None,
    *,
    threads: int | None = None,
    width: int | None = None,
    max_sweeps: int = 10_000,
) -> Solution:
    """Plain Gauss-Seidel value iteration: sweeps of backward passes in descending score.

    The reference that :func:`solve` is tested and timed against. It starts from the same values
    and ends when no value changes by more than a hundredth of the tolerance in a sweep, which
    proves nothing: `error_bound` is None. Parameters and errors are those of :func:`solve`.

    Examples
    --------
    >>> from solver.rules import PIGLET
    >>> round(gauss_seidel(PIGLET, 1e-12).start * 7, 9)
    4.0
    """
    bellman = Bellman(positions(rules), threads, width)
    clock = _Clock(bellman, on_progress)
    values, _ = race(Policy(bellman))
    change = np.inf
    for _ in range(max_sweeps):
        new = bellman.sweep(values)
        change = float(np.abs(new - values).max())
        values = new
        clock("sweep", change, tolerance / 100)
        if change <= tolerance / 100:
            return Solution(rules, values, None, change, bellman.passes, clock.seconds)
    raise SolveError(f"no convergence in {max_sweeps} sweeps: the last one changed {change:.1g}")
